import { runLoad } from './load.ts';
import { describeRate, newRun, originsOf, WARM_UP_SECONDS, withCosts, type Bench, type Figure, type Measured } from './measurement.ts';
import { lastPage, prepare, requestMaker, todayText, type Prepared } from './requests.ts';
import type { Server } from './server.ts';
import { TIME_ZONE, type BenchDatabase } from './bench-data.ts';
import { checkWrites } from './written.ts';

type Little = { readonly database: BenchDatabase; readonly server: Server };
type Round = {
  readonly first: Measured;
  readonly select: number;
  readonly hundred: Measured;
  readonly deep: Measured;
  readonly large: Measured;
  readonly little: Measured;
  readonly busy: Measured;
};

/** P5 to P8 and P10: the list of one merchant, whose cashouts are interleaved with others in a large table. */
export async function measureLists(bench: Bench, little: Little, rounds: number): Promise<Figure[]> {
  const { database, say } = bench;
  const littleBench: Bench = { ...bench, database: little.database, servers: [little.server] };
  await checkDeepestPage(bench);
  say('warming up');
  await listFirstPage({ ...bench, seconds: WARM_UP_SECONDS }, 16);
  await listFirstPage({ ...littleBench, seconds: WARM_UP_SECONDS }, 1);
  const all: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    all.push({
      first: await listFirstPage(bench, 16),
      select: await selectFirstPage(bench),
      hundred: await listPage(bench, 1),
      deep: await listDeepestPage(bench),
      large: await listFirstPage(bench, 1),
      little: await listFirstPage(littleBench, 1),
      busy: await listWhileChanging(bench),
    });
  }
  const of = (pick: (round: Round) => number): number[] => all.map(pick);
  return [
    {
      name: 'P5',
      what: 'first page of 23, 16 connections',
      unit: '/s',
      ours: of(({ first }) => first.perSecond),
      against: { what: "pgbench running the page's SELECT", values: of(({ select }) => select) },
      target: { atLeast: 0.4 },
    },
    {
      name: 'P6',
      what: `page ${deepestPage(bench)} × 100 by number, latency`,
      unit: 'ms',
      ours: of(({ deep }) => deep.p50Ms),
      against: { what: 'page 1 × 100', values: of(({ hundred }) => hundred.p50Ms) },
      target: { atMost: 3 },
    },
    {
      name: 'P7',
      what: `first page of ${database.sizes.cashouts.toLocaleString('en')} rows, latency`,
      unit: 'ms',
      ours: of(({ large }) => large.p50Ms),
      against: { what: `of ${little.database.sizes.cashouts.toLocaleString('en')} rows`, values: of(({ little: small }) => small.p50Ms) },
      target: { atMost: 1.2 },
    },
    {
      name: 'P8',
      what: 'P5 while 16 more connections change operations, latency',
      unit: 'ms',
      ours: of(({ busy }) => busy.p50Ms),
      against: { what: 'quiet P5', values: of(({ first }) => first.p50Ms) },
      target: { atMost: 2 },
    },
    {
      name: 'P10',
      what: 'errors, lost or doubled writes, P5 to P8, per round',
      unit: '',
      ours: of(countFaults),
      target: { atMost: 0 },
    },
  ];
}

const countFaults = ({ first, hundred, deep, large, little, busy }: Round): number =>
  [first, hundred, deep, large, little, busy].reduce((total, { faults }) => total + faults, 0);

/** The first page of 23, from the first loaded day until today. */
export const listFirstPage = (bench: Bench, connections: number): Promise<Measured> => list(bench, {}, connections);

/** The deepest page of 100 that a number can name, over one connection. */
export const listDeepestPage = (bench: Bench): Promise<Measured> => listPage(bench, deepestPage(bench));

const listPage = (bench: Bench, page: number): Promise<Measured> => list(bench, { page, limit: 100 }, 1);

const deepestPage = ({ database }: Bench): number => lastPage(database.sizes.cashoutsOfOne);

/** The first page over 16 connections, while 16 more register and cancel cashouts of the same merchant. Faults of both are counted. */
export async function listWhileChanging(bench: Bench): Promise<Measured> {
  const { database, seconds, say } = bench;
  const run = newRun();
  const requests = changeRequests(database, run, seconds);
  const [busy, changes] = await Promise.all([
    listFirstPage(bench, 16),
    runLoad({ origins: originsOf(bench), requests, connections: 16, seconds, mayRepeat: false }),
  ]);
  const { lost, doubled } = await checkWrites(database.url, run, changes.answered);
  say(`register and cancel, 16: ${describeRate(changes)}; ${changes.answered} answered, ${lost} lost, ${doubled} doubled`);
  return { ...busy, faults: busy.faults + changes.failed + lost + doubled };
}

type Page = { readonly page?: number; readonly limit?: number };

async function list(bench: Bench, page: Page, connections: number): Promise<Measured> {
  const { database, seconds, say } = bench;
  const requests = [listRequest(database, page)];
  const result = await withCosts(bench, () => runLoad({ origins: originsOf(bench), requests, connections, seconds, mayRepeat: true }));
  const name = page.page === undefined ? 'first page' : `page ${page.page} × ${page.limit}`;
  say(
    `${name} of ${database.sizes.cashouts} rows, ${connections}: ${describeRate(result)}; ${result.processorUs.toFixed(0)} µs of Node's processor time each`,
  );
  return { ...result, faults: result.failed };
}

const listRequest = (database: BenchDatabase, page: Page): Prepared =>
  requestMaker(database, '').listCashouts({ start: database.firstDay, end: todayText(TIME_ZONE), ...page });

async function selectFirstPage({ database, pgbench, seconds, say }: Bench): Promise<number> {
  if (pgbench === undefined) return NaN;
  const variables = { from: database.firstDay, to: todayText(TIME_ZONE) };
  const result = await pgbench.run({ script: 'list-first-page.sql', clients: 16, seconds, variables });
  say(`pgbench, the page's SELECT, 16: ${describeRate(result)}`);
  return result.perSecond;
}

/** Requests between a registration and its cancellation. More than connections, so that the first is answered before the second is sent. */
const CANCEL_AFTER = 2_000;

/** Registrations, each cancelled a while later. */
function changeRequests(database: BenchDatabase, run: string, seconds: number): Iterable<Prepared> {
  const make = requestMaker(database, run);
  return prepare(seconds, (number) =>
    number % 2 === 1 && number > CANCEL_AFTER ? make.cancelCashout(number, number - 1 - CANCEL_AFTER) : make.registerCashout(number),
  );
}

/** A list that is refused or empty would be fast for the wrong reason. */
export async function checkDeepestPage(bench: Bench): Promise<void> {
  const { path } = listRequest(bench.database, { page: deepestPage(bench), limit: 100 });
  const text = await (await fetch(`${originsOf(bench)[0] as string}${path}`)).text();
  const { code, data } = JSON.parse(text) as { code: string; data: unknown[] };
  if (code !== '0000' || data.length !== 100) throw new Error(`the deepest page is not whole: ${text.slice(0, 300)}`);
}
