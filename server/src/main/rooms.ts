import { checkpointPlaceOf, openActing, openAudit, recordActs, recordDecided, type Audit } from '../audit/index.ts';
import { registerCheckout, rootToCheckout, type Checkout } from '../checkout/index.ts';
import { isCellKnown, readCells, servedCells, watchCells, type ServedCell } from '../cells/index.ts';
import { cashoutFaults, END_USER_FIELDS, registerCashouts, sandboxCashoutFaults } from '../cashouts/index.ts';
import { serveConsole } from '../console/index.ts';
import { serveDocs } from '../docs/index.ts';
import { joinEvents, openEvents, pruneChanges } from '../events/index.ts';
import { countFigures } from '../figures/index.ts';
import type { Clock } from '../kit/clock.ts';
import { makeExports } from '../exports/make-exports.job.ts';
import { openDb, Unavailable, type Db } from '../kit/db.ts';
import { guardClock } from '../kit/db/clock-guard.ts';
import { openEngine } from '../kit/changes/engine.ts';
import { createHttpServer, type HttpServer } from '../kit/http.ts';
import { addNamed } from '../kit/lists/sums.ts';
import type { Job } from '../kit/jobs.ts';
import type { Log } from '../kit/log.ts';
import { HOME, HOME_NAME, mapCells, ofAllCells, perCell, type PerCell } from '../kit/per-cell.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import type { Tracer } from '../kit/traces/tracer.ts';
import { openServiceKeys } from '../kit/keys/service-keys.ts';
import { keepFunds, sumDays } from '../ledger/index.ts';
import { joinDirectories, openCellDirectory, openTimeZones, type MerchantDirectory } from '../merchants/index.ts';
import { openMessages, type Channel, type CollectedAt, type Messages } from '../messages/index.ts';
import { openNetworkDirectory, type NetworkDirectory } from '../networks/index.ts';
import { noticeWebhooks, openNotices } from '../notices/index.ts';
import {
  openReadUpdates,
  orderFaults,
  PAYER_FIELDS,
  payByMethod,
  registerOrders,
  sandboxMethod,
  type OpenOrders,
  type PayOrder,
} from '../orders/index.ts';
import { openRequests, openTally, type Gates, type Reason } from '../requests/index.ts';
import { isFromHere, openSandboxClock, registerSandbox, sandboxFaults } from '../sandbox/index.ts';
import { openSettlements } from '../settlements/index.ts';
import { registerUsers, type Users } from '../users/index.ts';
import { holdCell } from './cells/hold-cell.ts';
import type { Config } from './config.ts';
import { EXPORTED_LISTS } from './exported-lists.ts';
import { allProblems, manageFaults, type KnownCells } from '../manage/index.ts';
import { openPersonalKinds } from './personal-data.ts';
import { readDemoHome } from './demo/demo-home.ts';
import { serveHome, type DemoHome } from './demo/home.page.ts';
import { serveManage } from './manage.ts';
import type { Load } from './metrics.ts';
import { addApiDocument } from './openapi.ts';
import { registerProbes } from './probes.ts';
import { SERVICE_KEYS } from './keys/service-keys.ts';

/** Time-out of a statement. With the time to connect and to give up, every answer takes under five seconds. */
const STATEMENT_TIMEOUT_MS = 2_500;

export type Caudal = {
  readonly app: HttpServer;
  /** Home. */
  readonly db: Db;
  readonly cells: PerCell<{ readonly db: Db; readonly url: string; readonly name: string }>;
  readonly merchants: MerchantDirectory;
  readonly networks: NetworkDirectory;
  readonly messages: Messages;
  readonly users: Users;
  /** The clock of all rooms. In sandbox mode developers can move it. */
  readonly clock: Clock;
  /** Work that is due by the clock. Main runs it beside the server. */
  readonly jobs: readonly Job[];
  /** What this process has in hand now in one cell. */
  load(cell: number): Load;
  close(): Promise<void>;
};

export type CaudalOptions = {
  readonly config: Pick<
    Config,
    | 'mode'
    | 'isSandboxPublic'
    | 'databaseConnections'
    | 'cells'
    | 'checkoutUrl'
    | 'consoleUrl'
    | 'operatorName'
    | 'hasHome'
    | 'openId'
    | 'dialect'
    | 'referenceRestDays'
    | 'shortPasswordDays'
    | 'mail'
    | 'sms'
    | 'messagesPerHour'
    | 'trustedProxies'
    | 'processes'
    | 'servers'
    | 'unprovedPerSecond'
    | 'keptDays'
    | 'auditCheckpoints'
    | 'exportsMegabytes'
  >;
  /** A migrated database. */
  readonly url: string;
  readonly keys: MasterKeys;
  readonly clock: Clock;
  /** Draws a number of at least 0 and below 1. */
  readonly chance: () => number;
  /** The folder of the console's build. Undefined: this server has no console. */
  readonly consoleFolder?: string | undefined;
  readonly log: Log;
  /** The address of this server. A function, because a free port is known only once it listens. */
  readonly origin: () => string;
  readonly onRefused?: (reason: Reason) => void;
  /** Called for each message that is not sent because its recipient had too many. */
  readonly onOverLimit?: (channel: Channel) => void;
  readonly onAnswer?: (route: string, method: string, status: number, seconds: number) => void;
  /** Called for each refusal of a wire operation: its name, code and refusal. */
  readonly onRefusal?: (operation: string, code: string, refusal: string) => void;
  /** Called for each batch that has ended: its requests, and how long it took. */
  readonly onBatch?: (requests: number, seconds: number) => void;
  readonly tracer?: Tracer | undefined;
  /** Whether nothing is written while this machine's clock is far from the database's. A sandbox and most tests have a clock of their own. */
  readonly guardsClock?: boolean | undefined;
  /** Brings the database of a cell beside home to the schema of this release, before it is used. Absent: all of them have it. */
  readonly prepareCell?: ((cell: ServedCell, db: Db) => Promise<void>) | undefined;
  /** Stands before each database, for tests of processes that are killed between two statements. */
  readonly onDatabase?: ((db: Db) => Db) | undefined;
  /** How long a server that closes still answers on open connections. */
  readonly announceMs?: number | undefined;
};

/** Builds the whole service on its databases: every room with its routes. It does not listen yet. */
export async function openCaudal(options: CaudalOptions): Promise<Caudal> {
  const { config, keys } = options;
  const isSandbox = config.mode === 'sandbox';
  const foundation = await openFoundation(options);
  const { db, cells, clock, merchants, networks, serviceKeys, known, timeZoneOf } = foundation;
  const { app, readDocument } = await openApp(options, foundation);
  const { gates, ...requests } = await openGates(options, foundation);
  const { tally } = gates;
  const rooms = openRooms(app, options, foundation, { gates, limits: requests.limits, tally });
  const { recordLone } = rooms.audits.home;
  const { messages } = rooms.shared.home;
  const users = openUsers(app, options, foundation, { messages, countUnproved: requests.limits.countUnproved, recordLone });
  const live = openLive(app, options, foundation);
  const { exportJobs, mostStoredBytes } = openExports(options, foundation);
  const load = (): Load['requests'] => addNamed(rooms.shared.all.map(([, { engine }]) => engine.load()));
  const ofCells = mapCells(cells, (_, cell) => managedIn(cell, foundation, rooms, { merchants, ...requests }));
  const openKinds = openPersonalKinds({ cells, log: options.log }, serviceKeys.answerKey);
  const parts = { keys, users, events: live.events, openKinds, mostStoredBytes, load, cursorKey: serviceKeys.cursorKey };
  const management = serveManage({
    app,
    clock,
    merchants,
    known,
    timeZoneOf,
    ofCells,
    requests: { ...requests, tally },
    recordLone,
    ...parts,
  });
  serveDocs(app, () => ({ document: readDocument(), problems: allProblems(management) }), isSandbox);
  serveConsole(app, options.consoleFolder);
  if (isSandbox || config.hasHome) openHome(app, options, foundation, users);
  serveSandbox(app, options, foundation, { ...rooms, gates });
  return {
    app,
    db,
    cells,
    merchants,
    networks,
    messages,
    users,
    clock,
    jobs: [
      ...foundation.jobs,
      ...ofAllCells(cells, ({ guard, held }) => [guard, held].flatMap((part) => (part === undefined ? [] : [part.job]))),
      ...[requests, users, live, ...ofAllCells(rooms.withJobs, (own) => own)].flatMap(({ jobs }) => jobs),
      ...exportJobs,
    ],
    load: (cell) => ({ requests: rooms.shared.of(cell).engine.load(), connections: cells.of(cell).db.connections() }),
    close: async () => {
      for (const part of [app, users, ...rooms.toClose.map(closeAll), requests, foundation]) await part.close();
    },
  };
}

const closeAll = (parts: PerCell<{ close(): Promise<void> }>): { close(): Promise<void> } => ({
  close: async () => void (await Promise.all(parts.all.map(([, part]) => part.close()))),
});

/** Opens the server with its document and its probes. */
async function openApp(options: CaudalOptions, { cells }: Foundation) {
  const { config, log, onAnswer, tracer } = options;
  const { dialect } = config;
  const app = createHttpServer({
    log,
    faultEnvelopes: [manageFaults, cashoutFaults, ...(config.mode === 'sandbox' ? [sandboxCashoutFaults, sandboxFaults] : []), orderFaults],
    trustedProxies: config.trustedProxies,
    announceMs: options.announceMs ?? 0,
    rewriteUrl: dialect.hasCheckoutAtRoot ? rootToCheckout : undefined,
    ...(onAnswer === undefined ? {} : { onAnswer }),
    tracer,
  });
  const readDocument = await addApiDocument(app, noticeWebhooks(dialect));
  registerProbes(app, { cells: mapCells(cells, ({ name, db, guard }) => ({ name, db, notWriting: () => guard?.reason() })), log });
  return { app, readDocument };
}

type Rooms = ReturnType<typeof openRooms>;

/** Opens the rooms of orders, cashouts, notices and acts in each cell, with their routes. */
function openRooms(
  app: HttpServer,
  options: CaudalOptions,
  foundation: Foundation,
  { gates, ...counted }: Pick<Gates, 'limits' | 'tally'> & { readonly gates: Gates },
) {
  const { config, keys, clock: wallClock, chance, log, origin, tracer } = options;
  const { dialect, referenceRestDays, shortPasswordDays, keptDays } = config;
  const { cells, clock, merchants, serviceKeys } = foundation;
  const { tokenKey, cursorKey, otpKey } = serviceKeys;
  const isSandbox = config.mode === 'sandbox';
  const checkoutUrl = (): string => config.checkoutUrl ?? `${origin()}/checkout`;
  const rendering = mapCells(cells, ({ db }) => ({ db, keys, dialect, readUpdates: openReadUpdates(db) }));
  const delivery = { clock, wallClock, log, chance, tracer, isSandbox, keptDays: keptDays.notices };
  const shared = mapCells(cells, ({ db }, cell) => {
    const engine = openEngine({ db, clock, recordActs: recordDecided(PERSONAL_FIELDS), tracer, onBatch: options.onBatch });
    return { cell, db, clock, engine, merchants, messages: openOutbox(options, foundation, db), dialect };
  });
  const ofOrders = {
    referenceRestDays,
    keptPayersDays: keptDays.payers,
    checkoutUrl,
    tokenKey,
    cursorKey,
    otpKey,
    shortPasswordDays,
    isSandbox,
  };
  const orders = registerOrders(
    app,
    gates,
    mapCells(shared, (room) => ({ ...room, ...ofOrders })),
  );
  const checkout = openCheckout(app, options, foundation, { orders, ...counted });
  const ofCashouts = { cursorKey, otpKey, keptEndUsersDays: keptDays.endUsers, shortPasswordDays, isSandbox };
  const cashouts = registerCashouts(
    app,
    gates,
    mapCells(shared, (room) => ({ ...room, ...ofCashouts, acting: openActing(room.db, clock) })),
  );
  const audits = mapCells(cells, (own, cell) => openAuditLog(options, foundation, own, cell));
  const notices = mapCells(rendering, (own) => openNotices({ ...own, ...delivery }));
  const messages = mapCells(shared, (room) => room.messages);
  const settlements = mapCells(cells, ({ db }) => openSettlements({ db, home: cells.home.db, clock, log }));
  const inOrder = [notices, messages, orders, checkout, cashouts, settlements, audits] as const;
  return {
    shared,
    rendering,
    orders,
    checkout,
    cashouts,
    audits,
    checkoutUrl,
    withJobs: mapCells(cells, (_, cell) => inOrder.map((room) => room.of(cell))),
    toClose: [audits, checkout, notices, messages],
  };
}

/** What operations of the management API depend on in one cell. */
function managedIn<Requests>(
  cell: number,
  { cells, networks, sandboxClock }: Foundation,
  { shared, rendering, orders, checkout, cashouts, audits }: Rooms,
  requests: Requests,
) {
  const { name, db, url } = cells.of(cell);
  const { counter, deps } = cashouts.of(cell);
  const { messages } = shared.of(cell);
  const own = rendering.of(cell);
  return {
    name,
    db,
    url,
    rooms: { orders: orders.of(cell).deps, cashouts: deps, checkout: checkout.of(cell).deps, requests },
    chain: audits.of(cell).chain,
    rendering: own,
    sandbox: sandboxClock && {
      cell,
      ...own,
      clock: sandboxClock,
      networks,
      messages,
      orders: orders.of(cell),
      cashouts: counter,
      counterOf: (which: number) => cashouts.of(which).counter,
      atHome: { db: cells.home.db, keys: own.keys, clock: sandboxClock, networks },
    },
  };
}

/** Opens what every operation of merchants and networks shares. */
async function openGates(
  { config, url, log, tracer, onRefused = () => undefined, onRefusal = () => undefined }: CaudalOptions,
  { cells, clock, merchants, networks, serviceKeys: { answerKey } }: Foundation,
) {
  const exists = async (kind: 'merchant' | 'network', id: string): Promise<boolean> =>
    (await (kind === 'merchant' ? merchants : networks).find(id)) !== undefined;
  const tally = openTally({ log, onRefused, exists });
  const dbs = mapCells(cells, ({ db }) => db);
  const shared = { dbs, clock, url, log, merchants, networks, answerKey, tally, tracer };
  const { callers, networkGate, requestLog, ...requests } = await openRequests({ ...shared, limits: config });
  const { answerOnce, limits } = requests;
  const showsHashed = config.mode === 'sandbox';
  return { ...requests, gates: { callers, networkGate, answerOnce, limits, requestLog, tally, onRefusal, showsHashed, tracer } };
}

function openCheckout(
  app: HttpServer,
  { config, log }: CaudalOptions,
  { cells, clock, merchants, networks, serviceKeys: { tokenKey } }: Foundation,
  { orders, ...parts }: { readonly orders: PerCell<Pick<OpenOrders, 'payOrder'>> } & Pick<Gates, 'limits' | 'tally'>,
): PerCell<Checkout> {
  const room = { ...parts, clock, merchants, networks, tokenKey, log, operatorName: config.operatorName };
  return registerCheckout(
    app,
    mapCells(cells, ({ db }, cell) => {
      const { payOrder } = orders.of(cell);
      const simulatePayment =
        config.mode === 'sandbox' ? (payment: Omit<PayOrder, 'source'>) => payByMethod(sandboxMethod, payOrder, payment) : undefined;
      return { ...room, db, simulatePayment, keptViewsDays: config.keptDays.pageViews };
    }),
  );
}

/** A sandbox that its developer alone reaches. */
const isOwnSandbox = ({ mode, isSandboxPublic }: CaudalOptions['config']): boolean => mode === 'sandbox' && !isSandboxPublic;

/** Adds the page at `/`. Secrets are on it where the sandbox is its developer's own. */
function openHome(
  app: HttpServer,
  { config, keys, origin }: CaudalOptions,
  { db, merchants, clock }: Foundation,
  { ownerPath }: Pick<Users, 'ownerPath'>,
): void {
  const isSandbox = config.mode === 'sandbox';
  const readDemo = (): Promise<DemoHome | undefined> =>
    readDemoHome({ app, db, merchants, clock, keys, origin: config.consoleUrl ?? origin() });
  const own = isOwnSandbox(config) ? { readDemo, ownerPath } : {};
  serveHome(app, { operatorName: config.operatorName, isSandbox, ...own });
}

/** Adds what only a sandbox has. */
function serveSandbox(
  app: HttpServer,
  { config, keys, origin }: CaudalOptions,
  { db, networks, sandboxClock: clock, known, timeZoneOf }: Foundation,
  { shared, rendering, checkoutUrl, gates }: Rooms & { readonly gates: Gates },
): void {
  if (clock === undefined) return;
  const { dialect, isSandboxPublic: isPublic } = config;
  const ownUrls = (): string[] => [origin(), checkoutUrl(), config.consoleUrl ?? origin()];
  const names = { isPublic, ownUrls, otherFaults: orderFaults };
  const inboxes = { ...known, deps: mapCells(shared, (room, cell) => ({ ...room, ...rendering.of(cell) })) };
  registerSandbox(app, { db, keys, clock, networks, dialect, gates, names, inboxes, timeZoneOf });
}

function openUsers(
  app: HttpServer,
  { config, keys, clock, chance, log, origin }: CaudalOptions,
  { db, merchants, serviceKeys }: Foundation,
  parts: Pick<Parameters<typeof registerUsers>[1], 'messages' | 'countUnproved' | 'recordLone'>,
): Users {
  const consoleUrl = (): string => config.consoleUrl ?? origin();
  const isOfSandboxOwner = (request: Parameters<typeof isFromHere>[0]): boolean => isOwnSandbox(config) && isFromHere(request);
  const shared = { db, merchants, clock, chance, keys, log, consoleUrl, recordActs, isOfSandboxOwner };
  return registerUsers(app, { ...parts, ...shared, challengeKey: serviceKeys.cursorKey, openId: config.openId });
}

/** The audit log holds the names of these fields, not their values. */
const PERSONAL_FIELDS: ReadonlySet<string> = new Set([...PAYER_FIELDS, ...END_USER_FIELDS]);

function openAuditLog(
  { config, clock: wallClock, log }: CaudalOptions,
  { db: home, serviceKeys: { auditKey: key } }: Foundation,
  { name: cellName, db }: { readonly name: string; readonly db: Db },
  cell: number,
): Audit {
  const { keptDays, auditCheckpoints } = config;
  // Each cell has a chain of its own.
  const checkpoints = auditCheckpoints && cell !== HOME ? checkpointPlaceOf(cellName, auditCheckpoints) : auditCheckpoints;
  const cellNamed = async (name: string): Promise<number | undefined> =>
    name === HOME_NAME ? HOME : (await readCells(home)).find((row) => row.name === name)?.cell;
  return openAudit({ db, wallClock, log, key, keptDays: keptDays.acts, checkpoints, cellName, cellNamed });
}

function openExports({ config, log }: CaudalOptions, { db, cells, known, clock }: Foundation) {
  const mostStoredBytes = config.exportsMegabytes * 1024 * 1024;
  return {
    mostStoredBytes,
    exportJobs: makeExports({ db, cells, cellOf: known.cellOf, clock, log, lists: EXPORTED_LISTS, mostStoredBytes }),
  };
}

function openOutbox({ config, log, onOverLimit }: CaudalOptions, { clock, networks, serviceKeys }: Foundation, db: Db): Messages {
  const { mode, mail, sms, keptDays, messagesPerHour: perHour, operatorName } = config;
  const collectedAt: CollectedAt = async (country, currency) => (await networks.servingIn(country, currency)).map(({ name }) => name);
  const settings = {
    mail,
    sms,
    isSandbox: mode === 'sandbox',
    keptDays: keptDays.messages,
    perHour,
    surroundings: { collectedAt, operatorName },
  };
  return openMessages({ db, clock, log, key: serviceKeys.messageKey, ...settings, ...(onOverLimit === undefined ? {} : { onOverLimit }) });
}

/** Opens live events, and what is due for them, for figures and for the ledger. The end of the server ends all streams: it would wait for them. */
function openLive(app: HttpServer, { clock: wallClock, log }: CaudalOptions, { cells, clock }: Foundation) {
  const events = joinEvents(
    mapCells(cells, ({ db }) => openEvents({ db, log, isOneOfSeveral: cells.all.length > 1 })),
    log,
  );
  app.addHook('preClose', () => events.close());
  const jobs = ofAllCells(cells, ({ db, url }) => [
    pruneChanges(db, clock),
    countFigures({ db, url, clock, log }),
    sumDays(db, clock, wallClock),
    keepFunds({ db, clock, acting: openActing(db, clock), log }, wallClock),
  ]);
  return { events, jobs };
}

type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Opens what every room needs: database, clock, keys, directories. In sandbox mode the clock can be moved. */
async function openFoundation(options: CaudalOptions) {
  const { config, url, keys, clock: machineClock, log, tracer, guardsClock = false, prepareCell, onDatabase = (db) => db } = options;
  const connect = async (cell: Pick<ServedCell, 'cell' | 'name' | 'url'>, other?: ServedCell) => {
    const settings = { log, connections: config.databaseConnections, statementTimeoutMs: STATEMENT_TIMEOUT_MS, tracer };
    const pool = openDb({ ...settings, url: cell.url });
    const held = other && prepareCell && (await holdCell({ name: other.name, db: pool, log }, () => prepareCell(other, pool)));
    const guard = guardsClock ? guardClock({ db: held?.db ?? pool, clock: machineClock, log }) : undefined;
    // A cell that is away keeps no other one from being served.
    await guard?.compare().catch((error: unknown) => {
      if (other === undefined || !(error instanceof Unavailable)) throw error;
    });
    return { ...cell, db: { ...pool, ...onDatabase({ ...pool, ...held?.db, ...guard?.db }) }, guard, held };
  };
  const home = await connect({ cell: HOME, name: HOME_NAME, url });
  const { db } = home;
  const sandboxClock = config.mode === 'sandbox' ? await openSandboxClock({ db, url, clock: machineClock, log }) : undefined;
  const clock: Clock = sandboxClock ?? machineClock;
  const { byName, job: keyJob } = await openServiceKeys({ db, keys, clock }, SERVICE_KEYS);
  const serviceKeys = {
    tokenKey: byName['checkout-token'],
    cursorKey: byName['list-cursor'],
    otpKey: byName['one-time-password'],
    answerKey: byName['kept-answers'],
    messageKey: byName.messages,
    auditKey: byName['audit-log'],
  };
  const listed = await readCells(db);
  const served = servedCells(listed, keys, config.cells);
  const unserved = watchCells(db, listed, served);
  const others = await Promise.all(served.map((other) => connect(other, other)));
  const opened = [home, ...others].map(async (cell) => ({
    ...cell,
    directory: await openCellDirectory({ ...cell, keys, log }),
  }));
  const cells = perCell(new Map((await Promise.all(opened)).map((one) => [one.cell, one])), unserved.isNone);
  const merchants = joinDirectories(
    mapCells(cells, ({ directory }) => directory),
    clock,
  );
  const known: KnownCells = {
    cellOf: async (merchantId) => (await merchants.find(merchantId))?.cell ?? HOME,
    exists: (cell) => isCellKnown(db, cell),
    nameOf: (cell) => cells.of(cell).name,
    unserved: unserved.names,
  };
  const timeZoneOf = openTimeZones(cells, known.cellOf);
  const networks = await openNetworkDirectory({ db, url, keys, clock, log });
  const close = async (): Promise<void> => {
    await merchants.close();
    await networks.close();
    await sandboxClock?.close();
    for (const [, own] of cells.all) await own.db.close();
  };
  const jobs = [keyJob, unserved.job];
  return { db, cells, known, timeZoneOf, clock, sandboxClock, merchants, networks, serviceKeys, jobs, close };
}
