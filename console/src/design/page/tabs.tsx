import { useRef, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import { join } from '../join.ts';
import styles from './tabs.module.css';

type Tab = { readonly name: string; readonly title: string; readonly count?: number };

/** Parts of a page of which one is shown. Which one is in the address: the page holds it, as `?tab=`. */
export function Tabs({
  tabs,
  chosen,
  onChoose,
  children,
}: {
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
  readonly children: ReactNode;
}): ReactElement {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const place = (tabs.findIndex(({ name }) => name === chosen) + step + tabs.length) % tabs.length;
    onChoose(tabs[place]?.name ?? chosen);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[place]?.focus();
  };
  return (
    <>
      <div role="tablist" ref={list} className={styles.tabs} onKeyDown={move}>
        {tabs.map(({ name, title, count }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === chosen}
            aria-controls={name === chosen ? `panel-${name}` : undefined}
            tabIndex={name === chosen ? 0 : -1}
            className={join(styles.tab, name === chosen && styles.chosen)}
            onClick={() => onChoose(name)}
          >
            {title}
            {count !== undefined && <span className={styles.count}>{count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`panel-${chosen}`} aria-labelledby={`tab-${chosen}`} tabIndex={0} className={styles.panel}>
        {children}
      </div>
    </>
  );
}
