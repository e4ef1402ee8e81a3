import { memo, useEffect, useLayoutEffect, useRef, useState, type ReactElement } from 'react';
import { join } from '../design/join.ts';
import { isTyping } from '../shell/keys.ts';
import { useWords } from '../shell/language.ts';
import { Link } from '../shell/link.tsx';
import { goTo, type LinkTo } from '../shell/navigation.ts';
import type { Column } from './column.ts';
import { LIST } from './words.ts';
import styles from './list.module.css';

type Selection = { readonly selected: ReadonlySet<string>; readonly setSelected: (keys: ReadonlySet<string>) => void };

type RowsProps<Item> = {
  readonly items: readonly Item[];
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  readonly pageOf?: ((item: Item) => LinkTo) | undefined;
  readonly selection?: Selection | undefined;
  readonly isEarlier?: boolean;
  /** On a phone a row is two lines, with the columns that have a place there. */
  readonly isShort?: boolean;
};

/** More than a phone shows at once. */
const ROWS_AT_ONCE = 12;

/** How many rows are shown: the first ones at once, the others in small parts. So a slow phone hears its user meanwhile. */
function useGrowing(all: number): number {
  const [shown, setShown] = useState(ROWS_AT_ONCE);
  useEffect(() => {
    if (shown >= all) return undefined;
    const timer = setTimeout(() => setShown(shown + ROWS_AT_ONCE));
    return () => clearTimeout(timer);
  }, [shown, all]);
  return shown;
}

/** The rows of a list. On a phone each row is two lines, or a card with all that somebody chose to see. `j` and `k` move, `Enter` opens, `x` selects. */
export function Rows<Item>({
  items,
  columns,
  keyOf,
  pageOf,
  selection,
  isEarlier = false,
  isShort = false,
}: RowsProps<Item>): ReactElement {
  const words = useWords(LIST);
  const body = useKeys(selection);
  const shown = useGrowing(items.length);
  const isAll = items.every((item) => selection?.selected.has(keyOf(item)));
  return (
    <div className={styles.scroll} tabIndex={-1}>
      <table role="table" className={join(styles.table, isShort && styles.short, isEarlier && styles.earlier)} aria-busy={isEarlier}>
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th role="columnheader" className={styles.tick}>
                <input
                  type="checkbox"
                  aria-label={words.selectAll}
                  checked={isAll}
                  onChange={() => selection.setSelected(new Set(isAll ? [] : items.map(keyOf)))}
                />
              </th>
            )}
            {columns.map(({ id, title, isNumber }) => (
              <th key={id} role="columnheader" scope="col" className={isNumber ? styles.number : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" ref={body}>
          {items.slice(0, shown).map((item) => (
            <KeptRow key={keyOf(item)} {...{ item, columns, keyOf, pageOf, selection }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row<Item>({ item, columns, keyOf, pageOf, selection }: Omit<RowsProps<Item>, 'items'> & { readonly item: Item }): ReactElement {
  const words = useWords(LIST);
  const key = keyOf(item);
  const page = pageOf?.(item);
  const isSelected = selection?.selected.has(key) ?? false;
  const toggle = (): void => {
    const now = new Set(selection?.selected);
    if (!now.delete(key)) now.add(key);
    selection?.setSelected(now);
  };
  return (
    <tr
      role="row"
      className={join(page !== undefined && styles.opens, isSelected && styles.selected)}
      // The link of the first cell does the same for keys and readers. A whole row is a larger target.
      onClick={(event) => {
        const isOwn = (event.target as Element).closest('a, button, input, label') !== null || getSelection()?.type === 'Range';
        if (page !== undefined && !isOwn) void goTo(page);
      }}
    >
      {selection && (
        <td role="cell" className={styles.tick}>
          <input type="checkbox" aria-label={`${words.select}: ${key}`} checked={isSelected} onChange={toggle} />
        </td>
      )}
      {columns.map(({ id, title, cell, isNumber, onPhone }, place) => (
        <td
          key={id}
          role="cell"
          data-title={title}
          className={join(isNumber && styles.number, place === 0 ? styles.name : onPhone && styles[onPhone])}
        >
          {place === 0 && page !== undefined ? (
            <Link to={page} className={styles.link}>
              {cell(item)}
            </Link>
          ) : (
            cell(item)
          )}
        </td>
      ))}
    </tr>
  );
}

/** A row that is shown stays as it is while others come. */
const KeptRow = memo(Row) as typeof Row;

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

const focus = (row: HTMLTableRowElement | undefined): void => row?.querySelector<HTMLElement>('a, input, button')?.focus();

/** The keys of a list. They work wherever nobody is typing. */
function useKeys(selection: Selection | undefined): React.RefObject<HTMLTableSectionElement | null> {
  const body = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      const rows = [...(body.current?.rows ?? [])];
      const present = rows.findIndex((row) => row.contains(document.activeElement));
      const step = STEPS[event.key];
      if (step !== undefined) focus(rows[Math.max(0, present + step)]);
      else if (event.key === 'x' && selection) rows[present]?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
      else if (event.key === '/') document.querySelector<HTMLElement>('[data-key="/"]')?.click();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [selection]);
  return body;
}
