import { columnsOf, statement, type Tx } from '../../kit/db.ts';
import type { Refusal } from '../../kit/outcome.ts';
import { retryOnRace, untilFree } from '../../kit/changes/retry.ts';
import { openShares } from '../../kit/limits/shares.ts';
import { countryOf, findCountry, isFrozenNow, type Country } from '../../merchants/index.ts';
import type { WhereServed } from '../../networks/index.ts';
import { canonicalDocument } from '../../people/index.ts';
import { storedDocument } from '../end-users/documents.ts';
import { SELECT_CASHOUT } from '../cashout-rows.ts';
import type { Cashout } from '../cashout.ts';
import type { CashoutDeps } from '../cashout-deps.ts';
import { fitsOtp, isPasswordOver } from '../password/one-time-password.ts';
import {
  decideLookUp,
  placesOf,
  windowStart,
  WRONG_TRIES_WINDOW_MINUTES,
  type LookUpOutcome,
  type LookUpRefusal,
  type PlaceTries,
  type WrongTries,
} from './collection.ts';

/** `point` is the network's own code of where it is asked; it stays with the lock. */
export type LookUpCashout = {
  readonly netname: string;
  readonly document: string;
  readonly otp: string;
  readonly point: string;
  /** Where the network serves. */
  readonly served: WhereServed;
};

const LOCK_CANDIDATES = statement(
  'cashouts.lock_candidates',
  `select otp_hash as "otpHash", expires_at as "endsAt", ${countryOf('cashouts.merchant_id')} as country,
          ${isFrozenNow('cashouts.merchant_id')} as "isFrozen", ${SELECT_CASHOUT} from cashouts
    where document = $1 and state = 'pending' and reserved_minor > 0 order by merchant_id, operation_id for update nowait`,
);

type Found = Cashout & {
  readonly otpHash: Buffer;
  readonly endsAt: Temporal.Instant;
  /** Its code. */
  readonly country: string;
  readonly isFrozen: boolean;
};

const LOCK_TRIES = statement(
  'cashouts.lock_wrong_tries',
  'select tries, since from cashout_wrong_tries where network_id = $1 and document = $2 for update nowait',
);

/** Not locked: look-ups of a whole network would wait for each other. Some that come together may count late. */
const READ_PLACES = statement(
  'cashouts.read_wrong_tries_of_places',
  'select place, tries, since from cashout_wrong_tries_of_places where network_id = $1 and place = any($2::text[])',
);

/** By the instants of the rows: where a row is added by a select, a parameter does not reach `on conflict` on Citus. */
const IS_COUNTING = `excluded.since - kept.since < interval '${WRONG_TRIES_WINDOW_MINUTES} minutes'`;
const COUNT_OF_PLACES = statement(
  'cashouts.count_wrong_tries_of_places',
  `insert into cashout_wrong_tries_of_places as kept (network_id, place, since, tries)
   select $1, place, $3, 1 from unnest($2::text[]) as k (place) order by place collate "C"
   on conflict (network_id, place) do update
     set since = case when ${IS_COUNTING} then kept.since else excluded.since end,
         tries = case when ${IS_COUNTING} then kept.tries + 1 else 1 end`,
);

const HOLD = statement(
  'cashouts.hold_for_network',
  `update cashouts set locked_by = $3, locked_until = $4, locked_at_point = $5 where merchant_id = $1 and operation_id = $2`,
);

const COUNT_WRONG = statement(
  'cashouts.count_wrong_tries',
  `update cashouts set otp_wrong_tries = otp_wrong_tries + 1
    where (merchant_id, operation_id) in (select merchant_id, operation_id from unnest($1::text[], $2::text[]) as wrong (merchant_id, operation_id))`,
);

/** $4: the start of a window that is open now. Two servers may count the first wrong try at once: both count. */
const COUNT_OF_NETWORK = statement(
  'cashouts.count_wrong_tries_of_network',
  `insert into cashout_wrong_tries as kept (network_id, document, since, tries) values ($1, $2, $3, 1)
   on conflict (network_id, document) do update
     set since = case when kept.since > $4 then kept.since else excluded.since end,
         tries = case when kept.since > $4 then kept.tries + 1 else 1 end`,
);

/** Compared where a document has no cashout, so that the time is the same. */
const NOBODY = { merchantId: '', operationId: '', otpHash: Buffer.alloc(32) };

/** Look-ups that run at a time: all connections are shared with the other operations. Networks take turns. */
const AT_ONCE = 4;

/**
 * Looks up the cashout that a document and a one-time password open, and holds it for the network.
 * Shape: LookUpCashout → the cashout, with the end of its lock.
 * Refuses: too_many_tries, password_wrong (also a short one that has ended), cashout_locked (also for a frozen merchant), cashout_not_served — the first that applies.
 * Effects: locks the document's pending cashouts until commit. All of them are compared with the password, whichever fits, so the
 * time reveals nothing. A wrong password is counted for each of them, and for the network with the document. It is counted for the
 * point and the whole network too. None of it changes the version of a cashout or the list. What another transaction holds is tried
 * again. A transaction for each: what a wrong password counts for decides about the next one.
 * Source: contract §4.3.
 */
export function createLookUp({
  db,
  clock,
  otpKey,
  shortPasswordDays,
}: Pick<CashoutDeps, 'db' | 'clock' | 'otpKey' | 'shortPasswordDays'>): (
  command: LookUpCashout,
) => Promise<Cashout | Refusal<LookUpRefusal>> {
  const lookUp = async (tx: Tx, command: LookUpCashout): Promise<Cashout | Refusal<LookUpRefusal>> => {
    const { netname, served, document, otp, point } = command;
    const [candidates, [tries], places] = await Promise.all([
      tx.query<Found>(LOCK_CANDIDATES, [storedDocument(document)]),
      tx.query<WrongTries>(LOCK_TRIES, [netname, canonicalDocument(document)]),
      tx.query<PlaceTries>(READ_PLACES, [netname, placesOf(point)]),
    ]);
    const now = clock.now();
    const compared = candidates.map(({ otpHash, endsAt, country, isFrozen, ...cashout }) => ({
      cashout,
      endsAt,
      merchant: { country: findCountry(country) as Country, isFrozen },
      fits: fitsOtp(otpKey, { ...cashout, otpHash }, otp) && !isPasswordOver(cashout, otp, shortPasswordDays, now),
    }));
    if (candidates.length === 0) fitsOtp(otpKey, NOBODY, otp);
    const outcome = decideLookUp(compared, { netname, served }, tries, places, now);
    write(tx, command, outcome, now);
    return 'found' in outcome ? outcome.found : outcome.refused;
  };
  const inTurn = openShares({ atOnce: AT_ONCE, perOwner: AT_ONCE });
  return (command) => untilFree(() => inTurn(command.netname, () => retryOnRace(() => db.transaction((tx) => lookUp(tx, command)))));
}

function write(tx: Tx, { netname, document, point }: LookUpCashout, outcome: LookUpOutcome, now: Temporal.Instant): void {
  if ('found' in outcome) {
    const { merchantId, operationId, lockedUntil } = outcome.found;
    tx.send(HOLD, [merchantId, operationId, netname, lockedUntil, point]);
  } else if (outcome.wrongFor !== null) {
    tx.send(COUNT_WRONG, columnsOf(outcome.wrongFor, 'merchantId', 'operationId'));
    tx.send(COUNT_OF_NETWORK, [netname, canonicalDocument(document), now, windowStart(now)]);
    tx.send(COUNT_OF_PLACES, [netname, placesOf(point), now]);
  }
}
