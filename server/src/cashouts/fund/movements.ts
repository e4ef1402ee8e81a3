import type { Db } from '../../kit/db.ts';
import { readMovements, type Movement } from '../../ledger/index.ts';

/** Where a walk goes on: below this instant, after so many movements of the instant itself. */
export type MovementPlace = { readonly at: Temporal.Instant; readonly ofInstant: number };

export type ListMovements = {
  readonly merchantId: string;
  readonly from: Temporal.Instant;
  readonly until: Temporal.Instant;
  readonly limit: number;
  /** Undefined: from the newest on. */
  readonly place: MovementPlace | undefined;
};

export type MovementPage = { readonly movements: readonly Movement[]; readonly next: MovementPlace | undefined };

/** The database keeps instants to the microsecond. */
const TICK = { microseconds: 1 };

/**
 * Lists the movements of a merchant's fund, newest first.
 * Shape: ListMovements → a page, and where the next one begins; undefined after the last. A walk goes by place, not by number,
 * and the ledger only grows. So it neither repeats nor skips what was there when it began.
 * Effects: none.
 * Source: contract §4.3.
 */
export async function listMovements(
  db: Pick<Db, 'query'>,
  { merchantId, from, until, limit, place }: ListMovements,
): Promise<MovementPage> {
  // One row more than the page shows whether there is another page.
  const rows = await readMovements(db, {
    merchantId,
    from,
    until: place === undefined ? until : place.at.add(TICK),
    limit: limit + 1,
    offset: place?.ofInstant ?? 0,
  });
  const movements = rows.slice(0, limit);
  const last = movements.at(-1);
  if (rows.length <= limit || last === undefined) return { movements, next: undefined };
  const ofPage = movements.filter(({ postedAt }) => postedAt.equals(last.postedAt)).length;
  const before = place !== undefined && place.at.equals(last.postedAt) ? place.ofInstant : 0;
  return { movements, next: { at: last.postedAt, ofInstant: before + ofPage } };
}
