import { statement, type Db, type Tx } from '../../kit/db.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Job } from '../../kit/jobs.ts';
import { readTimeZones } from '../../merchants/index.ts';
import { decideExpire } from '../cashout-changes.ts';
import { CASHOUT_COLUMNS } from '../cashout-rows.ts';
import type { Cashout } from '../cashout.ts';
import { saveCashouts } from '../change-cashouts.ts';

/** Cashouts of one transaction: measured, 40 ms that a request for the same merchant may wait. */
const AT_ONCE = 500;

const CLAIM = statement(
  'cashouts.claim_due',
  `select ${CASHOUT_COLUMNS} from cashouts where state = 'pending' and expires_at <= $1
    order by expires_at limit $2 for update skip locked`,
);

const IS_ANY_DUE = statement(
  'cashouts.is_any_due',
  `select exists (select from cashouts where state = 'pending' and expires_at <= $1) as "isDue"`,
);

/** Last days end at a midnight, and every zone of contract §6 is whole hours off: also one that were not would have its midnight here. */
const QUARTER_MS = 15 * 60 * 1_000;

/**
 * Writes down that cashouts have expired: the money goes back, the merchant hears of it.
 * Shape: each step expires up to AT_ONCE; several servers share the work, each takes what no other holds.
 * Effects: as saveCashouts. Once nothing is due it does not ask again before the next quarter of an hour begins, where nothing can fall due;
 * another server's unfinished portion is still due, so that it is taken over if that server dies.
 * Source: contract §4.6.
 */
export function expireCashouts({ db, clock }: { readonly db: Db; readonly clock: Clock }): Job {
  let quiet: number | undefined;
  return {
    name: 'cashouts.expire',
    isPatient: true,
    step: async () => {
      const now = clock.now();
      const quarter = Math.floor(now.epochMilliseconds / QUARTER_MS);
      if (quarter === quiet) return false;
      if ((await db.transaction((tx) => expireDue(tx, now))) > 0) return true;
      const [left] = await db.query<{ readonly isDue: boolean }>(IS_ANY_DUE, [now]);
      if (left?.isDue === false) quiet = quarter;
      return false;
    },
  };
}

async function expireDue(tx: Tx, now: Temporal.Instant): Promise<number> {
  const due = await tx.query<Cashout>(CLAIM, [now, AT_ONCE]);
  if (due.length === 0) return 0;
  const zoneOf = await readTimeZones(
    tx,
    due.map(({ merchantId }) => merchantId),
  );
  const expired = due.map((before) => ({ before, ...decideExpire(before, zoneOf(before.merchantId), now) }));
  saveCashouts(
    tx,
    expired.map(({ before, cashout }) => ({ before, after: cashout })),
    expired.map(({ event }) => event),
  );
  return due.length;
}
