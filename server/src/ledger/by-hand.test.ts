import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from '../testing/findings.ts';
import { postingDb } from '../testing/posting-db.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { adjust } from './adjust.ts';
import { byHandCheck, postByHand } from './by-hand.ts';
import { toppedUp } from './postings.ts';
import { topUp } from './top-up.ts';

let service: TestCaudal;
let owner: Client;
let merchantId: string;

beforeAll(async () => {
  service = await startTestCaudal();
  owner = new Client({ connectionString: service.url });
  await owner.connect();
  ({ merchantId } = await service.merchant({ fundMinor: 0n }));
  const deps = { db: postingDb(service.db, service.clock, merchantId), clock: service.clock };
  await topUp(deps, { merchantId, currency: 'COP', amountMinor: 500_000n, reference: 'BANK-1' });
  await adjust(deps, { merchantId, currency: 'COP', account: 'available', amountMinor: -700n, reason: 'counted twice' });
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

/** What is found after somebody who owns the database has changed it, for whom no trigger fires. */
async function findingsAfter(...damage: string[]): Promise<readonly string[]> {
  await owner.query(`set session_replication_role = replica`);
  const tables = ['ledger_entries', 'acts', 'act_details', 'act_stubs'];
  for (const table of tables) await owner.query(`create table kept_${table} as table ${table}`);
  try {
    for (const sql of damage) await owner.query(sql);
    return await findings(service, [byHandCheck]);
  } finally {
    for (const table of tables)
      await owner.query(`delete from ${table}; insert into ${table} select * from kept_${table}; drop table kept_${table}`);
  }
}

const INVENTED = `insert into ledger_entries (merchant_id, transaction_id, line, account, currency, amount_minor, kind, posted_at)
  select merchant_id, 'top-up/BANK-2', line, account, currency, amount_minor, kind, posted_at from ledger_entries
   where transaction_id = 'top-up/BANK-1'`;
const LATER = `update ledger_entries set posted_at = posted_at + interval '2 minutes' where transaction_id = 'top-up/BANK-1'`;

test('what was posted by hand is as its acts say', async () => {
  expect(await findingsAfter()).toEqual([]);
});

test.each([
  ['a top-up that somebody invented, with entries that agree', INVENTED],
  ['a top-up of another name', `update ledger_entries set transaction_id = 'top-up/BANK-9' where transaction_id = 'top-up/BANK-1'`],
  ['a top-up of another time', LATER],
  ['a top-up of another amount', `update ledger_entries set amount_minor = amount_minor * 2 where kind = 'top_up'`],
  ['an adjustment of another reason', `update ledger_entries set reason = 'asked for' where kind = 'adjustment'`],
  ['an adjustment that is gone', `delete from ledger_entries where kind = 'adjustment'`],
])('verify finds %s', async (_what, damage) => {
  expect(await findingsAfter(damage)).toEqual([
    expect.stringMatching(/was asked for by no act|is in the audit log, and not in the ledger/),
  ]);
});

test('an act whose details were erased proves its time alone', async () => {
  const erase = `update act_details set salt = null, content = null, erased_as = 'test'`;
  expect(await findingsAfter(erase)).toEqual([]);
  expect(await findingsAfter(erase, LATER)).toHaveLength(1);
});

test('what is older than the oldest act that is kept was proved while its act was there', async () => {
  const stub = `insert into act_stubs (place, link_hash, pruned_at, signature) values (1, '', now(), '')`;
  const pruned = `delete from act_details; delete from acts; insert into acts (acted_at, actor_kind, actor_id, actor_name, source, operation, outcome, recorded_at)
    values ('2026-12-01', 'command', 'ana', 'ana', 'here', 'verify', 'done', now())`;
  expect(await findingsAfter(pruned)).toHaveLength(1);
  expect(await findingsAfter(stub, pruned)).toEqual([]);
});

test('nothing is posted by hand without an act', async () => {
  const money = { merchantId, currency: 'COP', amountMinor: 1n, reference: 'BANK-3' };
  const posting = service.db.transaction(async (tx) => postByHand(tx, toppedUp(money, service.clock.now())));
  await expect(posting).rejects.toThrow('was asked for by no act');
});
