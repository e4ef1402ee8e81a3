import { Argument, Option, type Command } from 'commander';
import { CommandRefused, details, moneyText, sentInstant, table, type Asks, type Cell, type Connect } from '../../kit/command-line.ts';
import { moreText, statesOf } from '../../kit/lists/list-options.ts';
import { askCommand, limitOption, listCommand, needed, utcOption, type AnswerOf } from '../../kit/remote/client-commands.ts';
import { optionAmountText } from '../../kit/written/written-amount.ts';
import type { Bearer, Refunder } from '../../ledger/index.ts';
import type { approveRefund, readRefundOperation } from '../manage/refunds.manage.ts';
import { paymentOption, whichPayment } from '../operator/one-order.cli.ts';
import { PAYERS_BACK, REFUND_BEARERS, REFUND_STATES, REFUNDERS, type AnyRefunder } from './refund-columns.ts';

const operations = () => import('../manage/refunds.manage.ts');
const merchants = () => import('../../merchants/index.ts');

type Shown = AnswerOf<typeof readRefundOperation>;
type Changed = AnswerOf<typeof approveRefund>;
type Utc = { readonly utc?: true };

const whose = needed('--merchant <id>', 'whose order it is');
const reasonOption = needed('--reason <text>', "why, for the order's history, which its merchant can read");

type RequestOptions = {
  readonly order: string;
  readonly merchant: string;
  readonly refundedBy: AnyRefunder;
  readonly takenFrom?: Bearer;
  readonly reason: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly payment?: string;
  readonly id?: string;
};

/** Adds `caudal orders refund`. */
export function refundCommand(orders: Command, connect: Connect): void {
  askCommand(orders, connect, {
    name: 'refund',
    about: 'promise money of a payment back to its payer; what the merchant has collected bears it, or its fund',
    args: [new Argument('<order>', "the merchant's id of it")],
    options: [
      whose,
      needed('--refunded-by <who>', 'who is to hand the money to the payer').choices(REFUNDERS),
      new Option('--taken-from <money>', 'which of its money bears it; what it has collected where absent').choices(REFUND_BEARERS),
      reasonOption,
      new Option('--amount <amount>', 'how much; all that is left of the payment where absent'),
      new Option('--currency <code>', 'of the amount'),
      paymentOption,
      new Option('--id <refund>', 'your id of the refund: given again it is the same refund'),
    ],
    operation: async () => (await operations()).requestRefund,
    parts: ({ order, merchant, refundedBy, takenFrom, reason, amount, currency, payment, id }: RequestOptions) => {
      if ((amount === undefined) !== (currency === undefined)) throw new CommandRefused('--amount and --currency go together.', 2);
      const sent = amount === undefined ? undefined : { amount: optionAmountText('--amount', amount, String(currency)), currency };
      return {
        path: { merchant, order },
        body: { refund: id, payment: whichPayment(payment), amount: sent, refundedBy, takenFrom, reason },
      };
    },
    lines: {
      '/refund': ['--id takes 1 to 200 letters, digits, _ or -.', 2],
      not_found: ['{order} of {merchant} does not exist.', 1],
    },
    text: changedText,
  });
}

type Of = { readonly refund: string; readonly merchant: string };
const REFUND = new Argument('<refund>', 'its id');
const pathOf = ({ merchant, refund }: Of): Of => ({ merchant, refund });

/** Adds `caudal refunds …`: what an operator does about money that goes back to payers. */
export function refundCommands(program: Command, connect: Connect): void {
  const refunds = program.command('refunds').description('money of payments that goes back to payers');
  addList(refunds, connect);
  addShow(refunds, connect);
  addChanges(refunds, connect);
  addCashout(refunds, connect);
}

/** The zone of the times of what is listed. */
const zoneOf = async (service: Asks, shown: readonly Shown[], { utc }: Utc): Promise<string> =>
  (await merchants()).askSharedZone(service, shown, utc);

type ListOptions = Utc & { readonly merchant?: string; readonly state?: string; readonly limit: number };

function addList(refunds: Command, connect: Connect): void {
  listCommand(refunds, connect, {
    name: 'list',
    about: 'refunds, the newest first',
    options: [
      new Option('--merchant <id>', 'of one merchant; of all where absent'),
      new Option('--state <states>', REFUND_STATES.join(', ')),
      limitOption,
      utcOption,
    ],
    operation: async () => (await operations()).listRefundsOperation,
    limit: ({ limit }) => limit,
    parts: ({ merchant, state }: ListOptions) => ({ query: { merchant, state: statesOf(state, REFUND_STATES) } }),
    first: async (service, { merchant, utc }) => (merchant === undefined ? undefined : (await merchants()).askZone(service, merchant, utc)),
    zone: zoneOf,
    text: (listed, { limit }, zone, isMore) => {
      if (listed.length === 0) return 'No matching refunds.\n';
      const cells = listed.map((one) => [one.merchant, one.order, ...refundCells(one)]);
      return `${table(['MERCHANT', 'ORDER', ...REFUND_HEADING], cells, zone)}${moreText(isMore, limit)}`;
    },
  });
}

function addShow(refunds: Command, connect: Connect): void {
  askCommand(refunds, connect, {
    name: 'show',
    about: 'a refund; the history of its order says who did what',
    args: [REFUND],
    options: [whose, utcOption],
    operation: async () => (await operations()).readRefundOperation,
    parts: (given: Of & Utc) => ({ path: pathOf(given) }),
    zone: (service, shown, given) => zoneOf(service, [shown], given),
    text: ({ next, ...shown }, _given, zone) => {
      const { requestedAt, endedAt, refundedBy, takenFrom, ...rest } = shown;
      const times = { requested: sentInstant(requestedAt), ended: sentInstant(endedAt) };
      return details(Object.entries({ ...rest, 'refunded by': refundedBy, 'taken from': takenFrom, 'next step': next, ...times }), zone);
    },
  });
}

type CashoutOptions = Of & {
  readonly cashout: string;
  readonly document: string;
  readonly sms?: string;
  readonly description?: string;
  readonly expiresOn?: string;
};

function addCashout(refunds: Command, connect: Connect): void {
  askCommand(refunds, connect, {
    name: 'cashout',
    about: 'register a cashout with which the payer collects an approved refund; its one-time password goes by SMS',
    args: [REFUND],
    options: [
      whose,
      needed('--cashout <id>', "the merchant's id of the cashout"),
      needed('--document <number>', 'of the payer'),
      new Option('--sms <cellphone>', "where the one-time password goes; without it only the merchant's own token may register"),
      new Option('--description <text>', 'what it is for'),
      new Option('--expires-on <day>', 'the last day, as 2026-12-31'),
    ],
    operation: async () => (await operations()).registerRefundCashout,
    parts: ({ cashout, document, sms, description, expiresOn, ...of }: CashoutOptions) => ({
      path: pathOf(of),
      body: { operation: cashout, document, ...(sms !== undefined && { sms: true, cellphone: sms }), description, expiresOn },
    }),
    text: ({ merchant, operation, state, amount, expiresOn, oneTimePassword: password = 'goes by SMS' }) =>
      details(Object.entries({ merchant, cashout: operation, state, amount, 'last day': expiresOn, password })),
  });
}

type PayOptions = Of & { readonly proof?: string; readonly refundedBy?: Refunder };
type FailOptions = Of & { readonly reason: string };

function addChanges(refunds: Command, connect: Connect): void {
  const change = { args: [REFUND], text: changedText };
  askCommand(refunds, connect, {
    ...change,
    name: 'approve',
    about: 'approve a refund that a merchant has asked for',
    options: [whose],
    operation: async () => (await operations()).approveRefund,
    parts: (of: Of) => ({ path: pathOf(of) }),
  });
  askCommand(refunds, connect, {
    ...change,
    name: 'pay',
    about: 'record that the payer has the money',
    options: [
      whose,
      new Option('--proof <text>', 'what shows it, such as the id of a transfer'),
      new Option('--refunded-by <who>', 'who paid, where it was another one than was meant').choices(PAYERS_BACK),
    ],
    operation: async () => (await operations()).payRefund,
    parts: ({ proof, refundedBy, ...of }: PayOptions) => ({ path: pathOf(of), body: { proof, refundedBy } }),
  });
  askCommand(refunds, connect, {
    ...change,
    name: 'fail',
    about: 'record that a refund could not be paid; its merchant has the money again',
    options: [whose, reasonOption],
    operation: async () => (await operations()).failRefund,
    parts: ({ reason, ...of }: FailOptions) => ({ path: pathOf(of), body: { reason } }),
  });
  askCommand(refunds, connect, {
    ...change,
    name: 'cancel',
    about: 'cancel a refund that nobody has paid; its merchant has the money again',
    options: [whose],
    operation: async () => (await operations()).cancelRefund,
    parts: (of: Of) => ({ path: pathOf(of) }),
  });
}

const BECAME: Readonly<Record<Shown['state'], string>> = {
  requested: 'is requested: it has to be approved',
  approved: 'is approved: it is to be paid',
  paid: 'is paid',
  failed: 'has failed',
  cancelled: 'is cancelled',
};

function changedText({ refund, merchant, order, amount, state, isRepeated }: Changed): string {
  const before = isRepeated ? ' It was so before.' : '';
  return `Refund ${refund} of ${merchant}, ${moneyText(amount)} of ${order}, ${BECAME[state]}.${before}\n`;
}

export const REFUND_HEADING = ['REFUND', 'PAYMENT', 'AMOUNT', 'FEE', 'TAX', 'STATE', 'BY', 'REQUESTED', 'ENDED', 'REASON', 'NOTE'];

/** The note is what proves that it was paid, or why it failed. */
export const refundCells = (one: Shown): Cell[] => [
  one.refund,
  one.payment,
  one.amount,
  one.fee,
  one.tax,
  one.state,
  one.refundedBy,
  sentInstant(one.requestedAt),
  sentInstant(one.endedAt),
  one.reason,
  one.problem ?? one.proof,
];
