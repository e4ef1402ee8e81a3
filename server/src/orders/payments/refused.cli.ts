import type { Command } from 'commander';
import {
  carryOut,
  CommandRefused,
  JSON_OPTION,
  MAX_LISTED,
  parseInstant,
  parseLimit,
  print,
  printJson,
  readFrom,
  sentInstant,
  table,
  UTC_OPTION,
  type Cell,
  type Connect,
} from '../../kit/command-line.ts';
import { refuse } from '../../kit/outcome.ts';
import type { showBeyond, showRefused } from '../manage/order-forms.ts';

const rows = () => import('./refused-payments.ts');
const forms = () => import('../manage/order-forms.ts');
const merchants = () => import('../../merchants/index.ts');
const operations = () => import('./refused.manage.ts');

/** A refused payment as it is sent, without the order that it was for. */
type Sent = Omit<ReturnType<typeof showRefused>, 'source' | 'refusal' | 'orderState'> & {
  readonly source: string;
  readonly refusal: string;
  readonly orderState: string;
};
/** The reader at the command line: no merchant. */
const OPERATOR = { merchantId: undefined } as const;

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

type Listed = {
  readonly items: readonly (Sent & { readonly merchant: string; readonly order: string })[];
  readonly beyond: readonly (Omit<ReturnType<typeof showBeyond>, 'source'> & { readonly source: string })[];
  readonly zone: string;
};

async function list(connect: Connect, { merchant, since, limit, all, utc, json }: Options): Promise<void> {
  const { items, beyond, zone } = await readFrom<Listed>(connect, {
    here: async (connection) => {
      const [{ listRefused, listRefusedBeyond }, { showBeyond, showRefused }, { readSharedZone, requireMerchant }] = await Promise.all([
        rows(),
        forms(),
        merchants(),
      ]);
      if (merchant !== undefined) await requireMerchant(connection, merchant);
      const found = await listRefused(connection.db, { merchantId: merchant, since, isAll: all === true, limit });
      const shown = found.map((one) => ({ merchant: one.merchantId, order: one.orderId, ...showRefused(one, OPERATOR) }));
      const ids = shown.map((one) => one.merchant);
      const more = merchant === undefined ? await listRefusedBeyond(connection.db, { since }) : [];
      return { items: shown, beyond: more.map(showBeyond), zone: await readSharedZone(connection.db, ids, utc === true) };
    },
    there: async (service) => {
      const [{ listRefusedPayments, readRefusedBeyond }, { askMerchant, askSharedZone }] = await Promise.all([operations(), merchants()]);
      if (merchant !== undefined) await askMerchant(service, merchant);
      const query = { merchant, since: since?.toString(), resolved: all === true ? 'true' : undefined };
      const read = await service.list(listRefusedPayments, limit, { query });
      const ids = read.items.map((one) => one.merchant);
      const more = merchant === undefined ? await service.call(readRefusedBeyond, { query: { since: since?.toString() } }) : { days: [] };
      return { items: read.items, beyond: more.days, zone: await askSharedZone(service, ids, utc === true) };
    },
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

type ResolveOptions = { readonly merchant: string; readonly note: string; readonly transaction?: string; readonly json?: true };

const NONE = (id: string): readonly [string, 1] => [`${id} has no such refused payment that is open.`, 1];
const REFUSALS = { refused_payment_not_found: NONE, not_found: NONE };

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
    .action((order: string, options: ResolveOptions) => resolve(connect, order, options));
}

async function resolve(connect: Connect, order: string, { merchant, note, transaction, json }: ResolveOptions): Promise<void> {
  if (!/^\P{Cc}{1,500}$/u.test(note) || note.trim() === '') throw new CommandRefused('--note takes 1 to 500 characters on one line.', 2);
  const { resolved } = await carryOut(connect, REFUSALS, `${order} of ${merchant}`, {
    here: async ({ db, clock, actor: by }) => {
      const [{ resolveRefused }, { showRefused }] = await Promise.all([rows(), forms()]);
      const which = { merchantId: merchant, orderId: order, transactionId: transaction };
      const found = await resolveRefused(db, { ...which, by, note }, clock.now());
      return found.length === 0 ? refuse('refused_payment_not_found') : { resolved: found.map((one): Sent => showRefused(one, OPERATOR)) };
    },
    there: async (service) =>
      service.call((await operations()).resolveRefusedPayments, { path: { merchant, order }, body: { note, transaction } }),
  });
  if (json) return printJson({ merchant, order, resolved: resolved.map(toJson) });
  print(`Resolved for ${order} of ${merchant}: ${resolved.map((one) => one.transaction).join(', ')}.\n`);
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
