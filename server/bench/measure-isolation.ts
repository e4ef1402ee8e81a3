import { randomInt } from 'node:crypto';
import { Client } from 'pg';
import { connectionConfig } from '../src/kit/db.ts';
import { merchantOf, MERCHANTS, type Sizes } from './bench-data.ts';
import { runLoads, type LoadResult } from './load.ts';
import { describeRate, newRun, originsOf, type Bench, type Figure } from './measurement.ts';
import { ask } from './postgres.ts';
import { measureSharing } from './measure-sharing.ts';
import { prepare, PREPARED_BESIDE_OTHERS, requestMaker, type Prepared } from './requests.ts';
import { checkWrites } from './written.ts';

const MERCHANT_COUNT = MERCHANTS.otherCount + 1;
/**
 * I1 to I11: all merchants but the one with the cashouts share the orders. They are more than are changed in a run: in life an order is
 * changed once or twice. While a transaction is open, PostgreSQL keeps each version. So one of few orders would be changed in ever more places.
 */
export const ISOLATED: Sizes = { orders: 960_000, cashouts: 10_000, cashoutsOfOne: 1_000, sharedBy: MERCHANT_COUNT };

/** All others together: two connections for each merchant. */
const OTHERS = 2 * MERCHANTS.otherCount;
/** Connections that ask for what somebody holds. */
const NEEDY = 8;
const SHARE = 2;
const FLOOD = 100 * SHARE;
const WARM_UP_SECONDS = 10;
/** Far more than are answered while the row is held. Without it they repeat. */
const NEEDY_REQUESTS = 400;

type Maker = ReturnType<typeof requestMaker>;
/** `open`: another session has a transaction open for as long, and holds nothing that anybody needs. */
type Side = 'quiet' | 'open' | 'disturbed';
type HeldRow = { readonly text: string; readonly values: readonly string[] };

type Scenario = {
  readonly what: string;
  /** What the others send. */
  readonly others: (make: Maker, number: number) => Prepared;
  /** What is sent beside the others on both sides, and over how many connections. */
  readonly beside: (make: Maker, number: number) => Prepared;
  readonly connections: Readonly<Record<'quiet' | 'disturbed', number>>;
  /** The row that another session holds on the disturbed side. */
  readonly held?: HeldRow;
  /** Registers cashouts before each run, as many as `beside` cancels. */
  readonly registers?: boolean;
};

/** Updates an order of any merchant but the one with the share. */
export const orderOfOthers = (make: Maker, number: number): Prepared => {
  const order = 1 + randomInt(ISOLATED.orders / MERCHANT_COUNT) * MERCHANT_COUNT + randomInt(MERCHANTS.otherCount);
  return make.updateOrder(number, order, merchantOf(order, MERCHANT_COUNT));
};

const HELD_ORDER = MERCHANT_COUNT;

const SCENARIOS: readonly Scenario[] = [
  {
    what: 'updates of others while somebody holds one order',
    others: orderOfOthers,
    beside: (make, number) => make.updateOrder(number, HELD_ORDER),
    connections: { quiet: NEEDY, disturbed: NEEDY },
    held: {
      text: 'select from orders where merchant_id = $1 and order_id = $2 for update',
      values: [MERCHANTS.orders, String(HELD_ORDER)],
    },
  },
  {
    what: 'registrations of others while somebody holds one fund',
    others: (make, number) => make.registerCashout(number, `${MERCHANTS.others}${number % MERCHANTS.otherCount}`),
    beside: (make, number) => (number % 2 === 0 ? make.cancelCashout(number, number / 2) : make.registerCashout(NEEDY_REQUESTS + number)),
    connections: { quiet: NEEDY, disturbed: NEEDY },
    held: { text: `select from ledger_balances where merchant_id = $1 and account = 'available' for update`, values: [MERCHANTS.cashouts] },
    registers: true,
  },
  {
    what: 'updates of others while one merchant sends 100 times its share',
    others: orderOfOthers,
    beside: (make, number) => make.updateOrder(number, MERCHANT_COUNT * (1 + randomInt(ISOLATED.orders / MERCHANT_COUNT))),
    connections: { quiet: SHARE, disturbed: FLOOD },
  },
];

type Run = LoadResult & { readonly faults: number };
type Runs = Readonly<Record<Side, readonly Run[]>>;

/** The figures of measureSharing come behind I11. */
const isOfSharing = (name: string): boolean => Number(name.slice(1)) > 11;

/** An open transaction that has written keeps PostgreSQL from removing old versions of rows. What it holds does not matter. */
const OPEN: HeldRow = { text: 'select pg_current_xact_id()', values: [] };

/**
 * I1 to I19: what one held row, or one merchant that floods, costs the others, and what readers cost those who write. The sides are
 * measured in turn, in pairs.
 * A held row costs by its open transaction, and by those who wait for it. I8 to I11 show the second part.
 */
export async function measureIsolation(bench: Bench, pairs: number, only?: readonly string[]): Promise<Figure[]> {
  const ofSharing = only?.filter(isOfSharing);
  const sharing = ofSharing?.length === 0 ? [] : await measureSharing(bench, pairs, orderOfOthers);
  if (ofSharing !== undefined && ofSharing.length === only?.length) return sharing;
  const figures: Figure[] = [];
  const besideOpen: Figure[] = [];
  const faults: number[] = [];
  for (const [index, scenario] of SCENARIOS.entries()) {
    const runs = await measureScenario(bench, scenario, pairs);
    figures.push(...compare(scenario, runs, 'quiet', 2 * index + 1));
    if (scenario.held !== undefined) besideOpen.push(...compare(scenario, runs, 'open', 2 * index + 8));
    faults.push(...Object.values(runs).flatMap((all) => all.map((run) => run.faults)));
  }
  const what = 'errors, lost or doubled writes of the others, per run';
  return [...figures, { name: 'I7', what, unit: '', ours: [Math.max(...faults)], target: { atMost: 0 } }, ...besideOpen, ...sharing];
}

async function measureScenario(bench: Bench, scenario: Scenario, pairs: number): Promise<Runs> {
  const runs: Record<Side, Run[]> = { quiet: [], open: [], disturbed: [] };
  const sides: readonly Side[] = scenario.held === undefined ? ['quiet', 'disturbed'] : ['quiet', 'open', 'disturbed'];
  await measureSide({ ...bench, seconds: WARM_UP_SECONDS, say: () => {} }, scenario, 'quiet');
  for (let pair = 0; pair < pairs; pair++) {
    for (const side of pair % 2 === 0 ? sides : sides.toReversed()) runs[side].push(await measureSide(bench, scenario, side));
  }
  return runs;
}

const rate = ({ perSecond }: Run): number => perSecond;
const p99 = ({ p99Ms }: Run): number => p99Ms;

/** Compares the disturbed side with another one. `number`: that of the first figure. */
function compare({ what }: Scenario, runs: Runs, other: 'quiet' | 'open', number: number): readonly Figure[] {
  const which = other === 'quiet' ? 'without' : 'an open transaction';
  const against = (pick: (run: Run) => number) => ({ what: which, values: runs[other].map(pick) });
  const ours = (pick: (run: Run) => number) => runs.disturbed.map(pick);
  return [
    { name: `I${number}`, what: `rate, ${what}`, unit: '/s', ours: ours(rate), against: against(rate), target: { atLeast: 0.9 } },
    { name: `I${number + 1}`, what: `p99, ${what}`, unit: 'ms', ours: ours(p99), against: against(p99), target: { atMost: 1.2 } },
  ];
}

async function measureSide(bench: Bench, scenario: Scenario, side: Side): Promise<Run> {
  const { database, seconds, say } = bench;
  const origins = originsOf(bench);
  const [run, besideRun] = [newRun(), `${newRun()}n`];
  const [make, makeBeside] = [requestMaker(database, run), requestMaker(database, besideRun)];
  const connections = scenario.connections[side === 'disturbed' ? side : 'quiet'];
  if (scenario.registers === true) await registerAll(origins[0] as string, makeBeside);
  const isFlood = scenario.held === undefined;
  const beside = (number: number): Prepared => scenario.beside(makeBeside, number);
  const loads = [
    {
      requests: prepare(seconds, (number) => scenario.others(make, number), PREPARED_BESIDE_OTHERS),
      connections: OTHERS,
      mayRepeat: false,
    },
    {
      requests: isFlood ? prepare(seconds, beside, PREPARED_BESIDE_OTHERS) : prepare(1, beside, NEEDY_REQUESTS),
      connections,
      mayRepeat: !isFlood,
    },
  ].map((load) => ({ ...load, origins, seconds }));
  await ask(database.url, 'checkpoint');
  const held = { quiet: undefined, open: OPEN, disturbed: scenario.held }[side];
  const release = held === undefined ? undefined : await hold(database.url, held);
  const [others, needy] = (await runLoads(loads)) as [LoadResult, LoadResult];
  await release?.();
  const { lost, doubled } = await checkWrites(database.url, run, others.answered);
  say(
    `${scenario.what}: ${side}: ${describeRate(others)}; ${others.failed} failed, ${lost} lost, ${doubled} doubled; ` +
      `beside them, ${connections} connections: ${needy.answered} answered, ${needy.failed} failed`,
  );
  return { ...others, faults: others.failed + lost + doubled };
}

/** Holds a row in a session of its own. Shape: → what releases it. */
async function hold(url: string, { text, values }: HeldRow): Promise<() => Promise<void>> {
  const client = new Client(connectionConfig(url, null));
  await client.connect();
  await client.query('begin');
  await client.query(text, [...values]);
  return () => client.end();
}

async function registerAll(origin: string, make: Maker): Promise<void> {
  for (let number = 0; number < NEEDY_REQUESTS / 2; number++) {
    const { method, path, body } = make.registerCashout(number);
    const answer = await fetch(`${origin}${path}`, { method, body });
    if (!(await answer.text()).includes('"0000"')) throw new Error(`a cashout could not be registered: ${answer.status}`);
  }
}
