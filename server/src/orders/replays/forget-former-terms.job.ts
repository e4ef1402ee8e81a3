import type { Clock } from '../../kit/clock.ts';
import { statement, type Db } from '../../kit/db.ts';
import { inRounds, type Job } from '../../kit/jobs.ts';

const EVERY_SECONDS = 3600;
/** Rows of one portion: some ten milliseconds of work. */
const PORTION = 1_000;

const FORGET = statement(
  'orders.forget_former_terms',
  `delete from former_terms where (merchant_id, order_id, terms) in (
     select f.merchant_id, f.order_id, f.terms from former_terms f
       join orders o on o.merchant_id = f.merchant_id and o.order_id = f.order_id and o.state <> 'pending'
      limit ${PORTION} for update of f skip locked
   ) returning 1`,
);

/** Forgets the former terms of orders that have ended: nothing changes these any more. */
export function forgetFormerTerms({ db, clock }: { readonly db: Pick<Db, 'query'>; readonly clock: Clock }): Job {
  return inRounds(clock, EVERY_SECONDS, {
    name: 'orders.forget_former_terms',
    isPatient: true,
    step: async () => (await db.query(FORGET, [])).length === PORTION,
  });
}
