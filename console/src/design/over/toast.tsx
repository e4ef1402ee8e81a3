import { createContext, use, useCallback, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { Icon } from '../icons.tsx';
import { join } from '../join.ts';
import styles from './toast.module.css';

type Toast = { readonly id: number; readonly text: string; readonly isBad: boolean };
type Say = (text: string, how?: { readonly isBad?: boolean }) => void;

const SHOWN_MS = 6_000;
const SayContext = createContext<Say>(() => undefined);

/** Says in a line what was done. It goes by itself, so it holds nothing that must be read. */
export const useSay = (): Say => use(SayContext);

export function Toasts({ children }: { readonly children: ReactNode }): ReactElement {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const last = useRef(0);
  const say = useCallback<Say>((text, { isBad = false } = {}) => {
    const id = ++last.current;
    setToasts((all) => [...all.slice(-2), { id, text, isBad }]);
    setTimeout(() => setToasts((all) => all.filter((one) => one.id !== id)), SHOWN_MS);
  }, []);
  return (
    <SayContext value={say}>
      {children}
      <div className={styles.toasts} role="status" aria-live="polite">
        {toasts.map(({ id, text, isBad }) => (
          <p key={id} className={join(styles.toast, isBad && styles.bad)}>
            <Icon name={isBad ? 'alert' : 'check'} size={16} /> {text}
          </p>
        ))}
      </div>
    </SayContext>
  );
}
