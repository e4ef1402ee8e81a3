import { setTimeout as delay } from 'node:timers/promises';
import { statement, Unavailable, type Db } from '../src/kit/db.ts';
import type { Clock } from '../src/kit/clock.ts';
import { createLog } from '../src/kit/log.ts';
import type { MasterKeys } from '../src/kit/secrets.ts';
import { openCaudal, type Caudal } from '../src/main/rooms.ts';
import { openEngine } from '../src/kit/changes/engine.ts';
import { openGivingBack, type GivingBack } from '../src/orders/payments/give-back-payment.ts';
import { named } from './away.ts';
import { REST_DAYS } from './model/order-state.ts';
import { openDatabaseProxy, type DatabaseProxy } from '../src/testing/database-proxy.ts';
import { steppedDb } from '../src/testing/stepped-db.ts';
import { CONTRACT_DIALECT } from '../src/requests/index.ts';

/** One of the servers on the database. */
export type Server = {
  readonly name: string;
  readonly service: Caudal;
  /** The operator's commands, on this server's database connections. */
  readonly givingBack: (cell: number) => GivingBack;
  /**
   * Ends the server behind so many more statements and transactions, in whichever database: between any two steps of what it does in several.
   * Another opens in its place.
   */
  dieBehind(steps: number): Promise<void>;
  /**
   * Breaks all its connections to the database, and waits until the database has noticed. The network may hold answers back before
   * that: then nobody knows what was done.
   */
  cut(afterMs: number): Promise<void>;
  /** True while it closes: it takes no requests then. */
  isClosing(): boolean;
  /** Closes the server while requests are in flight, and opens another in its place. */
  restart(): Promise<void>;
  /**
   * Ends the server as SIGKILL does, as far as others see it. Its connections are reset, and it never reaches the database again. What it had
   * in memory is lost. Another opens in its place. Undefined: the server is connected without a proxy.
   */
  readonly die: ((afterMs: number) => Promise<void>) | undefined;
  close(): Promise<void>;
};

const CONFIG = {
  mode: 'sandbox',
  isSandboxPublic: false,
  databaseConnections: 3,
  cells: undefined,
  checkoutUrl: 'https://pay.example/checkout',
  consoleUrl: undefined,
  operatorName: undefined,
  hasHome: true,
  openId: undefined,
  dialect: CONTRACT_DIALECT,
  referenceRestDays: REST_DAYS,
  shortPasswordDays: 1,
  mail: undefined,
  sms: undefined,
  messagesPerHour: { mail: undefined, sms: undefined },
  trustedProxies: [],
  processes: 1,
  servers: 1,
  unprovedPerSecond: 1_000_000,
  keptDays: { payers: 3650, endUsers: 3650, messages: 30, notices: 90, acts: 2557, pageViews: 400 },
  auditCheckpoints: undefined,
  exportsMegabytes: 100,
} as const;

const END = statement('simulation.end_connections', 'select pg_terminate_backend(pid) from unnest($1::integer[]) as pid');
const CONNECTED = statement('simulation.connected', 'select pid from pg_stat_activity where application_name = $1');
const STILL_THERE = statement('simulation.still_there', 'select pid from pg_stat_activity where pid = any($1::integer[])');

/** Of a server that may be killed: how many statements and transactions it still sends. */
type Life = { left: number };

/** How long a server may take to come to the step before which it is killed. */
const GAP_MS = 60;

const whileAlive = (life: Life, db: Db): Db =>
  steppedDb(async () => {
    if (life.left-- <= 0) throw new Unavailable('this server was killed');
  }, db);

/** Waits until it has sent so many more, or has nothing to send. */
async function endLife(life: Life, steps: number): Promise<void> {
  life.left = steps;
  for (const endsAt = performance.now() + GAP_MS; life.left > 0 && performance.now() < endsAt;) await delay(1);
  life.left = 0;
}

type Opened = { readonly service: Caudal; readonly life: Life };

const origin = (): string => 'http://127.0.0.1';

async function openService(deps: Pick<ServerDeps, 'keys' | 'clock' | 'chance'>, url: string): Promise<Opened> {
  const life: Life = { left: Infinity };
  const onDatabase = (db: Db): Db => whileAlive(life, db);
  const service = await openCaudal({ ...deps, config: CONFIG, url, log: createLog('silent'), origin, onDatabase });
  await service.app.ready();
  return { service, life };
}

type ServerDeps = {
  readonly url: string;
  readonly keys: MasterKeys;
  readonly clock: Clock;
  /** Draws the pauses of notices that are sent again. */
  readonly chance: () => number;
  readonly control: Db;
  /** What breaks its connections. `network` runs them through a proxy, which is slower. */
  readonly breaksBy: 'network' | 'database';
};

/** How long the database may take to end connections that are cut or closed. */
const GONE_MS = 30_000;

/** The processes of the database that serve an application, and a wait for their end. */
function connectionsOf(control: Db, application: string) {
  return {
    processes: async (): Promise<number[]> => (await control.query<{ pid: number }>(CONNECTED, [application])).map(({ pid }) => pid),
    untilGone: async (gone: readonly number[]): Promise<void> => {
      const endsAt = performance.now() + GONE_MS;
      while ((await control.query(STILL_THERE, [gone])).length > 0) {
        if (performance.now() > endsAt)
          throw new Error(`connections of ${application} are still there ${GONE_MS} ms after they were ended`);
        await delay(1);
      }
    },
  };
}

/**
 * Opens a server of the simulation.
 * Effects: after a cut or a restart everything on its old connections is committed or rolled back.
 */
export async function openServer(name: string, { url, keys, clock, chance, control, breaksBy }: ServerDeps): Promise<Server> {
  let proxy: DatabaseProxy | undefined = breaksBy === 'network' ? await openDatabaseProxy(url) : undefined;
  const application = `caudal simulation ${name}`;
  const open = (): Promise<Opened> => openService({ keys, clock, chance }, named(proxy?.url ?? url, application));
  let { service, life } = await open();
  let isClosing = false;
  const { processes, untilGone } = connectionsOf(control, application);
  const die = async (afterMs: number): Promise<void> => {
    const dead = { service, proxy };
    dead.proxy?.hold();
    await delay(afterMs);
    isClosing = true;
    dead.proxy?.refuse(true);
    dead.proxy?.cut();
    // It makes no new ones.
    await untilGone(await processes());
    proxy = await openDatabaseProxy(url);
    ({ service, life } = await open());
    // What it still tries to write on its way out arrives nowhere.
    await dead.service.close().catch(() => undefined);
    await dead.proxy?.close();
    isClosing = false;
  };

  return {
    name,
    get service() {
      return service;
    },
    givingBack: (cell) => {
      const { db } = service.cells.of(cell);
      return openGivingBack({ db, engine: openEngine({ db, clock }) });
    },
    dieBehind: async (steps) => {
      const dead = { service, life };
      await endLife(dead.life, steps);
      isClosing = true;
      ({ service, life } = await open());
      await dead.service.close().catch(() => undefined);
      isClosing = false;
    },
    isClosing: () => isClosing,
    cut: async (afterMs) => {
      proxy?.hold();
      await delay(afterMs);
      const connected = await processes();
      if (proxy === undefined) await control.query(END, [connected]);
      proxy?.cut();
      proxy?.release();
      await untilGone(connected);
    },
    restart: async () => {
      const connected = await processes();
      isClosing = true;
      await service.close();
      await untilGone(connected);
      ({ service, life } = await open());
      isClosing = false;
    },
    die: proxy && die,
    close: async () => {
      await service.close();
      await proxy?.close();
    },
  };
}
