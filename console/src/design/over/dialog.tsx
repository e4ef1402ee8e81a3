import { lazy, Suspense, type ReactElement } from 'react';
import type { DialogProps } from './dialog-props.ts';

const OpenDialog = lazy(async () => ({ default: (await import('./open-dialog.tsx')).OpenDialog }));

/** A box over the page, as long as it is drawn. It is loaded when the first one opens: no first screen needs it. */
export const Dialog = (props: DialogProps): ReactElement => (
  <Suspense>
    <OpenDialog {...props} />
  </Suspense>
);
