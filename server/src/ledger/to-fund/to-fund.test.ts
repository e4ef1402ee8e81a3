import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openActing } from '../../audit/index.ts';
import { cashoutCalls, type CashoutAnswer } from '../../testing/cashout-calls.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { holdRows } from '../../testing/held-rows.ts';
import { findings } from '../../testing/findings.ts';
import { LockTimeout } from '../../kit/db.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { disableMerchant, enableMerchant, freezeMerchant, thawMerchant } from '../../merchants/change-merchant.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { manageCalls, type ManageCalls } from '../../testing/manage-calls.ts';
import { orderCalls } from '../../testing/order-calls.ts';
import { postingDb } from '../../testing/posting-db.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { adjust } from '../adjust.ts';
import { ledgerChecks, readMerchantBalances, topUp } from '../index.ts';
import { keepFunds } from './keep-funds.job.ts';
import { moveToFund, type MovedToFund, type MoveToFundRefusal } from './move-to-fund.ts';

let service: TestCaudal;
let shop: TestMerchant;
let staff: ManageCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  staff = await manageCalls(service, { name: 'staff' });
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await service.merchant({ fundMinor: 0n });
});

const COP = 'COP';
const BOTH_WAIT = {
  name: 'test.waiting_moves',
  text: `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
};
const posting = () => ({ db: postingDb(service.db, service.clock, shop.merchantId), clock: service.clock });

/** Adds to what the merchant has collected, as orders do. */
async function collect(amountMinor: bigint): Promise<void> {
  const given = { merchantId: shop.merchantId, currency: COP, account: 'collected', amountMinor, reason: 'as orders bring it' };
  expect(isRefusal(await adjust(posting(), given))).toBe(false);
}

async function fill(amountMinor: bigint): Promise<void> {
  expect(isRefusal(await topUp(posting(), { merchantId: shop.merchantId, currency: COP, amountMinor }))).toBe(false);
}

/** What the merchant has: in its fund, reserved, collected. */
async function held(): Promise<readonly bigint[]> {
  const cop = (await readMerchantBalances(service.db, shop.merchantId)).find(({ currency }) => currency === COP);
  return [cop?.availableMinor ?? 0n, cop?.reservedMinor ?? 0n, cop?.collectedMinor ?? 0n];
}

const move = (amountMinor: bigint, reference: string, currency = COP): Promise<MovedToFund | { readonly refusal: MoveToFundRefusal }> =>
  moveToFund(posting(), { merchant: { merchantId: shop.merchantId, currencies: ['COP', 'USD'] }, currency, amountMinor, reference });

const movesPath = (): string => `/ledger/${shop.merchantId}/moves-to-fund`;
const moveBody = (amount: string, reference = 'M-1', currency = COP) => ({ amount: { amount, currency }, reference });
/** What a server runs. */
const openJob = (db = service.db) =>
  keepFunds({ db, clock: service.clock, acting: openActing(db, service.clock), log: service.log }, service.clock);
/** One round of a server. */
const round = async (job = openJob()): Promise<void> => {
  while (await job.step());
};
/** What has moved to the fund, the newest first. */
const moves = async (): Promise<readonly string[]> => {
  const { body } = await staff.get(`/ledger/entries?merchant=${shop.merchantId}&account=available&limit=50`);
  const items = body['items'] as unknown as readonly { readonly kind: string; readonly amount: { readonly amount: string } }[];
  return items.filter(({ kind }) => kind === 'moved_to_fund').map(({ amount }) => amount.amount);
};
/** When the rule moves next. */
const nextAt = async (): Promise<unknown> =>
  ((await staff.get(`/ledger/${shop.merchantId}/fund-rules`)).body['rules'] as unknown as readonly { readonly nextAt: unknown }[])[0]
    ?.nextAt;

describe('by hand', () => {
  test('takes from what was collected and adds to the fund; the same reference moves nothing again', async () => {
    await collect(10_000n);
    const moved = { transactionId: 'to-fund/M-1', availableMinor: 7_000n, collectedMinor: 3_000n };
    expect(await move(7_000n, 'M-1')).toEqual({ ...moved, isRepeated: false });
    expect(await move(7_000n, 'M-1')).toEqual({ ...moved, isRepeated: true });
    expect(await move(7_001n, 'M-1')).toEqual({ refusal: 'move_differs' });
    expect(await move(7_000n, 'M-1', 'USD')).toEqual({ refusal: 'move_differs' });
    expect(await move(3_001n, 'M-2')).toEqual({ refusal: 'collected_too_small' });
    expect(await move(1n, 'M-2', 'BRL')).toEqual({ refusal: 'currency_not_allowed' });
    expect(await move(3_000n, 'M-2')).toMatchObject({ availableMinor: 10_000n, collectedMinor: 0n });
    expect(await held()).toEqual([10_000n, 0n, 0n]);
  });

  test('of 64 at once on two servers exactly what was collected is moved, and nobody waits for ever', async () => {
    await collect(10_000n);
    const other = await service.openAnother();
    const servers = [service.db, other.db];
    const merchant = { merchantId: shop.merchantId, currencies: [COP] };
    const moves = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        moveToFund(
          { db: postingDb(servers[index % 2]!, service.clock, shop.merchantId), clock: service.clock },
          // Each reference twice.
          { merchant, currency: COP, amountMinor: 700n, reference: `R-${index >> 1}` },
        ),
      ),
    );
    await other.close();
    const fresh = moves.filter((one) => !isRefusal(one) && !one.isRepeated);
    expect(fresh).toHaveLength(14);
    expect(await held()).toEqual([9_800n, 0n, 200n]);
  });

  test('two that wait for the same money decide one after the other', async () => {
    await fill(1n);
    await collect(1_000n);
    const other = await service.openAnother();
    const lock = 'select from ledger_balances where merchant_id = $1 for update';
    const release = await holdRows(service.url, lock, [shop.merchantId]);
    const merchant = { merchantId: shop.merchantId, currencies: [COP] };
    const moves = [service.db, other.db].map((db, index) =>
      moveToFund(
        { db: postingDb(db, service.clock, shop.merchantId), clock: service.clock },
        { merchant, currency: COP, amountMinor: 700n, reference: `B-${index}` },
      ),
    );
    await eventually(SOON_MS, async () => expect(await service.db.query(BOTH_WAIT, [])).toEqual([{ waiting: 2n }]));
    await release();
    expect((await Promise.all(moves)).filter(isRefusal)).toEqual([{ refusal: 'collected_too_small' }]);
    await other.close();
    expect(await held()).toEqual([701n, 0n, 300n]);
  });

  test('what fees or reversals have taken below zero moves nothing; neither does a fund that would be too large', async () => {
    await collect(-500n);
    expect(await move(1n, 'M-1')).toEqual({ refusal: 'collected_too_small' });
    await collect(1_000n);
    await fill(10n ** 18n);
    expect(await move(1n, 'M-1')).toEqual({ refusal: 'fund_too_large' });
  });

  test('registrations and payments go on beside it, and everything adds up', async () => {
    await collect(1_000_000n);
    const calls = cashoutCalls(service, shop);
    const orders = orderCalls(service, shop);
    const network = networkOrderCalls(service, await service.network());
    const registered: CashoutAnswer[] = [];
    const each = async (index: number): Promise<void> => {
      expect(isRefusal(await move(10_000n, `M-${index}`))).toBe(false);
      registered.push(await calls.register(calls.registration({ operation: `W-${index}`, amount: '100' })));
      const { data } = await orders.create({ order: `A-${index}`, amount: '100' });
      expect(await network.pay(data['SVordenID'], `T-${shop.merchantId}-${index}`, '100.0')).toMatchObject({ code: '0000' });
    };
    await Promise.all(Array.from({ length: 12 }, (_, index) => each(index)));
    expect(registered.filter(({ code }) => code === '0000')).toHaveLength(12);
    expect(await held()).toEqual([0n, 120_000n, 1_000_000n]);
    expect(await findings(service, ledgerChecks)).toEqual([]);
  });
});

describe('by the merchants’ API', () => {
  test('the merchant moves with its checksum: once for each reference, as an act of the merchant, shown in its movements', async () => {
    await collect(10_000n);
    const calls = cashoutCalls(service, shop);
    const send = async (amount: string, reference = 'fund.1', currency = COP): Promise<CashoutAnswer> => {
      const checksum = calls.sign(shop.merchantId, currency, amount, reference);
      const payload = JSON.stringify({ merchant: shop.merchantId, currency, amount, reference, checksum });
      return (await service.app.inject({ method: 'POST', url: '/cashout/v1/fund', payload })).json();
    };
    const data = { reference: 'fund.1', amount: '70.0', currency: COP, balance: '70.0', collected: '30.0' };
    expect(await send('70')).toEqual({ code: '0000', text: 'OK', data });
    expect(await send('70.00')).toEqual({ code: '0000', text: 'OK', data });
    expect(await send('71')).toMatchObject({ code: '0042', data: {} });
    expect(await send('70', 'fund.1', 'USD')).toMatchObject({ code: '0042', data: {} });
    const [longest, tooLong] = [35, 36].map((characters) => `fund.${'r'.repeat(characters)}`);
    expect(await send('1', tooLong)).toMatchObject({ code: '0019', data: {} });
    expect(await send('31', longest), 'it is judged like any other').toMatchObject({ code: '0025', data: {} });
    expect(await send('31', 'fund.2')).toMatchObject({ code: '0025', data: {} });
    await collect(-4_000n);
    expect(await send('70'), 'asked again once it is owed').toMatchObject({ code: '0000', data: { collected: '-10.0' } });
    const url = `/cashout/v1/walletmovements/${shop.merchantId}?checksum=${calls.sign(shop.merchantId)}`;
    expect((await service.app.inject(url)).json()).toMatchObject({
      data: [{ type: 'TRASLADO', operation: '', amount: '70.0', currency: COP }],
    });
    const { body } = await staff.get(`/audit?operation=moveToFund&merchant=${shop.merchantId}`);
    expect(body['items']).toMatchObject([
      {
        actor: { kind: 'merchant', id: shop.merchantId },
        outcome: 'done',
        details: { changes: { posted: [null, expect.stringContaining('to-fund/fund.1: -70.00 COP on collected') as string] } },
      },
    ]);
  });
});

describe('in the management API', () => {
  test('whoever has funds:write moves, of its own merchant alone; who may register cashouts or top up does not', async () => {
    await collect(10_000n);
    const own = await manageCalls(service, { permissions: ['funds:write'], merchantId: shop.merchantId });
    expect(await own.send('POST', movesPath(), moveBody('70'))).toMatchObject({
      status: 200,
      body: {
        transaction: 'to-fund/M-1',
        isRepeated: false,
        available: { amount: '70.00', currency: COP },
        collected: { amount: '30.00', currency: COP },
      },
    });
    expect((await own.send('POST', movesPath(), moveBody('70'))).body).toMatchObject({ isRepeated: true });
    expect(await own.send('POST', movesPath(), moveBody('71'))).toMatchObject({ status: 409, problem: 'move_differs' });
    expect(await own.send('POST', movesPath(), moveBody('31', 'M-2'))).toMatchObject({ status: 409, problem: 'collected_too_small' });
    expect(await own.send('POST', movesPath(), moveBody('1', 'M-2', 'BRL'))).toMatchObject({ problem: 'currency_not_allowed' });
    const clerk = await manageCalls(service, { permissions: ['cashouts:write', 'ledger:write'], merchantId: shop.merchantId });
    expect(await clerk.send('POST', movesPath(), moveBody('1', 'M-3'))).toMatchObject({ status: 403 });
    const other = await service.merchant({ fundMinor: 0n });
    expect((await own.send('POST', `/ledger/${other.merchantId}/moves-to-fund`, moveBody('1', 'M-3'))).status).toBe(404);
    expect(await held()).toEqual([7_000n, 0n, 3_000n]);
  });

  test('the day has a line of it, whose net is zero, and the fund shows it among the entries', async () => {
    await collect(10_000n);
    await staff.send('POST', movesPath(), moveBody('70'));
    const day = (await staff.get(`/ledger/${shop.merchantId}/days/today`)).body as unknown as {
      readonly addsUp: boolean;
      readonly currencies: readonly { readonly lines: readonly object[]; readonly movements: readonly object[] }[];
    };
    expect(day.addsUp).toBe(true);
    expect(day.currencies[0]?.lines).toContainEqual(
      expect.objectContaining({ kind: 'moved_to_fund', transactions: 1, net: { amount: '0.00', currency: COP }, parts: [] }),
    );
    expect(day.currencies[0]?.movements).toContainEqual({
      kind: 'moved_to_fund',
      transactions: 1,
      amounts: [
        { account: 'available', amount: { amount: '70.00', currency: COP } },
        { account: 'collected', amount: { amount: '-70.00', currency: COP } },
      ],
    });
  });

  test('a merchant that is frozen or disabled moves nothing, and sets no rule', async () => {
    await collect(10_000n);
    const rule = `/ledger/${shop.merchantId}/fund-rules/COP`;
    for (const [stop, goOn] of [
      [freezeMerchant, thawMerchant],
      [disableMerchant, enableMerchant],
    ] as const) {
      await stop(service, shop.merchantId);
      expect(await staff.send('POST', movesPath(), moveBody('70'))).toMatchObject({ status: 409, problem: 'merchant_frozen' });
      expect(await staff.send('PUT', rule, { low: null, target: null })).toMatchObject({ problem: 'merchant_frozen' });
      await goOn(service, shop.merchantId);
    }
    expect(await held()).toEqual([0n, 0n, 10_000n]);
  });
});

describe('by rule', () => {
  type Rule = { readonly low: string | null; readonly target: string | null };
  const set = async (rule: Rule, currency = COP): Promise<void> => {
    expect(await staff.send('PUT', `/ledger/${shop.merchantId}/fund-rules/${currency}`, rule)).toMatchObject({ status: 200 });
  };

  test('a fund below the least is filled up to the target, as far as what was collected goes', async () => {
    await fill(10_000n);
    await collect(100_000n);
    await set({ low: '100', target: '500' });
    await round();
    expect(await moves(), 'it holds the least').toEqual([]);
    const calls = cashoutCalls(service, shop);
    expect(await calls.register(calls.registration({ operation: 'W-1', amount: '1' }))).toMatchObject({ code: '0000' });
    await round();
    await round();
    expect(await held()).toEqual([50_000n, 100n, 59_900n]);
    expect(await calls.register(calls.registration({ operation: 'W-2', amount: '500' }))).toMatchObject({ code: '0000' });
    await round();
    expect(await calls.register(calls.registration({ operation: 'W-3', amount: '500' }))).toMatchObject({ code: '0000' });
    await round();
    expect(await held(), 'what is left of what was collected').toEqual([9_900n, 100_100n, 0n]);
    expect(await moves()).toEqual(expect.arrayContaining(['401.00', '500.00', '99.00']));
    const shown = await service.app.inject(`/cashout/v1/walletmovements/${shop.merchantId}?checksum=${calls.sign(shop.merchantId)}`);
    const { data } = shown.json<{ data: { type: string; amount: string; operation: string }[] }>();
    const moved = data.filter(({ type }) => type === 'TRASLADO');
    expect(moved.map(({ amount }) => amount).toSorted()).toEqual(['401.0', '500.0', '99.0']);
    expect(moved.map(({ operation }) => operation)).toEqual(['', '', '']);
  });

  test('without a target all moves; without a least it does once, as each day of the merchant begins', async () => {
    await collect(10_000n);
    await set({ low: null, target: null });
    await round();
    expect(await held()).toEqual([0n, 0n, 10_000n]);
    const next = Temporal.Instant.from(String(await nextAt()));
    service.clock.set(next.subtract({ seconds: 1 }).toString());
    await round();
    expect(await moves()).toEqual([]);
    service.clock.set(next.toString());
    await Promise.all([round(), round(), round()]);
    expect(await moves()).toEqual(['100.00']);
    await collect(700n);
    service.clock.advance({ hours: 23 });
    await round();
    expect(await held()).toEqual([10_000n, 0n, 700n]);
    service.clock.advance({ days: 3 });
    await round();
    await round();
    expect(await moves(), 'days that were missed are one').toEqual(['7.00', '100.00']);
    expect(Temporal.Instant.compare(Temporal.Instant.from(String(await nextAt())), service.clock.now())).toBe(1);
  });

  test('a day of a rule with a target, and a least without one', async () => {
    await collect(10_000n);
    await set({ low: null, target: '60' });
    service.clock.advance({ days: 1 });
    await round();
    expect(await held()).toEqual([6_000n, 0n, 4_000n]);
    await set({ low: '60.01', target: null });
    await round();
    expect(await held()).toEqual([10_000n, 0n, 0n]);
  });

  test('two servers at once move it once, and what somebody holds keeps nobody waiting', async () => {
    await fill(1n);
    await collect(10_000n);
    await set({ low: '50', target: '60' });
    const other = await service.openAnother();
    await Promise.all([round(), round(openJob(other.db)), round(), round(openJob(other.db))]);
    await other.close();
    expect(await moves()).toEqual(['59.99']);
    await set({ low: '70', target: '80' });
    const lock = `select from ledger_balances where merchant_id = $1 and account = $2 for update`;
    for (const account of ['available', 'collected']) {
      const release = await holdRows(service.url, lock, [shop.merchantId, account]);
      await round();
      expect(await moves()).toHaveLength(1);
      await release();
    }
    await round();
    expect(await moves()).toEqual(expect.arrayContaining(['59.99', '20.00']));
  });

  test('a server that dies at any statement leaves it whole or undone, and the next round does it', async () => {
    await fill(1n);
    await collect(100_000n);
    for (const step of [1, 2, 3, 4]) {
      await set({ low: `${100 * step}`, target: `${100 * step}` });
      let left = step;
      const dying = <Result>(go: () => Result): Result => {
        if (--left === 0) throw new Error('died');
        return go();
      };
      const acting: ReturnType<typeof openActing> = (act) => {
        const db = openActing(service.db, service.clock)(act);
        return {
          ...db,
          transaction: (work) =>
            db.transaction((tx) => {
              return work({
                ...tx,
                query: (...asked) => dying(() => tx.query(...asked)) as never,
                send: (...sent) => dying(() => tx.send(...sent)),
              });
            }),
        };
      };
      await keepFunds({ db: service.db, clock: service.clock, acting, log: service.log }, service.clock)
        .step()
        .catch(() => undefined);
      await round();
      expect(await held()).toEqual([BigInt(step) * 10_000n, 0n, 100_001n - BigInt(step) * 10_000n]);
    }
    expect(await moves()).toHaveLength(4);
    expect(await findings(service, ledgerChecks)).toEqual([]);
  });

  test('a frozen merchant is passed over, others are not, and it is made good when it is thawed', async () => {
    await collect(10_000n);
    await set({ low: '50', target: '60' });
    await freezeMerchant(service, shop.merchantId);
    const frozen = shop;
    shop = await service.merchant({ fundMinor: 0n });
    await collect(10_000n);
    await set({ low: '50', target: '60' });
    await round();
    expect(await moves()).toEqual(['60.00']);
    shop = frozen;
    expect(await moves()).toEqual([]);
    await thawMerchant(service, shop.merchantId);
    await round();
    expect(await moves()).toEqual(['60.00']);
  });

  test.each([
    ['is wrong', new Error('nobody has thought of this')],
    ['waits for a lock too long', new LockTimeout('somebody holds it')],
  ])('one rule where something %s keeps no other one from its fund, and is tried again', async (_what, error) => {
    await collect(10_000n);
    await set({ low: '50', target: '60' });
    const failing = shop;
    shop = await service.merchant({ fundMinor: 0n });
    const acting: ReturnType<typeof openActing> = (act) => {
      if (act.merchantId === failing.merchantId) throw error;
      return openActing(service.db, service.clock)(act);
    };
    await collect(10_000n);
    await set({ low: '50', target: '60' });
    const { db, clock, log } = service;
    await round(keepFunds({ db, clock, acting, log }, clock));
    expect(await moves()).toEqual(['60.00']);
    shop = failing;
    expect(await moves()).toEqual([]);
    await round();
    expect(await moves()).toEqual(['60.00']);
  });

  test('each change is an act that says what it was; each move is an act of the service', async () => {
    await collect(10_000n);
    await set({ low: '50', target: '60' });
    await set({ low: null, target: '70' });
    await round();
    const path = `/ledger/${shop.merchantId}/fund-rules`;
    expect((await staff.get(path)).body).toMatchObject({
      rules: [{ currency: COP, low: null, target: '70.00', nextAt: expect.any(String) as string }],
    });
    await set({ low: '50', target: '60' });
    await round();
    expect((await staff.send('DELETE', `${path}/COP`)).body).toEqual({ merchant: shop.merchantId, rules: [] });
    await collect(1n);
    await round();
    expect(await moves()).toEqual(['60.00']);
    expect(await staff.send('PUT', `${path}/COP`, { low: '2', target: '1' })).toMatchObject({ status: 422, problem: 'low_above_target' });
    expect(await staff.send('PUT', `${path}/BRL`, { low: '1', target: '1' })).toMatchObject({ problem: 'currency_not_allowed' });
    expect(await staff.send('PUT', `${path}/COP`, { low: '0', target: '1' })).toMatchObject({ problem: 'fields_invalid' });
    const { body } = await staff.get(`/audit?merchant=${shop.merchantId}&limit=50`);
    const acts = (
      body['items'] as unknown as readonly { readonly operation: string; readonly outcome: string; readonly details: object }[]
    ).filter(({ operation, outcome }) => /fund/i.test(operation) && outcome === 'done');
    expect(acts.map(({ operation }) => operation)).toEqual(['endFundRule', 'moveToFund', 'setFundRule', 'setFundRule', 'setFundRule']);
    expect(acts[0]?.details).toMatchObject({ changes: { lowMinor: ['5000', null], targetMinor: ['6000', null] } });
    expect(acts[2]?.details).toMatchObject({ changes: { lowMinor: [null, '5000'], targetMinor: ['7000', '6000'] } });
    expect(acts[1]).toMatchObject({ actor: { kind: 'service' }, target: `merchant ${shop.merchantId}` });
  });
});

test('verify finds a move that somebody invented, and one whose account was exchanged', async () => {
  await collect(10_000n);
  await move(7_000n, 'M-1');
  const client = new Client({ connectionString: service.url });
  await client.connect();
  const after = async (damage: string, values: readonly unknown[]): Promise<readonly string[]> => {
    await client.query(`set session_replication_role = replica`);
    await client.query(damage, [...values]);
    return findings(service, ledgerChecks);
  };
  const ofMove = [shop.merchantId, 'to-fund/M-1'];
  expect(await findings(service, ledgerChecks)).toEqual([]);
  const exchange = (from: string, to: string): Promise<readonly string[]> =>
    after(`update ledger_entries set account = '${to}' where merchant_id = $1 and transaction_id = $2 and account = '${from}'`, ofMove);
  expect(await exchange('collected', 'refunds')).toContainEqual(expect.stringContaining('was asked for by no act'));
  expect(await exchange('refunds', 'collected')).toEqual([]);
  const invented = `insert into ledger_entries (merchant_id, transaction_id, line, account, currency, amount_minor, kind, posted_at)
    select merchant_id, 'to-fund/rule/of-nobody', line, account, currency, amount_minor, kind, posted_at from ledger_entries
     where merchant_id = $1 and transaction_id = $2`;
  expect(await after(invented, ofMove)).toContainEqual(expect.stringContaining('was asked for by no act'));
  await client.query(`delete from ledger_entries where transaction_id = 'to-fund/rule/of-nobody'`);
  await client.end();
});
