import { columnsOf, statement, type Tx } from '../kit/db.ts';
import { GIVE_UP_AFTER_HOURS, type NewNotice } from './notice.ts';

// In the order given: notices of one subject are sent in the order of their numbers.
const INSERT = statement(
  'notices.insert',
  `insert into notices (merchant_id, kind, subject_id, status, amount_minor, currency, po_id, service_order_id, payment, version, document,
          written_at, state, due_at, give_up_at)
   select merchant_id, kind, subject_id, status, amount_minor, currency, po_id, service_order_id, payment, version, document,
          written_at, 'waiting', written_at, give_up_at
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::integer[],
                 $11::text[], $12::timestamptz[], $13::timestamptz[]) with ordinality
       as n (merchant_id, kind, subject_id, status, amount_minor, currency, po_id, service_order_id, payment, version, document, written_at, give_up_at,
             place)
    order by place`,
);

/**
 * Writes notices into the outbox. They are sent after the commit.
 * Shape: any number of any merchants; none sends nothing. Those of one order or cashout are in the order of its changes.
 * Effects: one statement, together with the commit. The caller holds each order or cashout locked, so its notices stay in order.
 * Source: contract §3.5, §3.6, §4.5.
 */
export function writeNotices(tx: Tx, notices: readonly NewNotice[]): void {
  if (notices.length === 0) return;
  tx.send(
    INSERT,
    columnsOf(
      notices.map(toRow),
      'merchantId',
      'kind',
      'subjectId',
      'status',
      'amountMinor',
      'currency',
      'poId',
      'serviceOrderId',
      'payment',
      'version',
      'document',
      'at',
      'giveUpAt',
    ),
  );
}

/** The columns of a notice; null where its kind has none. */
function toRow(notice: NewNotice) {
  const { merchantId, kind, status, amountMinor, currency, at } = notice;
  const shared = { merchantId, kind, status, amountMinor, currency, at, giveUpAt: at.add({ hours: GIVE_UP_AFTER_HOURS }) };
  return notice.kind === 'order'
    ? {
        ...shared,
        subjectId: notice.orderId,
        poId: notice.poId,
        serviceOrderId: notice.serviceOrderId,
        payment: notice.payment,
        version: notice.status === 'updated' ? notice.version : null,
        document: null,
      }
    : {
        ...shared,
        subjectId: notice.operationId,
        poId: null,
        serviceOrderId: null,
        payment: null,
        version: null,
        document: notice.document,
      };
}
