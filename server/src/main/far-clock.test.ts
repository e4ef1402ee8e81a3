import { expect, test } from 'vitest';
import { guardClock, MOST_SECONDS_APART } from '../kit/db/clock-guard.ts';
import { statement, Unavailable, type Db } from '../kit/db.ts';
import { captureLog } from '../testing/captured.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startCaudalForTest, testClock, type TestCaudal } from '../testing/test-caudal.ts';

// Production writes nothing by a clock that is far from the database's.

const realNow = (): Temporal.Instant => Temporal.Now.instant().round('millisecond');
const ORDERS = statement('test.count_guarded_orders', 'select count(*)::int as orders from orders');

/** Sets the clock of a service that far from the real one, which is the database's. */
const setApart = ({ clock }: TestCaudal, seconds: number): void => clock.turnBack(realNow().add({ seconds }).toString());

test.each([
  ['a day ahead', 86_400],
  ['a day behind', -86_400],
  ['just beyond the bound', MOST_SECONDS_APART + 15],
])(
  'a server whose clock is %s answers writes 503 with Retry-After, logs it once, reads, and writes again once it is right',
  async (_name, seconds) => {
    const { log, lines } = captureLog();
    const service = await startCaudalForTest({ now: realNow().toString(), log, guardsClock: true });
    const shop = orderCalls(service, await service.merchant());
    setApart(service, 0);
    const first = await shop.newOrder();
    setApart(service, seconds);
    for (let tries = 0; tries < 3; tries++) {
      const { status, headers } = await shop.create({ order: `N-${tries}` });
      expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^[1-9]/)]);
    }
    expect((await shop.query(first)).code).toBe('0000');
    expect((await service.app.inject('/readyz')).json()).toEqual({
      status: 'not ready',
      reason: expect.stringContaining('the clock of this machine is') as string,
    });
    expect((await service.app.inject('/healthz')).statusCode).toBe(200);
    expect(await service.db.query(ORDERS, [])).toEqual([{ orders: 1 }]);
    setApart(service, 0);
    await shop.newOrder();
    expect((await service.app.inject('/readyz')).statusCode).toBe(200);
    const said = lines.map((line) => (JSON.parse(line) as { msg: string }).msg).filter((msg) => msg.startsWith('the clock'));
    expect(said).toEqual([
      'the clock of this machine is far from the database’s: nothing is written until they agree',
      'the clocks of this machine and the database agree again',
    ]);
  },
);

test('a machine whose clock is a few seconds off writes', async () => {
  const service = await startCaudalForTest({ now: realNow().toString(), guardsClock: true });
  const shop = orderCalls(service, await service.merchant());
  for (const seconds of [5, -5]) {
    setApart(service, seconds);
    await shop.newOrder();
  }
});

test('where both clocks were set, as on one machine, the next write asks the database and is done', async () => {
  const clock = testClock('2026-11-21T15:00:00Z');
  const database = testClock('2026-11-21T15:00:00Z');
  let asked = 0;
  const db = {
    query: async () => [{ ms: (asked++, database.now().epochMilliseconds) }],
    transaction: async (work: (tx: never) => Promise<unknown>) => work(undefined as never),
  } as unknown as Db;
  const guard = guardClock({ db, clock, log: captureLog().log }, () => 0);
  await guard.compare();
  clock.advance({ days: 1 });
  await expect(guard.db.transaction(async () => 'written')).rejects.toThrow(Unavailable);
  database.advance({ days: 1 });
  expect(await guard.db.transaction(async () => 'written')).toBe('written');
  const before = asked;
  expect(await guard.db.transaction(async () => 'written')).toBe('written');
  expect(asked).toBe(before);
});
