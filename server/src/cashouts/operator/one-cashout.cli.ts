import { Argument, Option, type Command } from 'commander';
import { details, detailsAndTables, moneyText, type Connect } from '../../kit/command-line.ts';
import { askCommand, needed, utcOption } from '../../kit/remote/client-commands.ts';
import { optionAmountText } from '../../kit/written/written-amount.ts';

// Commands about one cashout.

const operations = () => import('../manage/cashouts.manage.ts');
const merchants = () => import('../../merchants/index.ts');

type Of = { readonly merchant: string; readonly operation: string };
type WithReason = Of & { readonly reason: string };

const CASHOUT = new Argument('<operation>', "the merchant's id of it");
const whose = needed('--merchant <id>', 'whose cashout it is');
const pathOf = ({ merchant, operation }: Of): Of => ({ merchant, operation });

/** Adds those that show a cashout, register it and end it. */
export function oneCashoutCommands(cashouts: Command, connect: Connect): void {
  showCommand(cashouts, connect);
  registerCommand(cashouts, connect);
  endCommands(cashouts, connect);
  unlockCommand(cashouts, connect);
  resendCommand(cashouts, connect);
}

function showCommand(cashouts: Command, connect: Connect): void {
  askCommand(cashouts, connect, {
    name: 'show',
    about: 'a cashout with its history, payment, notices, messages and ledger entries',
    args: [CASHOUT],
    options: [whose, utcOption],
    operation: async () => (await operations()).readCashout,
    parts: (given: Of & { readonly utc?: true }) => ({ path: pathOf(given) }),
    lines: { not_found: ['{operation} of {merchant} does not exist.', 1] },
    zone: async (service, shown, { utc }) => (await merchants()).askSharedZone(service, [shown], utc),
    text: async (shown, _given, zone) => {
      const { cashoutLines, cashoutTables } = await import('./cashout-as-text.ts');
      return detailsAndTables(cashoutLines(shown, zone), cashoutTables(shown), zone);
    },
  });
}

type RegisterOptions = Of & {
  readonly amount: string;
  readonly currency: string;
  readonly document: string;
  readonly sms?: string;
  readonly cost?: string;
  readonly description?: string;
  readonly expiresOn?: string;
  readonly otpLength?: string;
};

function registerCommand(cashouts: Command, connect: Connect): void {
  askCommand(cashouts, connect, {
    name: 'register',
    about: "register a cashout from the merchant's fund; its one-time password goes by SMS",
    args: [CASHOUT],
    options: [
      whose,
      needed('--amount <amount>', 'what is paid out'),
      needed('--currency <code>', 'of the amount'),
      needed('--document <number>', 'of the end user'),
      new Option('--sms <cellphone>', "where the one-time password goes; without it only the merchant's own token may register"),
      new Option('--cost <amount>', "the merchant's transaction cost"),
      new Option('--description <text>', 'what it is for'),
      new Option('--expires-on <day>', 'the last day, as 2026-12-31'),
      new Option('--otp-length <digits>', '4 to 12'),
    ],
    operation: async () => (await operations()).registerCashout,
    parts: ({ merchant, operation, amount, currency, document, sms, cost, description, expiresOn, otpLength }: RegisterOptions) => ({
      body: {
        merchant,
        operation,
        amount: { amount: optionAmountText('--amount', amount, currency), currency },
        document,
        ...(sms !== undefined && { sms: true, cellphone: sms }),
        transactionCost: cost && optionAmountText('--cost', cost, currency, 'or zero'),
        description,
        expiresOn,
        otpLength: otpLength !== undefined && /^[0-9]{1,3}$/.test(otpLength) ? Number(otpLength) : otpLength,
      },
    }),
    text: ({ merchant, operation, state, amount, expiresOn, oneTimePassword: password = 'goes by SMS' }) =>
      details(Object.entries({ merchant, cashout: operation, state, amount, 'last day': expiresOn, password })),
  });
}

function endCommands(cashouts: Command, connect: Connect): void {
  askCommand(cashouts, connect, {
    name: 'cancel',
    about: 'cancel a pending cashout, as its merchant does; its money goes back to the fund',
    args: [CASHOUT],
    options: [whose],
    operation: async () => (await operations()).cancelCashout,
    parts: (of: Of) => ({ path: pathOf(of) }),
    json: ({ state, version }, of) => ({ ...pathOf(of), state, version }),
    text: (_shown, { merchant, operation }) => `${operation} of ${merchant} is cancelled; its money went back to the fund.\n`,
  });
  askCommand(cashouts, connect, {
    name: 'nullify',
    about: 'nullify a pending cashout; its money goes back to the fund of the merchant',
    args: [CASHOUT],
    options: [whose, needed('--reason <text>', 'why, for the history')],
    operation: async () => (await operations()).nullifyCashout,
    parts: withReason,
    json: ({ state, reserved: { amount, currency } }, of) => ({ ...pathOf(of), state, released: amount, currency }),
    text: ({ reserved }, { merchant, operation }) =>
      `${operation} of ${merchant} is nullified; ${moneyText(reserved)} went back to its fund.\n`,
  });
}

function unlockCommand(cashouts: Command, connect: Connect): void {
  askCommand(cashouts, connect, {
    name: 'unlock',
    about: 'end the hold of a network on a pending cashout, once that network says that it pays nothing',
    args: [CASHOUT],
    options: [whose, needed('--reason <text>', 'why, for the audit log')],
    operation: async () => (await operations()).unlockCashout,
    parts: withReason,
    json: (_shown, of) => ({ ...pathOf(of), isHeld: false }),
    text: (_shown, { merchant, operation }) => `${operation} of ${merchant} is held by no network.\n`,
  });
}

const withReason = ({ reason, ...of }: WithReason) => ({ path: pathOf(of), body: { reason } });

function resendCommand(cashouts: Command, connect: Connect): void {
  askCommand(cashouts, connect, {
    name: 'resend',
    about: 'give a pending cashout a new one-time password: by SMS, or printed where it is not sent by SMS',
    args: [CASHOUT],
    options: [whose],
    operation: async () => (await operations()).resendPassword,
    parts: (of: Of) => ({ path: pathOf(of) }),
    json: ({ sms, oneTimePassword: otp = null }, of) => ({ ...pathOf(of), isSentBySms: sms, otp }),
    text: ({ sms, oneTimePassword }) => (sms ? 'The new password leaves by SMS.\n' : `The new password is ${oneTimePassword}.\n`),
  });
}
