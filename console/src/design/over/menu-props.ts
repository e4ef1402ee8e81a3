import type { ReactElement, ReactNode } from 'react';

type Item = { readonly name: string; readonly onChoose: () => void; readonly isChosen?: boolean; readonly isBad?: boolean };

export type MenuProps = {
  /** The button. */
  readonly trigger: ReactElement<object>;
  readonly label?: ReactNode;
  readonly groups: readonly (readonly Item[])[];
};
