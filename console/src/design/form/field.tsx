import { useId, type InputHTMLAttributes, type ReactElement, type ReactNode } from 'react';
import { checkText, choicesOf, isDayRule, ruleOfValue, type Broken, type Rule } from '../../api/rules.ts';
import { useWords } from '../../shell/language.ts';
import { DESIGN } from '../words.ts';
import { useEdited } from './form.tsx';
import styles from './field.module.css';

type FrameProps = {
  readonly label: string;
  /** What it holds. The form around it asks before a change of it is lost. */
  readonly value: unknown;
  readonly hint?: ReactNode;
  /** What is wrong with it, in words. */
  readonly fault?: string | undefined;
  readonly isOptional?: boolean;
  readonly isHidden?: boolean;
  readonly children: (ids: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': true | undefined;
  }) => ReactNode;
};

/** The label, hint and fault of one input, joined for those who hear the page. */
export function FieldFrame({ label, value, hint, fault, isOptional, isHidden, children }: FrameProps): ReactElement {
  const id = useId();
  useEdited(value);
  const words = useWords(DESIGN);
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isHidden ? 'unseen' : styles.label}>
        {label} {isOptional && <span className={styles.optional}>({words.optional})</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': fault === undefined ? undefined : true })}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p id={`${id}-fault`} className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  );
}

type ValueProps = {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly hint?: ReactNode;
  readonly fault?: string | undefined;
  readonly isHidden?: boolean;
};

type FieldProps = ValueProps & {
  /** Of the operation that takes the value: length, form and choices come from there. */
  readonly rule?: Rule | undefined;
  readonly isRequired?: boolean;
  /** The words of the rule's choices. */
  readonly choices?: Readonly<Record<string, unknown>>;
  readonly isLong?: boolean;
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'required'>;

/** One input of a form. A rule with choices makes it a list to choose from. */
export function Field({
  label,
  value,
  onValue,
  hint,
  fault,
  rule,
  isRequired = false,
  choices,
  isLong = false,
  isHidden = false,
  ...rest
}: FieldProps): ReactElement {
  const named = choicesOf(rule);
  const own = rule && ruleOfValue(rule);
  if (named !== undefined && own?.type !== 'array') {
    const options = named.map((one) => ({ value: one, text: typeof choices?.[one] === 'string' ? choices[one] : one }));
    return (
      <Select
        {...{ label, value, onValue, hint, fault, isHidden }}
        options={isRequired ? options : [{ value: '', text: '' }, ...options]}
      />
    );
  }
  const type = own !== undefined && isDayRule(own) ? 'date' : 'text';
  return (
    <FieldFrame {...{ label, value, hint, fault, isHidden }} isOptional={!isRequired && !isHidden}>
      {(ids) =>
        isLong ? (
          <textarea
            {...ids}
            className={styles.input}
            rows={3}
            value={value}
            maxLength={own?.maxLength}
            onChange={(event) => onValue(event.target.value)}
          />
        ) : (
          <input
            type={type}
            inputMode={own?.type === 'integer' ? 'numeric' : undefined}
            autoComplete="off"
            {...rest}
            {...ids}
            className={styles.input}
            value={value}
            maxLength={own?.maxLength}
            aria-required={isRequired || undefined}
            onChange={(event) => onValue(event.target.value)}
          />
        )
      }
    </FieldFrame>
  );
}

/** A list to choose one from: the system's own, which every phone and every reader knows. */
export const Select = ({
  options,
  label,
  value,
  onValue,
  hint,
  fault,
  isHidden = false,
}: ValueProps & { readonly options: readonly { readonly value: string; readonly text: string }[] }): ReactElement => (
  <FieldFrame {...{ label, value, hint, fault, isHidden }}>
    {(ids) => (
      <select {...ids} className={styles.input} value={value} onChange={(event) => onValue(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    )}
  </FieldFrame>
);

/** A yes or no. */
export function Checkbox({
  label,
  isOn,
  onSwitch,
}: {
  readonly label: ReactNode;
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
}): ReactElement {
  useEdited(isOn);
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={isOn} onChange={(event) => onSwitch(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** Says in words which rule a text breaks. */
export function useCheck(): (rule: Rule | undefined, text: string, isRequired?: boolean) => string | undefined {
  const { broken: words } = useWords(DESIGN);
  const say = (broken: Broken): string => {
    switch (broken.rule) {
      case 'whole-number':
        return words.wholeNumber;
      case 'characters':
        return words.characters(
          [
            broken.letters && words.kinds[broken.letters],
            broken.hasDigits && words.kinds.digits,
            broken.marks !== '' && words.marks(broken.marks),
          ].filter((one) => typeof one === 'string'),
        );
      case 'too-long':
        return words.tooLong(broken.bound);
      case 'too-short':
        return words.tooShort(broken.bound);
      case 'too-small':
        return words.tooSmall(broken.bound);
      case 'too-large':
        return words.tooLarge(broken.bound);
      default:
        return words[broken.rule];
    }
  };
  return (rule, text, isRequired = false) => {
    const broken = checkText(rule, text, isRequired);
    return broken && say(broken);
  };
}
