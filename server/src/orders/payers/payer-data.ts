import { statement, type Db, type Tx } from '../../kit/db.ts';
import { canonicalDocumentSql, erasureOf, waysToWrite, type FoundRecord, type PersonalData, type RecordKey } from '../../people/index.ts';
import { eraseMessages } from '../../messages/index.ts';
import type { OrderEvent } from '../order-history.ts';
import { EVENT_COLUMNS, SELECT_ORDER } from '../order-rows.ts';
import type { Order } from '../order.ts';

/** What of an order, and of its history, is personal. The type of the document alone names nobody. */
export const PAYER_FIELDS = ['email', 'description', 'userDocument', 'userName'] as const satisfies readonly (keyof Order)[];
const erase = erasureOf({ table: 'orders', history: 'order_history', id: 'order_id', fields: PAYER_FIELDS });

/** Reads all orders and their histories: an index on any of these columns would make each update dearer. */
const FIND = statement(
  'orders.find_payer',
  `select o.merchant_id as "merchantId", o.order_id as id, o.state = 'pending' as "isOpen"
     from orders o
    where (o.merchant_id, o.order_id) in (
      select merchant_id, order_id from orders where ${canonicalDocumentSql('user_document')} = $1 or email ~ $2
      union
      select merchant_id, order_id from order_history
       where ${canonicalDocumentSql("changes -> 'userDocument' ->> 1")} = $1 or changes -> 'email' ->> 1 ~ $2)
    order by o.merchant_id, o.service_order_id`,
);
const READ = statement('orders.read_payer', `select ${SELECT_ORDER} from orders o where o.merchant_id = $1 and o.order_id = $2`);
const READ_HISTORY = statement(
  'orders.read_payer_history',
  `select ${EVENT_COLUMNS} from order_history where merchant_id = $1 and order_id = $2 order by version`,
);
/** Erases the payers of orders that have ended, with their histories and messages. Shape: → the orders that were erased. */
export async function erasePayers(tx: Tx, keys: readonly RecordKey[], pseudonym: string): Promise<readonly RecordKey[]> {
  const erased = await erase(tx, keys, pseudonym);
  eraseMessages(tx, ['order_created', 'order_paid'], erased);
  return erased;
}

/** What orders hold of their payers. */
export function payerData(db: Pick<Db, 'query'>): PersonalData {
  return {
    kind: 'orders',
    find: ({ document, email }) => db.query<FoundRecord>(FIND, [document, email && `^${waysToWrite(email)}$`]),
    read: async ({ merchantId, id }) => {
      const [order] = await db.query<Order>(READ, [merchantId, id]);
      return order && { ...order, history: await db.query<OrderEvent>(READ_HISTORY, [merchantId, id]) };
    },
    erase: erasePayers,
  };
}
