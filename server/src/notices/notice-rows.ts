import { statement, type Db } from '../kit/db.ts';
import { namedStatement } from '../kit/lists/named-parameters.ts';
import { countsOfWalk, MOST_SUMMED, summaryOf, type Summary, type SumRow } from '../kit/lists/sums.ts';
import type { From } from '../kit/lists/walks.ts';
import { KIND, NOTICE_STATES, type NewNotice, type Notice, type NoticeState } from './notice.ts';

/** The columns that `toNotice` makes a notice of. */
export const NOTICE_COLUMNS = `n.merchant_id as "merchantId", n.notice_id as "noticeId", n.kind, n.subject_id as "subjectId", n.status,
  n.amount_minor as "amountMinor", n.currency, n.po_id as "poId", n.service_order_id as "serviceOrderId", n.payment, n.version, n.refund_id as "refundId", n.document, n.bank_text as "bankText",
  n.written_at as "writtenAt"`;

export type NoticeRow = {
  readonly merchantId: string;
  readonly noticeId: bigint;
  readonly kind: NewNotice['kind'];
  readonly subjectId: string;
  readonly status: Notice['status'];
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly poId: string | null;
  readonly serviceOrderId: bigint | null;
  readonly payment: string | null;
  readonly version: number | null;
  readonly refundId: string | null;
  readonly document: string | null;
  readonly bankText: string | null;
  readonly writtenAt: Temporal.Instant;
};

/** The columns of a `Delivery`. */
const DELIVERY_COLUMNS = `n.state, n.due_at as "dueAt", n.give_up_at as "giveUpAt", n.attempts, n.attempted_at as "attemptedAt",
  n.answer_status as "answerStatus", n.answer, n.problem, n.delivered_at as "deliveredAt"`;

/** The state of the delivery of a notice. */
type Delivery = {
  readonly state: NoticeState;
  readonly dueAt: Temporal.Instant;
  readonly giveUpAt: Temporal.Instant;
  readonly attempts: number;
  readonly attemptedAt: Temporal.Instant | null;
  readonly answerStatus: number | null;
  /** The first 500 characters of the receiver's last answer. */
  readonly answer: string | null;
  readonly problem: string | null;
  readonly deliveredAt: Temporal.Instant | null;
};

/** Makes a notice of a row. The checks of the table make sure that a kind has its columns. */
export function toNotice(row: NoticeRow): Notice {
  const { merchantId, noticeId, subjectId, amountMinor, currency, writtenAt: at } = row;
  const shared = { merchantId, noticeId, amountMinor, currency, at };
  if (row.status === 'test') return { ...shared, kind: 'test', status: 'test' };
  const { kind, status, document, bankText } = row;
  if (kind === 'cashout') return { ...shared, kind, operationId: subjectId, document, status } as Notice;
  if (kind === 'settlement') return { ...shared, kind, settlementId: BigInt(subjectId), status, bankText } as Notice;
  return {
    ...shared,
    kind,
    orderId: subjectId,
    poId: row.poId,
    serviceOrderId: row.serviceOrderId,
    status,
    payment: row.payment,
    ...(row.version === null ? {} : { version: row.version }),
    ...(row.refundId === null ? {} : { refundId: row.refundId }),
  } as Notice;
}

/** A notice and its delivery. */
export type ListedNotice = { readonly notice: Notice; readonly delivery: Delivery };

type NoticeFilter = {
  readonly merchantId?: string | undefined;
  readonly state?: NoticeState | undefined;
  readonly kinds?: readonly Notice['kind'][] | undefined;
  readonly written?: From<Temporal.Instant> | undefined;
  /** Only notices with a smaller number. */
  readonly before?: bigint | undefined;
  readonly limit: number;
};

const LISTED_COLUMNS = `${NOTICE_COLUMNS}, ${DELIVERY_COLUMNS}`;
const SELECT_NEWEST = statement(
  'notices.list',
  `select ${LISTED_COLUMNS} from notices n
    where ($1::text is null or state = $1) and ($3::bigint is null or notice_id < $3) and ($4::text[] is null or ${KIND} = any ($4))
      and ($5::timestamptz is null or written_at >= $5) and ($6::timestamptz is null or written_at < $6)
    order by notice_id desc limit $2`,
);
const SELECT_NEWEST_OF_MERCHANT = statement(
  'notices.list_of_merchant',
  `select ${LISTED_COLUMNS} from notices n
    where merchant_id = $7 and ($1::text is null or state = $1) and ($3::bigint is null or notice_id < $3)
      and ($4::text[] is null or ${KIND} = any ($4))
      and ($5::timestamptz is null or written_at >= $5) and ($6::timestamptz is null or written_at < $6)
    order by notice_id desc limit $2`,
);
const SELECT_ABOUT = statement(
  'notices.list_about',
  `select ${LISTED_COLUMNS} from notices n where merchant_id = $1 and kind = $2 and subject_id = $3 order by notice_id desc limit $4`,
);
const SELECT_ONE = statement('notices.show', `select ${LISTED_COLUMNS} from notices n where notice_id = $1`);
const SELECT_RESPONSE = statement(
  'notices.read_response',
  `select answer from notices where merchant_id = $1 and kind = 'order' and subject_id = $2 and answer is not null order by notice_id desc limit 1`,
);

/** Lists notices, the newest first, of one merchant or of all. */
export async function listNotices(
  db: Pick<Db, 'query'>,
  { merchantId, state, kinds, written, before, limit }: NoticeFilter,
): Promise<readonly ListedNotice[]> {
  const filter = [state ?? null, limit, before ?? null, kinds ?? null, written?.from ?? null, written?.before ?? null];
  const rows =
    merchantId === undefined
      ? await db.query<NoticeRow & Delivery>(SELECT_NEWEST, filter)
      : await db.query<NoticeRow & Delivery>(SELECT_NEWEST_OF_MERCHANT, [...filter, merchantId]);
  return rows.map(toListed);
}

const COUNTED = { merchant: 'text', kinds: 'text[]', writtenFrom: 'timestamptz', writtenBefore: 'timestamptz', most: 'bigint' } as const;
const countWhere = (name: string, where: string) =>
  namedStatement(
    name,
    COUNTED,
    countsOfWalk({
      table: 'notices',
      where,
      order: 'o.notice_id desc',
      state: 'o.state',
      fits: `(($kinds is null or ${KIND} = any ($kinds)) and ($writtenFrom is null or o.written_at >= $writtenFrom)
        and ($writtenBefore is null or o.written_at < $writtenBefore))`,
    }),
  );
const COUNT_ALL = countWhere('notices.count_listed', 'true');
const COUNT_OF_MERCHANT = countWhere('notices.count_listed_of_merchant', 'o.merchant_id = $merchant');

/** Counts the notices of a filter by state. Effects: none; it reads MOST_SUMMED rows at most. */
export async function countNotices(
  db: Pick<Db, 'query'>,
  { merchantId: merchant, state, kinds, written }: Pick<NoticeFilter, 'merchantId' | 'state' | 'kinds' | 'written'>,
): Promise<Summary<NoticeState>> {
  const values = { merchant, kinds, writtenFrom: written?.from, writtenBefore: written?.before, most: MOST_SUMMED };
  const rows = await (merchant === undefined ? COUNT_ALL : COUNT_OF_MERCHANT)<SumRow<NoticeState>>(db, values);
  return summaryOf(rows, NOTICE_STATES, state && [state]);
}

/** Names a subject, and the most notices about it. */
type AboutFilter = {
  readonly merchantId: string;
  readonly kind: NewNotice['kind'];
  readonly subjectId: string;
  readonly limit: number;
};

/** Lists the notices about one subject, the newest first. */
export async function listNoticesAbout(
  db: Pick<Db, 'query'>,
  { merchantId, kind, subjectId, limit }: AboutFilter,
): Promise<readonly ListedNotice[]> {
  return (await db.query<NoticeRow & Delivery>(SELECT_ABOUT, [merchantId, kind, subjectId, limit])).map(toListed);
}

/** Shows one notice. Undefined: there is none of that number, or it is deleted. */
export async function showNotice(db: Pick<Db, 'query'>, noticeId: bigint): Promise<ListedNotice | undefined> {
  const [row] = await db.query<NoticeRow & Delivery>(SELECT_ONE, [noticeId]);
  return row && toListed(row);
}

/**
 * Reads the last answer of the merchant's receiver to a notice of an order.
 * Shape: → the first 500 characters; empty when no notice with an answer is kept.
 * Source: contract §3.3, §3.6.
 */
export async function readNoticeResponse(db: Pick<Db, 'query'>, merchantId: string, orderId: string): Promise<string> {
  const [row] = await db.query<{ answer: string }>(SELECT_RESPONSE, [merchantId, orderId]);
  return row?.answer ?? '';
}

function toListed(row: NoticeRow & Delivery): ListedNotice {
  const { state, dueAt, giveUpAt, attempts, attemptedAt, answerStatus, answer, problem, deliveredAt } = row;
  return {
    notice: toNotice(row),
    delivery: { state, dueAt, giveUpAt, attempts, attemptedAt, answerStatus, answer, problem, deliveredAt },
  };
}
