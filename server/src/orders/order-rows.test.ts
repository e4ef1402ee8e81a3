import { expect, test } from 'vitest';
import { statement } from '../kit/db.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startCaudalForTest } from '../testing/test-caudal.ts';
import { ORDERS } from './order-rows.ts';

/** Columns in a key, an expression or a predicate of an index. */
const INDEXED = statement(
  'test.indexed_columns_of_orders',
  `select distinct a.attname::text as "column"
     from pg_index i
     join pg_attribute a on a.attrelid = i.indrelid
    where i.indrelid = 'orders'::regclass
      and (a.attnum = any(i.indkey)
        or exists (select from pg_depend d where d.objid = i.indexrelid and d.refobjid = i.indrelid and d.refobjsubid = a.attnum))
    order by 1`,
);

test('orders are locked for many commands: a row for each, in their order, shared by those for one order', async () => {
  const service = await startCaudalForTest();
  const merchant = await service.merchant();
  for (const order of ['A', 'B']) await orderCalls(service, merchant).create({ order });
  const keys = ['B', 'A', 'gone', 'B'].map((orderId) => ({ merchantId: merchant.merchantId, orderId }));
  const rows = await service.db.transaction((tx) => ORDERS.lock(tx, keys, () => expect.unreachable()));
  expect(rows.map((row) => row?.after.orderId)).toEqual(['B', 'A', undefined, 'B']);
  expect(rows[3]).toBe(rows[0]);
});

test('an update stays on its page unless it changes what orders are found by: no other column that changes is in an index', async () => {
  const service = await startCaudalForTest();
  const columns = (await service.db.query<{ column: string }>(INDEXED, [])).map(({ column }) => column);
  const fixed = new Set(['merchant_id', 'order_id', 'service_order_id', 'created_at']);
  expect(columns.filter((column) => !fixed.has(column))).toEqual(['email', 'expires_at', 'reference', 'state', 'user_document']);
});
