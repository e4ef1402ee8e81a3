import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDb, statement, type Db } from '../../kit/db.ts';
import { mapCells, perCell } from '../../kit/per-cell.ts';
import { dyingAfter } from '../../testing/cell-outage.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { orderCalls, type OrderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import { passGivenUpClaims } from './reference-claims.ts';
import { orderClaimChecks } from './verify-claims.ts';

// A database that is restored to an earlier moment has lost what was written since. Here single rows are lost.

const [DONE, TAKEN, REPEATED, UNKNOWN] = ['0000', '0043', '0016', '0001'];

let caudal: TestCaudal;
let shops: OrderCalls[];
let till: ReturnType<typeof networkOrderCalls>;
/** The service's user may not delete all that is lost here. */
let owner: Db;
let count = 0;
let reference: string;

beforeAll(async () => {
  caudal = await startTestCaudal({ cells: 2 });
  owner = openDb({ url: caudal.url, log: caudal.log, connections: 1, statementTimeoutMs: null });
  shops = [];
  for (const cell of [0, 1, 2]) shops.push(orderCalls(caudal, await caudal.merchant({ cell })));
  till = networkOrderCalls(caudal, await caudal.network());
});
afterAll(async () => {
  await owner.close();
  await caudal.close();
});
beforeEach(() => {
  reference = `8000${++count}`;
});

const shop = (cell: number): OrderCalls => shops[cell] as OrderCalls;
const take = async (cell: number): Promise<string> => (await shop(cell).create({ order: `T-${count}-${cell}`, reference })).code;
const rest = (): void => caudal.clock.advance({ days: 90, seconds: 1 });
const dbs = () => mapCells(caudal.cells, ({ db }) => db);
const broken = async (): Promise<readonly unknown[]> =>
  (await Promise.all(orderClaimChecks.map(({ run }) => run(dbs())))).flatMap(({ finding }) => finding?.problem ?? []);
const claimAgain = async (reached = dbs()) => {
  await passGivenUpClaims(reached);
  const done = [];
  for (const check of orderClaimChecks) done.push(await check.claimAgain(reached, { clock: caudal.clock, restDays: 90 }));
  return { claimed: done.map(({ claimed }) => claimed), left: done.flatMap(({ left }) => left) };
};

const LOSE_REFERENCE = statement('test.lose_reference', 'delete from open_references where reference = $1');
const LOSE_TRANSACTION = statement('test.lose_transaction', 'delete from order_transactions where transaction_id = $1');
const READ_ROW = statement('test.read_reference_row', 'select to_jsonb(r)::text as row from open_references r where reference = $1');
const WRITE_ROW = statement(
  'test.write_reference_row',
  'insert into open_references select * from jsonb_populate_record(null::open_references, $1::jsonb)',
);
const COUNT_CLAIMED = statement(
  'test.claimed_by_cell_1',
  `select count(*)::int as rows from open_references where cell = 1 and reference like '9%'`,
);
const countClaimed = async (): Promise<number> => (await owner.query<{ rows: number }>(COUNT_CLAIMED, []))[0]?.rows ?? 0;
/** Restores the row of the reference to what it was. Shape: reads it now; returns what restores it. */
const keepRow = async (cell: number): Promise<() => Promise<void>> => {
  const { db } = caudal.cells.of(cell);
  const [kept] = await db.query<{ row: string }>(READ_ROW, [reference]);
  return async () => {
    await db.query(LOSE_REFERENCE, [reference]);
    if (kept !== undefined) await db.query(WRITE_ROW, [kept.row]);
  };
};

describe('home that was restored to an earlier moment', () => {
  test('learns again of the references that cells have, those of merchants and those that the service made', async () => {
    const given = await shop(1).newOrder({ reference });
    const made = (await shop(2).create({ order: `M-${count}` })).data['Referencia'] as unknown as string;
    for (const lost of [reference, made]) await owner.query(LOSE_REFERENCE, [lost]);
    expect(await broken()).toEqual([`has a reference that its cell did not claim: ${reference}`]);
    expect((await till.lookUp(made)).code).toBe(UNKNOWN);
    expect(await claimAgain()).toEqual({ claimed: [2, 0], left: [] });
    expect(await broken()).toEqual([]);
    expect((await till.lookUp(reference)).data['OrdenID']).toBe(given);
    expect((await till.lookUp(made)).data['OrdenID']).toBe(`M-${count}`);
    expect(await take(2)).toBe(TAKEN);
    await shop(2).cancel(`M-${count}`);
    caudal.clock.advance({ days: 400 });
    expect((await shop(1).create({ order: `O-${count}`, reference: made })).code, 'it rests for ever').toBe(TAKEN);
    expect(await claimAgain(), 'once more').toEqual({ claimed: [0, 0], left: [] });
  });

  test('learns again of thousands, where it was cut off too', async () => {
    const many = `select '9' || n, $1, 'A', null from generate_series(1, 2500) as n`;
    await caudal.cells
      .of(1)
      .db.query(statement('test.many_references', `insert into open_references (reference, merchant_id, order_id, expires_at) ${many}`), [
        'shop',
      ]);
    const [references] = orderClaimChecks;
    const again = (steps: number) => references?.claimAgain(dyingAfter(steps, dbs()), { clock: caudal.clock, restDays: 90 });
    let total = 0;
    for (const steps of [4, 8]) {
      await expect(again(steps)).rejects.toThrow('this process was killed');
      const now = await countClaimed();
      expect(now).toBeGreaterThan(total);
      total = now;
    }
    expect(total).toBeLessThan(2500);
    expect((await claimAgain()).claimed).toEqual([2500 - total, 0]);
    expect(await broken()).toEqual([]);
  });

  test('learns again of the transactions that paid orders of cells', async () => {
    const [paid, other] = [await shop(1).create({ order: `P-${count}` }), await shop(2).create({ order: `P-${count}` })];
    const ids = [paid, other].map(({ data }) => data['SVordenID'] as unknown as string);
    expect((await till.pay(ids[0] as string, `R-${count}`)).code).toBe(DONE);
    await owner.query(LOSE_TRANSACTION, [`R-${count}`]);
    expect(await broken()).toHaveLength(1);
    expect(await claimAgain()).toEqual({ claimed: [0, 1], left: [] });
    expect(await broken()).toEqual([]);
    expect((await till.pay(ids[1] as string, `R-${count}`)).code).toBe(REPEATED);
  });

  test('gives a reference to the cell that has taken it since', async () => {
    await shop(1).cancel(await shop(1).newOrder({ reference }));
    const restore = await keepRow(0);
    rest();
    expect(await take(2)).toBe(DONE);
    await restore();
    expect(await broken()).toHaveLength(1);
    await claimAgain();
    expect(await broken()).toEqual([]);
    expect((await till.lookUp(reference)).data['OrdenID']).toBe(`T-${count}-2`);
  });

  test('numbers claims above those that cells have given up: a reference can go back to a cell', async () => {
    await shop(1).cancel(await shop(1).newOrder({ reference }));
    rest();
    expect(await take(2)).toBe(DONE);
    await owner.query(LOSE_REFERENCE, [reference]);
    await owner.query(statement('test.lose_numbers', `select setval('reference_claims', 1)`), []);
    await claimAgain();
    await shop(2).cancel(`T-${count}-2`);
    rest();
    expect(await take(1)).toBe(DONE);
    expect(await broken()).toEqual([]);
  });
});

test('a cell that was restored to a moment before it gave a reference up gives it up again', async () => {
  for (const other of [0, 2]) {
    reference = `${reference}${other}`;
    await shop(1).cancel(await shop(1).newOrder({ reference }));
    const restore = await keepRow(1);
    rest();
    expect(await take(other)).toBe(DONE);
    await restore();
    expect(await broken()).toHaveLength(1);
    expect(await claimAgain()).toMatchObject({ left: [] });
    expect(await broken()).toEqual([]);
    expect(await take(1)).toBe(TAKEN);
    expect((await till.lookUp(reference)).data['OrdenID']).toBe(`T-${count}-${other}`);
  }
});

test('what two cells have stays as it is, and is named', async () => {
  await shop(1).newOrder({ reference });
  await owner.query(LOSE_REFERENCE, [reference]);
  expect(await take(2), 'home did not know').toBe(DONE);
  const [first, second] = [await shop(1).create({ order: `P-${count}` }), await shop(2).create({ order: `P-${count}` })];
  for (const { data } of [first, second]) {
    await owner.query(LOSE_TRANSACTION, [`R-${count}`]);
    expect((await till.pay(data['SVordenID'] as unknown as string, `R-${count}`)).code).toBe(DONE);
  }
  const { claimed, left } = await claimAgain();
  const withoutOther = new Map(dbs().all.filter(([cell]) => cell !== 2));
  expect(await claimAgain(perCell(withoutOther)), 'the other one is away').toEqual({ claimed, left });
  expect(claimed).toEqual([0, 0]);
  expect(left).toMatchObject([
    { cell: 1, owner: 2, problem: `has a reference that its cell did not claim: ${reference}` },
    { cell: 1, owner: 2, id: `P-${count}`, problem: expect.stringMatching(/did not claim: network:.* R-/) as string },
  ]);
  expect((await till.lookUp(reference)).data['OrdenID']).toBe(`T-${count}-2`);
  await owner.query(LOSE_TRANSACTION, [`R-${count}`]);
  await shop(1).cancel((await shop(1).queryByReference(reference)).data['ORDER'] as unknown as string);
  rest();
  expect(await claimAgain(), 'the reference has rested in one of them').toMatchObject({ claimed: [1, 1], left: [{ owner: 1 }] });
});
