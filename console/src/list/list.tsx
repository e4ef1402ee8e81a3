import { useState, type ReactElement, type ReactNode } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import type { CallInput, ItemOf, OperationName } from '../api/client.ts';
import { readAgain, SUMMARIES, useRead } from '../api/queries.ts';
import type { Rules } from '../api/rules.ts';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import { Load, Notice } from '../design/page/load.tsx';
import { Menu } from '../design/over/menu.tsx';
import { useAddress, type Search } from '../shell/address.ts';
import { useWords } from '../shell/language.ts';
import type { LinkTo } from '../shell/navigation.ts';
import { useChanges, type ChangeKind } from '../shell/live.tsx';
import type { Column } from './column.ts';
import { readFilter, rulesWithout } from './filter.ts';
import type { ChoiceWords } from './chip-value.tsx';
import { Filters } from './filters.tsx';
import { Summary } from './summary.tsx';
import { Rows } from './rows.tsx';
import { Views } from './views.tsx';
import { LIST } from './words.ts';
import styles from './list.module.css';

/** The operations that list. */
export type ListName = { [Name in OperationName]: [ItemOf<Name>] extends [never] ? never : Name }[OperationName];

export type ListProps<Name extends ListName> = {
  readonly operation: Name;
  /** The rules of the operation: its query is the filter. */
  readonly rules: Rules;
  /** The parts of the operation's path, where it lists what one thing is made of: such a list has no filter, columns or views. */
  readonly path?: Readonly<Record<string, string>>;
  /** Filters that are always on, and are not shown. */
  readonly always?: Search;
  readonly columns: readonly Column<ItemOf<Name>>[];
  readonly keyOf: (item: ItemOf<Name>) => string;
  /** The page of an item. */
  readonly pageOf?: (item: ItemOf<Name>) => LinkTo;
  /** The words of choices, by parameter. */
  readonly choices?: ChoiceWords;
  /** What live events change in it. */
  readonly live?: ChangeKind;
  /** What can be done with the rows that are selected. Without it nothing is selected. */
  readonly acts?: ((items: readonly ItemOf<Name>[], clear: () => void) => ReactNode) | undefined;
  /** What is shown beside the filters: an export, a new one. */
  readonly beside?: (filter: Search) => ReactNode;
  readonly empty?: ReactNode;
};

/** A list of the management API: filters, columns, pages, keys, selection, and live changes that wait to be shown. */
export function List<Name extends ListName>(props: ListProps<Name>): ReactElement {
  const { operation, path, always = {}, choices = {}, live, beside } = props;
  const rules = rulesWithout(props.rules, always);
  const words = useWords(LIST);
  const [search, set] = useAddress();
  const { filter, wrong } = readFilter(search, rules);
  const { cursor } = search;
  const input = { ...(path && { path }), query: { ...filter, ...always, ...(cursor === undefined ? {} : { cursor }) } };
  const query = useRead(operation, input as unknown as CallInput<Name>, { keepsPrevious: true });
  return (
    <div className={styles.list}>
      {operation in SUMMARIES && (
        <Summary
          operation={SUMMARIES[operation as keyof typeof SUMMARIES]}
          query={{ ...filter, ...always }}
          {...('state' in filter && { state: filter['state'] })}
          states={rules.query?.properties?.['state'] === undefined ? undefined : (choices['state'] ?? {})}
          set={set}
        />
      )}
      {path === undefined && (
        <div className={styles.bar}>
          <Filters
            rules={rules}
            filter={filter}
            set={set}
            choices={choices}
            hasTabs={operation in SUMMARIES && choices['state'] !== undefined}
          />
          <div className={styles.beside}>
            {live && <Changed operation={operation} kind={live} />}
            {beside?.(filter)}
            <Views />
            <ColumnChoice columns={props.columns as unknown as readonly Column<unknown>[]} />
          </div>
        </div>
      )}
      {wrong.length > 0 && (
        <p role="status" className={styles.wrong}>
          <Icon name="alert" size={16} /> {words.wrong(wrong.join(', '))}
          <Button kind="quiet" isSmall onClick={() => set(Object.fromEntries(wrong.map((name) => [name, undefined])))}>
            {words.remove}
          </Button>
        </p>
      )}
      <Load of={query} lines={8}>
        {({ body }) => {
          const { items, next } = body as unknown as { readonly items: readonly ItemOf<Name>[]; readonly next: string | null };
          const isFiltered = Object.keys(filter).length > 0;
          return <Shown {...props} items={items} next={next} isFiltered={isFiltered} isEarlier={query.isPlaceholderData} />;
        }}
      </Load>
    </div>
  );
}

type ShownProps<Name extends ListName> = ListProps<Name> & {
  readonly items: readonly ItemOf<Name>[];
  readonly next: string | null;
  readonly isFiltered: boolean;
  /** The page before is still shown, until the new one is there. */
  readonly isEarlier: boolean;
};

function Shown<Name extends ListName>({
  columns,
  keyOf,
  pageOf,
  acts,
  empty,
  items,
  next,
  isFiltered,
  isEarlier,
}: ShownProps<Name>): ReactElement {
  const words = useWords(LIST);
  const [search] = useAddress();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = search['columns']?.split(',');
  const shown = columns.filter(({ id, isExtra }) => (chosen === undefined ? !isExtra : chosen.includes(id)));
  const picked = items.filter((item) => selected.has(keyOf(item)));
  if (items.length === 0 && next === null)
    return (
      <>
        {empty ?? (
          <Notice icon="search" title={words.empty}>
            {isFiltered && <p>{words.emptyHint}</p>}
          </Notice>
        )}
        <Pages next={next} />
      </>
    );
  return (
    <>
      {acts && picked.length > 0 && (
        <div className={styles.acts} role="group" aria-label={words.selected(picked.length)}>
          <b>{words.selected(picked.length)}</b>
          {acts(picked, () => setSelected(new Set()))}
        </div>
      )}
      <Rows
        {...{ items, keyOf, pageOf, isEarlier }}
        columns={shown}
        isShort={chosen === undefined && columns.some(({ onPhone }) => onPhone !== undefined)}
        selection={acts && { selected, setSelected }}
      />
      <Pages next={next} count={items.length} />
    </>
  );
}

/** Where the earlier pages began: kept with the address in the history of the browser. */
type Trail = { readonly trail?: readonly string[] };

/** Leads to the next page and to the one before. */
function Pages({ next, count }: { readonly next: string | null; readonly count?: number }): ReactElement | null {
  const words = useWords(LIST);
  const [search, set] = useAddress();
  const { trail = [] }: Trail = useHistoryState() ?? {};
  const cursor = search['cursor'];
  if (next === null && cursor === undefined) return null;
  const go = (to: string | undefined, newTrail: readonly string[]): void => set({ cursor: to }, { state: { trail: newTrail } });
  const back = trail.at(-1);
  return (
    <nav className={styles.pages} aria-label={words.next}>
      <span className="quiet small">{count !== undefined && words.rows(count)}</span>
      {cursor !== undefined && (
        <Button icon="left" isSmall onClick={() => go(back === '' ? undefined : back, trail.slice(0, -1))}>
          {back === undefined ? words.first : words.previous}
        </Button>
      )}
      {next !== null && (
        <Button isSmall onClick={() => go(next, [...trail, cursor ?? ''])}>
          {words.next} <Icon name="right" size={16} />
        </Button>
      )}
    </nav>
  );
}

/** Says that rows have changed. It shows them when somebody asks, so that no row moves under a finger. */
function Changed({ operation, kind }: { readonly operation: OperationName; readonly kind: ChangeKind }): ReactElement {
  const words = useWords(LIST);
  const { count, clear } = useChanges(kind);
  const show = (): void => {
    clear();
    void readAgain([operation]);
  };
  return (
    <span role="status" className={styles.changed}>
      {count > 0 && (
        <Button kind="quiet" isSmall onClick={show}>
          {words.changed(count)} · {words.show}
        </Button>
      )}
    </span>
  );
}

function ColumnChoice({ columns }: { readonly columns: readonly Column<unknown>[] }): ReactElement {
  const words = useWords(LIST);
  const [search, set] = useAddress();
  const usual = columns.filter(({ isExtra }) => !isExtra).map(({ id }) => id);
  const chosen = search['columns']?.split(',') ?? usual;
  const toggle = (id: string): void => {
    const now = columns.map((column) => column.id).filter((one) => (one === id ? !chosen.includes(one) : chosen.includes(one)));
    set({ columns: now.length === 0 || now.join() === usual.join() ? undefined : now.join() }, { isNew: false });
  };
  return (
    <Menu
      trigger={
        <Button kind="quiet" isSmall icon="columns">
          {words.columns}
        </Button>
      }
      groups={[columns.map(({ id, title }) => ({ name: title, isChosen: chosen.includes(id), onChoose: () => toggle(id) }))]}
    />
  );
}
