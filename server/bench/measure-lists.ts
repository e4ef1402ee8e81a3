import { runLoad, type LoadResult } from './load.ts';
import { describeRate, newRun, originsOf, WARM_UP_SECONDS, type Bench, type Figure } from './measurement.ts';
import { lastPage, prepare, requestMaker, todayText, type Prepared } from './requests.ts';
import type { Server } from './server.ts';
import { TIME_ZONE, type BenchDatabase } from './setup.ts';
import { checkWrites } from './written.ts';

type Little = { readonly database: BenchDatabase; readonly server: Server };
type Round = {
  readonly first: LoadResult;
  readonly select: number;
  readonly hundred: LoadResult;
  readonly deep: LoadResult;
  readonly large: LoadResult;
  readonly little: LoadResult;
  readonly busy: LoadResult;
  readonly faults: number;
};

/** P5 to P8 and P10: the list of a merchant whose operations lie among those of others, in a large table. */
export async function measureLists(bench: Bench, little: Little, rounds: number): Promise<Figure[]> {
  const { database, say } = bench;
  const deepest = lastPage(database.sizes.cashoutsOfOne);
  await checkAnswer(bench, listRequest(database, { page: deepest, limit: 100 }));
  say('warming up');
  await list(originsOf(bench), [listRequest(database)], 16, WARM_UP_SECONDS);
  await list([little.server.origin], [listRequest(little.database)], 1, WARM_UP_SECONDS);
  const all: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    all.push(await measureRound(bench, little, deepest));
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
      what: `page ${deepest} × 100 by number, latency`,
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
      ours: of(({ faults }) => faults),
      target: { atMost: 0 },
    },
  ];
}

async function measureRound(bench: Bench, little: Little, deepest: number): Promise<Round> {
  const { database, seconds, say } = bench;
  const origins = originsOf(bench);
  const told = async (what: string, result: Promise<LoadResult>): Promise<LoadResult> => {
    say(`${what}: ${describeRate(await result)}`);
    return result;
  };
  const first = await told('first page, 16', list(origins, [listRequest(database)], 16, seconds));
  const select = await selectFirstPage(bench);
  const hundred = await told('page 1 × 100, 1', list(origins, [listRequest(database, { page: 1, limit: 100 })], 1, seconds));
  const deep = await told(`page ${deepest} × 100, 1`, list(origins, [listRequest(database, { page: deepest, limit: 100 })], 1, seconds));
  const large = await told('first page, 1', list(origins, [listRequest(database)], 1, seconds));
  const small = await told('first page of few, 1', list([little.server.origin], [listRequest(little.database)], 1, seconds));
  const run = newRun();
  const [busy, changes] = await Promise.all([
    told('first page under changes, 16', list(origins, [listRequest(database)], 16, seconds)),
    told(
      'register and cancel, 16',
      runLoad({ origins, requests: changeRequests(database, run, seconds), connections: 16, seconds, mayRepeat: false }),
    ),
  ]);
  const { lost, doubled } = await checkWrites(database.url, run, changes.answered);
  say(`${changes.answered} changes answered, ${lost} lost, ${doubled} doubled`);
  const failed = [first, hundred, deep, large, small, busy, changes].reduce((total, result) => total + result.failed, 0);
  return { first, select, hundred, deep, large, little: small, busy, faults: failed + lost + doubled };
}

function listRequest(database: BenchDatabase, page: { readonly page?: number; readonly limit?: number } = {}): Prepared {
  return requestMaker(database, '').listCashouts({ start: database.firstDay, end: todayText(TIME_ZONE), ...page });
}

const list = (origins: readonly string[], requests: readonly Prepared[], connections: number, seconds: number): Promise<LoadResult> =>
  runLoad({ origins, requests, connections, seconds, mayRepeat: true });

async function selectFirstPage({ database, pgbench, seconds, say }: Bench): Promise<number> {
  if (pgbench === undefined) return NaN;
  const variables = { from: database.firstDay, to: todayText(TIME_ZONE) };
  const result = await pgbench.run({ script: 'list-first-page.sql', clients: 16, seconds, variables });
  say(`pgbench, the page's SELECT, 16: ${describeRate(result)}`);
  return result.perSecond;
}

/** Between a registration and its cancellation lie more requests than connections, so that the one is answered before the other is sent. */
const CANCEL_AFTER = 2_000;

/** Registrations, and each of them cancelled a while later. */
function changeRequests(database: BenchDatabase, run: string, seconds: number): Iterable<Prepared> {
  const make = requestMaker(database, run);
  return prepare(seconds, (number) =>
    number % 2 === 1 && number > CANCEL_AFTER ? make.cancelCashout(number, number - 1 - CANCEL_AFTER) : make.registerCashout(number),
  );
}

/** A list that is refused, or that is empty, would be fast for the wrong reason. */
async function checkAnswer(bench: Bench, { path }: Prepared): Promise<void> {
  const text = await (await fetch(`${originsOf(bench)[0] as string}${path}`)).text();
  const { code, data } = JSON.parse(text) as { code: string; data: unknown[] };
  if (code !== '0000' || data.length !== 100) throw new Error(`the deepest page is not whole: ${text.slice(0, 300)}`);
}
