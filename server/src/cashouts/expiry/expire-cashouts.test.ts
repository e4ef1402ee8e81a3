import { Readable } from 'node:stream';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cashoutChecks } from '../index.ts';
import { connectionConfig, declaredStatements } from '../../kit/db.ts';
import { withSnapshot } from '../../kit/snapshot.ts';
import { cashoutCalls, countsOf } from '../../testing/cashout-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { importCashouts } from '../import/import-cashouts.ts';
import { expireCashouts } from './expire-cashouts.job.ts';

let service: TestCaudal;
beforeEach(async () => {
  service = await startTestCaudal();
});
afterEach(() => service.close());

const MANY = 1_200;
/** Fewer than a merchant may have under way at once. */
const TOGETHER = 400;
const DOCUMENT = '1020304050';
const IMPORT_HEADER = 'amount,transactionCost,currency,description,document,sms,cellphone,operation,expire,update,status';

async function registerMany(merchant: TestMerchant, operations: number, expire: string): Promise<void> {
  const calls = cashoutCalls(service, merchant);
  for (let first = 0; first < operations; first += TOGETHER) {
    const ids = Array.from({ length: Math.min(TOGETHER, operations - first) }, (_, index) => `E-${first + index}`);
    const answers = await Promise.all(ids.map((operation) => calls.register(calls.registration({ operation, amount: '10', expire }))));
    expect(answers.filter(({ code }) => code !== '0000')).toEqual([]);
  }
}

const statesOf = async ({ merchantId }: TestMerchant): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await service.db.query<{ state: string; operations: number }>(
        { name: 'testing.states', text: 'select state, count(*)::integer as operations from cashouts where merchant_id = $1 group by 1' },
        [merchantId],
      )
    ).map(({ state, operations }) => [state, operations]),
  );

test('each cashout expires when its last day ends at its merchant, on several servers at once, and its money goes back', async () => {
  const other = await service.openAnother();
  const [bogota, santiago] = [await service.merchant({ fundMinor: 2_000_000n }), await service.merchant({ country: '152' })];
  await registerMany(bogota, MANY, '2026-11-21');
  const theirs = cashoutCalls(service, santiago);
  expect(
    await theirs.register(theirs.registration({ operation: 'CL', currency: 'CLP', amount: '10', expire: '2026-11-21' })),
  ).toMatchObject({ code: '0000' });

  service.clock.set('2026-11-22T02:59:59Z'); // One second before midnight in Santiago.
  await service.runJobs();
  expect(await statesOf(santiago)).toEqual({ pending: 1 });
  service.clock.advance({ seconds: 1 });
  await service.runJobs();
  expect(await statesOf(santiago)).toEqual({ expired: 1 });
  expect(await statesOf(bogota)).toEqual({ pending: MANY });

  service.clock.set('2026-11-22T05:00:00Z');
  // Expired from the instant on, before any sweep.
  expect(await cashoutCalls(service, bogota).query('E-0', DOCUMENT)).toMatchObject({ code: '0000', data: { status: 'VENCIDA' } });
  expect(await cashoutCalls(service, bogota).cancel('E-0', DOCUMENT)).toMatchObject({ code: '0021' });
  const jobs = [expireCashouts(service), expireCashouts({ db: other.db, clock: service.clock })];
  await Promise.all(
    jobs.map(async (job) => {
      while (await job.step());
    }),
  );
  await service.runJobs();
  expect(await statesOf(bogota)).toEqual({ expired: MANY });
  const calls = cashoutCalls(service, bogota);
  expect(await calls.balance()).toEqual({ balance: '20000.0', reserved: '0.0' });
  expect(await calls.query('E-7', DOCUMENT)).toMatchObject({ data: { status: 'VENCIDA', update: '20261122' } });
  const notices = await service.db.query<{ status: string; notices: number }>(
    { name: 'testing.expiry_notices', text: 'select status, count(*)::integer as notices from notices where merchant_id = $1 group by 1' },
    [bogota.merchantId],
  );
  expect(notices).toEqual([{ status: 'expired', notices: MANY }]);
  const history = await service.db.query(
    {
      name: 'testing.expiry_history',
      text: `select event, actor, changes from cashout_history where merchant_id = $1 and operation_id = 'E-7' order by version offset 1`,
    },
    [bogota.merchantId],
  );
  expect(history).toEqual([{ event: 'cashout.expired', actor: 'service', changes: { state: ['pending', 'expired'] } }]);
  const { kept, counted } = await countsOf(service, bogota.merchantId);
  expect(kept).toEqual(counted);
  await withSnapshot(service.url, async (snapshot) => {
    for (const { promise, run } of cashoutChecks) expect((await run(snapshot, service.clock.now())).finding, promise).toBeUndefined();
  });
  await other.close();
});

test('a clock that is set, forwards or backwards, is followed at once', async () => {
  const merchant = await service.merchant();
  service.clock.set('2026-12-01T15:00:00Z');
  await service.runJobs();
  service.clock.turnBack('2026-11-25T15:00:00Z');
  await registerMany(merchant, 1, '2026-11-25');
  service.clock.set('2026-11-26T05:00:00Z');
  await service.runJobs();
  expect(await statesOf(merchant)).toEqual({ expired: 1 });
});

test('what is due before the sweep can see it – registered as the day ends, imported long after – is expired by the next step', async () => {
  const merchant = await service.merchant();
  service.clock.set('2026-12-01T05:00:00Z');
  await service.runJobs();
  service.clock.turnBack('2026-12-01T04:59:59Z'); // A registration is decided at its own instant, and committed after it.
  await registerMany(merchant, 1, '2026-11-30');
  service.clock.set('2026-12-01T05:00:01Z');
  await importCashouts({
    url: service.url,
    merchant: {
      merchantId: merchant.merchantId,
      timeZone: 'America/Bogota',
      region: 'CO',
      currencies: ['COP'],
      letterDocuments: false,
      strictAmounts: false,
    },
    now: service.clock.now(),
    source: Readable.from([Buffer.from(`${IMPORT_HEADER}\n10.0,0.0,COP,,99,false,,I-1,20261115,20261101,PENDIENTE`)]),
    rejects: undefined,
    onProgress: () => undefined,
  });
  expect(await statesOf(merchant)).toEqual({ pending: 2 });
  await service.runJobs();
  expect(await statesOf(merchant)).toEqual({ expired: 2 });
});

test('the claim reads in the order of the index, also where many are due that the statistics do not know', async () => {
  const merchant = await service.merchant();
  await registerMany(merchant, 1, '2026-12-02');
  const client = new Client(connectionConfig(service.url, 5_000));
  await client.connect();
  await client.query('begin');
  await client.query(
    `insert into cashouts (merchant_id, operation_id, state, version, amount_minor, transaction_cost_minor, currency, description, document, sms,
                           cellphone, expires_on, created_at, updated_at, updated_on, expires_at)
     select merchant_id, 'L-' || n, state, version, amount_minor, transaction_cost_minor, currency, description, document, sms, cellphone,
            expires_on, created_at, updated_at, updated_on, expires_at from cashouts, generate_series(1, 20000) as n where merchant_id = $1`,
    [merchant.merchantId],
  );
  const { text = '' } = declaredStatements().find(({ name }) => name === 'cashouts.claim_due') ?? {};
  const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Scan using cashouts_due');
  expect(plan).not.toMatch(/Sort|Bitmap/);
  await client.query('rollback');
  await client.end();
});
