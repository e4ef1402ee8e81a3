import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDb, Unavailable, type Db } from '../kit/db.ts';
import { createLog } from '../kit/log.ts';
import { homeAlone, perCell } from '../kit/per-cell.ts';
import { openDatabaseProxy, type DatabaseProxy } from '../testing/database-proxy.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { openBrowser } from '../testing/event-browser.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { joinEvents } from './join-events.ts';
import { openEvents, type Events } from './open-events.ts';

// Live events of three cells, each of which numbers its own transactions, are one stream.

const log = createLog('silent');
const PACE = { shortestMs: 5, longestMs: 5, times: 1, afterFaultMs: 5, heartbeatMs: 15_000 };
const AGAIN_MS = 5;
const CELLS = [0, 1, 2];

let databases: readonly TestDatabase[];
let proxies: readonly DatabaseProxy[];
let clients: readonly Client[];
let dbs: readonly Db[];
let servers: readonly [Events, Events];

/** Another server on the same databases. */
const openServer = (): Events =>
  joinEvents(perCell(new Map(dbs.map((db, cell) => [cell, openEvents({ db, log, isOneOfSeveral: true }, PACE)]))), log, AGAIN_MS);

beforeAll(async () => {
  databases = await Promise.all(CELLS.map(createTestDatabase));
  proxies = await Promise.all(databases.map(({ serviceUrl }) => openDatabaseProxy(serviceUrl)));
  clients = databases.map(({ url }) => new Client({ connectionString: url }));
  for (const client of clients) await client.connect();
  dbs = proxies.map(({ url }) => openDb({ url, log, connections: 1, statementTimeoutMs: 2_500 }));
  servers = [openServer(), openServer()];
});
afterAll(async () => {
  for (const server of servers) await server.close();
  for (const db of dbs) await db.close();
  for (const client of clients) await client.end();
  for (const proxy of proxies) await proxy.close();
  for (const database of databases) await database.drop();
});
beforeEach(() => {
  for (const proxy of proxies) proxy.refuse(false);
});

const browse = () => openBrowser(({ merchant, id }) => `${merchant} ${id}`);

let orders = 0;
/** Something changes in a cell. Shape: → what is heard of it. */
async function change(cell: number): Promise<string> {
  const [merchant, order] = [`shop-of-${cell}`, `o-${++orders}`];
  await (clients[cell] as Client).query(
    `insert into order_history (merchant_id, order_id, version, event, actor, changed_at, changes, digest)
     values ($1, $2, 1, 'order.created', 'merchant', now(), '{}', 0)`,
    [merchant, order],
  );
  return `${merchant} ${order}`;
}
const changeAll = (): Promise<readonly string[]> => Promise.all(CELLS.map(change));

test('one cell has the events of its database', () => {
  const alone = openEvents({ db: dbs[0] as Db, log }, PACE);
  expect(joinEvents(homeAlone(alone), log)).toBe(alone);
});

test('a stream says once that it begins, and has what changes in every cell from then on', async () => {
  const browser = browse();
  await changeAll();
  await browser.come(servers[0]);
  expect(browser.signals).toEqual(['ready']);
  expect(
    browser
      .lastEventId()
      ?.split('~')
      .map((place) => place !== ''),
  ).toEqual([true, true, true]);
  expect(servers[0].count()).toBe(1);
  const changed = [...(await changeAll()), ...(await changeAll())];
  await eventually(SOON_MS, () => expect(browser.heard.toSorted()).toEqual(changed.toSorted()));
  browser.leave();
  expect(servers[0].count()).toBe(0);
});

test('a client that comes again, at another server, gets what it missed in every cell, each once', async () => {
  const browser = browse();
  await browser.come(servers[0]);
  const changed: string[] = [];
  for (let round = 0; round < 6; round++) {
    changed.push(...(await changeAll()));
    // It may leave in the middle of what it hears.
    if (round % 2 === 0) await eventually(SOON_MS, () => expect(browser.heard.length).toBeGreaterThan(0));
    browser.leave();
    changed.push(await change(round % CELLS.length));
    await browser.come(servers[round % 2] as Events);
  }
  await eventually(SOON_MS, () => expect(browser.heard.toSorted()).toEqual(changed.toSorted()));
  expect(browser.signals).toEqual(['ready']);
  browser.leave();
});

test('a place of another cluster, as after a move, resets once, and keeps the places of the other cells', async () => {
  const browser = browse();
  await browser.come(servers[0]);
  browser.leave();
  const [, moved] = await changeAll();
  const places = (browser.lastEventId() as string).split('~');
  const foreign = places.map((place, cell) => (cell === 1 ? place.replace(/^[0-9]+/, '77') : place)).join('~');
  await browser.come(servers[1], foreign);
  expect(browser.signals).toEqual(['ready', 'reset']);
  // What the moved cell has is read again; of the others nothing is missed.
  await eventually(SOON_MS, () => expect(browser.heard).toHaveLength(2));
  expect(browser.heard).not.toContain(moved);
  const after = await change(1);
  await eventually(SOON_MS, () => expect(browser.heard).toContain(after));
  browser.leave();
});

test.each(['', 'x', '1/5:5:~1/5:5:', "'; --~~~"])('the id %s is of no place in three cells: reset', async (id) => {
  const browser = browse();
  await browser.come(servers[0], id);
  expect(browser.signals).toEqual(['reset']);
  browser.leave();
});

/** Takes a cell away: its connections end, and no other one begins. */
function takeAway(cell: number): void {
  proxies[cell]?.refuse(true);
  proxies[cell]?.cut();
}

test('a cell that is away at the start keeps nobody from the others, and resets once it is back', async () => {
  takeAway(2);
  const browser = browse();
  await browser.come(servers[0]);
  expect(browser.signals).toEqual(['ready']);
  const [first, second] = [await change(0), await change(1)];
  await eventually(SOON_MS, () => expect(browser.heard.toSorted()).toEqual([first, second].toSorted()));
  await change(2);
  proxies[2]?.refuse(false);
  await eventually(SOON_MS, () => expect(browser.signals).toEqual(['ready', 'reset']));
  const third = await change(2);
  await eventually(SOON_MS, () => expect(browser.heard).toEqual(expect.arrayContaining([first, second, third])));
  browser.leave();
});

test('a cell that goes away meanwhile resets once it is back, as what was read of all cells lacks it, and misses no change', async () => {
  const browser = browse();
  await browser.come(servers[0]);
  takeAway(1);
  const first = await change(0);
  await eventually(SOON_MS, () => expect(browser.heard).toEqual([first]));
  // The reader has met the fault before the cell is back.
  await expect((dbs[1] as Db).transaction(async () => undefined)).rejects.toThrow(Unavailable);
  await eventually(SOON_MS, async () => {
    await change(0);
    expect(browser.heard.length).toBeGreaterThan(3);
  });
  const second = await change(1);
  proxies[1]?.refuse(false);
  await eventually(SOON_MS, () => expect(browser.signals).toEqual(['ready', 'reset']));
  const third = await change(1);
  await eventually(SOON_MS, () => expect(browser.heard).toContain(third));
  expect(browser.heard.filter((heard) => heard === second)).toHaveLength(1);
  browser.leave();
});

test('a client that resumes while a cell is away resumes in the others, and hears `reset` of that one', async () => {
  const browser = browse();
  await browser.come(servers[0]);
  browser.leave();
  takeAway(0);
  const missed = [await change(1), await change(2)];
  await browser.come(servers[1]);
  await eventually(SOON_MS, () => expect(browser.heard.toSorted()).toEqual(missed.toSorted()));
  expect(browser.signals).toEqual(['ready']);
  // It comes again before that cell is back: its place was lost with it.
  browser.leave();
  proxies[0]?.refuse(false);
  await eventually(SOON_MS, async () => expect(await (dbs[0] as Db).transaction(async () => 1)).toBe(1));
  await browser.come(servers[0]);
  expect(browser.signals).toEqual(['ready', 'reset']);
  browser.leave();
});

test('while every cell is away there is no stream', async () => {
  for (const cell of CELLS) takeAway(cell);
  await expect(browse().come(servers[0])).rejects.toThrow(Unavailable);
});
