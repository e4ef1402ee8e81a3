import type { Clock } from '../kit/clock.ts';
import { columnsOf, statement, type Db, type Tx } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import type { ListedMerchant } from '../merchants/index.ts';
import { isPausedByOperator, probeNow } from './endpoints.ts';
import { noticeIdOnWire } from './notice-id.wire.ts';
import { GIVE_UP_AFTER_HOURS, isOfRefund, subjectOfNotice, TEST_SUBJECT, type NewNotice } from './notice.ts';

// In the order given: notices of one subject are sent in the order of their numbers.
const INSERT = statement(
  'notices.insert',
  `insert into notices (merchant_id, kind, subject_id, status, amount_minor, currency, po_id, service_order_id, payment, version, refund_id,
          document, bank_text, written_at, state, due_at, give_up_at)
   select merchant_id, kind, subject_id, status, amount_minor, currency, po_id, service_order_id, payment, version, refund_id,
          document, bank_text, written_at, 'waiting', written_at, give_up_at
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::integer[],
                 $11::text[], $12::text[], $13::text[], $14::timestamptz[], $15::timestamptz[]) with ordinality
       as n (merchant_id, kind, subject_id, status, amount_minor, currency, po_id, service_order_id, payment, version, refund_id, document,
             bank_text, written_at, give_up_at, place)
    order by place`,
);

/**
 * Writes notices into the outbox. They are sent after the commit.
 * Shape: any number of any merchants; none sends nothing. Those of one subject are in the order of its changes.
 * Effects: one statement, together with the commit. The caller holds each subject locked, so its notices stay in order.
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
      'refundId',
      'document',
      'bankText',
      'at',
      'giveUpAt',
    ),
  );
}

/** What only some kinds have; null where a kind has none. */
const NONE = { poId: null, serviceOrderId: null, payment: null, version: null, refundId: null, document: null, bankText: null };

/** The columns of a notice. */
function toRow(notice: NewNotice) {
  const { merchantId, kind, status, amountMinor, currency, at } = notice;
  const giveUpAt = at.add({ hours: GIVE_UP_AFTER_HOURS });
  const shared = { ...NONE, merchantId, kind, subjectId: subjectOfNotice(notice), status, amountMinor, currency, at, giveUpAt };
  if (notice.kind === 'cashout') return { ...shared, document: notice.document };
  if (notice.kind === 'settlement') return { ...shared, bankText: notice.bankText };
  return {
    ...shared,
    poId: notice.poId,
    serviceOrderId: notice.serviceOrderId,
    payment: notice.payment,
    version: notice.status === 'updated' ? notice.version : null,
    refundId: isOfRefund(notice) ? notice.refundId : null,
  };
}

/** A developer waits for the answer, so it is tried for no longer. */
const GIVE_UP_AFTER_SECONDS = 60;

/** Due since long ago: it goes before what waits. */
const INSERT_TEST = statement(
  'notices.insert_test',
  `insert into notices (merchant_id, kind, subject_id, status, amount_minor, currency, po_id, service_order_id, payment, written_at, state, due_at,
          give_up_at)
   select $1, 'order', $2, 'test', 0, $3, $2, 0, '', $4, 'waiting', '2000-01-01Z', $5
    where not exists (select from notices where merchant_id = $1 and kind = 'order' and subject_id = $2 and state = 'waiting')
   returning notice_id as "noticeId"`,
);
type TestRefusal = 'notice_url_missing' | 'endpoint_paused' | 'test_waiting';

/**
 * Writes a test notice of a merchant. The delivery sends it as any other, before those that wait, for one minute.
 * Shape: → its webhook-id.
 * Refuses: notice_url_missing; endpoint_paused, by an operator; test_waiting, where one is on its way.
 */
export async function writeTestNotice(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { merchant, noticeUrl, currencies }: Pick<ListedMerchant, 'merchant' | 'noticeUrl' | 'currencies'>,
): Promise<string | Refusal<TestRefusal>> {
  if (noticeUrl === null) return refuse('notice_url_missing');
  const at = clock.now();
  const written = await db.transaction(async (tx) => {
    if (await isPausedByOperator(tx, merchant)) return refuse('endpoint_paused');
    const giveUpAt = at.add({ seconds: GIVE_UP_AFTER_SECONDS });
    const [row] = await tx.query<{ noticeId: bigint }>(INSERT_TEST, [merchant, TEST_SUBJECT, currencies[0] ?? 'COP', at, giveUpAt]);
    if (row === undefined) return refuse('test_waiting');
    await probeNow(tx, merchant, at);
    return row;
  });
  return isRefusal(written) ? written : noticeIdOnWire({ ...written, at });
}
