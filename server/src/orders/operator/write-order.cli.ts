import type { Command } from 'commander';
import { askEither, CommandRefused, details, JSON_OPTION, print, printJson, type Cell, type Connect } from '../../kit/command-line.ts';

import { optionAmountText, parseOptionPercent } from '../../kit/written/written-amount.ts';

const operations = () => import('../manage/orders.manage.ts');

type Given = Readonly<Record<string, string | true | undefined>>;

/** The terms of an order as options: the name of each in the management API, written with hyphens. */
const TERMS = [
  ['--reference <digits>', 'what the payer shows (default: one of the service)'],
  ['--description <text>', 'what the payer reads'],
  ['--method <name>', 'the one way to pay it'],
  ['--language <code>', 'es, en or pt'],
  ['--expires-on <day>', 'the last day, as 2026-12-31'],
  ['--user-document <digits>', "the payer's"],
  ['--user-document-type <type>', 'of that document'],
  ['--user-name <name>', "the payer's"],
  ['--redirect-timeout-ms <number>', 'before the page leads on'],
  ['--recurrent <yes|no>', 'whether it stays open after each payment'],
] as const;

const orNone = (text: string): string => (text === 'none' ? text : parseOptionPercent(text));

function withTerms(command: Command): Command {
  for (const [flags, description] of TERMS) command.option(flags, description);
  command.option('--vat-rate <percent>', 'contained in the amount', orNone);
  return command.option(...JSON_OPTION);
}

/** Adds `caudal orders create` and `caudal orders update`. */
export function writeOrderCommands(orders: Command, connect: Connect): void {
  withTerms(
    orders
      .command('create')
      .description('create an order, as its merchant does')
      .argument('<order>', "the merchant's id of it")
      .requiredOption('--merchant <id>', 'whose order it is')
      .requiredOption('--email <address>', "the payer's")
      .requiredOption('--amount <amount>', 'what is paid')
      .requiredOption('--currency <code>', 'of the amount'),
  ).action(async (order: string, { json, merchant, ...given }: Given) => {
    const body = { merchant, order, ...termsOf(given) };
    const made = await askEither(connect, async (service) => service.call((await operations()).createOrder, { body }));
    show(made, json === true);
  });

  withTerms(
    orders
      .command('update')
      .description('update a pending order; what is not named stays, and "none" empties a term')
      .argument('<order>', "the merchant's id of it")
      .requiredOption('--merchant <id>', 'whose order it is')
      .option('--version <number>', 'only if it still has this version (default: any)')
      .option('--email <address>', "the payer's")
      .option('--amount <amount>', 'what is paid')
      .option('--currency <code>', 'of the amount'),
  ).action(async (order: string, { json, merchant = '', version, ...given }: Given) => {
    if ((given['amount'] === undefined) !== (given['currency'] === undefined))
      throw new CommandRefused('--amount and --currency go together.', 2);
    const path = { merchant: String(merchant), order };
    const ifMatch = version === undefined ? '*' : `"${version}"`;
    const asked = { path, ifMatch, body: termsOf(given) };
    show(await askEither(connect, async (service) => service.call((await operations()).updateOrder, asked)), json === true);
  });
}

/** An amount of zero leaves it to the payer, where the merchant has such orders. */
const moneyOf = (amount: string | true, currency: string | true | undefined): object => ({
  amount: optionAmountText('--amount', String(amount), String(currency), 'or zero'),
  currency,
});

/** Turns options into the members of a body. The operation judges them. */
function termsOf({ amount, currency, recurrent, redirectTimeoutMs, ...texts }: Given): object {
  const emptied = Object.entries(texts).map(([name, text]) => [name, text === 'none' ? null : text]);
  return {
    ...Object.fromEntries(emptied),
    ...(amount !== undefined && { amount: moneyOf(amount, currency) }),
    ...(recurrent !== undefined && { recurrent: recurrent === 'yes' || (recurrent === 'no' ? false : recurrent) }),
    ...(redirectTimeoutMs !== undefined && { redirectTimeoutMs: redirectTimeoutMs === 'none' ? null : numberOf(redirectTimeoutMs) }),
  };
}

const numberOf = (text: string | true): unknown => (typeof text === 'string' && /^[0-9]{1,15}$/.test(text) ? Number(text) : text);

type Shown = { readonly merchant: string; readonly order: string; readonly [name: string]: unknown };

function show(order: Shown, isJson: boolean): void {
  if (isJson) return printJson(order);
  const shown = ['merchant', 'order', 'state', 'version', 'amount', 'reference', 'expiresOn', 'checkoutUrl'] as const;
  print(details(shown.map((name) => [NAMES[name] ?? name, order[name] as Cell])));
}
const NAMES: Readonly<Record<string, string>> = { expiresOn: 'last day', checkoutUrl: 'checkout' };
