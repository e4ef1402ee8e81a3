import { Option, type Command } from 'commander';
import { CommandRefused, orNone, requireCurrency, table, type Connect } from '../../kit/command-line.ts';
import { askCommand, needed } from '../../kit/remote/client-commands.ts';
import { optionAmountText } from '../../kit/written/written-amount.ts';

type Options = {
  readonly merchant: string;
  readonly currency?: string;
  readonly least?: string;
  readonly most?: string;
  readonly perDocumentAndDay?: string;
};

const isSetting = ({ least, most, perDocumentAndDay }: Options): boolean =>
  [least, most, perDocumentAndDay].some((given) => given !== undefined);

/** Adds `caudal cashouts limits`. What is not given stays as it is. */
export function limitsCommand(cashouts: Command, connect: Connect): void {
  askCommand(cashouts, connect, {
    name: 'limits',
    about: 'show what a merchant can register; with --currency and bounds, set it',
    options: [
      needed('--merchant <id>', 'whose limits'),
      new Option('--currency <code>', 'set the limits of this currency'),
      new Option('--least <amount>', 'of one cashout; none for no limit'),
      new Option('--most <amount>', 'of one cashout; none for no limit'),
      new Option('--per-document-and-day <number>', 'cashouts of one document on one day; none for no limit'),
    ],
    operation: async (given) => {
      const { changeCashoutLimits, readCashoutLimits } = await import('./limits.manage.ts');
      return isSetting(given) ? changeCashoutLimits : readCashoutLimits;
    },
    parts: (given: Options) => {
      const { merchant, currency } = given;
      if (!isSetting(given)) return { path: { merchant } };
      if (currency === undefined) throw new CommandRefused('Limits are set for a currency: --currency COP.', 2);
      requireCurrency(currency);
      const body = {
        least: readBound('--least', given.least, currency),
        most: readBound('--most', given.most, currency),
        perDocumentAndDay: readNumber(given.perDocumentAndDay),
      };
      return { path: { merchant, currency }, body };
    },
    lines: {
      currency_not_allowed: ['{currency} is not a currency of {merchant}.', 2],
      least_above_most: ['--least is above --most.', 2],
    },
    json: ({ limits }) => limits,
    text: ({ limits }, { merchant }) => {
      if (limits.length === 0) return `${merchant} has no limits.\n`;
      const rows = limits.map((one) => [one.currency, one.least ?? 'none', one.most ?? 'none', one.perDocumentAndDay ?? 'none']);
      return table(['CURRENCY', 'LEAST', 'MOST', 'PER DOCUMENT AND DAY'], rows);
    },
  });
}

/** Null: no bound. */
function readBound(option: string, text: string | undefined, currency: string): string | null | undefined {
  const given = orNone(text);
  return given && optionAmountText(option, given, currency);
}

function readNumber(text: string | undefined): number | null | undefined {
  const given = orNone(text);
  if (given === undefined || given === null) return given;
  if (!/^[1-9][0-9]{0,5}$/.test(given)) throw new CommandRefused('--per-document-and-day takes a number from 1, or none.', 2);
  return Number(given);
}
