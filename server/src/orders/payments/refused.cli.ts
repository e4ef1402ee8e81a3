import type { Command } from 'commander';
import { columns, MAX_LISTED, parseInstant, parseLimit, print, withConnection, type Connect } from '../../kit/command-line.ts';
import { formatAmount } from '../../kit/money.ts';
import { requireMerchant } from '../../merchants/index.ts';
import { listRefused, type RefusedPayment } from './refused-payments.ts';

type Options = { readonly merchant?: string; readonly since?: Temporal.Instant; readonly limit: number; readonly json?: true };

const HEADING = ['LAST', 'MERCHANT', 'ORDER', 'BY', 'TRANSACTION', 'AMOUNT', 'WHY', 'ORDER THEN', 'TRIES'];

/** Adds `caudal orders refused`: where an operator begins who looks for money that belongs to a payer. */
export function refusedCommand(orders: Command, connect: Connect): void {
  orders
    .command('refused')
    .description('payments that were refused, of all orders, newest first: somebody may hold the money of a payer')
    .option('--merchant <id>', 'of the orders of one merchant')
    .option('--since <instant>', 'tried at or after it, such as 2026-11-21T00:00:00-05:00', parseInstant)
    .option('--limit <number>', `1 to ${MAX_LISTED}`, parseLimit, 50)
    .option('--json', 'print JSON')
    .action(({ merchant: merchantId, since, limit, json }: Options) =>
      withConnection(connect, async (connection) => {
        if (merchantId !== undefined) await requireMerchant(connection, merchantId);
        const refused = (await listRefused(connection.db, { merchantId, since, limit })).map(shown);
        if (json) print(`${JSON.stringify(refused)}\n`);
        else print(refused.length === 0 ? 'No payment was refused.\n' : columns([HEADING, ...refused.map(toCells)]));
      }),
    );
}

const shown = (one: RefusedPayment) => ({ merchant: one.merchantId, order: one.orderId, ...showRefused(one) });

/** A refused payment as the commands print it, without the order that it was for. */
export const showRefused = ({ source, refusal, orderState, amountMinor, lastAt, ...one }: RefusedPayment) => ({
  by: source,
  transaction: one.transactionId,
  why: refusal,
  state: orderState,
  amount: formatAmount(amountMinor, one.currency),
  currency: one.currency,
  tries: one.tries,
  lastAt: lastAt.toString(),
});

const toCells = ({ merchant, order, by, transaction, why, state, amount, currency, tries, lastAt }: ReturnType<typeof shown>): string[] => [
  lastAt,
  merchant,
  order,
  by,
  transaction,
  `${amount} ${currency}`,
  why,
  state,
  String(tries),
];
