import { useLayoutEffect } from 'react';

const TYPING = 'input:not([type=checkbox]), select, textarea, [role=dialog], [role=menu]';

/** Whether a key that was pressed belongs to a field or a box. */
export const isTyping = ({ target }: KeyboardEvent): boolean => target instanceof Element && target.closest(TYPING) !== null;

/** Does something for keys of the whole page. `Control+k` works while somebody types; a single key does not. */
export function useKeys(acts: Readonly<Record<string, () => void>>): void {
  // Before the page is painted: who sees it may press at once.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isWithControl = event.ctrlKey || event.metaKey;
      const act = acts[isWithControl ? `Control+${event.key.toLowerCase()}` : event.key];
      if (act === undefined || event.altKey || (!isWithControl && isTyping(event))) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
}
