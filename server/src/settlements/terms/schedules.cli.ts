import { Argument, Option, type Command } from 'commander';
import { CommandRefused, details, sentInstant, table, type Cell, type Connect } from '../../kit/command-line.ts';
import { moreText } from '../../kit/lists/list-options.ts';
import { askCommand, limitOption, listCommand, needed, readBy, type AnswerOf } from '../../kit/remote/client-commands.ts';
import { optionAmountText } from '../../kit/written/written-amount.ts';
import { ACCOUNT_TYPES, PERIODS } from './choices.ts';
import type { scheduleReading } from './schedules.manage.ts';

const operations = () => import('./schedules.manage.ts');

type Shown = AnswerOf<typeof scheduleReading>;

type Options = {
  readonly merchant: string;
  readonly currency: string;
  readonly period?: string;
  readonly weekday?: string;
  readonly monthDay?: number;
  readonly delayDays?: number;
  readonly calendar?: string;
  readonly minimum?: string;
  readonly reservePercent?: string;
  readonly reserveDays?: number;
  readonly bankCode?: string;
  readonly bankName?: string;
  readonly accountType?: string;
  readonly account?: string;
  readonly holderName?: string;
  readonly holderDocumentType?: string;
  readonly holderDocument?: string;
};

/** Without other options the command shows. */
const isRead = (given: object): boolean => Object.keys(given).length === 2;

const whole = (option: string) => (text: string) => {
  if (!/^[0-9]{1,3}$/.test(text)) throw new CommandRefused(`${option} takes a whole number.`, 2);
  return Number(text);
};

/** Adds `caudal settlements schedule` and `schedules`. */
export function scheduleCommands(settlements: Command, connect: Connect): void {
  addList(settlements, connect);
  askCommand(settlements, connect, {
    name: 'schedule',
    about: 'set when and to where a merchant is paid in a currency; what is not given stays; without options: show it',
    args: [new Argument('<merchant>', 'its id')],
    options: [
      needed('--currency <code>', 'three letters, such as COP'),
      new Option('--period <period>', 'how often').choices(PERIODS),
      new Option('--weekday <day>', 'with --period weekly: monday to sunday'),
      readBy('--month-day <number>', 'with --period monthly: 1 to 31', whole('--month-day')),
      readBy('--delay-days <number>', 'business days between a payment and its payout: 1 to 30 (at first: 1)', whole('--delay-days')),
      new Option('--calendar <name>', 'whose holidays count, such as colombia'),
      new Option('--minimum <amount>', 'less than this stays for the next settlement (at first: 0)'),
      new Option('--reserve-percent <number>', 'of what was collected, held back (at first: 0)'),
      readBy('--reserve-days <number>', 'for so many days: 0 to 720 (at first: 0)', whole('--reserve-days')),
      new Option('--bank-code <code>', 'of the bank, as its clearing house knows it, such as 1007'),
      new Option('--bank-name <name>', 'of the bank'),
      new Option('--account-type <type>', 'of the account').choices(ACCOUNT_TYPES),
      new Option('--account <number>', 'digits alone'),
      new Option('--holder-name <name>', 'whose account it is'),
      new Option('--holder-document-type <type>', 'what kind of document its holder has, such as NIT'),
      new Option('--holder-document <document>', 'of its holder'),
    ],
    operation: async (given) => {
      const { scheduleReading, scheduleSetting } = await operations();
      return isRead(given) ? scheduleReading : scheduleSetting;
    },
    parts: (given: Options) => {
      const { merchant, currency } = given;
      return { path: { merchant, currency }, ...(!isRead(given) && { body: changeOf(given) }) };
    },
    lines: {
      '/weekday': ['--weekday takes monday to sunday.', 2],
      '/bankCode': ['--bank-code takes 1 to 11 digits or capital letters.', 2],
      '/bankName': ['--bank-name takes 1 to 100 characters on one line.', 2],
      '/holderName': ['--holder-name takes 1 to 100 characters on one line.', 2],
      '/holderDocumentType': ['--holder-document-type takes 1 to 10 capital letters.', 2],
      '/holderDocument': ['--holder-document takes 3 to 20 digits, capital letters or -.', 2],
      '/calendar': ['--calendar takes the name of a calendar, such as colombia.', 2],
      '/reservePercent': ['--reserve-percent takes 0 to 100, with four decimals at most.', 2],
      currency_not_allowed: ['{currency} is not a currency of {merchant}.', 2],
    },
    text: (shown) => details(linesOf(shown)),
  });
}

const ACCOUNT_RULE =
  'An account is given whole: --bank-code, --bank-name, --account-type, --account, --holder-name, --holder-document-type and --holder-document.';

/** A typing error in one part of an account must not leave the others of an earlier one. */
function accountOf({ bankCode, bankName, accountType: type, account: number, holderName, holderDocumentType, holderDocument }: Options) {
  const given = { bankCode, bankName, type, number, holderName, holderDocumentType, holderDocument };
  const missing = Object.values(given).filter((value) => value === undefined).length;
  if (missing === Object.keys(given).length) return undefined;
  if (missing > 0) throw new CommandRefused(ACCOUNT_RULE, 2);
  return given;
}

const changeOf = (given: Options) => ({
  period: given.period,
  weekday: given.weekday,
  monthDay: given.monthDay,
  delayDays: given.delayDays,
  calendar: given.calendar,
  minimum: given.minimum === undefined ? undefined : optionAmountText('--minimum', given.minimum, given.currency, 'or zero'),
  reservePercent: given.reservePercent,
  reserveDays: given.reserveDays,
  account: accountOf(given),
});

type ListOptions = { readonly merchant?: string; readonly limit: number };

function addList(settlements: Command, connect: Connect): void {
  listCommand(settlements, connect, {
    name: 'schedules',
    about: 'when merchants are paid, and what came of the last time',
    options: [new Option('--merchant <id>', 'of one merchant; of all where absent'), limitOption],
    operation: async () => (await operations()).scheduleList,
    limit: ({ limit }) => limit,
    parts: ({ merchant }: ListOptions) => ({ query: { merchant } }),
    text: (listed, { limit }, _zone, isMore) => {
      if (listed.length === 0) return 'No matching schedules.\n';
      const rows = listed.map((one): Cell[] => [
        one.merchant,
        one.currency,
        periodText(one),
        one.nextDue ?? one.problem,
        one.account.bankName,
        one.account.number,
        one.lastRun?.due ?? null,
        one.lastRun?.outcome ?? null,
      ]);
      const heading = ['MERCHANT', 'CURRENCY', 'PERIOD', 'NEXT DUE', 'BANK', 'ACCOUNT', 'LAST DUE', 'OUTCOME'];
      return `${table(heading, rows)}${moreText(isMore, limit)}`;
    },
  });
}

const periodText = ({ period, weekday, monthDay }: Shown): string =>
  period === 'weekly' ? `weekly on ${weekday}` : period === 'monthly' ? `monthly on ${monthDay}` : period.replace('_', ' ');

const linesOf = (shown: Shown): readonly (readonly [string, Cell])[] => [
  ['merchant', shown.merchant],
  ['period', periodText(shown)],
  ['delay', `${shown.delayDays} business days`],
  ['calendar', shown.calendar],
  ['minimum', { amount: shown.minimum, currency: shown.currency }],
  ['reserve', shown.reserveDays === 0 ? 'none' : `${shown.reservePercent} % for ${shown.reserveDays} days`],
  ['bank', `${shown.account.bankCode} ${shown.account.bankName}`],
  ['account', `${shown.account.type} ${shown.account.number}`],
  ['holder', `${shown.account.holderName}, ${shown.account.holderDocumentType} ${shown.account.holderDocument}`],
  ['set', sentInstant(shown.setAt)],
  ['next due', shown.nextDue ?? shown.problem ?? 'on demand'],
  ['last due', shown.lastRun?.due ?? 'never'],
  ...(shown.lastRun === null
    ? []
    : ([
        ['outcome', shown.lastRun.outcome],
        ['settlement', shown.lastRun.settlement],
      ] as const)),
];
