import type { ReactNode } from 'react';

/** Where a phone shows a column in the two lines of a row: after the name, at the end, below the name, below the end. */
export type PhonePlace = 'when' | 'aside' | 'below' | 'mark';

/** A column of a list. `isExtra`: shown only to who chooses it. `isNumber`: to the right, digits below digits. */
export type Column<Item> = {
  readonly id: string;
  readonly title: string;
  readonly cell: (item: Item) => ReactNode;
  readonly isNumber?: boolean;
  readonly isExtra?: boolean;
  /** Where some columns have a place, a phone shows the first column and these. Else each row is a card with all. */
  readonly onPhone?: PhonePlace;
};
