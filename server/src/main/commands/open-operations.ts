import { openCashouts } from '../../cashouts/index.ts';
import { openEngine } from '../../kit/changes/engine.ts';
import type { Clock } from '../../kit/clock.ts';
import { ServiceRefused, type Connection, type Here } from '../../kit/command-line.ts';
import { openServiceKeys } from '../../kit/keys/service-keys.ts';
import { createLog } from '../../kit/log.ts';
import { runHere, type Managed } from '../../manage/index.ts';
import { openMerchantDirectory } from '../../merchants/index.ts';
import type { Messages } from '../../messages/index.ts';
import { openNetworkDirectory } from '../../networks/index.ts';
import { openOrders, openReadUpdates } from '../../orders/index.ts';
import { runAloneOnce } from '../../requests/index.ts';
import { openSandboxClock } from '../../sandbox/index.ts';
import type { Config } from '../config.ts';
import { sandboxOnly } from '../manage.ts';

type OperationSettings = Pick<Config, 'dialect' | 'referenceRestDays' | 'shortPasswordDays'> & {
  readonly checkoutUrl: string;
  /** The clock of a sandbox is ahead of it. */
  readonly machineClock: Clock;
};

/**
 * Opens what the operations of orders, cashouts, merchants and the sandbox depend on, for a command on the database itself.
 * The database of the connection records the act of the command, so the operations record none.
 */
export async function openOperations(connection: Connection, messages: Messages, settings: OperationSettings): Promise<Here> {
  const { url, db, ownDb, keys, actor, isSandbox } = connection;
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
  const orders = openOrders({ ...shared, referenceRestDays, checkoutUrl: () => settings.checkoutUrl, tokenKey: byName['checkout-token'] });
  const cashoutKeys = { cursorKey: byName['list-cursor'], otpKey: byName['one-time-password'] };
  const cashouts = openCashouts({ ...shared, ...cashoutKeys, shortPasswordDays });
  const sandbox = sandboxClock && { clock: sandboxClock, networks, orders, cashouts };
  const deps = { ...shared, ...orders, ...cashouts, acting: () => db, runOnce: runAloneOnce, readUpdates: openReadUpdates(db), ...sandbox };
  // Which operations may be asked for here is a matter of the commands. A test asks for each of them.
  const run = (operation: object, parts: Parameters<Here['call']>[1] = {}): Promise<unknown> => {
    if (!isSandbox && sandboxOnly.has(operation)) throw new ServiceRefused('unknown_route', 'Unknown path.', 1);
    return runHere(operation as Managed<never>, parts, actor, deps as never);
  };
  return {
    call: async (operation, parts) => (await run(operation, parts)) as never,
    list: async (operation, limit, parts = {}) => {
      const { items } = (await run(operation, { ...parts, query: { ...parts.query, limit: Math.min(limit, 200) } })) as { items: never[] };
      return { items, isMore: false };
    },
    close: async () => {
      for (const part of [merchants, networks, ...(sandboxClock === undefined ? [] : [sandboxClock])]) await part.close();
    },
  };
}
