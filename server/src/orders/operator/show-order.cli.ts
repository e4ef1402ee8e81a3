import type { Command } from 'commander';
import {
  carryOut,
  details,
  JSON_OPTION,
  print,
  printJson,
  refusalLines,
  table,
  UTC_OPTION,
  type Connect,
  type Connection,
} from '../../kit/command-line.ts';
import type { Remote } from '../../kit/remote/remote.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import type { ShownOrder } from '../manage/whole-order.ts';
import type { OrderKey } from '../order.ts';

type Options = { readonly merchant: string; readonly utc?: true; readonly json?: true };

const LINES = refusalLines({ not_found: 'does not exist' });
const merchants = () => import('../../merchants/index.ts');

/** Adds `caudal orders show`. */
export function showOrderCommand(orders: Command, connect: Connect): void {
  orders
    .command('show')
    .description('an order with its history, payments, refused payments, notices, mails and ledger entries')
    .argument('<order>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose order it is')
    .option(...UTC_OPTION)
    .option(...JSON_OPTION)
    .action(async (orderId: string, { merchant, utc, json }: Options) => {
      const key = { merchantId: merchant, orderId };
      const { zone, shown } = await carryOut(connect, LINES, `${orderId} of ${merchant}`, {
        here: (connection) => readHere(connection, key, utc === true),
        there: (service) => ask(service, key, utc === true),
      });
      if (json) return printJson(shown);
      const { toLines, toTables } = await import('./order-as-text.ts');
      print(details(toLines(shown, zone), zone));
      for (const [heading, rows] of toTables(shown)) if (rows.length > 0) print(`\n${table(heading, rows, zone)}`);
    });
}

/** The link of the payer opens the order, so it is not printed. */
type Found = { readonly zone: string; readonly shown: Omit<ShownOrder, 'checkoutUrl'> };

async function readHere({ db, clock }: Connection, key: OrderKey, isUtc: boolean): Promise<Found | Refusal<'not_found'>> {
  const [{ readWholeOrder }, { showWholeOrder }, { readSharedZone }, { ALL_PERMISSIONS }] = await Promise.all([
    import('./read-whole-order.ts'),
    import('../manage/whole-order.ts'),
    merchants(),
    import('../../manage/index.ts'),
  ]);
  const whole = await readWholeOrder(db, key);
  if (isRefusal(whole)) return refuse('not_found');
  const reader = { merchantId: undefined, permissions: new Set(ALL_PERMISSIONS) };
  const { checkoutUrl: _, ...shown } = showWholeOrder(whole, { now: clock.now(), checkoutUrl: '', reader });
  return { zone: await readSharedZone(db, [key.merchantId], isUtc), shown };
}

async function ask(service: Remote, { merchantId, orderId }: OrderKey, isUtc: boolean): Promise<Found> {
  const [{ readOrder }, { askSharedZone }] = await Promise.all([import('../manage/orders.manage.ts'), merchants()]);
  const { checkoutUrl: _, ...shown } = await service.call(readOrder, { path: { merchant: merchantId, order: orderId } });
  return { zone: await askSharedZone(service, [{ merchant: merchantId }], isUtc), shown };
}
