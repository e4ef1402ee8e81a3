import { statement, type Tx } from '../kit/db.ts';
import { GIVE_UP_AFTER_HOURS, type NewNotice } from './notice.ts';

// In the order given: the numbers are the order in which the notices of one subject are sent.
const INSERT = statement(
  'notices.insert',
  `insert into notices (merchant_id, kind, subject_id, status, amount_minor, currency, po_id, service_order_id, payment, document,
          written_at, state, due_at, give_up_at)
   select merchant_id, kind, subject_id, status, amount_minor, currency, po_id, service_order_id, payment, document,
          written_at, 'waiting', written_at, give_up_at
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::text[],
                 $11::timestamptz[], $12::timestamptz[]) with ordinality
       as n (merchant_id, kind, subject_id, status, amount_minor, currency, po_id, service_order_id, payment, document, written_at, give_up_at, place)
    order by place`,
);

/**
 * Writes notices into the outbox; they are sent after the commit.
 * Shape: any number of any merchants, those of one order or cashout in the order in which it changed; none sends nothing.
 * Effects: one statement, together with the commit. The caller holds each order or cashout locked, which keeps its notices in order.
 * Source: contract §3.5, §3.6, §4.5.
 */
export function writeNotices(tx: Tx, notices: readonly NewNotice[]): void {
  if (notices.length === 0) return;
  tx.send(INSERT, [
    notices.map(({ merchantId }) => merchantId),
    notices.map(({ kind }) => kind),
    notices.map((notice) => (notice.kind === 'order' ? notice.orderId : notice.operationId)),
    notices.map(({ status }) => status),
    notices.map(({ amountMinor }) => amountMinor),
    notices.map(({ currency }) => currency),
    notices.map((notice) => (notice.kind === 'order' ? notice.poId : null)),
    notices.map((notice) => (notice.kind === 'order' ? notice.serviceOrderId : null)),
    notices.map((notice) => (notice.kind === 'order' ? notice.payment : null)),
    notices.map((notice) => (notice.kind === 'cashout' ? notice.document : null)),
    notices.map(({ at }) => at),
    notices.map(({ at }) => at.add({ hours: GIVE_UP_AFTER_HOURS })),
  ]);
}
