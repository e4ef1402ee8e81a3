import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactElement, ReactNode } from 'react';
import { useWords } from '../shell/language.ts';
import { IconButton } from './button.tsx';
import { join } from './join.ts';
import { DESIGN } from './words.ts';
import styles from './dialog.module.css';

type DialogProps = {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** At the side, over the whole height: to look at one thing without losing the list. */
  readonly isPanel?: boolean;
  readonly isWide?: boolean;
};

/** A box over the page. It takes the focus, and gives it back. */
export function Dialog({ title, isOpen, onClose, children, isPanel = false, isWide = false }: DialogProps): ReactElement {
  const words = useWords(DESIGN);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.veil} />
        <Base.Popup className={join(isPanel ? styles.panel : styles.box, isWide && styles.wide)}>
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <IconButton name={words.close} icon="close" onClick={onClose} />
          </header>
          <div className={styles.body}>{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
