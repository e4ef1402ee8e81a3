import { useId, useState, type ReactElement, type ReactNode } from 'react';
import { useWords } from '../../shell/language.ts';
import { useUnsaved } from '../../shell/unsaved.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../over/dialog.tsx';
import { Checkbox } from './field.tsx';
import { Facts, Copyable } from '../values/values.tsx';
import { DESIGN } from '../words.ts';
import styles from './keep-secrets.module.css';

/** What is not there is not shown: a lost answer that is asked for again holds no secret. */
export type Secret = readonly [name: string, secret: string | undefined];

/** Shows secrets the only time that they are shown. It closes once somebody says that they are kept. */
export function KeepSecrets({
  title,
  secrets,
  children,
  onKept,
}: {
  readonly title: string;
  readonly secrets: readonly Secret[];
  /** What to do with them. */
  readonly children?: ReactNode;
  readonly onKept: () => void;
}): ReactElement {
  const words = useWords(DESIGN);
  const shown = secrets.flatMap(([name, secret]) => (secret === undefined ? [] : [[name, secret] as const]));
  const [isChecked, setChecked] = useState(false);
  const isKept = isChecked || shown.length === 0;
  const [hasTried, setTried] = useState(false);
  useUnsaved(useId(), !isKept);
  const close = (): void => {
    setTried(true);
    if (isKept) onKept();
  };
  return (
    <Dialog title={title} onClose={close} isWide>
      <div className={styles.keep}>
        <p>{shown.length === 0 ? words.secretLost : words.secretOnce}</p>
        <Facts of={shown.map(([name, secret]) => [name, <Copyable key={name} name={name} text={secret} />] as const)} />
        {children}
        {shown.length > 0 && <Checkbox label={words.secretKept} isOn={isChecked} onSwitch={setChecked} />}
        <p role="alert" className={styles.first}>
          {hasTried && !isKept && words.secretKeepFirst}
        </p>
        <div className={styles.buttons}>
          <Button kind="main" onClick={close}>
            {words.close}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
