import { cloneElement, lazy, Suspense, useState, type ReactElement } from 'react';
import type { MenuProps } from './menu-props.ts';

const OpenMenu = lazy(async () => ({ default: (await import('./open-menu.tsx')).OpenMenu }));

/** A button that opens a list of acts. The list is loaded when somebody opens it: no first screen needs it. */
export function Menu(props: MenuProps): ReactElement {
  const [wasOpened, setOpened] = useState(false);
  const closed = cloneElement(props.trigger, { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: () => setOpened(true) } as object);
  if (!wasOpened) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenMenu {...props} />
    </Suspense>
  );
}
