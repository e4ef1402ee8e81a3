import type { ReactNode } from 'react';

/** A column of a list. `isExtra`: shown only to who chooses it. `isNumber`: to the right, digits below digits. */
export type Column<Item> = {
  readonly id: string;
  readonly title: string;
  readonly cell: (item: Item) => ReactNode;
  readonly isNumber?: boolean;
  readonly isExtra?: boolean;
};
