import { statement, type Db } from '../kit/db.ts';
import type { Notice, NoticeState } from './notice.ts';
import { DELIVERY_COLUMNS, NOTICE_COLUMNS, toNotice, type Delivery, type NoticeRow } from './notice-rows.ts';

/** A notice and where its delivery stands. */
export type ListedNotice = { readonly notice: Notice; readonly delivery: Delivery };

export type NoticeFilter = {
  readonly merchantId?: string | undefined;
  readonly state?: NoticeState | undefined;
  readonly limit: number;
};

const COLUMNS = `${NOTICE_COLUMNS}, ${DELIVERY_COLUMNS}`;
const SELECT_NEWEST = statement(
  'notices.list',
  `select ${COLUMNS} from notices n where $1::text is null or state = $1 order by notice_id desc limit $2`,
);
const SELECT_NEWEST_OF_MERCHANT = statement(
  'notices.list_of_merchant',
  `select ${COLUMNS} from notices n where merchant_id = $3 and ($1::text is null or state = $1) order by notice_id desc limit $2`,
);
const SELECT_ONE = statement('notices.show', `select ${COLUMNS} from notices n where notice_id = $1`);
const SELECT_RESPONSE = statement(
  'notices.read_response',
  `select answer from notices where merchant_id = $1 and kind = 'order' and subject_id = $2 and answer is not null order by notice_id desc limit 1`,
);

/** Lists notices, the newest first, of one merchant or of all. */
export async function listNotices(db: Pick<Db, 'query'>, { merchantId, state, limit }: NoticeFilter): Promise<readonly ListedNotice[]> {
  const filter = [state ?? null, limit];
  const rows =
    merchantId === undefined
      ? await db.query<NoticeRow & Delivery>(SELECT_NEWEST, filter)
      : await db.query<NoticeRow & Delivery>(SELECT_NEWEST_OF_MERCHANT, [...filter, merchantId]);
  return rows.map(toListed);
}

/** Shows one notice; undefined when there is none of that number, or it is over 90 days old. */
export async function showNotice(db: Pick<Db, 'query'>, noticeId: bigint): Promise<ListedNotice | undefined> {
  const [row] = await db.query<NoticeRow & Delivery>(SELECT_ONE, [noticeId]);
  return row && toListed(row);
}

/**
 * Reads what the merchant's receiver last answered to a notice of an order.
 * Shape: → the first 500 characters; empty where it never answered, or 90 days ago.
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
