import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { useWords } from '../shell/language.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Checkbox } from './field.tsx';
import { Facts, Copyable } from './values.tsx';
import { DESIGN } from './words.ts';
import styles from './keep-secrets.module.css';

/** Shows secrets the only time that they are shown. It closes once somebody says that they are kept. */
export function KeepSecrets({
  title,
  secrets,
  children,
  onKept,
}: {
  readonly title: string;
  readonly secrets: readonly (readonly [name: string, secret: string])[];
  /** What to do with them. */
  readonly children?: ReactNode;
  readonly onKept: () => void;
}): ReactElement {
  const words = useWords(DESIGN);
  const [isKept, setKept] = useState(false);
  const [hasTried, setTried] = useState(false);
  useLeavingGuard(!isKept);
  const close = (): void => {
    setTried(true);
    if (isKept) onKept();
  };
  return (
    <Dialog title={title} onClose={close} isWide>
      <div className={styles.keep}>
        <p>{words.secretOnce}</p>
        <Facts of={secrets.map(([name, secret]) => [name, <Copyable key={name} text={secret} />] as const)} />
        {children}
        <Checkbox label={words.secretKept} isOn={isKept} onSwitch={setKept} />
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

/** The browser asks before the page is left. */
function useLeavingGuard(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isOn]);
}
