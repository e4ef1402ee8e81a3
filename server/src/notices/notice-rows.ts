import type { NewNotice, Notice, NoticeState } from './notice.ts';

/** The columns that make up the facts of a notice, as `toNotice` reads them. */
export const NOTICE_COLUMNS = `n.merchant_id as "merchantId", n.notice_id as "noticeId", n.kind, n.subject_id as "subjectId", n.status,
  n.amount_minor as "amountMinor", n.currency, n.po_id as "poId", n.service_order_id as "serviceOrderId", n.payment, n.document,
  n.written_at as "writtenAt"`;

export type NoticeRow = {
  readonly merchantId: string;
  readonly noticeId: bigint;
  readonly kind: NewNotice['kind'];
  readonly subjectId: string;
  readonly status: NewNotice['status'];
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly poId: string | null;
  readonly serviceOrderId: bigint | null;
  readonly payment: string | null;
  readonly document: string | null;
  readonly writtenAt: Temporal.Instant;
};

/** Where its delivery stands. */
export const DELIVERY_COLUMNS = `n.state, n.due_at as "dueAt", n.give_up_at as "giveUpAt", n.attempts, n.attempted_at as "attemptedAt",
  n.answer_status as "answerStatus", n.answer, n.problem, n.delivered_at as "deliveredAt"`;

export type Delivery = {
  readonly state: NoticeState;
  readonly dueAt: Temporal.Instant;
  readonly giveUpAt: Temporal.Instant;
  readonly attempts: number;
  readonly attemptedAt: Temporal.Instant | null;
  readonly answerStatus: number | null;
  /** The first 500 characters of what the receiver last said. */
  readonly answer: string | null;
  readonly problem: string | null;
  readonly deliveredAt: Temporal.Instant | null;
};

/** Turns a row into a notice; the checks of the table promise that its kind's columns are there. */
export function toNotice(row: NoticeRow): Notice {
  const { merchantId, noticeId, subjectId, amountMinor, currency, writtenAt: at } = row;
  const shared = { merchantId, noticeId, amountMinor, currency, at };
  return row.kind === 'order'
    ? ({
        ...shared,
        kind: 'order',
        orderId: subjectId,
        poId: row.poId,
        serviceOrderId: row.serviceOrderId,
        status: row.status,
        payment: row.payment,
      } as Notice)
    : ({ ...shared, kind: 'cashout', operationId: subjectId, document: row.document, status: row.status } as Notice);
}
