import { statement, type Db } from '../../kit/db.ts';
import { readEntriesAbout, type ListedEntry } from '../../ledger/index.ts';
import { listMessagesAbout, type MessageStateRow } from '../../messages/index.ts';
import { listNoticesAbout, type ListedNotice } from '../../notices/index.ts';
import type { CashoutEvent } from '../cashout-changes.ts';
import { SELECT_CASHOUT } from '../cashout-rows.ts';
import type { Cashout, CashoutKey } from '../cashout.ts';

/** A row of the history of a cashout. */
type RecordedEvent = Pick<CashoutEvent, 'event' | 'actor' | 'requestId' | 'changes'> & {
  readonly version: number;
  readonly changedAt: Temporal.Instant;
};

/** What a network paid out at a counter. */
export type CounterPayment = {
  readonly network: string;
  readonly transactionId: string;
  readonly teller: string;
  readonly paidAt: Temporal.Instant;
  readonly reversedAt: Temporal.Instant | null;
};

/** All that is stored of one cashout. What can grow without end is the newest part of it. */
export type WholeCashout = {
  readonly cashout: Cashout;
  /** The oldest first. An imported cashout has none of the time before. */
  readonly history: readonly RecordedEvent[];
  readonly payment: CounterPayment | undefined;
  readonly notices: readonly ListedNotice[];
  readonly messages: readonly MessageStateRow[];
  readonly entries: readonly ListedEntry[];
};

/** The versions, and the notices, that an operator sees of one cashout. */
const SHOWN_OF_CASHOUT = 100;

const FIND = statement('cashouts.find', `select ${SELECT_CASHOUT} from cashouts where merchant_id = $1 and operation_id = $2`);
const READ_EVENTS = statement(
  'cashouts.read_events',
  `select version, event, actor, changed_at as "changedAt", request_id as "requestId", changes
     from cashout_history where merchant_id = $1 and operation_id = $2 order by version desc limit $3`,
);
const READ_PAYMENT = statement(
  'cashouts.read_payment_of_cashout',
  `select network_id as network, transaction_id as "transactionId", teller, paid_at as "paidAt", reversed_at as "reversedAt"
     from cashout_payments where merchant_id = $1 and operation_id = $2 limit 1`,
);

export const findCashout = async (db: Pick<Db, 'query'>, { merchantId, operationId }: CashoutKey): Promise<Cashout | undefined> =>
  (await db.query<Cashout>(FIND, [merchantId, operationId]))[0];

/** Reads all that is stored of a cashout, in one round trip and as of one instant. Undefined: there is none. */
export function readWholeCashout(db: Pick<Db, 'readTogether'>, key: CashoutKey): Promise<WholeCashout | undefined> {
  const { merchantId, operationId } = key;
  return db.readTogether(async (together) => {
    const [cashout, events, [payment], notices, messages, entries] = await Promise.all([
      findCashout(together, key),
      together.query<RecordedEvent>(READ_EVENTS, [merchantId, operationId, SHOWN_OF_CASHOUT]),
      together.query<CounterPayment>(READ_PAYMENT, [merchantId, operationId]),
      listNoticesAbout(together, { merchantId, kind: 'cashout', subjectId: operationId, limit: SHOWN_OF_CASHOUT }),
      listMessagesAbout(together, ['one_time_password'], merchantId, operationId),
      readEntriesAbout(together, 'cashout', merchantId, operationId),
    ]);
    return cashout && { cashout, history: events.toReversed(), payment, notices, messages, entries };
  });
}
