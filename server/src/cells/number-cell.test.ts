import { expect, onTestFinished, test } from 'vitest';
import { openDb, statement, Unavailable } from '../kit/db.ts';
import { createLog } from '../kit/log.ts';
import { MERCHANT_READS } from '../merchants/index.ts';
import { testClock, testKeys } from '../testing/test-caudal.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { readCells } from './cell-rows.ts';
import { createCell } from './create-cell.ts';
import { numberCell, requireNodes } from './number-cell.ts';

test('a node of a cluster that is away keeps a cell on another one from use only before it was told what it needs', () => {
  const [done, away, refused] = [
    { success: true, result: '1' },
    { success: false, result: 'failed to connect to worker-2:5432' },
    { success: false, result: 'ERROR: permission denied for schema north' },
  ];
  requireNodes([done, away]);
  expect(() => requireNodes([done, away], false)).toThrow(new Unavailable(`a node of the cluster: ${away.result}`));
  expect(() => requireNodes([done, refused])).toThrow(new Unavailable(`a node of the cluster: ${refused.result}`));
});

/** As a Citus cluster answers while one of its nodes is away. */
const HAVE_NODE_AWAY = statement(
  'number_cell_test.have_node_away',
  `create function run_command_on_workers(text) returns table (success boolean, result text) language sql
     as 'select false, ''failed to connect to worker-2:5432'''`,
);

test('no cell is made while a node is away: nobody has told it yet where its ids begin', async () => {
  const database = await createTestDatabase();
  const db = openDb({ url: database.url, log: createLog('silent'), connections: 1, statementTimeoutMs: null });
  onTestFinished(async () => {
    await db.close();
    await database.drop();
  });
  await db.query(HAVE_NODE_AWAY, []);
  const creating = { db, owner: db, keys: testKeys(), clock: testClock(), countMerchants: MERCHANT_READS.count };
  const urls = { url: database.serviceUrl, ownerUrl: database.url };
  await expect(createCell(creating, { name: 'north', urls })).rejects.toThrow(Unavailable);
  expect(await readCells(db)).toEqual([]);
  await numberCell(db, 1);
});
