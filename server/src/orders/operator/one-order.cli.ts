import { Argument, Option, type Command } from 'commander';
import {
  CommandRefused,
  details,
  detailsAndTables,
  localText,
  moneyText,
  sentInstant,
  type Cell,
  type Connect,
} from '../../kit/command-line.ts';
import type { Refunder } from '../../ledger/index.ts';
import { askCommand, needed, readBy, utcOption, type CommandLine } from '../../kit/remote/client-commands.ts';
import { optionAmountText, parseOptionPercent } from '../../kit/written/written-amount.ts';
import { PAYERS_BACK } from '../refunds/refund-columns.ts';

// Commands about one order.

const operations = () => import('../manage/orders.manage.ts');
const merchants = () => import('../../merchants/index.ts');

type Of = { readonly merchant: string; readonly order: string };

const ORDER = new Argument('<order>', "the merchant's id of it");
const whose = needed('--merchant <id>', 'whose order it is');
const pathOf = ({ merchant, order }: Of): Of => ({ merchant, order });

/** Adds those that show an order, write it and end it. */
export function oneOrderCommands(orders: Command, connect: Connect): void {
  showCommand(orders, connect);
  writeCommands(orders, connect);
  voidCommand(orders, connect);
  endCommands(orders, connect);
}

function showCommand(orders: Command, connect: Connect): void {
  askCommand(orders, connect, {
    name: 'show',
    about: 'an order with its history, payments, refunds, refused payments, notices, mails and ledger entries',
    args: [ORDER],
    options: [whose, utcOption],
    operation: async () => (await operations()).readOrder,
    parts: (given: Of & { readonly utc?: true }) => ({ path: pathOf(given) }),
    // The link of the payer opens the order, so it is not printed.
    json: (shown) => ({ ...shown, checkoutUrl: undefined }),
    zone: async (service, shown, { utc }) => (await merchants()).askSharedZone(service, [shown], utc),
    text: async (shown, _given, zone) => {
      const { orderLines, orderTables } = await import('./order-as-text.ts');
      return detailsAndTables(orderLines(shown, zone), orderTables(shown), zone);
    },
  });
}

/** The terms of an order as options: the name of each in the management API, written with hyphens. */
const TERMS = [
  new Option('--reference <digits>', 'what the payer shows (default: one of the service)'),
  new Option('--description <text>', 'what the payer reads'),
  new Option('--method <name>', 'the one way to pay it'),
  new Option('--language <code>', 'es, en or pt'),
  new Option('--expires-on <day>', 'the last day, as 2026-12-31'),
  new Option('--user-document <digits>', "the payer's"),
  new Option('--user-document-type <type>', 'of that document'),
  new Option('--user-name <name>', "the payer's"),
  new Option('--redirect-timeout-ms <number>', 'before the page leads on'),
  new Option('--recurrent <yes|no>', 'whether it stays open after each payment'),
  readBy('--vat-rate <percent>', 'contained in the amount', (text) => (text === 'none' ? text : parseOptionPercent(text))),
];

type Terms = Readonly<Record<string, string | undefined>>;
type Written = Of & Terms;

function writeCommands(orders: Command, connect: Connect): void {
  askCommand(orders, connect, {
    name: 'create',
    about: 'create an order, as its merchant does',
    args: [ORDER],
    options: [
      whose,
      needed('--email <address>', "the payer's"),
      needed('--amount <amount>', 'what is paid'),
      needed('--currency <code>', 'of the amount'),
      ...TERMS,
    ],
    operation: async () => (await operations()).createOrder,
    parts: ({ merchant, order, ...terms }: Written) => ({ body: { merchant, order, ...termsOf(terms) } }),
    text: writtenText,
  });
  askCommand(orders, connect, {
    name: 'update',
    about: 'update a pending order; what is not named stays, and "none" empties a term',
    args: [ORDER],
    options: [
      whose,
      new Option('--version <number>', 'only if it still has this version (default: any)'),
      new Option('--email <address>', "the payer's"),
      new Option('--amount <amount>', 'what is paid'),
      new Option('--currency <code>', 'of the amount'),
      ...TERMS,
    ],
    operation: async () => (await operations()).updateOrder,
    parts: ({ merchant, order, version, ...terms }: Written) => {
      if ((terms['amount'] === undefined) !== (terms['currency'] === undefined))
        throw new CommandRefused('--amount and --currency go together.', 2);
      return { path: { merchant, order }, ifMatch: version === undefined ? '*' : `"${version}"`, body: termsOf(terms) };
    },
    text: writtenText,
  });
}

/** Turns options into the members of a body. The operation judges them. */
function termsOf({ amount, currency, recurrent, redirectTimeoutMs, ...texts }: Terms): object {
  const emptied = Object.entries(texts).map(([name, text]) => [name, text === 'none' ? null : text]);
  return {
    ...Object.fromEntries(emptied),
    // An amount of zero leaves it to the payer, where the merchant has such orders.
    ...(amount !== undefined && { amount: { amount: optionAmountText('--amount', amount, String(currency), 'or zero'), currency } }),
    ...(recurrent !== undefined && { recurrent: recurrent === 'yes' || (recurrent === 'no' ? false : recurrent) }),
    ...(redirectTimeoutMs !== undefined && { redirectTimeoutMs: redirectTimeoutMs === 'none' ? null : numberOf(redirectTimeoutMs) }),
  };
}

const numberOf = (text: string): unknown => (/^[0-9]{1,15}$/.test(text) ? Number(text) : text);

type Shown = Readonly<
  Record<'merchant' | 'order' | 'state' | 'version' | 'amount' | 'reference' | 'expiresOn', Cell> & { readonly checkoutUrl: string }
>;

const writtenText = ({ merchant, order, state, version, amount, reference, expiresOn, checkoutUrl }: Shown): string =>
  details(Object.entries({ merchant, order, state, version, amount, reference, 'last day': expiresOn, checkout: checkoutUrl }));

export const paymentOption = new Option('--payment <number>', 'which payment of a recurrent order; the last one where absent');

/** Reads it. Throws: CommandRefused for what is no number from 1. */
export function whichPayment(text: string | undefined): number | undefined {
  if (text !== undefined && !/^[1-9][0-9]{0,8}$/.test(text)) throw new CommandRefused('--payment takes a number from 1.', 2);
  return text === undefined ? undefined : Number(text);
}

type VoidOptions = Of & { readonly reason: string; readonly refundedBy: Refunder; readonly payment?: string; readonly claim?: true };

function voidCommand(orders: Command, connect: Connect): void {
  askCommand(orders, connect, {
    name: 'void',
    about: 'record that the money of a payment was given back to the payer',
    args: [ORDER],
    options: [
      whose,
      needed('--refunded-by <who>', 'who gave the money back to the payer').choices(PAYERS_BACK),
      needed('--reason <text>', "why, for the order's history, which its merchant can read"),
      paymentOption,
      new Option('--claim', 'at the claim of the payer: the merchant then gets a notice'),
    ],
    operation: async () => (await operations()).voidOrder,
    parts: ({ payment, claim, reason, refundedBy, ...of }: VoidOptions) => ({
      path: pathOf(of),
      body: { reason, refundedBy, payment: whichPayment(payment), isClaim: claim },
    }),
    json: ({ payment: { number, amount, givenBackAt }, refund: { refund, refundedBy }, state, isRepeated }, of) => ({
      ...pathOf(of),
      payment: number,
      ...amount,
      state,
      isRepeated,
      givenBackAt,
      refund,
      refundedBy,
    }),
    zone: async (service, { isRepeated }, { merchant }) => (isRepeated ? (await merchants()).askZone(service, merchant) : 'UTC'),
    text: ({ payment: { number, amount, givenBackAt }, state, isRepeated }, { order }, zone) => {
      const before = sentInstant(givenBackAt);
      const fate = isRepeated && before !== null ? `was given back already, on ${localText(before, zone)}` : 'is given back';
      return `Payment ${number} of ${order}, ${moneyText(amount)}, ${fate}; the order is ${state}.\n`;
    },
  });
}

const NO_SANDBOX: CommandLine = ['{order} of {merchant} does not exist, or this is not a sandbox.', 1];

function endCommands(orders: Command, connect: Connect): void {
  const end = {
    args: [ORDER],
    options: [whose],
    parts: (of: Of) => ({ path: pathOf(of) }),
    json: ({ state, version }: { readonly state: string; readonly version: number }, of: Of) => ({ ...pathOf(of), state, version }),
    text: ({ state }: { readonly state: string }, { merchant, order }: Of) => `${order} of ${merchant} is ${state}.\n`,
  };
  askCommand(orders, connect, {
    ...end,
    name: 'cancel',
    about: 'cancel a pending order; no notice is sent',
    operation: async () => (await operations()).cancelOrder,
  });
  askCommand(orders, connect, {
    ...end,
    name: 'expire',
    about: 'expire a pending order now, with its notice; in a sandbox alone',
    operation: async () => (await operations()).expireOrder,
    lines: { not_found: NO_SANDBOX, unknown_route: NO_SANDBOX },
  });
}
