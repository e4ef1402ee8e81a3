import { Argument, Option, type Command } from 'commander';
import {
  askEither,
  JSON_OPTION,
  MAX_LISTED,
  parseInstant,
  parseLimit,
  print,
  printJson,
  sentInstant,
  table,
  UTC_OPTION,
  type Cell,
  type Connect,
} from '../../kit/command-line.ts';
import { askCommand, needed, type AnswerOf } from '../../kit/remote/client-commands.ts';
import type { resolveRefusedPayments } from './refused.manage.ts';

const merchants = () => import('../../merchants/index.ts');
const operations = () => import('./refused.manage.ts');

/** A refused payment as it is sent, without the order that it was for. */
type Sent = AnswerOf<typeof resolveRefusedPayments>['resolved'][number];

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
    .action((options: Options) => list(connect, options));
}

async function list(connect: Connect, { merchant, since, limit, all, utc, json }: Options): Promise<void> {
  const { items, beyond, zone } = await askEither(connect, async (service) => {
    const [{ listRefusedPayments, readRefusedBeyond }, { askSharedZone, askZone }] = await Promise.all([operations(), merchants()]);
    const own = merchant === undefined ? undefined : await askZone(service, merchant, utc);
    const query = { merchant, since: since?.toString(), resolved: all };
    const { items: listed } = await service.list(listRefusedPayments, limit, { query });
    const more = merchant === undefined ? await service.call(readRefusedBeyond, { query: { since: since?.toString() } }) : { days: [] };
    return { items: listed, beyond: more.days, zone: own ?? (await askSharedZone(service, listed, utc)) };
  });
  if (json) return printJson(items.map((one) => ({ merchant: one.merchant, order: one.order, ...toJson(one) })));
  if (items.length === 0) return print('No payment was refused.\n');
  const cells = items.map((one) => [one.merchant, one.order, ...refusedCells(one)]);
  print(table(['MERCHANT', 'ORDER', ...REFUSED_HEADING], cells, zone));
  for (const { source, day, tries, amount } of beyond)
    print(`${source} was refused ${tries} more on ${day} (UTC), of ${amount.amount} ${amount.currency} together: too many to keep each.\n`);
}

/** A refused payment as the commands print it. */
const toJson = ({ source, transaction, refusal, orderState, amount, tries, lastAt, resolvedAt, resolvedBy, note }: Sent) => ({
  by: source,
  transaction,
  why: refusal,
  state: orderState,
  ...amount,
  tries,
  lastAt,
  resolvedAt,
  resolvedBy,
  note,
});

type ResolveOptions = { readonly order: string; readonly merchant: string; readonly note: string; readonly transaction?: string };

/** Adds `caudal orders resolve`: what is dealt with leaves the list. */
export function resolveCommand(orders: Command, connect: Connect): void {
  askCommand(orders, connect, {
    name: 'resolve',
    about: 'take the refused payments of an order off the list, with a note; a later try puts them back',
    args: [new Argument('<order>', "the merchant's id of it")],
    options: [
      needed('--merchant <id>', 'whose order it is'),
      needed('--note <text>', 'what was done about the money'),
      new Option('--transaction <id>', 'only this one'),
    ],
    operation: async () => (await operations()).resolveRefusedPayments,
    parts: ({ order, merchant, note, transaction }: ResolveOptions) => ({ path: { merchant, order }, body: { note, transaction } }),
    json: ({ resolved }, { order, merchant }) => ({ merchant, order, resolved: resolved.map(toJson) }),
    text: ({ resolved }, { order, merchant }) =>
      `Resolved for ${order} of ${merchant}: ${resolved.map((one) => one.transaction).join(', ')}.\n`,
  });
}

export const REFUSED_HEADING = ['REFUSED BY', 'TRANSACTION', 'AMOUNT', 'WHY', 'ORDER THEN', 'TRIES', 'LAST', 'RESOLVED', 'NOTE'];

export const refusedCells = (one: Sent): Cell[] => [
  one.source,
  one.transaction,
  one.amount,
  one.refusal,
  one.orderState,
  one.tries,
  Temporal.Instant.from(one.lastAt),
  sentInstant(one.resolvedAt),
  one.note,
];
