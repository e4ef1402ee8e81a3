import { openDb, statement, type Db } from '../kit/db.ts';
import { isRefusal } from '../kit/outcome.ts';
import { createMerchant } from '../merchants/index.ts';
import { listEndpoints, type ListedEndpoint } from '../notices/endpoints.ts';
import { listNotices, openNotices, writeNotices, type ListedNotice, type NewNotice, type Notices } from '../notices/index.ts';
import { captureLog } from './captured.ts';
import { startNoticeReceiver, type NoticeReceiver } from './notice-receiver.ts';
import { testClock, testKeys, type TestClock } from './test-caudal.ts';
import { createTestDatabase } from './test-database.ts';
import { CONTRACT_DIALECT } from '../requests/index.ts';

export type NoticeRoom = {
  readonly url: string;
  readonly db: Db;
  readonly clock: TestClock;
  /** What the room has logged. */
  readonly log: readonly string[];
  readonly notices: Notices;
  /** Where the notices of merchants go, unless they have another URL. */
  readonly receiver: NoticeReceiver;
  /** Opens the room a second time, as another server does. `through`: its database. The caller closes it. */
  open(through?: Db): Notices;
  /** Creates a merchant with this URL for notices, or none. */
  createShop(noticeUrl?: string | null): Promise<string>;
  /** Sets the URL of a merchant. */
  moveShop(merchantId: string, noticeUrl: string): Promise<void>;
  /** The notice of a paid order, at the clock's instant. */
  paid(merchantId: string, orderId: string, poId?: string): NewNotice;
  /** The notice of an expired cashout, at the clock's instant. */
  expired(merchantId: string, operationId: string): NewNotice;
  /** Writes in a transaction of its own. */
  write(...notices: NewNotice[]): Promise<void>;
  /** Runs the jobs in turns until nothing is due at the clock's instant. */
  run(): Promise<void>;
  /** The states of a merchant's notices, the oldest first. */
  states(merchantId: string): Promise<readonly string[]>;
  /** The oldest notice of a merchant. */
  first(merchantId: string): Promise<ListedNotice>;
  /** A merchant's endpoint, where notices wait or it is paused. */
  endpointOf(merchantId: string): Promise<readonly ListedEndpoint[]>;
  /** The number of notices that were closed before an earlier one of their subject. */
  overtaken(): Promise<number>;
  close(): Promise<void>;
};

const MOVE = statement('testing.move_shop', 'update merchants set notice_url = $2 where merchant_id = $1');
const OVERTAKEN = statement(
  'testing.overtaken',
  `select count(*)::integer as count from notices earlier join notices later using (merchant_id, kind, subject_id)
    where earlier.notice_id < later.notice_id and (earlier.closed_at is null or earlier.closed_at > later.closed_at)`,
);

/** The middle of every range: pauses are three quarters of their longest. */
const chance = (): number => 0.5;

/** Opens the room of notices on a database of its own, with a clock and a receiver of its own. */
export async function openNoticeRoom(): Promise<NoticeRoom> {
  const database = await createTestDatabase();
  const clock = testClock();
  const keys = testKeys();
  const { log, lines } = captureLog();
  const db = openDb({ url: database.url, log, connections: 1, statementTimeoutMs: 5_000 });
  const receiver = await startNoticeReceiver();
  const open = (through = db): Notices =>
    openNotices({
      db: through,
      keys,
      clock,
      wallClock: clock,
      log,
      dialect: CONTRACT_DIALECT,
      readUpdates: async () => [],
      isSandbox: true,
      chance,
      keptDays: 90,
    });
  const notices = open();
  const listed = async (merchantId: string): Promise<readonly ListedNotice[]> =>
    (await listNotices(db, { merchantId, limit: 1_000 })).toReversed();
  let shops = 0;
  return {
    url: database.url,
    db,
    clock,
    log: lines,
    notices,
    receiver,
    open,
    createShop: async (noticeUrl = receiver.url) => {
      const merchantId = `shop-${++shops}`;
      const given = noticeUrl === null ? {} : { noticeUrl };
      const created = await createMerchant({ db, keys, clock }, { merchantId, country: '343', ...given });
      if (isRefusal(created)) throw new Error(created.refusal);
      return merchantId;
    },
    moveShop: async (merchantId, noticeUrl) => void (await db.query(MOVE, [merchantId, noticeUrl])),
    paid: (merchantId, orderId, poId = orderId) => ({ ...PAID, merchantId, orderId, poId, at: clock.now() }),
    expired: (merchantId, operationId) => ({ ...EXPIRED, merchantId, operationId, at: clock.now() }),
    write: (...written) => db.transaction(async (tx) => writeNotices(tx, written)),
    run: async () => {
      for (let isMore = true; isMore;) {
        isMore = false;
        for (const job of notices.jobs) while (await job.step()) isMore = true;
      }
    },
    states: async (merchantId) => (await listed(merchantId)).map(({ delivery }) => delivery.state),
    first: async (merchantId) => (await listed(merchantId))[0] as ListedNotice,
    endpointOf: async (merchantId) => (await listEndpoints(db)).filter((endpoint) => endpoint.merchantId === merchantId),
    overtaken: async () => (await db.query<{ count: number }>(OVERTAKEN, []))[0]?.count ?? 0,
    close: async () => {
      await notices.close();
      await receiver.close();
      await db.close();
      await database.drop();
    },
  };
}

const PAID = {
  kind: 'order',
  serviceOrderId: 7n,
  status: 'approved',
  amountMinor: 4_500_000n,
  currency: 'COP',
  payment: 'efectivo',
} as const;
const EXPIRED = { kind: 'cashout', document: '1020304050', amountMinor: 1_000n, currency: 'COP', status: 'expired' } as const;

/** The poIds of the notices that a receiver took, in order. */
export const poIds = ({ taken }: NoticeReceiver): string[] => taken.map(({ body }) => (JSON.parse(body) as { po_id: string }).po_id);
