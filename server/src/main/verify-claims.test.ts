import { expect, test } from 'vitest';
import { statement, type Statement } from '../kit/db.ts';
import { mapCells } from '../kit/per-cell.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startCaudalForTest } from '../testing/test-caudal.ts';
import { CLAIM_CHECKS } from './cells/claim-checks.ts';

/** What a faulty program would leave in a cell: each without its claim at home. */
const UNCLAIMED: readonly (readonly [promise: string, write: Statement, problem: string])[] = [
  [
    'reference',
    statement(
      'test.unclaimed_reference',
      `insert into open_references (reference, merchant_id, order_id) values ('4711', 'shop-1', 'A-1')`,
    ),
    'has a reference that its cell did not claim: 4711',
  ],
  [
    'order',
    statement('test.unclaimed_transaction', `insert into order_transactions values ('network:n', 'T-1', 'shop-1', 'A-1', 1)`),
    'was paid by a transaction that its cell did not claim: network:n T-1',
  ],
  [
    'cashout',
    statement('test.unclaimed_collection', `insert into cashout_payments values ('n', 'T-1', 'shop-1', 'W-1', 1, '', '', now())`),
    'was paid by a transaction that its cell did not claim: n T-1',
  ],
];

test('what is claimed at home, and only that, passes the checks of claims', async () => {
  const caudal = await startCaudalForTest({ cells: 1 });
  const { create } = orderCalls(caudal, await caudal.merchant({ cell: 1 }));
  expect(await create({ order: 'A-1', reference: '900100' })).toMatchObject({ code: '0000' });
  expect(await create({ order: 'A-2' })).toMatchObject({ code: '0000' });
  const dbs = mapCells(caudal.cells, ({ db }) => db);
  const problems = async (): Promise<readonly (string | undefined)[]> =>
    (await Promise.all(CLAIM_CHECKS.map(({ run }) => run(dbs)))).map(({ finding }) => finding?.problem);
  const found: (string | undefined)[] = CLAIM_CHECKS.map(() => undefined);
  expect(await problems()).toEqual(found);
  for (const [index, [promise, unclaimed, problem]] of UNCLAIMED.entries()) {
    await caudal.cells.of(1).db.query(unclaimed, []);
    found[index] = problem;
    expect(await problems(), promise).toEqual(found);
  }
});
