import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { cashoutRegistered, lockFreeFunds, lockFreeFundsOf, postTransactions } from '../ledger/index.ts';
import type { Tx } from '../kit/db.ts';
import { holdRows } from '../testing/held-rows.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { COUNT_CHANGES, countChangeValues } from './cashout-rows.ts';

// While any transaction is open, PostgreSQL keeps every former version of a row that changes meanwhile.

let service: TestCaudal;
beforeAll(async () => {
  service = await startTestCaudal();
});
afterAll(() => service.close());

const CHANGES = 1_500;
/** A transaction of all of them takes too long on a busy machine. */
const AT_ONCE = 100;
const BUSY_TABLES = ['ledger_balances', 'cashout_slot_counts', 'cashout_counts', 'cashout_month_counts'];
const BLOCKS = {
  name: 'testing.blocks_fetched',
  text: `select sum(pg_stat_get_xact_blocks_fetched(name::regclass))::integer as blocks
           from unnest(array['${BUSY_TABLES.join("', '")}']) as name`,
};
/** A connection counts on from transaction to transaction. */
const blocks = async (tx: Tx): Promise<number> => (await tx.query<{ readonly blocks: number }>(BLOCKS, []))[0]?.blocks ?? Number.NaN;
const never = (): void => expect.unreachable('nobody holds anything');

test('what a busy fund and its counts cost does not grow while an old transaction is open', async () => {
  const { merchantId } = await service.merchant();
  const now = service.clock.now();
  let operations = 0;
  const updatedOn = now.toZonedDateTimeISO('America/Bogota').toPlainDate();
  const fund = { merchantId, currency: 'COP' };
  const change = (tx: Tx, operationId: string): void => {
    postTransactions(tx, [cashoutRegistered({ ...fund, operationId, refundId: null, amountMinor: 1n, feeMinor: 0n, taxMinor: 0n }, now)]);
    tx.send(COUNT_CHANGES, countChangeValues([{ merchantId, updatedOn, updatedAt: now, state: 'pending', delta: 1 }]));
  };
  const once = (operationId: string): Promise<number> =>
    service.db.transaction(async (tx) => {
      const before = await blocks(tx);
      await lockFreeFunds(tx, [fund], never);
      await lockFreeFundsOf(tx, [merchantId], never);
      change(tx, operationId);
      return (await blocks(tx)) - before;
    });

  const changeMuch = async (changes: number): Promise<void> => {
    for (let made = 0; made < changes; made += AT_ONCE)
      await service.db.transaction(async (tx) => {
        for (let number = 0; number < AT_ONCE; number++) change(tx, `W-${++operations}`);
      });
  };

  // Pages with room are before those that are in use: new versions go there.
  await changeMuch(CHANGES / 3);
  const cleaning = new Client({ connectionString: service.url });
  await cleaning.connect();
  onTestFinished(() => cleaning.end());
  await cleaning.query(`vacuum ${BUSY_TABLES.join(', ')}`);
  await holdRows(service.url, 'select pg_current_xact_id()', []);
  await changeMuch(CHANGES / 3);
  const early = await once('W-early');
  await changeMuch((2 * CHANGES) / 3);
  expect(await once('W-late')).toBeLessThan(1.2 * early);
  // Statements are planned again, on what is known of tables that are full of former versions.
  await cleaning.query(`vacuum (analyze) ${BUSY_TABLES.join(', ')}`);
  expect(await once('W-planned')).toBeLessThan(1.2 * early);
});
