import type { Clock } from '../../kit/clock.ts';
import { columnsOf, statement, type Db } from '../../kit/db.ts';
import { inRounds, type Job } from '../../kit/jobs.ts';

const EVERY_SECONDS = 3600;
/** Rows of one portion: some ten milliseconds of work. */
const PORTION = 1_000;

/** What orders had that have ended, of the next rows by their key. */
const WALK = statement(
  'orders.walk_former_terms',
  `select f.merchant_id as "merchantId", f.order_id as "orderId", f.terms, o.state <> 'pending' as "isDue"
     from (select * from former_terms where (merchant_id, order_id, terms) > ($1, $2, $3)
            order by merchant_id, order_id, terms limit ${PORTION}) as f
     join orders o on o.merchant_id = f.merchant_id and o.order_id = f.order_id
    order by f.merchant_id, f.order_id, f.terms`,
);
const FORGET = statement(
  'orders.forget_former_terms',
  `delete from former_terms where (merchant_id, order_id, terms) in (select * from unnest($1::text[], $2::text[], $3::bytea[]))`,
);

type Place = { readonly merchantId: string; readonly orderId: string; readonly terms: Buffer };
const BEGINNING: Place = { merchantId: '', orderId: '', terms: Buffer.alloc(0) };

/** Forgets the former terms of orders that have ended: nothing changes these any more. Each round walks over all that are kept. */
export function forgetFormerTerms({ db, clock }: { readonly db: Pick<Db, 'query'>; readonly clock: Clock }): Job {
  let place = BEGINNING;
  return inRounds(clock, EVERY_SECONDS, {
    name: 'orders.forget_former_terms',
    patience: 'some',
    step: async () => {
      const walked = await db.query<Place & { readonly isDue: boolean }>(WALK, [place.merchantId, place.orderId, place.terms]);
      const due = walked.filter(({ isDue }) => isDue);
      if (due.length > 0) await db.query(FORGET, columnsOf(due, 'merchantId', 'orderId', 'terms'));
      place = (walked.length === PORTION ? walked.at(-1) : undefined) ?? BEGINNING;
      return place !== BEGINNING;
    },
  });
}
