import type { ReactElement } from 'react';
import type { Answer } from '../api/client.ts';
import { useRead, type SUMMARIES } from '../api/queries.ts';
import { formatCount } from '../design/chart/series.ts';
import { join } from '../design/join.ts';
import { Amount } from '../design/values/values.tsx';
import type { Search, SetSearch } from '../shell/address.ts';
import { useLanguage, useWords, wordFor } from '../shell/language.ts';
import { LIST } from './words.ts';
import styles from './summary.module.css';

type SummaryName = (typeof SUMMARIES)[keyof typeof SUMMARIES];
type Money = Answer<'summarizeOrders'>['body']['amounts'];
/** What all summaries have; those of money have amounts too. */
type Counted = { readonly isWhole: boolean; readonly count: number; readonly amounts?: Money; readonly states: readonly StateCount[] };
type StateCount = { readonly state: string; readonly count: number };

type SummaryProps = {
  readonly operation: SummaryName;
  readonly query: Search;
  /** The states of the filter. */
  readonly state?: string | undefined;
  /** The words of the states. Undefined: the list cannot be filtered by them. */
  readonly states: Readonly<Record<string, unknown>> | undefined;
  readonly set: SetSearch;
};

/** How many rows the filter finds and what they are worth, in all and by state. A state that is pressed is the filter. */
export function Summary({ operation, query, state, states, set }: SummaryProps): ReactElement {
  const words = useWords(LIST);
  const language = useLanguage();
  const { data } = useRead(operation, { query }, { keepsPrevious: true });
  const body = data?.body as Counted | undefined;
  const countOf = (count: number | undefined): string =>
    count === undefined ? '' : `${formatCount(count, language)}${body?.isWhole === false ? '+' : ''}`;
  const all = body?.states.reduce((sum, { count }) => sum + count, 0);
  const tab = (name: string | undefined, title: string, count: number | undefined): ReactElement => (
    <button
      key={title}
      type="button"
      aria-pressed={state === name}
      className={join(styles.tab, state === name && styles.chosen)}
      onClick={() => set({ state: name, cursor: undefined })}
    >
      {title} <span className={styles.count}>{countOf(count)}</span>
    </button>
  );
  return (
    <div className={styles.summary}>
      {states && (
        <div role="group" aria-label={words.parameters.state} className={styles.tabs}>
          {tab(undefined, words.all, all)}
          {Object.keys(states).map((one) => tab(one, wordFor(states, one), body?.states.find((counted) => counted.state === one)?.count))}
        </div>
      )}
      <p className={styles.total} title={body?.isWhole === false ? words.notWhole : undefined}>
        {body && <b>{words.total(countOf(body.count), body.count)}</b>}
        {body?.amounts?.map((money) => (
          <Amount key={money.currency} of={money} />
        ))}
        {body?.isWhole === false && <span className="small quiet">{words.notWhole}</span>}
      </p>
    </div>
  );
}
