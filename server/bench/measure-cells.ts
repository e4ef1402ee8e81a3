import { randomInt } from 'node:crypto';
import { Client } from 'pg';
import type { CellUrls } from '../src/cells/index.ts';
import { addCells } from '../src/testing/add-cells.ts';
import { connectionConfig, openDb } from '../src/kit/db.ts';
import { systemClock } from '../src/kit/clock.ts';
import { createLog } from '../src/kit/log.ts';
import { migrate } from '../src/kit/migrate.ts';
import { MIGRATIONS } from '../src/main/migrations.ts';
import { createMerchant, openPlacing } from '../src/merchants/index.ts';
import { withDatabase } from '../src/testing/names.ts';
import { MERCHANTS, type BenchDatabase, type Sizes } from './bench-data.ts';
import { loadOrders } from './load-data.ts';
import { runLoad, type LoadResult } from './load.ts';
import { makeCallers } from './measure-sharing.ts';
import { describeRate, median, newRun, readProcessorSeconds, type Bench, type Figure } from './measurement.ts';
import { ask, readWork } from './postgres.ts';
import { prepare, requestMaker } from './requests.ts';
import { startServer, type Server } from './server.ts';
import { dropBenchDatabase, keysOf, openBenchDatabase } from './setup.ts';
import { checkWrites } from './written.ts';

/** The orders of all cells together: each has its share. */
const ORDERS = 200_000;
/** Each cell has orders of any second, as merchants of all cells create them. */
const ofHome = (orders: number): Sizes => ({ orders, cashouts: 10_000, cashoutsOfOne: 1_000, createdFrom: FROM });
const FROM = Temporal.Now.instant().subtract({ hours: 1 }).round('millisecond').toString();

const nameOf = (cells: number, cell: number): string => `caudal_bench_cells_${cells}_${cell}`;
const merchantOfCell = (cell: number): string => (cell === 0 ? MERCHANTS.orders : `bench-cell-${cell}`);

/** A service with so many cells, each a database of one PostgreSQL. */
type Celled = { readonly database: BenchDatabase; readonly urls: readonly string[]; readonly server: Server; readonly cells: number };

const connect = (url: string) => openDb({ url, log: createLog('silent'), connections: 1, statementTimeoutMs: null });

async function openCelled(serverUrl: string, cells: number, say: Bench['say']): Promise<Celled> {
  const orders = ORDERS / cells;
  const others: CellUrls[] = [];
  for (let cell = 1; cell < cells; cell++) {
    await dropBenchDatabase(serverUrl, nameOf(cells, cell));
    await ask(serverUrl, `create database ${nameOf(cells, cell)}`);
    const url = withDatabase(serverUrl, nameOf(cells, cell));
    await migrate(url, MIGRATIONS);
    others.push({ url, ownerUrl: url });
  }
  return openWithCells(await openBenchDatabase(serverUrl, nameOf(cells, 0), ofHome(orders), say), others, say);
}

/** Makes migrated databases cells of a home, each with a merchant that has as many orders as that of home. */
async function openWithCells(database: BenchDatabase, others: readonly CellUrls[], say: Bench['say']): Promise<Celled> {
  const { orders, createdFrom } = database.sizes;
  const keys = keysOf(Buffer.from(database.masterKeyHex, 'hex'));
  const home = connect(database.url);
  await addCells(database.url, others, { keys, clock: systemClock });
  for (const [index, { ownerUrl }] of others.entries()) {
    const cell = index + 1;
    const owner = connect(ownerUrl);
    const merchantId = merchantOfCell(cell);
    await openPlacing({ db: home, clock: systemClock, served: new Set([0, cell]) })(merchantId, `cell-${cell}`);
    const terms = { merchantId, country: '343', fixedHash: database.fixedHash };
    await createMerchant({ db: owner, keys, clock: systemClock, cell }, terms);
    const client = new Client(connectionConfig(ownerUrl, null));
    await client.connect();
    await loadOrders(client, { orders, createdFrom, ofMerchant: merchantId }, say);
    await client.end();
    await owner.close();
  }
  await home.close();
  const urls = [database.url, ...others.map(({ ownerUrl }) => ownerUrl)];
  return { database, urls, cells: urls.length, server: await startServer(database) };
}

type Run = LoadResult & { readonly workUs: number; readonly faults: number };

/** Updates orders of all cells, or of some, with so many connections for each. */
async function updateCells(
  { database, urls, server }: Celled,
  { connections, seconds, of = urls.map((_, cell) => cell) }: { connections: number; seconds: number; of?: readonly number[] },
): Promise<Run> {
  const run = newRun();
  const make = requestMaker(database, run);
  const requests = prepare(seconds, (number) => {
    const cell = of[number % of.length] as number;
    return make.updateOrder(number, 1 + randomInt(database.sizes.orders), merchantOfCell(cell));
  });
  await ask(database.url, 'checkpoint');
  const read = async (): Promise<number> => {
    const [node, work] = await Promise.all([readProcessorSeconds({ servers: [server] }), readWork(database.url)]);
    return node + work.seconds;
  };
  const before = await read();
  const result = await runLoad({ origins: [server.origin], requests, connections, seconds, mayRepeat: false });
  const workUs = (((await read()) - before) * 1e6) / result.answered;
  const written = await Promise.all(of.map((cell) => checkWrites(urls[cell] as string, run, 0)));
  const doubled = written.reduce((sum, one) => sum + one.doubled, 0);
  return { ...result, workUs, faults: result.failed + doubled };
}

const WARM_UP_SECONDS = 10;
const OF_ONE = 64;

/**
 * Z1 to Z3: what several cells cost beside one, in turn. At equal batches each cell has the connections that one had alone.
 * Z4 to Z9: what the others lose while one cell is away, waits, or takes no writes.
 */
export async function measureCells(
  serverUrl: string,
  counts: readonly number[],
  rounds: number,
  seconds: number,
  say: Bench['say'],
): Promise<Figure[]> {
  const sides: Celled[] = [];
  try {
    for (const cells of counts) sides.push(await openCelled(serverUrl, cells, say));
    const runs = new Map(sides.map((side) => [side, { equal: [] as Run[], shared: [] as Run[] }]));
    for (const side of sides) await updateCells(side, { connections: OF_ONE * side.cells, seconds: WARM_UP_SECONDS });
    for (let round = 1; round <= rounds; round++)
      for (const side of round % 2 === 1 ? sides : sides.toReversed()) {
        const own = runs.get(side) as { equal: Run[]; shared: Run[] };
        const equal = await updateCells(side, { connections: OF_ONE * side.cells, seconds });
        const shared = side.cells === 1 ? equal : await updateCells(side, { connections: OF_ONE, seconds });
        own.equal.push(equal);
        own.shared.push(shared);
        say(
          `round ${round}, ${side.cells} cells: ${describeRate(equal)}, ${equal.workUs.toFixed(0)} µs; with ${OF_ONE} connections in all ${describeRate(shared)}, ${shared.workUs.toFixed(0)} µs`,
        );
      }
    const [one, ...others] = sides as [Celled, ...Celled[]];
    const ofOne = runs.get(one) as { equal: Run[]; shared: Run[] };
    const figures = others.flatMap((side): Figure[] => {
      const own = runs.get(side) as { equal: Run[]; shared: Run[] };
      const against = (pick: (run: Run) => number) => ({ what: `${one.cells} cell`, values: ofOne.equal.map(pick) });
      return [
        {
          name: 'Z1',
          what: `processor time of an update, ${side.cells} cells, ${OF_ONE} connections for each`,
          unit: 'µs',
          ours: own.equal.map(({ workUs }) => workUs),
          against: against(({ workUs }) => workUs),
          target: { atMost: 1.05 },
        },
        {
          name: 'Z2',
          what: `the same, ${OF_ONE} connections in all`,
          unit: 'µs',
          ours: own.shared.map(({ workUs }) => workUs),
          against: against(({ workUs }) => workUs),
        },
        {
          name: 'Z3',
          what: `rate, ${side.cells} cells, ${OF_ONE} connections for each`,
          unit: '/s',
          ours: own.equal.map(({ perSecond }) => perSecond),
          against: against(({ perSecond }) => perSecond),
        },
      ];
    });
    const faults = [...runs.values()].flatMap(({ equal, shared }) => [...equal, ...shared].map((run) => run.faults));
    const last = others.at(-1);
    const merged = last === undefined ? [] : [await measureMerged(one, last, rounds, seconds)];
    const isolation = last === undefined ? [] : await measureDisturbed(last, rounds, seconds, say);
    return [
      ...figures,
      ...merged,
      ...isolation,
      { name: 'Z10', what: 'errors or doubled writes, per run of Z1 to Z3', unit: '', ours: [Math.max(...faults)], target: { atMost: 0 } },
    ];
  } finally {
    await Promise.all(sides.map(({ server }) => server.stop()));
    for (const { cells } of sides) for (let cell = 0; cell < cells; cell++) await dropBenchDatabase(serverUrl, nameOf(cells, cell));
  }
}

/** Z11: the newest fifty orders of everybody, each page after the one before it. */
async function measureMerged(one: Celled, several: Celled, rounds: number, seconds: number): Promise<Figure> {
  const latencies = new Map<Celled, number[]>([one, several].map((side) => [side, []]));
  const tokens = new Map<Celled, string>();
  for (const side of latencies.keys()) tokens.set(side, (await makeCallers(side.database)).token);
  const readPage = async (side: Celled): Promise<number> => {
    const begun = performance.now();
    const headers = { authorization: `Bearer ${tokens.get(side)}` };
    const answer = await fetch(`${side.server.origin}/manage/v1/orders?limit=50`, { headers });
    const { items } = (await answer.json()) as { items: readonly object[] };
    if (items.length !== 50) throw new Error(`a page of ${items.length} orders of ${side.cells} cells`);
    return performance.now() - begun;
  };
  for (let round = 1; round <= rounds; round++)
    for (const [side, own] of latencies) {
      const pages: number[] = [];
      for (const end = performance.now() + seconds * 1000; performance.now() < end;) pages.push(await readPage(side));
      own.push(median(pages));
    }
  return {
    name: 'Z11',
    what: `the newest 50 orders of everybody, ${several.cells} cells, latency`,
    unit: 'ms',
    ours: latencies.get(several) as number[],
    against: { what: `${one.cells} cell`, values: latencies.get(one) as number[] },
    target: { atMost: 1.5 },
  };
}

type Disturbance = { readonly what: string; readonly begin: (url: string) => Promise<() => Promise<unknown>> };

/** A database cannot be changed from a connection to itself alone, so this goes by another one of the same server. */
const ofServer = (url: string): string => withDatabase(url, 'postgres');
const databaseOf = (url: string): string => /^\w+:\/\/[^/?]*\/([^?]*)/.exec(url)?.[1] ?? '';

const DISTURBANCES: readonly Disturbance[] = [
  {
    what: 'away',
    begin: async (url) => {
      await ask(ofServer(url), `alter database ${databaseOf(url)} allow_connections false`);
      await ask(ofServer(url), 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [databaseOf(url)]);
      return () => ask(ofServer(url), `alter database ${databaseOf(url)} allow_connections true`);
    },
  },
  {
    what: 'slow: each of its writes waits until it is given up',
    begin: async (url) => {
      const client = new Client(connectionConfig(url, null));
      await client.connect();
      await client.query('begin');
      await client.query('lock table order_history in share mode');
      return () => client.end();
    },
  },
  {
    what: 'full: it takes no writes',
    begin: async (url) => {
      await ask(ofServer(url), `alter database ${databaseOf(url)} set default_transaction_read_only = on`);
      await ask(ofServer(url), 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [databaseOf(url)]);
      return async () => {
        await ask(ofServer(url), `alter database ${databaseOf(url)} reset default_transaction_read_only`);
        await ask(ofServer(url), 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [databaseOf(url)]);
      };
    },
  },
];

/** Requests for what the disturbed cell has, at the same rate on both sides: who is refused at once would ask more often in a loop. */
const NEEDY_PER_SECOND = 250;

async function measureDisturbed(side: Celled, rounds: number, seconds: number, say: Bench['say']): Promise<Figure[]> {
  const disturbed = side.cells - 1;
  const of = side.urls.map((_, cell) => cell).filter((cell) => cell !== disturbed);
  const make = requestMaker(side.database, `${newRun()}n`);
  let sent = 0;
  const askNeedy = (): void => {
    const { method, path, body } = make.updateOrder(sent++, 1 + randomInt(side.database.sizes.orders), merchantOfCell(disturbed));
    void fetch(`${side.server.origin}${path}`, { method, body })
      .then((answer) => answer.text())
      .catch(() => undefined);
  };
  const once = async (): Promise<Run> => {
    const asking = setInterval(askNeedy, 1000 / NEEDY_PER_SECOND);
    return updateCells(side, { connections: OF_ONE, seconds, of }).finally(() => clearInterval(asking));
  };
  const figures: Figure[] = [];
  for (const [index, { what, begin }] of DISTURBANCES.entries()) {
    const [quiet, troubled]: [Run[], Run[]] = [[], []];
    for (let round = 1; round <= rounds; round++) {
      quiet.push(await once());
      const end = await begin(side.urls[disturbed] as string);
      troubled.push(await once());
      await end();
      say(
        `a cell is ${what}: ${describeRate(troubled.at(-1) as Run)}, ${troubled.at(-1)?.failed} failed of the others; before ${describeRate(quiet.at(-1) as Run)}`,
      );
    }
    const against = (pick: (run: Run) => number) => ({ what: 'without', values: quiet.map(pick) });
    figures.push(
      {
        name: `Z${4 + 2 * index}`,
        what: `rate of other cells while one is ${what}`,
        unit: '/s',
        ours: troubled.map(({ perSecond }) => perSecond),
        against: against(({ perSecond }) => perSecond),
        target: { atLeast: 0.9 },
      },
      {
        name: `Z${5 + 2 * index}`,
        what: 'p99 of the same',
        unit: 'ms',
        ours: troubled.map(({ p99Ms }) => p99Ms),
        against: against(({ p99Ms }) => p99Ms),
        target: { atMost: 1.2 },
      },
    );
  }
  return figures;
}
