import type { ReactElement } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/over/dialog.tsx';
import { Copyable } from '../../design/values/values.tsx';
import { DESIGN } from '../../design/words.ts';
import { useWords } from '../../shell/language.ts';
import { CASHOUT } from './cashout-words.ts';
import styles from './cashouts.module.css';

/** Shows a one-time password, once. */
export function ShownPassword({ password, onClose }: { readonly password: string; readonly onClose: () => void }): ReactElement {
  const words = useWords(CASHOUT);
  const { close } = useWords(DESIGN);
  return (
    <Dialog title={words.password} onClose={onClose}>
      <p>{words.shownOnce}</p>
      <p className={styles['password']}>
        <Copyable name={words.password} text={password} />
      </p>
      <Button kind="main" onClick={onClose}>
        {close}
      </Button>
    </Dialog>
  );
}
