import type { Clock } from '../kit/clock.ts';
import { columnsOf, statement, type Db } from '../kit/db.ts';
import { inRounds, type Job } from '../kit/jobs.ts';
import { readFixedHashStarts } from '../merchants/index.ts';

/** Rows of one portion: some ten milliseconds of work. */
const PORTION = 1_000;
const PROOFS_EVERY_SECONDS = 3600;
/** How long an answer can be asked for again: contract §7.3. */
const KEPT_HOURS = 30 * 24;

const FORGET_SIGNATURES = statement(
  'requests.forget_signatures',
  `delete from spent_signatures where (merchant_id, message_id) in (
     select merchant_id, message_id from spent_signatures where forget_at < $1 order by forget_at limit ${PORTION} for update skip locked
   ) returning 1`,
);
const FORGET_ANSWERS = statement(
  'requests.forget_answers',
  `delete from kept_answers where (merchant_id, operation, idempotency_key) in (
     select merchant_id, operation, idempotency_key from kept_answers where kept_at < $1 order by kept_at limit ${PORTION} for update skip locked
   ) returning 1`,
);
const FORGET_NETWORK_PROOFS = statement(
  'requests.forget_network_proofs',
  `delete from network_proofs where (network_id, proof) in (
     select network_id, proof from network_proofs where forget_at < $1 order by forget_at limit ${PORTION} for update skip locked
   ) returning 1`,
);

/** The clocks of servers differ: a proof may bear an earlier time than the fixed hash that made it. */
const FORGET_PROOFS = statement(
  'requests.forget_proofs',
  `delete from spent_proofs where (merchant_id, proof) in (
     select spent.merchant_id, spent.proof from unnest($1::text[], $2::timestamptz[]) as ended (merchant_id, since)
       join spent_proofs spent on spent.merchant_id = ended.merchant_id and spent.spent_at < ended.since - interval '1 hour'
      limit ${PORTION} for update of spent skip locked
   ) returning 1`,
);

/** Forgets ids of signed requests that no clock would let in any more. Forgets answers after 30 days, and proofs of networks. */
export function forgetRequests(db: Db, clock: Clock): Job {
  return {
    name: 'forget-requests',
    step: async () => {
      const now = clock.now();
      const signatures = await db.query(FORGET_SIGNATURES, [now]);
      const answers = await db.query(FORGET_ANSWERS, [now.subtract({ hours: KEPT_HOURS })]);
      const proofs = await db.query(FORGET_NETWORK_PROOFS, [now]);
      return [signatures, answers, proofs].some(({ length }) => length === PORTION);
    },
  };
}

/** Forgets spent proofs of fixed hashes that have ended: their checksums prove nothing any more. */
export function forgetProofs(db: Db, clock: Clock): Job {
  return inRounds(clock, PROOFS_EVERY_SECONDS, {
    name: 'forget-proofs',
    step: async () => {
      const starts = await readFixedHashStarts(db, clock.now());
      const columns = columnsOf(starts, 'merchantId', 'since');
      return starts.length > 0 && (await db.query(FORGET_PROOFS, columns)).length === PORTION;
    },
  });
}
