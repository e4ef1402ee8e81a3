import { HOME_NAME } from '../../cells/index.ts';
import { openCashouts } from '../../cashouts/index.ts';
import { openEngine } from '../../kit/changes/engine.ts';
import type { Clock } from '../../kit/clock.ts';
import { ServiceRefused, type Connection, type Here } from '../../kit/command-line.ts';
import { openServiceKeys } from '../../kit/keys/service-keys.ts';
import { createLog } from '../../kit/log.ts';
import { runHere, type ManagementOperation, type PagePosition } from '../../manage/index.ts';
import { HOME } from '../../kit/per-cell.ts';
import { commonZone, openMerchantDirectory, openPlacing, showMerchant } from '../../merchants/index.ts';
import type { Messages } from '../../messages/index.ts';
import { openNetworkDirectory } from '../../networks/index.ts';
import { openOrders, openReadUpdates } from '../../orders/index.ts';
import { runAloneOnce } from '../../requests/index.ts';
import { openSandboxClock } from '../../sandbox/index.ts';
import type { Config } from '../config.ts';
import { mailsUsers, needsRooms, ofUsers, sandboxOnly } from '../manage.ts';

type OperationSettings = Pick<Config, 'dialect' | 'referenceRestDays' | 'shortPasswordDays'> & {
  readonly checkoutUrl: string;
  /** Where links of mails to users lead. */
  readonly consoleUrl: string;
  /** The clock of a sandbox is ahead of it. */
  readonly machineClock: Clock;
};

type Parts = Parameters<Here['call']>[1];

/** The most items of a page. */
const MAX_PAGE = 200;

/**
 * Carries out operations of the management API for a command on the database itself.
 * What most of them need is there with the connection. Orders, cashouts and the sandbox are opened with the first operation of theirs.
 * The database of the connection records the act of the command, so the operations record none.
 */
export function openOperations(connection: Connection, openMessages: () => Promise<Messages>, settings: OperationSettings): Here {
  const { db, clock, keys, actor, isSandbox } = connection;
  const timeZoneOf = (merchantId: string | undefined): Promise<string | undefined> => commonZone({ db }, merchantId);
  const rendering = { dialect: settings.dialect, readUpdates: openReadUpdates(db) };
  const light = {
    db,
    clock,
    keys,
    isSandbox,
    timeZoneOf,
    ...rendering,
    acting: () => db,
    runOnce: runAloneOnce,
    cell: HOME,
    cellName: HOME_NAME,
    place: openPlacing({ db, clock }),
  };
  let rooms: ReturnType<typeof openRooms> | undefined;
  let outbox: Promise<Messages> | undefined;
  const users = usersOf(connection, settings);
  // Which operations may be asked for here is a matter of the commands. A test asks for each of them.
  const run = async (operation: object, parts: Parts = {}, after?: PagePosition): Promise<unknown> => {
    if (!isSandbox && sandboxOnly.has(operation)) throw new ServiceRefused('unknown_route', 'Unknown path.', 1);
    if (needsRooms.has(operation)) rooms ??= openMessages().then((messages) => openRooms(connection, messages, settings));
    if (mailsUsers.has(operation)) outbox ??= openMessages();
    const deps = { ...light, ...(ofUsers.has(operation) ? { ...users, messages: await outbox } : (await rooms)?.deps) };
    return runHere(operation as ManagementOperation<never>, parts, actor, deps as never, after);
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
    close: async () => {
      await (await rooms)?.close();
      await (await outbox)?.close();
    },
  };
}

/** What operations on users and access tokens depend on. Their clock is the machine's: a sandbox's own may have moved. */
const usersOf = ({ db, clock }: Connection, { consoleUrl, machineClock }: OperationSettings) => ({
  clock: machineClock,
  merchants: { find: (merchantId: string) => showMerchant({ db }, merchantId, clock.now()) },
  consoleUrl: () => consoleUrl,
  recordActs: () => undefined,
});

async function openRooms(connection: Connection, messages: Messages, settings: OperationSettings) {
  const { url, db, ownDb, keys, isSandbox } = connection;
  const log = createLog('silent');
  const { byName } = await openServiceKeys({ db: ownDb, keys, clock: connection.clock }, [
    'checkout-token',
    'list-cursor',
    'one-time-password',
  ]);
  const sandboxClock = isSandbox ? await openSandboxClock({ db, url, clock: settings.machineClock, log }) : undefined;
  const clock = connection.clock;
  const merchants = await openMerchantDirectory({ db: ownDb, url, keys, clock, log });
  const networks = await openNetworkDirectory({ db: ownDb, url, keys, clock, log });
  const { dialect, referenceRestDays, shortPasswordDays } = settings;
  const shared = { db, clock, keys, engine: openEngine({ db, clock }), merchants, messages, dialect, isSandbox };
  const tokenKey = byName['checkout-token'];
  const orders = openOrders({ ...shared, referenceRestDays, checkoutUrl: () => settings.checkoutUrl, tokenKey, claims: undefined });
  const cashoutKeys = { cursorKey: byName['list-cursor'], otpKey: byName['one-time-password'] };
  const cashouts = openCashouts({ ...shared, ...cashoutKeys, shortPasswordDays, claims: undefined });
  const sandbox = sandboxClock && { clock: sandboxClock, networks, orders, cashouts };
  return {
    deps: { ...shared, ...orders, ...cashouts, ...sandbox },
    close: async () => {
      for (const part of [merchants, networks, messages, ...(sandboxClock === undefined ? [] : [sandboxClock])]) await part.close();
    },
  };
}
