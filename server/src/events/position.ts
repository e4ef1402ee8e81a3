/**
 * How far a reader of changes has come: which transactions it has seen. PostgreSQL calls this a snapshot.
 * A transaction below `next` has been seen, unless it is in `missing`: it was still open then.
 */
export type EventPosition = {
  readonly next: bigint;
  /** In ascending order. */
  readonly missing: readonly bigint[];
};

const FORM = /^[0-9]{1,20}:([0-9]{1,20}):((?:[0-9]{1,20}(?:,[0-9]{1,20})*)?)$/;
/** Numbers of transactions have 64 bits. */
const MOST = 2n ** 64n - 1n;

/** Reads a position that a client sends. Refuses (undefined): any text that printPosition would not print. */
export function parsePosition(text: string): EventPosition | undefined {
  const [, nextText, missingText] = FORM.exec(text) ?? [];
  if (nextText === undefined || missingText === undefined) return undefined;
  const position = { next: BigInt(nextText), missing: missingText === '' ? [] : missingText.split(',').map(BigInt) };
  const isAscending = position.missing.every((one, index) => one < (position.missing[index + 1] ?? position.next));
  return isAscending && position.next <= MOST && position.next > 0n && printPosition(position) === text ? position : undefined;
}

/** The position of a snapshot of the database. Its first number may be of the transaction that asked, which is not open for itself. */
export function positionOf(snapshot: string): EventPosition {
  const [, next, missing] = snapshot.split(':') as [string, string, string];
  return { next: BigInt(next), missing: missing === '' ? [] : missing.split(',').map(BigInt) };
}

/** Prints a position as the database reads a snapshot. */
export const printPosition = ({ next, missing }: EventPosition): string => `${missing[0] ?? next}:${next}:${missing.join(',')}`;

/** Whether a reader at this position has seen a transaction. */
export const hasSeen = ({ next, missing }: EventPosition, transaction: bigint): boolean =>
  transaction < next && !missing.includes(transaction);

/**
 * The position after a portion. It was read at the position `at`, while the database was at `now`, in the order of transactions.
 * Shape: the last transaction of the portion, whole; undefined where the portion held all that there was.
 */
export function positionAfter(at: EventPosition, now: EventPosition, last: bigint | undefined): EventPosition {
  if (last === undefined) return now;
  const next = last < at.next ? at.next : last + 1n;
  const open = new Set(now.missing);
  const before = at.missing.filter((transaction) => transaction > last || open.has(transaction));
  return { next, missing: [...before, ...now.missing.filter((transaction) => transaction >= at.next && transaction < next)] };
}

/** Whether a reader at the first position has seen all that one at the second has. Of two positions of one database one always has. */
export const covers = (one: EventPosition, other: EventPosition): boolean =>
  one.next >= other.next && one.missing.every((transaction) => transaction >= other.next || other.missing.includes(transaction));
