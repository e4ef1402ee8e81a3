import { statement, type Db, type Tx } from '../../kit/db.ts';
import { erasedChanges, erasedColumn, type FoundRecord, type PersonalData, type RecordKey } from '../../people/index.ts';
import { eraseMessages } from '../../messages/index.ts';
import type { OrderEvent } from '../order-history.ts';
import { EVENT_COLUMNS, SELECT_ORDER } from '../order-rows.ts';
import type { Order } from '../order.ts';

/** What an order's history holds of its payer. The type of the document alone names nobody. */
const PERSONAL_FIELDS = ['email', 'description', 'userDocument', 'userName'] as const satisfies readonly (keyof Order)[];

/** Reads all orders and their histories: an index on any of these columns would make each update dearer. */
const FIND = statement(
  'orders.find_payer',
  `select o.merchant_id as "merchantId", o.order_id as id, o.state = 'pending' as "isOpen"
     from orders o
    where (o.merchant_id, o.order_id) in (
      select merchant_id, order_id from orders where user_document = $1 or lower(email) = lower($2)
      union
      select merchant_id, order_id from order_history
       where changes -> 'userDocument' ->> 1 = $1 or lower(changes -> 'email' ->> 1) = lower($2))
    order by o.merchant_id, o.service_order_id`,
);
const READ = statement('orders.read_payer', `select ${SELECT_ORDER} from orders o where o.merchant_id = $1 and o.order_id = $2`);
const READ_HISTORY = statement(
  'orders.read_payer_history',
  `select ${EVENT_COLUMNS} from order_history where merchant_id = $1 and order_id = $2 order by version`,
);
const ERASE = statement(
  'orders.erase_payers',
  `with ended as (
     select merchant_id, order_id from orders
      where (merchant_id, order_id) in (select * from unnest($1::text[], $2::text[])) and state <> 'pending' for update skip locked)
   update orders o set ${['o.email', 'o.description', 'o.user_document', 'o.user_name'].map((column) => erasedColumn(column, '$3::text')).join(', ')}
     from ended where o.merchant_id = ended.merchant_id and o.order_id = ended.order_id
   returning o.merchant_id as "merchantId", o.order_id as id`,
);
/** A statement of its own: it sees what others wrote until the rows above were locked. */
const ERASE_HISTORY = statement(
  'orders.erase_payers_in_history',
  `update order_history h set changes = ${erasedChanges('h.changes', PERSONAL_FIELDS, '$3::text')}
     from unnest($1::text[], $2::text[]) as k (merchant_id, order_id)
    where h.merchant_id = k.merchant_id and h.order_id = k.order_id
      and h.changes ?| array[${PERSONAL_FIELDS.map((field) => `'${field}'`).join(', ')}]`,
);

/** Erases the payers of orders that have ended, with their histories and messages. Shape: → the orders that were erased. */
export async function erasePayers(tx: Tx, keys: readonly RecordKey[], pseudonym: string): Promise<readonly RecordKey[]> {
  const erased = await tx.query<RecordKey>(ERASE, [keys.map(({ merchantId }) => merchantId), keys.map(({ id }) => id), pseudonym]);
  tx.send(ERASE_HISTORY, [erased.map(({ merchantId }) => merchantId), erased.map(({ id }) => id), pseudonym]);
  eraseMessages(tx, ['order_created', 'order_paid'], erased);
  return erased;
}

/** What orders hold of their payers. */
export function payerData(db: Pick<Db, 'query'>): PersonalData {
  return {
    kind: 'orders',
    find: ({ document, email }) => db.query<FoundRecord>(FIND, [document, email]),
    read: async ({ merchantId, id }) => {
      const [order] = await db.query<Order>(READ, [merchantId, id]);
      return order && { ...order, history: await db.query<OrderEvent>(READ_HISTORY, [merchantId, id]) };
    },
    erase: erasePayers,
  };
}
