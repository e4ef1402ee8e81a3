import { setTimeout as delay } from 'node:timers/promises';
import { LockTimeout, statement, type Db, type Tx } from '../../kit/db.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Job } from '../../kit/jobs.ts';
import { lockFreeFunds } from '../../ledger/index.ts';
import { readTimeZones } from '../../merchants/index.ts';
import { decideExpireCashout } from '../cashout-changes.ts';
import { SELECT_CASHOUT } from '../cashout-rows.ts';
import type { Cashout } from '../cashout.ts';
import { saveCashouts } from '../change-cashouts.ts';

/** Cashouts of one transaction: measured, 40 ms that a request for the same merchant may wait. */
const AT_ONCE = 500;

/** Longer than the database takes to end a transaction whose connection was closed. */
const ROLLBACK_MS = 500;

const CLAIM = statement(
  'cashouts.claim_due',
  `select ${SELECT_CASHOUT} from cashouts where state = 'pending' and expires_at <= $1 and merchant_id <> all($3::text[])
    order by expires_at limit $2 for update skip locked`,
);

/**
 * Writes down that cashouts have expired: the money goes back, the merchant hears of it.
 * Shape: each step expires up to AT_ONCE; several servers share the work, each takes what no other holds. Each step asks the index, also
 * where nothing was due a moment ago. A cashout that commits, or is imported, after its last day is due at once.
 * A merchant of whom another transaction holds something is left out until nothing else is due. Its fund is skipped without a wait. What else
 * is held ends a step. From then on each step is for one merchant, so the next such end shows whose it is.
 * Effects: as saveCashouts.
 * Source: contract §4.6.
 */
export function expireCashouts({ db, clock }: { readonly db: Db; readonly clock: Clock }): Job {
  const round: Round = { leftOut: new Set(), isOneByOne: false, current: undefined };
  const step = async (): Promise<boolean> => {
    try {
      return await db.transaction((tx) => expireDue(tx, clock.now(), round));
    } catch (error) {
      if (!(error instanceof LockTimeout)) throw error;
      if (round.isOneByOne && round.current !== undefined) round.leftOut.add(round.current);
      round.isOneByOne = true;
      // The database ends the broken transaction a moment later. Until then its cashouts are held too.
      await delay(ROLLBACK_MS);
      return true;
    }
  };
  return {
    name: 'cashouts.expire',
    patience: 'some',
    step: async () => {
      const isMore = await step();
      if (!isMore) [round.leftOut, round.isOneByOne] = [new Set(), false];
      return isMore;
    },
  };
}

/** Until nothing is due. `leftOut`: merchants of whom something is held. `current`: the merchant whose cashouts the step takes first. */
type Round = { leftOut: Set<string>; isOneByOne: boolean; current: string | undefined };

async function expireDue(tx: Tx, now: Temporal.Instant, round: Round): Promise<boolean> {
  const { leftOut } = round;
  round.current = undefined;
  const claimed = await tx.query<Cashout>(CLAIM, [now, AT_ONCE, [...leftOut]]);
  if (claimed.length === 0) return false;
  await lockFreeFunds(tx, claimed, (index) => leftOut.add((claimed[index] as Cashout).merchantId));
  const free = claimed.filter(({ merchantId }) => !leftOut.has(merchantId));
  round.current = free[0]?.merchantId;
  if (free.length === 0) return claimed.length === AT_ONCE;
  const due = round.isOneByOne ? free.filter(({ merchantId }) => merchantId === round.current) : free;
  const zoneOf = await readTimeZones(
    tx,
    due.map(({ merchantId }) => merchantId),
  );
  const expired = due.map((before) => ({ before, ...decideExpireCashout(before, zoneOf(before.merchantId), now) }));
  saveCashouts(
    tx,
    expired.map(({ before, cashout }) => ({ before, after: cashout })),
    expired.map(({ event }) => event),
  );
  return true;
}
