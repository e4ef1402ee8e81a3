import type { Command } from 'commander';
import {
  CommandRefused,
  details,
  JSON_OPTION,
  print,
  printJson,
  table,
  UTC_OPTION,
  withConnection,
  type Connect,
} from '../../kit/command-line.ts';
import { isRefusal } from '../../kit/outcome.ts';
import type { OrderKey } from '../order.ts';

type Options = { readonly merchant: string; readonly utc?: true; readonly json?: true };

/** Adds `caudal orders show`. */
export function showOrderCommand(orders: Command, connect: Connect): void {
  orders
    .command('show')
    .description('an order with its history, payments, refused payments, notices, mails and ledger entries')
    .argument('<order>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose order it is')
    .option(...UTC_OPTION)
    .option(...JSON_OPTION)
    .action((orderId: string, { merchant, utc, json }: Options) => show(connect, { merchantId: merchant, orderId }, utc === true, json));
}

async function show(connect: Connect, key: OrderKey, isUtc: boolean, json: true | undefined): Promise<void> {
  await withConnection(connect, async ({ db, clock }) => {
    const [{ readWholeOrder }, { readSharedZone }, { stateAt }, { toJson, toLines, toTables }] = await Promise.all([
      import('./read-whole-order.ts'),
      import('../../merchants/index.ts'),
      import('../order.ts'),
      import('./order-as-text.ts'),
    ]);
    const whole = await readWholeOrder(db, key);
    if (isRefusal(whole)) throw new CommandRefused(`${key.orderId} of ${key.merchantId} does not exist.`);
    const state = stateAt(whole.order, clock.now());
    if (json) return printJson(toJson(whole, state));
    const zone = await readSharedZone(db, [key.merchantId], isUtc);
    print(details(toLines(whole.order, state, zone), zone));
    for (const [heading, rows] of toTables(whole)) if (rows.length > 0) print(`\n${table(heading, rows, zone)}`);
  });
}
