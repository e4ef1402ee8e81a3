import { byText } from './merges.ts';
import type { Walks } from './walks.ts';

/**
 * Rows that a summary counts at most. They take some 90 ms; where the filter asks for payments, each row looks for its own, some 250 ms.
 * 50,000 took 240 and 680: too long for what each list does when it opens. Whole lists of any length are summed by their exports.
 */
export const MOST_SUMMED = 20_000;

/**
 * The SQL of a summary: how many of the rows that are walked pass the filter, and what they are worth, by state and currency.
 * It reads `$most` rows at most, the newest of a walk first, so it is bounded whatever the filter asks for.
 */
export const sumsOfWalks = ({ state, ...walks }: Omit<Walks, 'select'> & { readonly state: string }): string =>
  sumsOf({ ...walks, columns: `${state} as state, o.currency`, amount: 'coalesce(sum(o.amount_minor) filter (where o.fits), 0)' });

/** The same of rows that are not money: of one table, along one index. */
export const countsOfWalk = ({ state, ...walk }: Omit<Walks, 'select' | 'keys'> & { readonly state: string }): string =>
  sumsOf({ ...walk, keys: 'select', columns: `${state} as state, '' as currency`, amount: '0' });

type SumsOf = Omit<Walks, 'select'> & { readonly columns: string; readonly amount: string };

const sumsOf = ({ table, keys, where, order, fits, columns, amount }: SumsOf): string =>
  `select ${columns}, count(*) filter (where o.fits) as count, ${amount}::text as "amountMinor", count(*) as walked
     from (select o.*, ${fits} as fits
             from (select o.* from (${keys}) as k cross join lateral (
                     select o.* from ${table} as o where ${where} order by ${order} limit $most) as o limit $most) as o) as o
    group by 1, 2 order by 1, 2`;

/** A row of sumsOfWalks. */
export type SumRow<State extends string> = {
  readonly state: State;
  readonly currency: string;
  readonly count: bigint;
  readonly amountMinor: string;
  readonly walked: bigint;
};

/** How many rows there are, and what they are worth, by currency. */
export type Sum = { readonly count: bigint; readonly amounts: readonly (readonly [currency: string, amountMinor: bigint])[] };

/** The rows that pass a filter: in all, and by state whatever states the filter names. */
export type Summary<State extends string> = {
  /** False: more rows follow than are counted. */
  readonly isWhole: boolean;
  readonly all: Sum;
  readonly byState: readonly (Sum & { readonly state: State })[];
};

const sumOf = (rows: readonly SumRow<string>[]): Sum =>
  addSums(rows.map(({ currency, amountMinor, count }) => ({ count, amounts: count > 0n ? [[currency, BigInt(amountMinor)]] : [] })));

/** Adds the rows of sumsOfWalks up. `chosen`: the states of the filter; undefined: all. */
export const summaryOf = <State extends string>(
  rows: readonly SumRow<State>[],
  states: readonly State[],
  chosen: readonly State[] | undefined,
  most = MOST_SUMMED,
): Summary<State> => ({
  isWhole: rows.reduce((sum, { walked }) => sum + walked, 0n) < most,
  all: sumOf(rows.filter(({ state }) => chosen?.includes(state) ?? true)),
  byState: states.map((state) => ({ state, ...sumOf(rows.filter((row) => row.state === state)) })),
});

/** Adds up what several cells have. Each counts so many rows at most. */
export const mergeSummaries = <State extends string>(summaries: readonly Summary<State>[]): Summary<State> => ({
  isWhole: summaries.every(({ isWhole }) => isWhole),
  all: addSums(summaries.map(({ all }) => all)),
  byState: (summaries[0]?.byState ?? []).map(({ state }, index) => ({
    state,
    ...addSums(summaries.flatMap(({ byState }) => byState[index] ?? [])),
  })),
});

/**
 * Adds up what several cells count of the same, which `keyOf` tells apart. Shape: one of each, in the order of the first ones.
 */
export const addSame = <Item>(items: readonly Item[], keyOf: (item: Item) => string, add: (one: Item, other: Item) => Item): Item[] =>
  [...Map.groupBy(items, keyOf).values()].map((same) => same.reduce(add));

/** Adds up numbers that have the same names. */
export const addNamed = <Numbers extends Readonly<Record<string, number>>>(several: readonly Numbers[]): Numbers =>
  several.reduce((sum, one) => {
    const added = Object.entries(one).map(([name, number]) => [name, (sum[name] ?? 0) + number]);
    return { ...sum, ...Object.fromEntries(added) };
  });

function addSums(sums: readonly Sum[]): Sum {
  const amounts = new Map<string, bigint>();
  for (const [currency, amountMinor] of sums.flatMap((one) => one.amounts))
    amounts.set(currency, (amounts.get(currency) ?? 0n) + amountMinor);
  return {
    count: sums.reduce((sum, { count }) => sum + count, 0n),
    amounts: [...amounts].toSorted(([one], [other]) => byText(one, other)),
  };
}
