import { onTestFinished } from 'vitest';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { HttpServer } from '../kit/http.ts';
import { createLog, type Log } from '../kit/log.ts';
import { isRefusal } from '../kit/outcome.ts';
import { HOME } from '../kit/per-cell.ts';
import { masterKey, type MasterKeys } from '../kit/secrets.ts';
import { topUp } from '../ledger/index.ts';
import { postingDb } from './posting-db.ts';
import { openMasterKeys } from '../main/keys/master-keys.ts';
import { openCaudal, type Caudal, type CaudalOptions } from '../main/rooms.ts';
import type { Config } from '../main/config.ts';
import { createMerchant, openPlacing, untilKnown, type CreateMerchant, type Merchant } from '../merchants/index.ts';
import { createNetwork, type CreatedNetwork, type CreateNetwork, type NetworkDirectory } from '../networks/index.ts';
import { addToRunLog, keepOneTimePassword } from './log-canary.ts';
import { seed, seededBytes, seededRandom } from './seed.ts';
import { addCells } from './add-cells.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { CONTRACT_DIALECT } from '../requests/index.ts';

/** A clock that a test moves, only forwards. A test that needs an earlier time starts a service of its own. */
export type TestClock = Clock & {
  set(instant: string): void;
  /** Sets it back, as the correction of a machine's clock does. */
  turnBack(instant: string): void;
  advance(duration: { days?: number; hours?: number; minutes?: number; seconds?: number; milliseconds?: number }): void;
};

export type TestMerchant = {
  readonly merchantId: string;
  readonly fixedHash: string;
  readonly noticeHash: string;
  read(): Promise<Merchant>;
};

export type TestCaudal = {
  /** Not listening: use `app.inject`. */
  readonly app: HttpServer;
  /** Home. */
  readonly db: Db;
  readonly cells: Caudal['cells'];
  readonly merchants: Caudal['merchants'];
  readonly networks: NetworkDirectory;
  readonly messages: Caudal['messages'];
  readonly users: Caudal['users'];
  /** Connects as the owner of the database. */
  readonly url: string;
  /** Connects as the service does: a user that owns nothing. */
  readonly serviceUrl: string;
  readonly keys: MasterKeys;
  readonly clock: TestClock;
  readonly log: Log;
  /** Creates a merchant. By default it is of Colombia and has a fund of AMPLE_FUND_MINOR in each of its currencies. */
  merchant(options?: Partial<CreateMerchant> & { readonly fundMinor?: bigint; readonly cell?: number }): Promise<TestMerchant>;
  /** Creates a collection network of its own. */
  network(options?: Partial<CreateNetwork>): Promise<CreatedNetwork>;
  /** Opens another server on the same database, by another address where one is given. The caller closes it. */
  openAnother(config?: Partial<Config>, url?: string): Promise<Caudal>;
  /** Opens another server with a clock of its own. The caller closes it. */
  openAsOf(clock: Clock): Promise<Caudal>;
  readonly jobs: Caudal['jobs'];
  /** Runs all jobs, in turns, until nothing is due at the clock's instant. */
  runJobs(): Promise<void>;
  close(): Promise<void>;
};

/** Ten billion pesos: more than the cashouts of any test. */
const AMPLE_FUND_MINOR = 1_000_000_000_000n;

/** A clock that does not run by itself. It starts on 2026-11-21 at 10:00 in Bogota. */
export function testClock(start = '2026-11-21T15:00:00Z'): TestClock {
  let now = Temporal.Instant.from(start);
  const moveTo = (instant: Temporal.Instant): void => {
    if (Temporal.Instant.compare(instant, now) < 0)
      throw new RangeError(`a test moves its clock back, from ${now.toString()} to ${instant.toString()}`);
    now = instant;
  };
  return {
    now: () => now,
    set: (instant) => moveTo(Temporal.Instant.from(instant)),
    turnBack: (instant) => void (now = Temporal.Instant.from(instant)),
    // Days have 24 hours here: an instant knows no calendar.
    advance: ({ days = 0, ...rest }) => moveTo(now.add({ ...rest, hours: (rest.hours ?? 0) + 24 * days })),
  };
}

/** A key ring of one key, for tests. */
export function testKeys(): MasterKeys {
  return openMasterKeys({ masterKeys: [masterKey(seededBytes(32))], dataDir: '' });
}

/** The service's settings in tests, by default. */
const TEST_CONFIG = {
  mode: 'sandbox',
  isSandboxPublic: false,
  databaseConnections: 1,
  cells: undefined,
  checkoutUrl: 'https://pay.example/checkout',
  openId: undefined,
  consoleUrl: undefined,
  operatorName: undefined,
  hasHome: true,
  dialect: CONTRACT_DIALECT,
  referenceRestDays: 90,
  shortPasswordDays: 1,
  mail: undefined,
  sms: undefined,
  messagesPerHour: { mail: 20, sms: 10 },
  keptDays: { payers: 3650, endUsers: 3650, messages: 30, notices: 90, acts: 2557, pageViews: 400 },
  auditCheckpoints: undefined,
  exportsMegabytes: 100,
  trustedProxies: [],
  processes: 1,
  servers: 1,
  // More than any test sends. The tests of limits set their own.
  unprovedPerSecond: 1_000_000,
} as const;

type StartOptions = {
  readonly now?: string;
  readonly log?: Log;
  readonly config?: Partial<Config>;
  /** A migrated one in place of a copy of the run's template. */
  readonly database?: TestDatabase;
  /** Cells beside home, called `cell-1` and so on: how many, each a database of its own, or their databases. */
  readonly cells?: number | readonly TestDatabase[];
} & Pick<CaudalOptions, 'onRefused' | 'onOverLimit' | 'consoleFolder' | 'tracer' | 'guardsClock'>;

/**
 * Starts the whole service on a database of its own, without listening.
 * It logs everything to the log of the run, in which secrets are searched for.
 * By default it has one database connection. Code that needs a second one inside a transaction never ends, and the test finds it.
 */
export async function startTestCaudal(options: StartOptions = {}): Promise<TestCaudal> {
  const { database = await createTestDatabase() } = options;
  const { cells = 0 } = options;
  const others = typeof cells === 'number' ? await Promise.all(Array.from({ length: cells }, createTestDatabase)) : cells;
  const clock = testClock(options.now);
  const keys = testKeys();
  const chance = seededRandom(seed).next;
  const { log = createLog('debug', { write: addToRunLog }), onRefused = () => undefined, onOverLimit = () => undefined } = options;
  const servers = new Set<Caudal>();
  const open = async (config: Partial<Config>, url: string, ownClock: Clock = clock): Promise<Caudal> => {
    const settings = { ...TEST_CONFIG, ...options.config, ...config };
    const opened = await openCaudal({
      config: settings,
      url,
      keys,
      clock: ownClock,
      chance,
      log,
      origin: () => 'http://127.0.0.1',
      onRefused,
      onOverLimit,
      consoleFolder: options.consoleFolder,
      guardsClock: options.guardsClock,
      tracer: options.tracer,
    });
    const close = (): Promise<void> => {
      servers.delete(server);
      return opened.close();
    };
    const server = { ...opened, close };
    servers.add(server);
    return server;
  };
  const urls = others.map(({ url: ownerUrl, serviceUrl: url }) => ({ url, ownerUrl }));
  await addCells(database.url, urls, { keys, clock });
  const service = await open({}, database.serviceUrl);
  service.app.addHook('onSend', (_request, _reply, answer, done) => {
    keepOneTimePassword(answer);
    done();
  });
  await service.app.ready();
  return {
    app: service.app,
    db: service.db,
    cells: service.cells,
    merchants: service.merchants,
    networks: service.networks,
    messages: service.messages,
    users: service.users,
    url: database.url,
    serviceUrl: database.serviceUrl,
    keys,
    clock,
    log,
    ...creators(service, servers, { keys, clock }),
    jobs: service.jobs,
    openAnother: (config = {}, url = database.serviceUrl) => open(config, url),
    openAsOf: (ownClock) => open({}, database.serviceUrl, ownClock),
    runJobs: async () => {
      for (let isMore = true; isMore;) {
        isMore = false;
        for (const job of service.jobs) while (await job.step()) isMore = true;
      }
    },
    close: async () => {
      await service.close();
      for (const one of [database, ...others]) await one.drop();
    },
  };
}

/** Creates merchants and networks. Every open server knows them before the test goes on. */
function creators(service: Caudal, servers: ReadonlySet<Caudal>, { keys, clock }: Pick<TestCaudal, 'keys' | 'clock'>) {
  const deps = { db: service.db, keys, clock };
  const place = openPlacing({ ...deps, served: new Set(service.cells.all.map(([cell]) => cell)) });
  let merchants = 0;
  let networks = 0;
  const merchant: TestCaudal['merchant'] = async ({ fundMinor = AMPLE_FUND_MINOR, cell = HOME, ...command } = {}) => {
    const wanted = { merchantId: `shop-${++merchants}`, country: '343', ...command };
    if (cell !== HOME) await place(wanted.merchantId, `cell-${cell}`);
    const { db } = service.cells.of(cell);
    const created = await createMerchant({ ...deps, db, cell }, wanted);
    if (isRefusal(created)) throw new Error(`the test merchant was refused: ${created.refusal}`);
    const { merchant: merchantId, fixedHash, noticeHash } = created;
    for (const server of servers) await untilKnown(server.merchants, merchantId);
    const read = async (): Promise<Merchant> => (await service.merchants.find(merchantId)) as Merchant;
    for (const currency of fundMinor === 0n ? [] : (await read()).currencies) {
      const funded = await topUp({ db: postingDb(db, clock, merchantId), clock }, { merchantId, currency, amountMinor: fundMinor });
      if (isRefusal(funded)) throw new Error(`the test merchant got no fund: ${funded.refusal}`);
    }
    return { merchantId, fixedHash, noticeHash, read };
  };
  const network: TestCaudal['network'] = async (command = {}) => {
    const created = await createNetwork(deps, { netname: `network-${++networks}`, ...command });
    if (isRefusal(created)) throw new Error(`the test network was refused: ${created.refusal}`);
    for (const server of servers) await untilKnown(server.networks, created.netname);
    return created;
  };
  return { merchant, network };
}

/** Starts the whole service for one test, which may move its clock. Closed at the end of the test. */
export async function startCaudalForTest(options?: Parameters<typeof startTestCaudal>[0]): Promise<TestCaudal> {
  const service = await startTestCaudal(options);
  onTestFinished(() => service.close());
  return service;
}
