import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../kit/clock.ts';
import { openDb, type Db } from '../kit/db.ts';
import { createLog } from '../kit/log.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { seed, seededRandom } from '../testing/seed.ts';
import { openBrowser } from '../testing/event-browser.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { CHANGE_KINDS } from './change.ts';
import { openEvents, type Events } from './open-events.ts';
import { pruneChanges } from './prune-changes.job.ts';

const log = createLog('silent');
const PACE = { shortestMs: 5, longestMs: 5, times: 1, afterFaultMs: 5, heartbeatMs: 15_000 };
let database: TestDatabase;
/** Two servers on one database. */
let dbs: readonly Db[];
let servers: readonly [Events, Events];
const clients: Client[] = [];

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  clients.push(client);
  return client;
}

beforeAll(async () => {
  database = await createTestDatabase();
  dbs = [1, 2].map(() => openDb({ url: database.serviceUrl, log, connections: 1, statementTimeoutMs: null }));
  servers = dbs.map((db) => openEvents({ db, log }, PACE)) as unknown as typeof servers;
});
afterAll(async () => {
  for (const server of servers) await server.close();
  for (const client of clients) await client.end();
  for (const db of dbs) await db.close();
  await database.drop();
});

const stay = (): void => undefined;

/** Deletes what is an hour old, as the job does. Figures have counted all that is committed. */
async function prune(client: Client): Promise<void> {
  const [db] = dbs as [Db];
  await client.query(`update change_readers set position = pg_current_snapshot() where reader = 'figures'`);
  await pruneChanges(db, systemClock).step();
}

const browse = (merchantId?: string) => openBrowser((change) => change, merchantId);

const insertEvent = (client: Client, order: string, version: number | string, merchant = 'shop') =>
  client
    .query(
      `insert into order_history (merchant_id, order_id, version, event, actor, changed_at, changes, digest)
     select $1, $2, coalesce(max(version), 0) + 1, 'order.updated', 'merchant', '2026-11-19Z', '{}', 0 from order_history where merchant_id = $1 and order_id = $2`,
      [merchant, order],
    )
    .then(() => version);

test(
  'each committed change arrives once and in its order, however late it commits and wherever a stream is cut',
  { timeout: 180_000 },
  async () => {
    const { next: chance } = seededRandom(seed);
    const pause = (client: Client, mostMs: number) => client.query('select pg_sleep($1)', [(chance() * mostMs) / 1_000]);
    const writing = new AbortController();
    /** Takes its number first. Then it waits for the order, as a batch does, and stays open for a while. */
    async function write(): Promise<void> {
      const client = await connect();
      for (let count = 0; count < 40; count++) {
        await client.query('begin');
        await client.query('select pg_current_xact_id()');
        for (const order of ['A', 'B', 'C'].filter(() => chance() < 0.5)) {
          await client.query(`select pg_advisory_xact_lock(hashtext($1))`, [order]);
          await insertEvent(client, order, 0);
        }
        await pause(client, 8);
        await client.query(chance() < 0.2 ? 'rollback' : 'commit');
      }
    }
    const late = await connect();
    const browsers = [browse(), browse(), browse()];
    for (const browser of browsers) await browser.come(servers[0]);
    await late.query('begin');
    await insertEvent(late, 'late', 0);
    async function cut(browser: ReturnType<typeof browse>): Promise<void> {
      const client = await connect();
      for (let turn = 1; !writing.signal.aborted; turn++) {
        await pause(client, 40);
        browser.leave();
        await pause(client, 20);
        await browser.come(servers[turn % 2] as Events);
      }
    }
    const cutting = browsers.slice(1).map(cut);
    await Promise.all([write(), write(), write(), write()]);
    await late.query('commit');
    writing.abort();
    await Promise.all(cutting);

    const { rows } = await late.query<{ id: string; version: number }>(`select order_id as id, version from order_history order by 1, 2`);
    expect(rows.length).toBeGreaterThan(50);
    for (const { heard, signals, leave } of browsers) {
      await eventually(SOON_MS, () => expect(heard).toHaveLength(rows.length));
      const ids = [...new Set(rows.map(({ id }) => id))];
      const inOrder = ids.flatMap((id) => heard.filter((change) => change.id === id).map(({ version }) => ({ id, version })));
      expect(inOrder).toEqual(rows);
      expect(signals).toEqual(['ready']);
      leave();
    }
  },
);

test('who hears nothing gets one heartbeat after the other, each with a position', async () => {
  const [db] = dbs as [Db];
  const events = openEvents({ db, log }, { ...PACE, heartbeatMs: 1 });
  const texts: string[] = [];
  await events.listen({ merchantId: 'nobody', kinds: new Set(CHANGE_KINDS), send: (text) => void texts.push(text), end: stay }, undefined);
  await eventually(SOON_MS, () => expect(texts.length).toBeGreaterThan(2));
  await events.close();
  expect(texts.slice(1).filter((text) => !/^id: \S+\n\n$/.test(text))).toEqual([]);
});

test('a long rest delays no heartbeat', async () => {
  const [db] = dbs as [Db];
  // After any work the rest would be a minute.
  const events = openEvents({ db, log }, { shortestMs: 5, longestMs: 60_000, times: 1e9, afterFaultMs: 5, heartbeatMs: 50 });
  const texts: string[] = [];
  await events.listen({ merchantId: 'nobody', kinds: new Set(CHANGE_KINDS), send: (text) => void texts.push(text), end: stay }, undefined);
  await eventually(SOON_MS, () => expect(texts.length).toBeGreaterThan(2));
  await events.close();
});

test('who comes again and has missed nothing hears a heartbeat at once', async () => {
  const [db] = dbs as [Db];
  const events = openEvents({ db, log }, PACE);
  const { lastEventId, text, come, leave } = browse('nobody');
  await come(events);
  leave();
  const before = text();
  const id = lastEventId();
  await come(events);
  expect(text().slice(before.length)).toBe(`id: ${id}\n\n`);
  leave();
  await events.close();
});

test('who may see one merchant hears of no other', async () => {
  const client = await connect();
  const own = browse('shop');
  const all = browse();
  await own.come(servers[0]);
  await all.come(servers[0]);
  await insertEvent(client, 'D', 0, 'other');
  await insertEvent(client, 'D', 0);
  await eventually(SOON_MS, () => expect(all.heard).toHaveLength(2));
  expect(own.heard).toEqual([{ kind: 'order', merchant: 'shop', id: 'D', version: 1, event: 'order.updated', state: null }]);
  own.leave();
  all.leave();
});

test('more changes than fit into an event are counted', async () => {
  const client = await connect();
  const browser = browse();
  await browser.come(servers[0]);
  await client.query(`insert into order_history (merchant_id, order_id, version, event, actor, changed_at, changes, digest)
    select 'shop', 'many-' || n, 1, 'order.created', 'merchant', '2026-11-19Z', '{}', 0 from generate_series(1, 600) as n`);
  await eventually(SOON_MS, () => expect(browser.many()).toBe(600));
  expect(browser.heard).toEqual([]);
  browser.leave();
});

test('a position of another database, of a time to come, of deleted changes or of nowhere is reset', async () => {
  const client = await connect();
  const browser = browse();
  await browser.come(servers[0]);
  browser.leave();
  const [cluster, position] = (browser.lastEventId() as string).split('/') as [string, string];
  const next = BigInt(position.split(':')[1] as string);
  const wrong = [`1${cluster}/${position}`, `${cluster}/${next + 1000n}:${next + 1000n}:`, `${cluster}/5:5`, `'; --`];
  for (const id of wrong) {
    await browser.come(servers[1], id);
    browser.leave();
  }
  expect(browser.signals).toEqual(['ready', ...wrong.map(() => 'reset')]);

  await insertEvent(client, 'E', 0);
  await client.query(
    `insert into change_readers (reader, position, complete_to, cluster) select 'deleted', pg_current_snapshot(), now(), $1`,
    [cluster],
  );
  await browser.come(servers[1], `${cluster}/${position}`);
  expect(browser.signals.at(-1)).toBe('reset');
  expect(browser.heard).toEqual([]);
  browser.leave();
});

test('a transaction that is open for hours stops no stream that comes again, at any server, and what it wrote arrives', async () => {
  const client = await connect();
  const late = await connect();
  const [before, during] = [browse(), browse()];
  await before.come(servers[0]);
  before.leave();
  await late.query('begin');
  await insertEvent(late, 'open for hours', 0);
  const [gone, kept] = ['gone', 'kept'];
  await insertEvent(client, gone, 0);
  await prune(client);
  await client.query(`update change_marks set marked_at = marked_at - interval '2 hours'`);

  await during.come(servers[0]);
  await insertEvent(client, kept, 0);
  await eventually(SOON_MS, () => expect(during.heard).toMatchObject([{ id: kept }]));
  during.leave();
  await prune(client);
  const { rows } = await client.query<{ ids: string }>(`select ids[1] as ids from changes where ids[1] = any($1)`, [[gone, kept]]);
  expect(rows).toEqual([{ ids: kept }]);
  await late.query('commit');
  await prune(client);
  await during.come(servers[1]);
  await eventually(SOON_MS, () => expect(during.heard).toMatchObject([{ id: kept }, { id: 'open for hours' }]));
  expect(during.signals).toEqual(['ready']);
  during.leave();
  await before.come(servers[1]);
  expect(before.signals).toEqual(['ready', 'reset']);
  before.leave();
});

test('one who is bound hears of no other merchant, whatever happens and whatever id is sent', async () => {
  const client = await connect();
  const all = browse();
  await all.come(servers[0]);
  const bound = browse('shop');
  await bound.come(servers[0]);
  const write = (merchant: string, times: number) =>
    client.query(
      `insert into changes (kind, merchant_ids, ids, versions, events, states)
       select kind, array_agg(m), array_agg(case kind when 'refused_payment' then m || E'\\x1fcash\\x1f7' else m end), array_agg(1), array_agg('some'::text), array_agg(m)
         from unnest(array['order', 'cashout', 'merchant', 'notice', 'ledger', 'refused_payment']) as kind, unnest($1::text[]) as m, generate_series(1, $2)
        group by kind`,
      [[merchant, `${merchant}-2`, ` ${merchant}`], times],
    );
  const network = () =>
    client.query(
      `insert into changes (kind, merchant_ids, ids, versions, events, states) values ('network', '{null}', '{n}', '{0}', '{some}', '{null}')`,
    );
  await write('other', 1);
  await network();
  await eventually(SOON_MS, () => expect(all.heard).toHaveLength(19));
  const foreign = all.lastEventId();
  await write('shop', 1);
  await eventually(SOON_MS, () => expect(bound.heard).toHaveLength(6));
  await write('other', 300);
  await eventually(SOON_MS, () => expect(all.many()).toBe(5_400));
  bound.leave();
  await bound.come(servers[1], foreign);
  await write('shop', 300);
  await eventually(SOON_MS, () => expect(bound.many()).toBe(1_806));
  await bound.come(servers[1], '1/1:1:');
  expect(bound.heard.every(({ merchant }) => merchant === 'shop')).toBe(true);
  expect([bound.heard.length, bound.text().match(/other|network|shop-2/)]).toEqual([6, null]);
  bound.leave();
  all.leave();
});
