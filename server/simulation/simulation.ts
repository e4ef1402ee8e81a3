import { openDb, type Db } from '../src/kit/db.ts';
import { createLog } from '../src/kit/log.ts';
import { openBooks, type Books } from './books.ts';
import { openCell, type Cell } from './cell.ts';
import { openCollected, type Collected } from './collected.ts';
import type { Callers } from './send-commands.ts';
import type { MasterKeys } from '../src/kit/secrets.ts';
import { perCell, type PerCell } from '../src/kit/per-cell.ts';
import { addCells } from '../src/testing/add-cells.ts';
import { CONTROL, named } from './away.ts';
import type { Merchants, Weather } from './model/model.ts';
import type { Posted } from './management/posted.ts';
import { openHashes, type Hashes } from './management/hashes.ts';
import type { ModelRow } from './model/review-rows.ts';
import { openReceiver, type Receiver } from './notices.ts';
import { playCashouts } from './play-cashouts.ts';
import { playOrders } from './play-orders.ts';
import { playRefunds } from './play-refunds.ts';
import { playSettlements } from './play-settlements.ts';
import { knownHolidays, prepareTerms, rulesOf, scheduleOf } from './settlement-terms.ts';
import { randomOf, type Random } from './random.ts';
import { openServer, type Server } from './servers.ts';
import { openStaff, type Staff } from './staff.ts';
import { openActLog, type ActLog } from './management/act-log.ts';
import { fund, MERCHANTS, NETWORKS, newKeys, prepare, simulatedClock, type SimulatedClock } from './setting.ts';

/** What may break: see README.md. */
export type FaultName = 'cut' | 'restart' | 'death' | 'kill' | 'gap' | 'away';
/** How often each happened. */
export type Faults = Record<FaultName, number>;
const noFaults = (): Faults => ({ cut: 0, restart: 0, death: 0, kill: 0, gap: 0, away: 0 });

/** Counts of what happened so far. */
export type Tally = {
  steps: number;
  rounds: number;
  /** How often several commands of one round raced in a cell. */
  races: number;
  /** Lost answers. */
  lost: number;
  /** While commands raced. */
  readonly faults: Faults;
  /** What the office asked for, how many answers of these were lost, and what broke meanwhile. */
  officeActs: number;
  officeLost: number;
  readonly officeFaults: Faults;
  checkpoints: number;
  /** Requests to the merchants' receiver, and different notices in them. */
  calls: number;
  notices: number;
  simulatedMs: number;
  /** By command and code. */
  readonly answers: Map<string, number>;
  /** What raced for money of one merchant, by the commands with their codes. */
  readonly moneyRaces: Map<string, number>;
};

/** A cell that gets commands, and how many it still gets. */
type Playing = { readonly cell: Cell; left: number; /** How often several commands race. */ readonly races: number };

/** Everything that a simulation works with. */
export type Simulation = {
  readonly seed: number;
  readonly url: string;
  /** Of all databases, home first. */
  readonly urls: readonly string[];
  readonly clock: SimulatedClock;
  /** Connections that never break: for the operator, and for checks. */
  readonly control: Db;
  /** The same to all cells, and to that of a merchant. */
  readonly controls: PerCell<Db>;
  readonly controlOf: (merchantId: string) => Db;
  readonly weather: Weather;
  readonly servers: readonly Server[];
  readonly receiver: Receiver;
  readonly books: Books;
  readonly collected: Collected;
  /** Settlements, one cell for each merchant and currency. They are always played. */
  readonly settling: readonly Cell[];
  readonly merchants: Merchants;
  readonly hashes: Hashes;
  readonly staff: Staff;
  readonly acts: ActLog;
  /** What the office posted to the ledger. */
  readonly posted: Posted;
  /** Ends all processes of the database by SIGKILL; something else starts it again. Undefined: it is shared with others. */
  readonly killDatabase: (() => void) | undefined;
  /** Cells that get commands; refill() adds new ones. */
  readonly playing: Set<Playing>;
  /** Cells that get no more commands, but have something open or notices that were not compared yet. */
  readonly resting: Set<Cell>;
  /** What became of the cells that are over. */
  readonly finished: ModelRow[];
  readonly tally: Tally;
  /** How far the clock moved since the last checkpoint. */
  movedMs: number;
  refill(random: Random): void;
  topUp(merchantId: string, currency: string, amountMinor: bigint): Promise<void>;
  close(): Promise<void>;
};

/** Cells that get commands at the same time. */
const CELLS = 48;
/** Each cell gets at least this many commands, and up to MORE_COMMANDS beyond. */
const LEAST_COMMANDS = 4;
const MORE_COMMANDS = 36;
/** The share of the cells of a round in which several commands race; of those of settlements more. */
const RACES = 0.25;
const RACES_FOR_MONEY = 0.6;
/** Never too small. Thirteen digits, the most that an amount on the wire may have (contract §2.8). */
const AMPLE_MINOR = 1_000_000_000_000n;
/** The receiver's second seed: rounds have numbers from 1 on. */
const RECEIVER = -1;
/** For the pauses of notices. No round has this number. */
const PAUSES = -2;

const connect = (url: string): Db =>
  openDb({ url: named(url, CONTROL), log: createLog('silent'), connections: 2, statementTimeoutMs: null });

/** Connects to all databases, home first, makes cells of the others, and spreads the merchants over them. */
async function openControls(deps: { readonly keys: MasterKeys; readonly clock: SimulatedClock }, urls: readonly string[], seed: number) {
  const [home = '', ...others] = urls;
  await addCells(
    home,
    others.map((url) => ({ url, ownerUrl: url })),
    deps,
  );
  const controls = perCell(new Map(urls.map((one, cell) => [cell, connect(one)])));
  const cellOf = (merchantId: string): number => (MERCHANTS.findIndex((one) => one.merchantId === merchantId) + seed) % urls.length;
  return { urls, controls, cellOf, controlOf: (merchantId: string): Db => controls.of(cellOf(merchantId)) };
}

const allMerchants = (cellOf: (merchantId: string) => number): Merchants =>
  new Map(
    MERCHANTS.map((merchant) => [
      merchant.merchantId,
      {
        ...merchant,
        cell: cellOf(merchant.merchantId),
        isFrozen: false,
        isDisabled: false,
        signsWith: 0,
        stoppedAt: { isFrozen: undefined, isDisabled: undefined },
      },
    ]),
  );

/** Opens two servers on a migrated, empty database, and everything around them. */
export async function openSimulation(
  url: string,
  seed: number,
  { killDatabase, cellUrls = [] }: { readonly killDatabase?: (() => void) | undefined; readonly cellUrls?: readonly string[] } = {},
): Promise<Simulation> {
  const clock = simulatedClock();
  const keys = newKeys();
  const { urls, controls, cellOf, controlOf } = await openControls({ keys, clock }, [url, ...cellUrls], seed);
  const control = controls.home;
  const weather = { hasCells: cellUrls.length > 0, isStormy: false };
  const deps = { db: control, keys, clock };
  const merchants = allMerchants(cellOf);
  const books = openBooks(merchants);
  const hashes = new Map<string, string>();
  const receiver = await openReceiver(randomOf(seed, RECEIVER), hashes);
  const prepared = await prepare({ keys, clock, dbs: controls, cellOf }, receiver.urlOf);
  for (const [merchantId, hash] of prepared.hashes) hashes.set(merchantId, hash);
  const topUp = async (merchantId: string, currency: string, amountMinor: bigint): Promise<void> => {
    await fund({ keys, clock, db: controlOf(merchantId) }, merchantId, currency, amountMinor);
    books.transfer(merchantId, currency, amountMinor, 'service:bank', 'available');
  };
  for (const { merchantId, currencies, isAmple } of MERCHANTS)
    for (const currency of isAmple ? currencies : []) await topUp(merchantId, currency, AMPLE_MINOR);
  const chance = randomOf(seed, PAUSES).next;
  const servers = [
    await openServer('A', { url, keys, clock, chance, control, breaksBy: 'database' }),
    await openServer('B', { url, keys, clock, chance, control, breaksBy: 'network' }),
  ];
  const staff = await openStaff(deps);
  const callers = { merchants, secrets: prepared.secrets, actors: staff.actors, headersOf: staff.headersOf, weather };
  await prepareTerms({ clock, dbs: controls, cellOf });
  const collected = openCollected();
  const settling = openSettling(callers, books, collected, clock.now().epochMilliseconds);
  const cells = openCells(callers, settling);
  const close = async (): Promise<void> => {
    for (const one of servers) await one.close();
    await receiver.close();
    for (const [, db] of controls.all) await db.close();
  };
  return {
    seed,
    url,
    urls,
    clock,
    control,
    controls,
    controlOf,
    weather,
    servers,
    receiver,
    books,
    collected,
    settling,
    merchants,
    hashes: openHashes(merchants, prepared.secrets.merchants),
    staff,
    acts: openActLog(controls.all.map(([, db]) => db)),
    posted: { moves: [], rules: new Map(), topUps: [], adjustments: [] },
    killDatabase,
    ...cells,
    topUp,
    close,
    finished: [],
    tally: emptyTally(),
    movedMs: 0,
  };
}

const emptyTally = (): Tally => ({
  steps: 0,
  rounds: 0,
  races: 0,
  lost: 0,
  faults: noFaults(),
  officeActs: 0,
  officeLost: 0,
  officeFaults: noFaults(),
  checkpoints: 0,
  calls: 0,
  notices: 0,
  simulatedMs: 0,
  answers: new Map(),
  moneyRaces: new Map(),
});

/** A cell of settlements for each merchant and currency. */
function openSettling(callers: Callers, books: Books, collected: Collected, startedAt: number): readonly Cell[] {
  const { merchants, actors } = callers;
  const holidays = knownHolidays();
  let counted = 0;
  const count = (): number => ++counted;
  return [...merchants.values()].flatMap(({ merchantId, currencies }) =>
    currencies.map((currency) => {
      const pair = { merchantId, currency };
      const name = `settlements ${merchantId}-${currency}`;
      const world = {
        pair,
        merchants,
        actors,
        holidays,
        schedule: scheduleOf(pair),
        rules: rulesOf(pair),
        collected: () => collected.of(pair, name),
      };
      const collectedMinor = (): bigint => books.collected(merchantId, currency);
      return openCell(name, playSettlements(callers, { world, collectedMinor, count }, startedAt));
    }),
  );
}

function openCells(callers: Callers, settling: readonly Cell[]): Pick<Simulation, 'playing' | 'resting' | 'refill'> {
  const playing = new Set<Playing>(settling.map((cell) => ({ cell, left: Infinity, races: RACES_FOR_MONEY })));
  const resting = new Set<Cell>();
  let count = 0;
  const newCell = (random: Random): Cell => {
    const number = ++count;
    return random.weighted<() => Cell>([
      [2, () => openCell(`orders ${number}`, playOrders(callers, NETWORKS, number, random))],
      [2, () => openCell(`cashouts ${number}`, playCashouts(callers, NETWORKS, number, random))],
      [2, () => openCell(`refunds ${number}`, playRefunds(callers, NETWORKS, number, random))],
    ])();
  };
  return {
    playing,
    resting,
    refill: (random) => {
      for (const one of playing) {
        // What is unclear stays so: it gets no more commands, and is compared as all others.
        if (one.left > 0 && (settling.includes(one.cell) || !one.cell.isUnclear())) continue;
        playing.delete(one);
        resting.add(one.cell);
      }
      while (playing.size < CELLS + settling.length)
        playing.add({ cell: newCell(random), left: LEAST_COMMANDS + random.below(MORE_COMMANDS), races: RACES });
    },
  };
}
