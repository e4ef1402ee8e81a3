import { Dialog as Base } from '@base-ui/react/dialog';
import { useRef, type ReactElement } from 'react';
import { useWords } from '../../shell/language.ts';
import { mayClose } from '../../shell/unsaved.ts';
import { IconButton } from '../button.tsx';
import { join } from '../join.ts';
import { DESIGN } from '../words.ts';
import type { DialogProps } from './dialog-props.ts';
import styles from './dialog.module.css';

/** Takes the focus, and gives it back. */
export function OpenDialog({ title, onClose, children, isWide = false }: DialogProps): ReactElement {
  const words = useWords(DESIGN);
  const body = useRef<HTMLDivElement>(null);
  // Who opens a form writes in its first field. Otherwise the box itself is read out.
  const first = (): HTMLElement | true => body.current?.querySelector<HTMLElement>('input, select, textarea') ?? true;
  const close = (): void => {
    if (mayClose(body.current)) onClose();
  };
  return (
    <Base.Root open onOpenChange={(open) => !open && close()}>
      <Base.Portal>
        <Base.Backdrop className={styles.veil} />
        <Base.Popup initialFocus={first} className={join(styles.box, isWide && styles.wide)}>
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <IconButton name={words.close} icon="close" onClick={close} />
          </header>
          <div ref={body} className={styles.body}>
            {children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
