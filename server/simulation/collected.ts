import { Contradiction } from './cell.ts';
import { pairOf, type CollectedEntry, type Pair } from './model/collected.ts';
import type { OrderCommand } from './model/order-state.ts';
import type { SettlementCommand } from './model/settlement-state.ts';
import type { Money, Seen } from './model/model.ts';

/** All that was posted on accounts `collected`, by who posted it. */
export type Collected = {
  /** Puts what a cell has posted so far in the place of what it had before. Shape: → what is new. */
  put(owner: string, entries: readonly CollectedEntry[]): readonly CollectedEntry[];
  /** Adds what the office posted. */
  add(entry: CollectedEntry): void;
  /** What was posted for a merchant in a currency, but by one owner. */
  of(pair: Pair, exceptBy: string): readonly CollectedEntry[];
};

const OFFICE = 'office';

export function openCollected(): Collected {
  const byPair = new Map<string, Map<string, readonly CollectedEntry[]>>();
  const flat = new Map<string, readonly CollectedEntry[]>();
  const ownersOf = (pair: string): Map<string, readonly CollectedEntry[]> => {
    const owners = byPair.get(pair) ?? new Map<string, readonly CollectedEntry[]>();
    byPair.set(pair, owners);
    flat.delete(pair);
    return owners;
  };
  const putAll = (owner: string, entries: readonly CollectedEntry[]): void => {
    for (const [pair, own] of Map.groupBy(entries, pairOf)) ownersOf(pair).set(owner, own);
  };
  return {
    put: (owner, entries) => {
      const before = new Set([...byPair.values()].flatMap((owners) => owners.get(owner) ?? []).map(({ key }) => key));
      putAll(owner, entries);
      return entries.filter(({ key }) => !before.has(key));
    },
    add: (entry) => {
      const owners = ownersOf(pairOf(entry));
      owners.set(OFFICE, [...(owners.get(OFFICE) ?? []), entry]);
    },
    of: (pair, exceptBy) => {
      const name = pairOf(pair);
      const known = flat.get(name);
      if (known !== undefined) return known;
      const all = [...(byPair.get(name) ?? [])].flatMap(([owner, entries]) => (owner === exceptBy ? [] : entries));
      flat.set(name, all);
      return all;
    },
  };
}

/** A command of a round that may take only what is there, and what it needs at most. */
export type Taking = { readonly command: (OrderCommand | SettlementCommand) & Pair; readonly seen: Seen; readonly needMinor: bigint };

const sum = (entries: readonly CollectedEntry[]): bigint => entries.reduce((all, { amountMinor }) => all + amountMinor, 0n);

/**
 * Checks what was taken from `collected` in a round, and what was refused as too much: together they take no more than was ever there, and
 * nothing is refused that was there however the others came.
 * Shape: balances before the round, and what the round has posted. Throws: Contradiction.
 */
export function checkCollected(before: Money, posted: readonly CollectedEntry[], takings: readonly Taking[]): void {
  const ofPair = Map.groupBy(posted, pairOf);
  const held = ({ merchantId, currency }: Pair): bigint => before.get(`${merchantId} collected ${currency}`) ?? 0n;
  for (const [pair, entries] of ofPair) {
    const [first] = entries;
    const mostMinor = held(first as Pair) + sum(entries.filter(({ amountMinor }) => amountMinor > 0n));
    const takenMinor = -sum(entries.filter(({ isCovered, amountMinor }) => isCovered && amountMinor < 0n));
    if (takenMinor > 0n && takenMinor > mostMinor)
      throw new Contradiction(`${takenMinor} was taken of ${pair}, which had ${mostMinor} at most`);
  }
  for (const { command, seen, needMinor } of takings) {
    // A first answer that is kept under a key may be old.
    if (seen?.['code'] !== 'collected_too_small' || seen['replayed'] === 'true') continue;
    const entries = ofPair.get(pairOf(command)) ?? [];
    const leastMinor = held(command) + sum(entries.filter(({ amountMinor }) => amountMinor < 0n));
    if (leastMinor >= needMinor && needMinor > 0n)
      throw new Contradiction(`${command.do} of ${needMinor} was refused: ${pairOf(command)} had ${leastMinor} at least`);
  }
}
