import { userInfo } from 'node:os';
import type { Command } from 'commander';
import {
  CommandRefused,
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
  readonly all?: true;
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
    .option('--all', 'those that were resolved, too')
    .option('--limit <number>', `1 to ${MAX_LISTED}`, parseLimit, 50)
    .option(...UTC_OPTION)
    .option(...JSON_OPTION)
    .action(({ merchant: merchantId, since, limit, all, utc, json }: Options) =>
      withConnection(connect, async (connection) => {
        const [{ listRefused }, { readSharedZone, requireMerchant }] = await Promise.all([
          import('./refused-payments.ts'),
          import('../../merchants/index.ts'),
        ]);
        if (merchantId !== undefined) await requireMerchant(connection, merchantId);
        const refused = await listRefused(connection.db, { merchantId, since, isAll: all === true, limit });
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
  resolvedAt: one.resolvedAt,
  resolvedBy: one.resolvedBy,
  note: one.note,
});

type ResolveOptions = { readonly merchant: string; readonly note: string; readonly transaction?: string; readonly json?: true };

/** Adds `caudal orders resolve`: what is dealt with leaves the list. */
export function resolveCommand(orders: Command, connect: Connect): void {
  orders
    .command('resolve')
    .description('take the refused payments of an order off the list, with a note; a later try puts them back')
    .argument('<order>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose order it is')
    .requiredOption('--note <text>', 'what was done about the money')
    .option('--transaction <id>', 'only this one')
    .option(...JSON_OPTION)
    .action((orderId: string, { merchant: merchantId, note, transaction: transactionId, json }: ResolveOptions) => {
      if (!/^\P{Cc}{1,500}$/u.test(note) || note.trim() === '')
        throw new CommandRefused('--note takes 1 to 500 characters on one line.', 2);
      return withConnection(connect, async ({ db, clock }) => {
        const { resolveRefused } = await import('./refused-payments.ts');
        const by = `command:${userInfo().username}`;
        const resolved = await resolveRefused(db, { merchantId, orderId, transactionId, by, note }, clock.now());
        if (resolved.length === 0) throw new CommandRefused(`${orderId} of ${merchantId} has no such refused payment that is open.`);
        if (json) return printJson({ merchant: merchantId, order: orderId, resolved: resolved.map(showRefused) });
        const which = resolved.map((one) => one.transactionId).join(', ');
        print(`Resolved for ${orderId} of ${merchantId}: ${which}.\n`);
      });
    });
}

export const REFUSED_HEADING = ['REFUSED BY', 'TRANSACTION', 'AMOUNT', 'WHY', 'ORDER THEN', 'TRIES', 'LAST', 'RESOLVED', 'NOTE'];

export const refusedCells = (one: RefusedPayment): Cell[] => [
  one.source,
  one.transactionId,
  one,
  one.refusal,
  one.orderState,
  one.tries,
  one.lastAt,
  one.resolvedAt,
  one.note,
];
