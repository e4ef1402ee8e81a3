import { openAudit, recordActs, recordDecided, type Audit } from '../audit/index.ts';
import { registerCheckout, rootToCheckout, type Checkout } from '../checkout/index.ts';
import { cashoutFaults, END_USER_FIELDS, registerCashouts, sandboxCashoutFaults } from '../cashouts/index.ts';
import { serveConsole } from '../console/index.ts';
import { serveDocs } from '../docs/index.ts';
import { openEvents, pruneChanges } from '../events/index.ts';
import { countFigures } from '../figures/index.ts';
import type { Clock } from '../kit/clock.ts';
import { makeExports } from '../exports/make-exports.job.ts';
import { openDb, type Db } from '../kit/db.ts';
import { guardClock } from '../kit/db/clock-guard.ts';
import { openEngine } from '../kit/changes/engine.ts';
import { createHttpServer, type HttpServer } from '../kit/http.ts';
import type { Job } from '../kit/jobs.ts';
import type { Log } from '../kit/log.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import type { Tracer } from '../kit/traces/tracer.ts';
import { openServiceKeys } from '../kit/keys/service-keys.ts';
import { sumDays } from '../ledger/index.ts';
import { openMerchantDirectory, type MerchantDirectory } from '../merchants/index.ts';
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
import { openRequests, openTally, type Reason } from '../requests/index.ts';
import { isFromHere, openSandboxClock, registerSandbox, sandboxFaults, type Sandbox } from '../sandbox/index.ts';
import { registerUsers, type Users } from '../users/index.ts';
import type { Config } from './config.ts';
import { EXPORTED_LISTS } from './exported-lists.ts';
import { allProblems, manageFaults } from '../manage/index.ts';
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
  readonly db: Db;
  readonly merchants: MerchantDirectory;
  readonly networks: NetworkDirectory;
  readonly messages: Messages;
  readonly users: Users;
  /** The clock of all rooms. In sandbox mode developers can move it. */
  readonly clock: Clock;
  /** Work that is due by the clock. Main runs it beside the server. */
  readonly jobs: readonly Job[];
  /** What this process has in hand now. */
  load(): Load;
  close(): Promise<void>;
};

export type CaudalOptions = {
  readonly config: Pick<
    Config,
    | 'mode'
    | 'isSandboxPublic'
    | 'databaseConnections'
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
  /** How long a server that closes still answers on open connections. */
  readonly announceMs?: number | undefined;
};

/** Builds the whole service on one database: every room with its routes. It does not listen yet. */
export async function openCaudal(options: CaudalOptions): Promise<Caudal> {
  const { config, keys, clock: machineClock, chance, log, origin, onAnswer, tracer } = options;
  const { dialect, referenceRestDays, keptDays } = config;
  const isSandbox = config.mode === 'sandbox';
  const foundation = await openFoundation(options);
  const { db, clock, sandboxClock, merchants, networks, serviceKeys } = foundation;
  const { tokenKey, cursorKey, otpKey, answerKey } = serviceKeys;
  const app = createHttpServer({
    log,
    faultEnvelopes: [manageFaults, cashoutFaults, ...(isSandbox ? [sandboxCashoutFaults, sandboxFaults] : []), orderFaults],
    trustedProxies: config.trustedProxies,
    announceMs: options.announceMs ?? 0,
    rewriteUrl: dialect.hasCheckoutAtRoot ? rootToCheckout : undefined,
    ...(onAnswer === undefined ? {} : { onAnswer }),
    tracer,
  });

  const readDocument = await addApiDocument(app, noticeWebhooks(dialect));
  registerProbes(app, { db, log, notWriting: () => foundation.guard?.reason() });
  const checkoutUrl = (): string => config.checkoutUrl ?? `${origin()}/checkout`;
  const messages = openOutbox(options, foundation);
  const { gates, ...requests } = await openGates(options, foundation);
  const { tally } = gates;
  const engine = openEngine({ db, clock, recordActs: recordDecided(PERSONAL_FIELDS), tracer, onBatch: options.onBatch });
  const shared = { db, clock, engine, merchants, gates, messages, dialect };
  const orders = registerOrders(app, { ...shared, referenceRestDays, keptPayersDays: keptDays.payers, checkoutUrl, tokenKey });
  const checkout = openCheckout(app, options, foundation, { payOrder: orders.payOrder, limits: requests.limits, tally });
  const cashouts = registerCashouts(app, {
    ...shared,
    cursorKey,
    otpKey,
    keptEndUsersDays: keptDays.endUsers,
    shortPasswordDays: config.shortPasswordDays,
    isSandbox,
  });
  const rendering = { db, keys, dialect, readUpdates: openReadUpdates(db) };
  const { recordLone, chain, ...audit } = openAuditLog(options, foundation);
  const users = openUsers(app, options, foundation, { messages, countUnproved: requests.limits.countUnproved, recordLone });
  const delivery = { clock, wallClock: machineClock, log, chance, tracer };
  const notices = openNotices({ ...rendering, ...delivery, isSandbox, keptDays: keptDays.notices });
  const live = openLive(app, options, foundation);
  const { exportJobs, mostStoredBytes } = openExports(options, foundation);
  const rooms = { orders: orders.deps, cashouts: cashouts.deps, checkout: checkout.deps, requests: { merchants, ...requests } };
  const parts = { keys, users, events: live.events, openKinds: openPersonalKinds(options, answerKey), mostStoredBytes, load: engine.load };
  const sandbox = sandboxClock && { ...rendering, clock: sandboxClock, networks, messages, orders, cashouts: cashouts.counter };
  const room = { rooms, requests: { ...requests, tally }, cursorKey, recordLone, chain, rendering, sandbox, ...parts };
  const management = serveManage({ app, db, clock, ...room });
  serveDocs(app, () => ({ document: readDocument(), problems: allProblems(management) }), isSandbox);
  serveConsole(app, options.consoleFolder);
  if (isSandbox || config.hasHome) openHome(app, options, foundation, users);
  if (sandbox !== undefined) serveSandbox(app, options, checkoutUrl, { ...sandbox, gates });

  return {
    app,
    db,
    merchants,
    networks,
    messages,
    users,
    clock,
    jobs: [
      foundation.keyJob,
      ...(foundation.guard === undefined ? [] : [foundation.guard.job]),
      ...[requests, notices, messages, orders, checkout, cashouts, users, live, audit].flatMap(({ jobs }) => jobs),
      ...exportJobs,
    ],
    load: () => ({ requests: engine.load(), connections: foundation.db.connections() }),
    close: async () => {
      for (const part of [app, users, audit, checkout, notices, messages, requests, foundation]) await part.close();
    },
  };
}

/** Opens what every operation of merchants and networks shares. */
async function openGates(
  { config, url, log, tracer, onRefused = () => undefined, onRefusal = () => undefined }: CaudalOptions,
  { db, clock, merchants, networks, serviceKeys: { answerKey } }: Foundation,
) {
  const exists = async (kind: 'merchant' | 'network', id: string): Promise<boolean> =>
    (await (kind === 'merchant' ? merchants : networks).find(id)) !== undefined;
  const tally = openTally({ log, onRefused, exists });
  const shared = { db, clock, url, log, merchants, networks, answerKey, tally, tracer };
  const { callers, networkGate, requestLog, ...requests } = await openRequests({ ...shared, limits: config });
  const { answerOnce, limits } = requests;
  const showsHashed = config.mode === 'sandbox';
  return { ...requests, gates: { callers, networkGate, answerOnce, limits, requestLog, tally, onRefusal, showsHashed, tracer } };
}

function openCheckout(
  app: HttpServer,
  { config, log }: CaudalOptions,
  { db, clock, merchants, networks, serviceKeys: { tokenKey } }: Foundation,
  { payOrder, ...parts }: { readonly payOrder: OpenOrders['payOrder'] } & Pick<Parameters<typeof registerCheckout>[1], 'limits' | 'tally'>,
): Checkout {
  const simulatePayment =
    config.mode === 'sandbox' ? (payment: Omit<PayOrder, 'source'>) => payByMethod(sandboxMethod, payOrder, payment) : undefined;
  const room = { ...parts, db, clock, merchants, networks, tokenKey, simulatePayment, log, operatorName: config.operatorName };
  return registerCheckout(app, { ...room, keptViewsDays: config.keptDays.pageViews });
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
function serveSandbox(app: HttpServer, { config, origin }: CaudalOptions, checkoutUrl: () => string, room: Omit<Sandbox, 'names'>): void {
  const ownUrls = (): string[] => [origin(), checkoutUrl(), config.consoleUrl ?? origin()];
  registerSandbox(app, { ...room, names: { isPublic: config.isSandboxPublic, ownUrls, otherFaults: orderFaults } });
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

function openAuditLog({ config, clock: wallClock, log }: CaudalOptions, { db, serviceKeys: { auditKey: key } }: Foundation): Audit {
  const { keptDays, auditCheckpoints: checkpoints } = config;
  return openAudit({ db, wallClock, log, key, keptDays: keptDays.acts, checkpoints });
}

function openExports({ config, url, log }: CaudalOptions, { db, clock }: Foundation) {
  const mostStoredBytes = config.exportsMegabytes * 1024 * 1024;
  return { mostStoredBytes, exportJobs: makeExports({ db, url, clock, log, lists: EXPORTED_LISTS, mostStoredBytes }) };
}

function openOutbox({ config, log, onOverLimit }: CaudalOptions, { db, clock, networks, serviceKeys }: Foundation): Messages {
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

/** Opens live events, and what is due for them, for figures and for days of the ledger. The end of the server ends all streams: it would wait for them. */
function openLive(app: HttpServer, { url, clock: wallClock, log }: CaudalOptions, { db, clock }: Foundation) {
  const events = openEvents({ db, log });
  app.addHook('preClose', () => events.close());
  return { events, jobs: [pruneChanges(db, clock), countFigures({ db, url, clock, log }), sumDays(db, clock, wallClock)] };
}

type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Opens what every room needs: database, clock, keys, directories. In sandbox mode the clock can be moved. */
async function openFoundation({ config, url, keys, clock: machineClock, log, tracer, guardsClock = false }: CaudalOptions) {
  const pool = openDb({ url, log, connections: config.databaseConnections, statementTimeoutMs: STATEMENT_TIMEOUT_MS, tracer });
  const guard = guardsClock ? guardClock({ db: pool, clock: machineClock, log }) : undefined;
  await guard?.compare();
  const db = { ...pool, ...guard?.db };
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
  const merchants = await openMerchantDirectory({ db, url, keys, clock, log });
  const networks = await openNetworkDirectory({ db, url, keys, clock, log });
  const close = async (): Promise<void> => {
    await merchants.close();
    await networks.close();
    await sandboxClock?.close();
    await db.close();
  };
  return { db, guard, clock, sandboxClock, merchants, networks, serviceKeys, keyJob, close };
}
