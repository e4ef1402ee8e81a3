import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDb, type Db } from '../kit/db.ts';
import { withSnapshot } from '../kit/snapshot.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { holdRows } from '../testing/held-rows.ts';
import { postingDb } from '../testing/posting-db.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import {
  cashoutPaid,
  cashoutRegistered,
  cashoutReleased,
  compareEntries,
  ledgerChecks,
  orderPaid,
  postTransactions,
  readMerchantBalances,
  readFees,
  readMovements,
  topUp,
  type ExpectedEntries,
  type LedgerTransaction,
} from './index.ts';
import { lockFunds } from './post-transactions.ts';
import { setFees } from './fees.ts';
import { NO_FEE, type CashoutMoney } from './postings.ts';
import { byHandCheck } from './by-hand.ts';

let service: TestCaudal;
/** As several servers: connections of its own. */
let db: Db;
let client: Client;
let merchantId: string;

beforeAll(async () => {
  service = await startTestCaudal();
  db = openDb({ url: service.url, log: service.log, connections: 8, statementTimeoutMs: 10_000 });
  client = new Client({ connectionString: service.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await db.close();
  await service.close();
});
beforeEach(async () => {
  ({ merchantId } = await service.merchant({ fundMinor: 0n }));
});

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
const COP = 'COP';
const each = <T>(n: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, index) => make(index)));
const now = (): Temporal.Instant => service.clock.now();
const post = (...transactions: LedgerTransaction[]): Promise<void> => db.transaction(async (tx) => postTransactions(tx, transactions));
const money = (operationId: string, amountMinor: bigint, of = merchantId): CashoutMoney => ({
  merchantId: of,
  operationId,
  refundId: null,
  currency: COP,
  amountMinor,
  feeMinor: 0n,
  taxMinor: 0n,
});
const registered = (...args: Parameters<typeof money>): LedgerTransaction => cashoutRegistered(money(...args), now());
const fund = (amountMinor: bigint, reference?: string, of = merchantId): ReturnType<typeof topUp> =>
  topUp({ db: postingDb(db, service.clock, of), clock: service.clock }, { merchantId: of, currency: COP, amountMinor, reference });
const balance = async (of = merchantId): Promise<readonly bigint[]> => {
  const [cop] = await readMerchantBalances(db, of);
  return cop === undefined ? [] : [cop.availableMinor, cop.reservedMinor, cop.collectedMinor];
};

/** What came in earlier, and is collected by now. */
const toppedUpBefore = (amountMinor: bigint): LedgerTransaction => ({
  merchantId,
  transactionId: 'top-up/BEFORE',
  kind: 'top_up',
  currency: COP,
  postedAt: now(),
  reason: null,
  lines: [
    { account: 'collected', amountMinor },
    { account: 'service:bank', amountMinor: -amountMinor },
  ],
});

/** Takes three cashouts of 0.70 as far as the fund goes; how many it took. */
const batch = (index: number): Promise<number> =>
  db.transaction(async (tx) => {
    const wanted = [1, 2, 3].map((place) => money(`W-${index}-${place}`, 70n));
    const funds = await lockFunds(tx, wanted);
    const taken = wanted.filter((cashout) => funds.take(cashout, 70n));
    postTransactions(
      tx,
      taken.map((cashout) => cashoutRegistered(cashout, now())),
    );
    return taken.length;
  });

const takeAll = (cashouts: readonly CashoutMoney[]): Promise<void> =>
  db.transaction(async (tx) => {
    await lockFunds(tx, cashouts);
    postTransactions(
      tx,
      cashouts.map((cashout) => cashoutRegistered(cashout, now())),
    );
  });
const payOrGiveBack = (cashouts: readonly CashoutMoney[]): Promise<void> =>
  post(...cashouts.map((cashout, place) => (place < 6 ? cashoutPaid(cashout, 'efecty', now()) : cashoutReleased(cashout, now()))));

async function findings(): Promise<string[]> {
  return withSnapshot(service.url, async (snapshot) => {
    const found: string[] = [];
    // What these tests insert, no act asked for.
    for (const { run } of ledgerChecks.filter((check) => check !== byHandCheck)) {
      const { finding } = await run(snapshot, now());
      if (finding !== undefined) found.push(`${finding.merchantId} ${finding.id} ${finding.problem}`);
    }
    return found;
  });
}

type Line = [transaction: string, line: number, account: string, currency: string, amountMinor: number, kind?: string];

const insert = (...lines: Line[]) =>
  client.query(
    `insert into ledger_entries (merchant_id, transaction_id, line, account, currency, amount_minor, kind, posted_at) values ` +
      lines
        .map(
          ([transaction, line, account, currency, amountMinor, kind = 'top_up']) =>
            `('${merchantId}', '${transaction}', ${line}, '${account}', '${currency}', ${amountMinor}, '${kind}', now())`,
        )
        .join(),
  );

describe('the database', () => {
  test('refuses a second posting of the same, and additions to what is posted', async () => {
    await fund(100n, 'R-1');
    await expect(insert(['top-up/R-1', 1, 'collected', COP, 5], ['top-up/R-1', 2, 'service:bank', COP, -5])).rejects.toThrow('pkey');
    await expect(insert(['top-up/R-1', 3, 'collected', COP, 5], ['top-up/R-1', 4, 'service:bank', COP, -5])).rejects.toThrow(
      'is not whole',
    );
    await post(registered('W-1', 10n));
    await expect(post(registered('W-1', 10n))).rejects.toThrow('ledger_entries_pkey');
    expect(await balance()).toEqual([90n, 10n, 0n]);
  });

  test('refuses a fund below zero also where it is not locked, and refuses no other', async () => {
    await fund(1_000n);
    const outcomes = await Promise.allSettled(Array.from({ length: 64 }, (_, index) => post(registered(`W-${index}`, 100n))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await balance()).toEqual([0n, 1_000n, 0n]);
    expect(await findings()).toEqual([]);
  });
});

describe('funds', () => {
  test('never go below zero, and lose nothing, under 64 concurrent top-ups and batches that take from them', async () => {
    await fund(1_000n);
    const outcomes = await each(64, async (index) => (index % 2 === 0 ? batch(index) : (await fund(10n), 0)));
    const taken = BigInt(outcomes.reduce((sum, one) => sum + one, 0)) * 70n;
    const [available, reserved] = await balance();
    expect([available, reserved]).toEqual([1_320n - taken, taken]);
    expect(taken).toBeGreaterThan(70n * 13n);
    expect(await findings()).toEqual([]);
  });

  test('are decided on together: what a batch has taken is gone for the rest of it', async () => {
    await fund(100n);
    const key = { merchantId, currency: COP };
    const other = { merchantId, currency: 'USD' };
    await db.transaction(async (tx) => {
      const funds = await lockFunds(tx, [key, key, other]);
      expect([funds.take(key, 60n), funds.take(key, 60n), funds.take(key, 40n)]).toEqual([true, false, true]);
      expect([funds.available(key), funds.available(other), funds.take(other, 1n)]).toEqual([0n, 0n, false]);
    });
  });

  test('of many merchants are locked in one order: batches of several servers do not wait for each other in a circle', async () => {
    const merchants = await Promise.all(Array.from({ length: 12 }, async () => (await service.merchant({ fundMinor: 0n })).merchantId));
    await each(12, (index) => fund(10_000n, undefined, merchants[index]));
    await post(...merchants.map((of) => registered('W', 5_000n, of)));
    await each(64, (index) => {
      const turned = [...merchants.slice(index % 12), ...merchants.slice(0, index % 12)];
      return (index % 2 === 0 ? takeAll : payOrGiveBack)(turned.map((of) => money(`W-${index}`, 1n, of)));
    });
    expect(await findings()).toEqual([]);
  });
});

describe('a top-up', () => {
  test('with a reference is posted once, however often it is repeated at the same time', async () => {
    const outcomes = await each(8, () => fund(500n, 'BANK-77'));
    expect(outcomes.filter((outcome) => 'isRepeated' in outcome && !outcome.isRepeated)).toHaveLength(1);
    expect(await fund(500n, 'BANK-77')).toEqual({ transactionId: 'top-up/BANK-77', availableMinor: 500n, isRepeated: true });
    expect(await fund(501n, 'BANK-77')).toEqual({ refusal: 'top_up_differs' });
    expect(await balance()).toEqual([500n, 0n, 0n]);
  });

  test('without a reference sees one of the same amount that comes at the same time, also as the first of a fund', async () => {
    const release = await holdRows(service.url, 'lock table ledger_entries in exclusive mode', []);
    const unrepeated = { merchantId, currency: COP, amountMinor: 500n, noEqualSince: now().subtract({ hours: 1 }) };
    const topUps = each(2, () => topUp({ db: postingDb(db, service.clock, unrepeated.merchantId), clock: service.clock }, unrepeated));
    await eventually(SOON_MS, async () => expect((await client.query(WAITING)).rows).toHaveLength(2));
    await release();
    expect(await topUps).toContainEqual({ refusal: 'equal_top_up' });
    expect(await balance()).toEqual([500n, 0n, 0n]);
  });

  test('never makes a fund larger than can be kept', async () => {
    await fund(10n ** 18n);
    expect(await fund(1n)).toEqual({ refusal: 'fund_too_large' });
    // The bank's account counts all that ever came in, also what is spent.
    const [cashout, all] = [money('W-1', 10n ** 18n), toppedUpBefore(8n * 10n ** 18n)];
    await post(registered('W-1', cashout.amountMinor), all);
    await post(cashoutPaid(cashout, 'efecty', now()));
    expect(await fund(10n ** 18n)).toEqual({ refusal: 'account_too_large' });
    expect(await balance()).toEqual([0n, 0n, 8n * 10n ** 18n]);
  });
});

describe('fees', () => {
  test('are those set last, for the kind and the currency; none where none were set', async () => {
    const key = { merchantId, kind: 'cashout', currency: COP } as const;
    const terms = { percentPpm: 25_000, fixedMinor: 90_000n, taxPpm: 190_000 };
    await setFees({ db, clock: service.clock }, { ...key, percentPpm: 1, fixedMinor: 1n, taxPpm: 1 });
    await setFees({ db, clock: service.clock }, { ...key, ...terms });
    const order = { ...key, kind: 'order' } as const;
    const fees = await db.transaction((tx) => readFees(tx, [key, order, key]));
    expect(fees.of(key)).toMatchObject(terms);
    expect([fees.of(order), fees.of({ ...key, currency: 'USD' })]).toEqual([NO_FEE, NO_FEE]);
  });
});

test('movements are what came into the fund and left it, newest first, of the time that was asked for', async () => {
  const from = now();
  await fund(100n, 'FIRST');
  service.clock.advance({ hours: 1 });
  await post(registered('W-1', 30n), registered('W-2', 20n));
  const until = now().add({ milliseconds: 1 });
  service.clock.advance({ hours: 1 });
  await post(cashoutReleased(money('W-1', 30n), now()));
  const read = async (limit: number, offset: number): Promise<unknown> =>
    (await readMovements(db, { merchantId, from, until, limit, offset })).map(({ transactionId, amountMinor }) => [
      transactionId,
      amountMinor,
    ]);
  expect(await read(10, 0)).toEqual([
    ['cashout/W-2/registered', -20n],
    ['cashout/W-1/registered', -30n],
    ['top-up/FIRST', 100n],
  ]);
  expect(await read(1, 1)).toEqual([['cashout/W-1/registered', -30n]]);
});

/** Without the triggers, as only the owner of the database can. */
const damage = (sql: string): Promise<unknown> => client.query(`begin; set local session_replication_role = replica; ${sql}; commit`);

describe('verify', () => {
  test.each([
    [
      'an entry that was changed',
      `update ledger_entries set amount_minor = amount_minor + $`,
      `update ledger_entries set amount_minor = amount_minor - $`,
      'is off by',
    ],
    [
      'a balance that was changed',
      `update ledger_balances set balance_minor = balance_minor + $`,
      `update ledger_balances set balance_minor = balance_minor - $`,
      'but its entries add up to',
    ],
    [
      'a fund below zero',
      `update ledger_balances set balance_minor = balance_minor - 2 * $`,
      `update ledger_balances set balance_minor = balance_minor + 2 * $`,
      'is below zero',
    ],
  ])('finds %s', async (_what, harm, mend, problem) => {
    await fund(100n);
    const where = ` where merchant_id = '${merchantId}' and account = 'available'`;
    await damage(harm.replace('$', '100') + where);
    expect((await findings()).join()).toContain(problem);
    await damage(mend.replace('$', '100') + where);
    expect(await findings()).toEqual([]);
  });
});

async function compare(...expected: ExpectedEntries[]): Promise<unknown> {
  async function* all(): AsyncGenerator<ExpectedEntries> {
    yield* expected;
  }
  return withSnapshot(service.url, (snapshot) => compareEntries(snapshot, 'order', all()));
}
const paid = (orderId: string, amountMinor = 100n): LedgerTransaction =>
  orderPaid({ ...money('', amountMinor), orderId, paymentNumber: 1, netname: 'efecty' }, now());
const of = (id: string, ...transactions: LedgerTransaction[]): ExpectedEntries => ({ merchantId, id, transactions });

describe('what operations must have in the ledger', () => {
  test('is compared to the last entry: missing, wrong, additional, and of operations that are not stored', async () => {
    // The ids are neighbours in the order of bytes: none may be taken for another's.
    const ids = ['A', 'A-1', 'A0'];
    await post(...ids.map((id) => paid(id)));
    const right = ids.map((id) => of(id, paid(id)));
    expect(await compare(...right, of('A-2'))).toEqual({ checked: 3 });
    expect(await compare(...right, of('A-2', paid('A-2')))).toMatchObject({
      finding: { id: 'A-2', problem: expect.stringContaining('lacks') },
    });
    expect(await compare(of('A', paid('A', 99n)))).toMatchObject({ finding: { id: 'A', problem: expect.stringContaining('-99 COP') } });
    expect(await compare(of('A'), ...right.slice(1))).toMatchObject({ finding: { problem: expect.stringContaining('does not explain') } });
    expect(await compare(...right.slice(1))).toMatchObject({
      finding: { problem: 'the ledger holds 3 transactions, but only 2 are explained' },
    });
  });
});
