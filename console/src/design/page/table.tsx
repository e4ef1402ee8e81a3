import type { ReactElement, ReactNode } from 'react';
import { join } from '../join.ts';
import styles from './table.module.css';

type TableColumn = { readonly title: string; readonly isNumber?: boolean };
type TableRow = {
  readonly id: string;
  readonly cells: readonly ReactNode[];
  /** A sum, or what a statement begins and ends with. `part`: a part of the row above. */
  readonly look?: 'sum' | 'part';
};

type TableProps = {
  /** What it shows, for who hears it. */
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** Of many rows: it scrolls inside itself. */
  readonly isLong?: boolean;
  /** On a phone it scrolls to the side. Else each row becomes a card. */
  readonly isGrid?: boolean;
};

/** A table that is not a list of the API: a statement, the figures of a chart. The first cell of a row names it. */
export const Table = ({ name, columns, rows, isLong = false, isGrid = false }: TableProps): ReactElement => (
  <div className={join(styles.scroll, isLong && styles.long)} role="region" aria-label={name} tabIndex={0}>
    <table role="table" className={join(styles.table, !isGrid && styles.cards)}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, isNumber }) =>
            // The column of what can be done has no name: nobody hears an empty heading.
            title === '' ? (
              <td key={title} role="cell" />
            ) : (
              <th key={title} role="columnheader" scope="col" className={isNumber ? styles.number : undefined}>
                {title}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(({ id, cells, look }) => (
          <tr key={id} role="row" className={look && styles[look]}>
            {cells.map((cell, place) => {
              const { title, isNumber } = columns[place] as TableColumn;
              const common = { className: isNumber ? styles.number : undefined, 'data-title': title };
              return place === 0 ? (
                <th key={title} role="rowheader" scope="row" {...common}>
                  {cell}
                </th>
              ) : (
                <td key={title} role="cell" {...common}>
                  {cell}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
