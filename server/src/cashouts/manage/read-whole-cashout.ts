import { statement, type Db } from '../../kit/db.ts';
import type { CashoutEvent } from '../cashout-changes.ts';
import { SELECT_CASHOUT } from '../cashout-rows.ts';
import type { Cashout, CashoutKey } from '../cashout.ts';

/** A row of the history of a cashout. */
export type RecordedEvent = Pick<CashoutEvent, 'event' | 'actor' | 'requestId' | 'changes'> & {
  readonly version: number;
  readonly changedAt: Temporal.Instant;
};

/** What a network paid out at a counter. */
type CounterPayment = {
  readonly network: string;
  readonly transactionId: string;
  readonly teller: string;
  readonly paidAt: Temporal.Instant;
  readonly reversedAt: Temporal.Instant | null;
};

const FIND = statement('cashouts.find', `select ${SELECT_CASHOUT} from cashouts where merchant_id = $1 and operation_id = $2`);
/** The newest: few cashouts have more than ten. */
const READ_EVENTS = statement(
  'cashouts.read_events',
  `select version, event, actor, changed_at as "changedAt", request_id as "requestId", changes
     from cashout_history where merchant_id = $1 and operation_id = $2 order by version desc limit 100`,
);
const READ_PAYMENT = statement(
  'cashouts.read_payment_of_cashout',
  `select network_id as network, transaction_id as "transactionId", teller, paid_at as "paidAt", reversed_at as "reversedAt"
     from cashout_payments where merchant_id = $1 and operation_id = $2 limit 1`,
);

export const findCashout = async (db: Pick<Db, 'query'>, { merchantId, operationId }: CashoutKey): Promise<Cashout | undefined> =>
  (await db.query<Cashout>(FIND, [merchantId, operationId]))[0];

/** Reads a cashout with its history, oldest first, and its payment. Undefined: there is none. */
export async function readWholeCashout(db: Db, key: CashoutKey) {
  const [cashout, events, [payment]] = await Promise.all([
    findCashout(db, key),
    db.query<RecordedEvent>(READ_EVENTS, [key.merchantId, key.operationId]),
    db.query<CounterPayment>(READ_PAYMENT, [key.merchantId, key.operationId]),
  ]);
  return cashout && { cashout, events: events.toReversed(), payment };
}
