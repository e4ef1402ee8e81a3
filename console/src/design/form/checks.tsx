import { useId, type ReactElement } from 'react';
import { Checkbox } from './field.tsx';
import styles from './checks.module.css';

/** Some of several choices. */
export function Checks({
  label,
  hint,
  options,
  chosen,
  onChoose,
  fault,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
  readonly fault?: string | undefined;
}): ReactElement {
  const id = useId();
  return (
    <fieldset className={styles.checks} aria-describedby={hint || fault ? id : undefined}>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.options}>
        {options.map(({ value, text }) => (
          <Checkbox
            key={value}
            label={text}
            isOn={chosen.includes(value)}
            onSwitch={(isOn) => onChoose(options.map((one) => one.value).filter((one) => (one === value ? isOn : chosen.includes(one))))}
          />
        ))}
      </div>
      {(fault ?? hint) && (
        <p id={id} role={fault && 'alert'} className={fault ? styles.fault : styles.hint}>
          {fault ?? hint}
        </p>
      )}
    </fieldset>
  );
}
