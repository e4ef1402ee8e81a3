import type { Command } from 'commander';
import { carryOut, JSON_OPTION, print, printJson, refusalLines, type Connect, type Connection } from '../../kit/command-line.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import type { Dialect } from '../../requests/index.ts';
import type { CancelOrder, CancelRefusal, Decided } from '../order.ts';

const operations = () => import('../manage/orders.manage.ts');

const WHY: Readonly<Record<CancelRefusal | 'not_found' | 'merchant_frozen', string>> = {
  order_not_found: 'does not exist',
  not_found: 'does not exist',
  merchant_frozen: 'cannot change: the merchant is frozen or disabled',
  order_not_open: 'is not pending',
  version_mismatch: 'has changed meanwhile',
};
const NO_SANDBOX = 'does not exist, or this is no sandbox';
const LINES = {
  cancelled: refusalLines(WHY),
  expired: refusalLines({ ...WHY, order_not_found: NO_SANDBOX, not_found: NO_SANDBOX, unknown_route: NO_SANDBOX }),
};

type Options = { readonly merchant: string; readonly json?: true };
type End = keyof typeof LINES;
/** What notices look like on the servers of this environment. */
export type ReadDialect = () => Promise<Pick<Dialect, 'noticeBodies'>>;

/** Adds `caudal orders cancel` and `caudal orders expire`. */
export function endOrderCommands(orders: Command, connect: Connect, readDialect: ReadDialect): void {
  const add = (name: string, description: string, end: End): void =>
    void orders
      .command(name)
      .description(description)
      .argument('<order>', "the merchant's id of it")
      .requiredOption('--merchant <id>', 'whose order it is')
      .option(...JSON_OPTION)
      .action((order: string, options: Options) => endOrder(connect, readDialect, order, end, options));
  add('cancel', 'cancel a pending order; no notice is sent', 'cancelled');
  add('expire', 'expire a pending order now, with its notice; in a sandbox alone', 'expired');
}

async function endOrder(connect: Connect, readDialect: ReadDialect, order: string, end: End, { merchant, json }: Options): Promise<void> {
  const { version } = await carryOut(connect, LINES[end], `${order} of ${merchant}`, {
    here: async (connection) => {
      const command = { merchantId: merchant, orderId: order, requestId: null, actor: connection.actor };
      const decided = await (end === 'cancelled' ? cancelHere(connection, command) : expireHere(connection, command, readDialect));
      return isRefusal(decided) ? decided : { version: decided.order.version };
    },
    there: async (service) => {
      const { cancelOrder, expireOrder } = await operations();
      return service.call(end === 'cancelled' ? cancelOrder : expireOrder, { path: { merchant, order } });
    },
  });
  if (json) return printJson({ merchant, order, state: end, version });
  print(`${order} of ${merchant} is ${end}.\n`);
}

type Outcome<Name extends string> = Decided | Refusal<CancelRefusal | Name>;

const engines = () => import('../../kit/changes/engine.ts');

async function cancelHere(connection: Connection, command: CancelOrder): Promise<Outcome<'not_found' | 'merchant_frozen'>> {
  const [{ cancelOrders }, { openEngine }, { findOpenMerchant }] = await Promise.all([
    import('../cancel-order.ts'),
    engines(),
    import('../../merchants/index.ts'),
  ]);
  const merchant = await findOpenMerchant(connection, command.merchantId);
  return isRefusal(merchant) ? merchant : cancelOrders({ engine: openEngine(connection) })(command);
}

async function expireHere(connection: Connection, command: CancelOrder, readDialect: ReadDialect): Promise<Outcome<'not_found'>> {
  if (!connection.isSandbox) return refuse('not_found');
  const [{ expireOrderNow }, { noticeOfExpiry }, { openEngine }] = await Promise.all([
    import('../expiry/expire-order.ts'),
    import('../expiry/notice-of-expiry.ts'),
    engines(),
  ]);
  return expireOrderNow({ engine: openEngine(connection), noticeOf: noticeOfExpiry(await readDialect()) })(command);
}
