import type { ServiceKey } from '../../kit/keys/service-keys.ts';
import { statement } from '../../kit/db.ts';
import { countryOf, findCountry, isFrozenNow, type Country } from '../../merchants/index.ts';
import type { WhereServed } from '../../networks/index.ts';
import { SELECT_CASHOUT } from '../cashout-rows.ts';
import type { Cashout } from '../cashout.ts';
import { fitsOtp, isPasswordOver } from '../password/one-time-password.ts';
import { WRONG_TRIES_WINDOW_MINUTES, type Candidate } from './collection.ts';

// What a look-up reads, compares and counts: in one database (look-up-cashout.ts), or in those of several cells (look-up-in-cells.ts).

/** `point` is the network's own code of where it is asked; it stays with the lock. */
export type LookUpCashout = {
  readonly netname: string;
  readonly document: string;
  readonly otp: string;
  readonly point: string;
  /** Where the network serves. */
  readonly served: WhereServed;
};

export const LOCK_CANDIDATES = statement(
  'cashouts.lock_candidates',
  `select otp_hash as "otpHash", expires_at as "endsAt", ${countryOf('cashouts.merchant_id')} as country,
          ${isFrozenNow('cashouts.merchant_id')} as "isFrozen", ${SELECT_CASHOUT} from cashouts
    where document = $1 and state = 'pending' and reserved_minor > 0 order by merchant_id, operation_id for update nowait`,
);

/** A row of LOCK_CANDIDATES. */
export type Found = Cashout & {
  readonly otpHash: Buffer;
  readonly endsAt: Temporal.Instant;
  /** Its code. */
  readonly country: string;
  readonly isFrozen: boolean;
};

export const LOCK_TRIES = statement(
  'cashouts.lock_wrong_tries',
  'select tries, since from cashout_wrong_tries where network_id = $1 and document = $2 for update nowait',
);

export const COUNT_WRONG = statement(
  'cashouts.count_wrong_tries',
  `update cashouts set otp_wrong_tries = otp_wrong_tries + 1
    where (merchant_id, operation_id) in (select merchant_id, operation_id from unnest($1::text[], $2::text[]) as wrong (merchant_id, operation_id))`,
);

/** $4: the start of a window that is open now. Two servers may count the first wrong try at once: both count. */
export const COUNT_OF_NETWORK = statement(
  'cashouts.count_wrong_tries_of_network',
  `insert into cashout_wrong_tries as kept (network_id, document, since, tries) values ($1, $2, $3, 1)
   on conflict (network_id, document) do update
     set since = case when kept.since > $4 then kept.since else excluded.since end,
         tries = case when kept.since > $4 then kept.tries + 1 else 1 end`,
);

/** By the instants of the rows: where a row is added by a select, a parameter does not reach `on conflict` on Citus. */
const IS_COUNTING = `excluded.since - kept.since < interval '${WRONG_TRIES_WINDOW_MINUTES} minutes'`;
export const COUNT_OF_PLACES = statement(
  'cashouts.count_wrong_tries_of_places',
  `insert into cashout_wrong_tries_of_places as kept (network_id, place, since, tries)
   select $1, place, $3, 1 from unnest($2::text[]) as k (place) order by place collate "C"
   on conflict (network_id, place) do update
     set since = case when ${IS_COUNTING} then kept.since else excluded.since end,
         tries = case when ${IS_COUNTING} then kept.tries + 1 else 1 end`,
);

/** Compared where a document has no cashout, so that the time is the same. */
const NOBODY = { merchantId: '', operationId: '', otpHash: Buffer.alloc(32) };

/** Compares a password with the cashouts of a document, each of them whichever fits. */
export type Compare = (candidates: readonly Found[], otp: string, now: Temporal.Instant) => readonly Candidate[];

export const comparing =
  ({ otpKey, shortPasswordDays }: { readonly otpKey: ServiceKey; readonly shortPasswordDays: number }): Compare =>
  (candidates, otp, now) => {
    if (candidates.length === 0) fitsOtp(otpKey, NOBODY, otp);
    return candidates.map(({ otpHash, endsAt, country, isFrozen, ...cashout }) => ({
      cashout,
      endsAt,
      merchant: { country: findCountry(country) as Country, isFrozen },
      fits: fitsOtp(otpKey, { ...cashout, otpHash }, otp) && !isPasswordOver(cashout, otp, shortPasswordDays, now),
    }));
  };
