import type { Command } from 'commander';
import {
  JSON_OPTION,
  MAX_LISTED,
  parseInstant,
  parseLimit,
  print,
  printJson,
  table,
  UTC_OPTION,
  withConnection,
  type Cell,
  type Connect,
} from '../../kit/command-line.ts';
import { formatAllDecimals } from '../../kit/money.ts';
import type { RefusedPayment } from './refused-payments.ts';

type Options = {
  readonly merchant?: string;
  readonly since?: Temporal.Instant;
  readonly limit: number;
  readonly utc?: true;
  readonly json?: true;
};

/** Adds `caudal orders refused`: where an operator begins who looks for money that belongs to a payer. */
export function refusedCommand(orders: Command, connect: Connect): void {
  orders
    .command('refused')
    .description('payments that were refused, of all orders, newest first: somebody may hold the money of a payer')
    .option('--merchant <id>', 'of the orders of one merchant')
    .option('--since <instant>', 'tried at or after it, such as 2026-11-21T00:00:00-05:00', parseInstant)
    .option('--limit <number>', `1 to ${MAX_LISTED}`, parseLimit, 50)
    .option(...UTC_OPTION)
    .option(...JSON_OPTION)
    .action(({ merchant: merchantId, since, limit, utc, json }: Options) =>
      withConnection(connect, async (connection) => {
        const [{ listRefused }, { readSharedZone, requireMerchant }] = await Promise.all([
          import('./refused-payments.ts'),
          import('../../merchants/index.ts'),
        ]);
        if (merchantId !== undefined) await requireMerchant(connection, merchantId);
        const refused = await listRefused(connection.db, { merchantId, since, limit });
        if (json) return printJson(refused.map((one) => ({ merchant: one.merchantId, order: one.orderId, ...showRefused(one) })));
        if (refused.length === 0) return print('No payment was refused.\n');
        const shownIds = refused.map((one) => one.merchantId);
        const rows = refused.map((one) => [one.merchantId, one.orderId, ...refusedCells(one)]);
        print(table(['MERCHANT', 'ORDER', ...REFUSED_HEADING], rows, await readSharedZone(connection.db, shownIds, utc === true)));
      }),
    );
}

/** A refused payment as the commands print it, without the order that it was for. */
export const showRefused = ({ source, refusal, orderState, amountMinor, lastAt, ...one }: RefusedPayment) => ({
  by: source,
  transaction: one.transactionId,
  why: refusal,
  state: orderState,
  amount: formatAllDecimals(amountMinor, one.currency),
  currency: one.currency,
  tries: one.tries,
  lastAt: lastAt.toString(),
});

export const REFUSED_HEADING = ['REFUSED BY', 'TRANSACTION', 'AMOUNT', 'WHY', 'ORDER THEN', 'TRIES', 'LAST'];

export const refusedCells = (one: RefusedPayment): Cell[] => [
  one.source,
  one.transactionId,
  one,
  one.refusal,
  one.orderState,
  one.tries,
  one.lastAt,
];
