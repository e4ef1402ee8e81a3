import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openEngine } from '../../kit/changes/engine.ts';
import { statement, Unavailable, type Db } from '../../kit/db.ts';
import { cellOfId, mapCells } from '../../kit/per-cell.ts';
import { dyingAfter, steppedBy, takeAway } from '../../testing/cell-outage.ts';
import { withinSeconds } from '../../testing/deadlines.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { orderCalls, type OrderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import type { Merchant } from '../../merchants/index.ts';
import { createOrders } from '../create-order.ts';
import { rulesOf } from '../merchant-rules.ts';
import { openReferenceClaims, type ReferenceClaims } from './reference-claims.ts';
import { orderClaimChecks } from './verify-claims.ts';

// References and networks' transactions are one for the whole service, whichever cell holds a merchant.

const TAKEN = '0043';
const REPEATED = '0016';
const CELLS = [0, 1, 2] as const;
const PAIRS = CELLS.flatMap((one) => CELLS.filter((other) => other !== one).map((other) => [one, other] as const));

let caudal: TestCaudal;
let shops: OrderCalls[];
let till: ReturnType<typeof networkOrderCalls>;
let count = 0;
let reference: string;

beforeAll(async () => {
  caudal = await startTestCaudal({ cells: 2 });
  shops = [];
  for (const cell of CELLS) shops.push(orderCalls(caudal, await caudal.merchant({ cell })));
  till = networkOrderCalls(caudal, await caudal.network());
});
afterAll(() => caudal.close());
beforeEach(() => {
  reference = `7000${++count}`;
});

const shop = (cell: number): OrderCalls => shops[cell] as OrderCalls;
const other = async (cell: number): Promise<OrderCalls> => orderCalls(caudal, await caudal.merchant({ cell }));
const codeOf = async (answer: Promise<{ readonly status: number; readonly code: string }>): Promise<string> => {
  const { status, code } = await answer;
  return status === 503 ? '503' : code;
};
const findings = async (): Promise<readonly unknown[]> => {
  const dbs = mapCells(caudal.cells, ({ db }) => db);
  const found = await Promise.all(orderClaimChecks.map(({ run }) => run(dbs)));
  return found.flatMap(({ finding }) => finding ?? []);
};
const COUNT_DRAWN = statement('test.count_drawn', 'select count(*)::int as rows from open_references where made and cell = 1');
/** A new order, and our id of it. */
const made = async (calls: OrderCalls, fields: Record<string, unknown> = {}): Promise<string> => {
  const { code, data } = await calls.create({ order: `A-${++count}`, ...fields });
  expect(code).toBe('0000');
  return data['SVordenID'] as unknown as string;
};

/** What a process of a cell does to reference claims: `dbs` are its connections. */
const claimsOf = (cell: number, dbs = mapCells(caudal.cells, ({ db }) => db)) =>
  openReferenceClaims({ dbs, cell, clock: caudal.clock, restDays: 90 });

/** How a process of a cell creates orders, with its claims. */
const creationOn = (db: Db, claims: ReferenceClaims) =>
  createOrders({
    engine: openEngine({ db, clock: caudal.clock }),
    restDays: 90,
    allowanceDays: 1,
    claims,
    messages: { writes: { mail: false, sms: false }, write: () => undefined },
    checkoutLink: () => '',
  });
const orderOf = (merchant: Merchant, orderId: string, given: string | undefined) => ({
  merchantId: merchant.merchantId,
  orderId,
  given: { email: 'a@example.com', country: '343', currency: 'COP', amountMinor: 100n, reference: given },
  rules: rulesOf(merchant),
  merchant,
  requestId: null,
  once: undefined,
});

describe('a reference', () => {
  test.each(PAIRS)('that an open order of cell %i has is taken for one of cell %i: at creation and at an update', async (one, two) => {
    await shop(one).newOrder({ reference });
    const order = await shop(two).newOrder();
    expect(await codeOf(shop(two).create({ order: `B-${count}`, reference }))).toBe(TAKEN);
    expect(await codeOf(shop(two).update({ order, reference }))).toBe(TAKEN);
    expect(await findings()).toEqual([]);
  });

  test.each(PAIRS)(
    'rests after its order in cell %i for ninety days. Then one of cell %i takes it, and the first cell has it no more',
    async (one, two) => {
      const cancelled = await shop(one).newOrder({ reference });
      await shop(one).cancel(cancelled);
      const order = await shop(two).newOrder({ expiration: undefined });
      expect(await codeOf(shop(two).update({ order, reference }))).toBe(TAKEN);
      expect(await codeOf(shop(one).create({ order: `same-${count}`, reference })), 'its own merchant takes it at once').toBe('0000');
      await shop(one).cancel(`same-${count}`);
      caudal.clock.advance({ days: 90, seconds: 1 });
      const later = await shop(two).newOrder();
      expect(await codeOf(shop(two).update({ order: later, reference }))).toBe('0000');
      expect(await codeOf(shop(one).create({ order: `late-${count}`, reference }))).toBe(TAKEN);
      expect((await till.lookUp(reference)).data['OrdenID']).toBe(later);
      expect(await findings()).toEqual([]);
    },
  );

  test('goes round all cells, each time after its rest, and comes back', async () => {
    for (const cell of [1, 2, 0, 1, 0, 2, 1]) {
      const order = await shop(cell).newOrder({ reference });
      expect((await till.lookUp(reference)).data['OrdenID']).toBe(order);
      await shop(cell).cancel(order);
      expect((await till.lookUp(reference)).code).toBe('0001');
      caudal.clock.advance({ days: 90, seconds: 1 });
    }
    expect(await findings()).toEqual([]);
  });

  test.each(PAIRS)('that the service made in cell %i never goes to one of cell %i', async (one, two) => {
    const { data } = await shop(one).create({ order: `made-${count}` });
    const drawn = data['Referencia'] as unknown as string;
    await shop(one).cancel(`made-${count}`);
    caudal.clock.advance({ days: 400 });
    expect(await codeOf(shop(two).create({ order: `B-${count}`, reference: drawn }))).toBe(TAKEN);
    expect(await codeOf(shop(one).create({ order: `again-${count}`, reference: drawn }))).toBe('0000');
  });

  test('that orders of all cells want at once goes to one of them', async () => {
    const rivals = await Promise.all([0, 0, 1, 1, 2, 2].map(other));
    for (let round = 0; round < 10; round++) {
      const wanted = `${reference}${round}`;
      const codes = await Promise.all(
        rivals.map((rival, index) => codeOf(rival.create({ order: `R-${round}-${index}`, reference: wanted }))),
      );
      expect(codes.filter((code) => code === '0000').length, codes.join()).toBeLessThanOrEqual(1);
      expect(codes.filter((code) => code !== '0000' && code !== TAKEN && code !== '503')).toEqual([]);
      // Who was told to come again does so.
      const again = await Promise.all(
        rivals.map((rival, index) => codeOf(rival.create({ order: `S-${round}-${index}`, reference: wanted }))),
      );
      expect(
        [...codes, ...again].filter((code) => code === '0000'),
        [...codes, ...again].join(),
      ).toHaveLength(1);
    }
    expect(await findings()).toEqual([]);
  });

  test('is looked up where its order is', async () => {
    for (const cell of CELLS) {
      const order = await shop(cell).newOrder({ reference: `${reference}${cell}` });
      expect((await till.lookUp(`${reference}${cell}`)).data).toMatchObject({ OrdenID: order });
    }
  });
});

describe('a process that stops', () => {
  test('for long between its claim and its order, while another cell gets the reference: it does not take it', async () => {
    const merchant = await caudal.merchant({ cell: 1 });
    const whole = await merchant.read();
    const resume = Promise.withResolvers<void>();
    const claimed = Promise.withResolvers<void>();
    const claims = claimsOf(1);
    let times = 0;
    const paused: typeof claims.claim = async (...wanted) => {
      const claim = await claims.claim(...wanted);
      claimed.resolve();
      if (times++ === 0) await resume.promise;
      return claim;
    };
    const { db } = caudal.cells.of(1);
    const creating = creationOn(db, { ...claims, claim: paused })(orderOf(whole, 'paused', reference));
    await claimed.promise;
    const order = await shop(2).newOrder({ reference });
    resume.resolve();
    expect(await creating).toMatchObject({ refusal: 'reference_taken' });
    expect(times, 'it claimed again').toBe(2);
    expect((await till.lookUp(reference)).data['OrdenID']).toBe(order);
    expect(await findings()).toEqual([]);
  });

  test.each(PAIRS)(
    'in cell %i after it looked, while cell %i claims the reference for an order that does not come: it takes it',
    async (one, two) => {
      const merchant = await caudal.merchant({ cell: one });
      const claims = claimsOf(one);
      let times = 0;
      const overtaken: typeof claims.claim = async (...wanted) => {
        const claim = await claims.claim(...wanted);
        if (times++ === 0) expect(await codeOf(shop(two).update({ order: `none-${reference}`, reference }))).toBe('0041');
        return claim;
      };
      const { db } = caudal.cells.of(one);
      const outcome = await creationOn(db, { ...claims, claim: overtaken })(orderOf(await merchant.read(), 'overtaken', reference));
      expect(outcome).toMatchObject({ order: { reference } });
      expect(times, 'it claimed again').toBe(2);
      expect(await findings()).toEqual([]);
    },
  );

  test.each(PAIRS)('before any step of a take-over from cell %i by cell %i leaves a reference that all can ask for', async (one, two) => {
    for (let steps = 0, isDone = false; !isDone; steps++) {
      const wanted = `${reference}${steps}`;
      await shop(one).cancel(await shop(one).newOrder({ reference: wanted }));
      caudal.clock.advance({ days: 90, seconds: 1 });
      const dying = dyingAfter(
        steps,
        mapCells(caudal.cells, ({ db }) => db),
      );
      isDone = await claimsOf(two, dying)
        .claim(wanted, 'who-dies')
        .then(
          () => true,
          () => false,
        );
      expect(steps, 'it claims in a few steps').toBeLessThan(8);
      // Whoever asks first gets it, and nobody else.
      const order = CELLS.map((cell) => (cell + steps) % CELLS.length);
      const codes = [];
      for (const cell of order) codes.push(await codeOf(shop(cell).create({ order: `D-${wanted}`, reference: wanted })));
      expect(codes, `${steps} steps`).toEqual(['0000', TAKEN, TAKEN]);
    }
    expect(await findings()).toEqual([]);
  });

  test.each(PAIRS)(
    'for long before any step of a take-over from cell %i by cell %i gets nothing that the first cell has taken meanwhile',
    async (one, two) => {
      for (let pausedAt = 0, isOver = false; !isOver; pausedAt++) {
        const wanted = `${reference}${pausedAt}`;
        await shop(one).cancel(await shop(one).newOrder({ reference: wanted }));
        caudal.clock.advance({ days: 90, seconds: 1 });
        let meanwhile: string | undefined;
        const paused = steppedBy(
          async (step) => {
            if (step === pausedAt) meanwhile = await codeOf(shop(one).create({ order: `P-${wanted}`, reference: wanted }));
          },
          mapCells(caudal.cells, ({ db }) => db),
        );
        const claim = await claimsOf(two, paused).claim(wanted, 'who-pauses');
        isOver = meanwhile === undefined;
        expect(pausedAt, 'it claims in a few steps').toBeLessThan(8);
        if (!isOver)
          expect({ meanwhile, claim }, `before step ${pausedAt}`).toEqual({
            meanwhile: '0000',
            claim: two === 0 ? expect.stringMatching(/here|elsewhere/) : 'elsewhere',
          });
        expect(await codeOf(shop(two).create({ order: `Q-${wanted}`, reference: wanted }))).toBe(isOver ? '0000' : TAKEN);
      }
      expect(await findings()).toEqual([]);
    },
  );

  test('with references that it drew leaves them to nobody: whether an order had one, a restored cell does not know', async () => {
    const drawn = new Set<string>();
    const stopped = claimsOf(1);
    for (let times = 0; times < 3; times++) drawn.add((await stopped.stock?.draw())?.spare ?? '');
    expect(drawn.size).toBe(3);
    caudal.clock.advance({ days: 400 });
    const next = claimsOf(1);
    // More than two stocks.
    for (let times = 0; times < 700; times++) expect(drawn).not.toContain((await next.stock?.draw())?.spare);
    for (const lost of drawn) {
      expect(await codeOf(shop(2).create({ order: `E-${lost}`, reference: lost }))).toBe(TAKEN);
      expect((await till.lookUp(lost)).code).toBe('0001');
      expect(await codeOf(shop(1).create({ order: `E-${lost}`, reference: lost })), 'its merchant gives it once more').toBe('0000');
    }
  });
});

describe('a transaction of a network', () => {
  test.each(PAIRS)('that has paid in cell %i is used in cell %i, also where the order there is not open', async (one, two) => {
    const [paid, open, over] = [await made(shop(one)), await made(shop(two)), await made(shop(two))];
    expect((await till.pay(over, `before-${count}`)).code).toBe('0000');
    const transaction = `T-${count}`;
    expect((await till.pay(paid, transaction)).code).toBe('0000');
    expect((await till.pay(paid, transaction)).code, 'the same again').toBe('0000');
    expect((await till.pay(open, transaction)).code).toBe(REPEATED);
    expect((await till.pay(over, transaction)).code).toBe(REPEATED);
    expect((await till.pay(open, `other-${count}`)).code).toBe('0000');
    expect((await till.reverse(open, transaction)).code, 'it is of another order').toBe('0001');
    expect((await till.reverse(paid, transaction)).code).toBe('0000');
    expect(await findings()).toEqual([]);
  });

  test.each(PAIRS)('that is refused in cell %i can pay in cell %i', async (one, two) => {
    const [refused, paid] = [await made(shop(one)), await made(shop(two))];
    expect((await till.pay(refused, `T-${count}`, '1.0')).code).toBe('0905');
    expect((await till.pay(paid, `T-${count}`)).code).toBe('0000');
  });

  test('that comes for orders of all cells at once pays one', async () => {
    for (let round = 0; round < 10; round++) {
      const orders = await Promise.all(CELLS.map((cell) => made(shop(cell))));
      const codes = await Promise.all(orders.map(async (id) => (await till.pay(id, `R-${count}-${round}`)).code));
      expect(codes.toSorted()).toEqual(['0000', REPEATED, REPEATED]);
    }
    expect(await findings()).toEqual([]);
  });

  test('an id that no cell has drawn is not found', async () => {
    expect((await till.pay('999999999999999999', 'T-none')).code).toBe('0001');
  });
});

describe('while home is away', () => {
  const AWAY = 'HTTP 503';
  test('merchants of other cells go on creating, updating, querying and cancelling; what needs a claim is answered 503', async () => {
    const own = await caudal.merchant({ cell: 1 });
    const calls = orderCalls(caudal, own);
    const first = `first-${count}`;
    const id = (await calls.create({ order: first, reference })).data['SVordenID'] as unknown as string;
    const bringBack = await takeAway(caudal.serviceUrl);
    try {
      const orders = [];
      for (let more = 0; more < 20; more++) orders.push(await calls.newOrder());
      expect(await codeOf(calls.update({ order: first, reference, amount: 7 })), 'its own reference').toBe('0000');
      expect(await codeOf(calls.query(first))).toBe('0000');
      expect(await codeOf(calls.cancel(orders[0] as string))).toBe('0000');
      expect(await codeOf(calls.create({ order: `new-${count}`, reference: `${reference}9` }))).toBe('503');
      expect(await codeOf(calls.update({ order: first, reference: `${reference}9` }))).toBe('503');
      expect(await codeOf(shop(0).create({ order: `home-${count}` }))).toBe('503');
      await expect(till.lookUp(reference)).rejects.toThrow(AWAY);
      await expect(till.pay(id, `T-${count}`, '7.0')).rejects.toThrow(AWAY);
    } finally {
      await bringBack();
    }
    await withinSeconds(1, async () => expect((await till.lookUp(reference)).code).toBe('0000'));
    expect((await till.pay(id, `T-${count}`, '7.0')).code).toBe('0000');
    expect(await findings()).toEqual([]);
  });

  test('a cell that is away is answered 503 for its merchants alone', async () => {
    await shop(1).newOrder({ reference });
    const bringBack = await takeAway(caudal.cells.of(1).url);
    try {
      expect(await codeOf(shop(1).create({ order: `away-${count}` }))).toBe('503');
      expect(await codeOf(shop(2).create({ order: `here-${count}` }))).toBe('0000');
      expect(await codeOf(shop(0).create({ order: `here-${count}` }))).toBe('0000');
      expect(await codeOf(shop(2).create({ order: `here-${count}-r`, reference })), 'only that cell knows whether it rests').toBe('503');
    } finally {
      await bringBack();
    }
    await withinSeconds(1, async () => expect(await codeOf(shop(2).create({ order: `here-${count}-r`, reference }))).toBe(TAKEN));
  });
});

const SERVICE_IDS = statement('test.ids_of_cells', 'select service_order_id as id, merchant_id as "merchantId" from orders');
test('creations that fail lose no reference: those that were drawn for them serve the next ones', async () => {
  const merchant = await caudal.merchant({ cell: 1 });
  const whole = await merchant.read();
  const claims = claimsOf(1);
  // A disk that is full refuses what writes.
  const db = { ...caudal.cells.of(1).db, transaction: () => Promise.reject(new Unavailable('no space left')) };
  const create = creationOn(db, claims);
  await claims.stock?.draw();
  const drawn = async (): Promise<number> => (await caudal.db.query<{ rows: number }>(COUNT_DRAWN, []))[0]?.rows ?? 0;
  const before = await drawn();
  // More than a stock has.
  for (let tries = 0; tries < 400; tries++)
    await expect(create(orderOf(whole, `F-${tries}`, undefined))).rejects.toBeInstanceOf(Unavailable);
  expect(await drawn()).toBe(before);
});

test('every order is in the cell of its merchant, and its id says which', async () => {
  const merchants = [];
  for (const cell of CELLS) {
    const { merchantId, ...merchant } = await caudal.merchant({ cell });
    merchants.push(merchantId);
    await orderCalls(caudal, { merchantId, ...merchant }).newOrder();
  }
  for (const [cell, { db }] of caudal.cells.all) {
    const rows = await db.query<{ id: bigint; merchantId: string }>(SERVICE_IDS, []);
    expect(new Set(rows.map(({ id }) => cellOfId(id)))).toEqual(new Set([cell]));
    expect(merchants.filter((merchant) => rows.some(({ merchantId }) => merchantId === merchant))).toEqual([merchants[cell]]);
  }
});
