import { openCashouts } from '../../cashouts/index.ts';
import type { Act } from '../../kit/changes/act.ts';
import { openEngine } from '../../kit/changes/engine.ts';
import type { Clock } from '../../kit/clock.ts';
import { homeOf, nameOfCell, ofMerchant, reachedCells, ServiceRefused, type Connection, type Here } from '../../kit/command-line.ts';
import { openServiceKeys } from '../../kit/keys/service-keys.ts';
import type { Db } from '../../kit/db.ts';
import { createLog } from '../../kit/log.ts';
import { migrationCheck } from '../../kit/migrate.ts';
import { mapCells, ofAllCells, perCell } from '../../kit/per-cell.ts';
import { cellsOf, runHere, type ManagementOperation, type PagePosition } from '../../manage/index.ts';
import {
  joinDirectories,
  MERCHANT_READS,
  openCellDirectory,
  openPlacing,
  openTimeZones,
  showMerchant,
  type CellDirectory,
} from '../../merchants/index.ts';
import type { Messages } from '../../messages/index.ts';
import { openNetworkDirectory } from '../../networks/index.ts';
import { openOrderClaims, openOrders, openReadUpdates } from '../../orders/index.ts';
import { runAloneOnce } from '../../requests/index.ts';
import { openSandboxClock } from '../../sandbox/index.ts';
import { openStatementTurns } from '../../statements/index.ts';
import type { Config } from '../config.ts';
import { mailsUsers, needsRooms, ofUsers, sandboxOnly } from '../manage.ts';
import { MIGRATIONS } from '../migrations.ts';

type OperationSettings = Pick<Config, 'dialect' | 'referenceRestDays' | 'shortPasswordDays'> & {
  readonly checkoutUrl: string;
  /** Where links of mails to users lead. */
  readonly consoleUrl: string;
  /** The clock of a sandbox is ahead of it. */
  readonly machineClock: Clock;
};

type Parts = Parameters<Here['call']>[1];

/** Opens what writes messages in the cell of a connection. */
type OpenMessages = (connection: Connection) => Promise<Messages>;

/** The most items of a page. */
const MAX_PAGE = 200;

/**
 * Carries out operations of the management API for a command on the database itself.
 * What most of them need is there with the connection. Orders, cashouts and the sandbox are opened with the first operation of theirs.
 * The database of the connection records the act of the command, so the operations record none. They say what it is done on.
 */
export function openOperations(connection: Connection, openMessages: OpenMessages, settings: OperationSettings): Here {
  const { actor, isSandbox } = connection;
  const { deps: light } = cellsOf(connection, lightDeps(connection, settings));
  let rooms: ReturnType<typeof openRooms> | undefined;
  let outbox: Promise<Messages> | undefined;
  const users = usersOf(connection, settings);
  // Which operations may be asked for here is a matter of the commands. A test asks for each of them.
  const run = async (operation: object, parts: Parts = {}, after?: PagePosition): Promise<unknown> => {
    if (!isSandbox && sandboxOnly.has(operation)) throw new ServiceRefused('unknown_route', 'Unknown path.', 1);
    if (needsRooms.has(operation)) rooms ??= openRooms(connection, openMessages, settings);
    if (mailsUsers.has(operation)) outbox ??= openMessages(connection);
    const isOfUsers = ofUsers.has(operation);
    const [ofUsersToo, opened] = [isOfUsers && { ...users, messages: await outbox }, isOfUsers ? undefined : (await rooms)?.deps];
    const cells = cellsOf(connection, (_own, cell) => ({ ...light.of(cell), ...ofUsersToo, ...opened?.of(cell) }));
    return runHere(operation as ManagementOperation<never>, parts, actor, cells as never, after);
  };
  return {
    call: async (operation, parts) => (await run(operation, parts)) as never,
    list: async (operation, limit, parts = {}, isLast = () => false) => {
      const items: never[] = [];
      let next: PagePosition | undefined;
      do {
        const query = { ...parts.query, limit: Math.min(MAX_PAGE, limit - items.length) };
        const page = (await run(operation, { ...parts, query }, next)) as { items: never[]; next: PagePosition | undefined };
        items.push(...page.items);
        next = page.items.some(isLast) ? undefined : page.next;
      } while (next !== undefined && items.length < limit);
      return { items, isMore: next !== undefined };
    },
    download: async (operation, parts, sink) => {
      let bytes = 0;
      for await (const part of (await run(operation, parts)) as AsyncIterable<Uint8Array>) {
        await sink(part);
        bytes += part.length;
      }
      return bytes;
    },
    close: async () => {
      await (await rooms)?.close();
      await (await outbox)?.close();
    },
  };
}

/** What operations on users and access tokens depend on. Their clock is the machine's: a sandbox's own may have moved. */
const usersOf = (connection: Connection, { consoleUrl, machineClock }: OperationSettings) => ({
  clock: machineClock,
  merchants: {
    find: async (merchantId: string) => showMerchant(await ofMerchant(connection, merchantId), merchantId, connection.clock.now()),
  },
  consoleUrl: () => consoleUrl,
  recordActs: () => undefined,
});

const ofOwn = ({ db, dbOn }: Connection) => ({ db, acting: (act: Act): Db => dbOn?.(act) ?? db });

/** What operations depend on in each cell that no room has to be opened for. */
const lightDeps = (connection: Connection, settings: OperationSettings) => {
  const { connections: served } = reachedCells(connection);
  // The act of a creation is in the cell of the merchant. That its id was taken at home is no act of its own.
  const place = openPlacing({ db: homeOf(connection).ownDb, clock: connection.clock, served });
  const { deps: dbs, cellOf } = cellsOf(connection, ({ ownDb: db }) => ({ db }));
  const timeZoneOf = openTimeZones(dbs, cellOf);
  const turns = openStatementTurns();
  return (own: Connection, cell: number) => ({
    ...ofOwn(own),
    home: homeOf(connection).ownDb,
    url: own.url,
    clock: own.clock,
    keys: own.keys,
    isSandbox: own.isSandbox,
    timeZoneOf,
    turns,
    dialect: settings.dialect,
    readUpdates: openReadUpdates(own.db),
    runOnce: runAloneOnce,
    cell,
    cellName: nameOfCell(connection, cell),
    place,
    served,
    inCell: (which: number) => ofOwn(served.isAlone ? served.home : served.of(which)),
    isServer: false,
    ofHome: MERCHANT_READS,
    isBehind: migrationCheck(MIGRATIONS),
  });
};

/** Opens orders, cashouts and the sandbox in each cell. */
async function openRooms(connection: Connection, openMessages: OpenMessages, settings: OperationSettings) {
  const { clock, keys, isSandbox } = connection;
  const { url, db, ownDb } = homeOf(connection);
  const log = createLog('silent');
  const { byName } = await openServiceKeys({ db: ownDb, keys, clock }, ['checkout-token', 'list-cursor', 'one-time-password']);
  const sandboxClock = isSandbox ? await openSandboxClock({ db, url, clock: settings.machineClock, log }) : undefined;
  const networks = await openNetworkDirectory({ db: ownDb, url, keys, clock, log });
  const { connections } = reachedCells(connection);
  const opened = new Map<number, { readonly directory: CellDirectory; readonly messages: Messages }>();
  for (const [cell, own] of connections.all) {
    const directory = await openCellDirectory({ cell, db: own.ownDb, url: own.url, keys, log });
    opened.set(cell, { directory, messages: await openMessages(own) });
  }
  const parts = perCell(opened);
  const merchants = joinDirectories(
    mapCells(parts, ({ directory }) => directory),
    clock,
  );
  const { dialect, referenceRestDays, shortPasswordDays } = settings;
  const cashoutKeys = { cursorKey: byName['list-cursor'], otpKey: byName['one-time-password'] };
  // What is claimed at home is no act of its own.
  const dbs = mapCells(connections, (own) => own.ownDb);
  const rooms = mapCells(connections, (own, cell) => {
    const { messages } = parts.of(cell);
    const shared = { cell, db: own.db, clock, keys, engine: openEngine({ db: own.db, clock }), merchants, messages, dialect, isSandbox };
    const orders = openOrders({
      ...shared,
      referenceRestDays,
      checkoutUrl: () => settings.checkoutUrl,
      tokenKey: byName['checkout-token'],
      cursorKey: byName['list-cursor'],
      otpKey: byName['one-time-password'],
      shortPasswordDays,
      claims: openOrderClaims({ dbs, cell, clock, restDays: referenceRestDays, stocked: 1 }),
    });
    const cashouts = openCashouts({ ...shared, ...cashoutKeys, shortPasswordDays, dbs });
    return { shared, orders, cashouts };
  });
  const sandbox = sandboxClock && {
    clock: sandboxClock,
    counterOf: (cell: number) => rooms.of(cell).cashouts,
    atHome: { db, keys, clock, networks },
  };
  const deps = mapCells(rooms, ({ shared, orders, cashouts }) => ({
    ...shared,
    ...orders,
    ...cashouts,
    ...(sandbox && { ...sandbox, orders, cashouts }),
  }));
  return {
    deps,
    close: async () => {
      for (const part of [merchants, networks, ...ofAllCells(parts, ({ messages }) => [messages])]) await part.close();
      await sandboxClock?.close();
    },
  };
}
