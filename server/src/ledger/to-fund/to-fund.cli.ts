import { Option, type Command } from 'commander';
import { CommandRefused, moneyText, requireCurrency, sentInstant, table, type Cell, type Connect } from '../../kit/command-line.ts';
import { formatAllDecimals } from '../../kit/money.ts';
import { askCommand, needed, utcOption } from '../../kit/remote/client-commands.ts';
import { optionAmountText, readOptionAmount } from '../../kit/written/written-amount.ts';

const operations = () => import('./to-fund.manage.ts');

const WHOSE = needed('--merchant <id>', 'whose money it is');

type MoveOptions = { readonly merchant: string; readonly amount: string; readonly currency: string; readonly reference: string };

/** Adds what moves money to the fund of a merchant to `caudal ledger`. */
export function fundCommands(ledger: Command, connect: Connect): void {
  askCommand(ledger, connect, {
    name: 'to-fund',
    about: 'move what a merchant has collected to its fund for cashouts',
    options: [
      WHOSE,
      needed('--amount <decimal>', 'such as 45000.50'),
      needed('--currency <code>', 'three letters, such as COP'),
      needed('--reference <text>', 'names the move: the same command again moves nothing'),
    ],
    operation: async () => (await operations()).moveToFundByHand,
    parts: ({ merchant, amount, currency, reference }: MoveOptions) => ({
      path: { merchant },
      body: { amount: { amount: formatAllDecimals(readOptionAmount('--amount', amount, currency), currency), currency }, reference },
    }),
    json: ({ available: { amount: available, currency }, collected: { amount: collected }, ...done }, { merchant }) => ({
      merchant,
      ...done,
      available,
      collected,
      currency,
    }),
    text: ({ transaction, isRepeated, available, collected }, { merchant }) => {
      const what = isRepeated ? `${transaction} was posted before, nothing is moved now` : `${transaction} is posted`;
      return `${what}. The available fund of ${merchant} holds ${moneyText(available)}; ${moneyText(collected)} are left of what it has collected.\n`;
    },
  });
  addRule(ledger, connect);
}

type RuleOptions = {
  readonly merchant: string;
  readonly currency?: string;
  readonly low?: string;
  readonly eachDay?: true;
  readonly target?: string;
  readonly off?: true;
  readonly utc?: true;
};

const isSetting = ({ low, eachDay }: RuleOptions): boolean => low !== undefined || eachDay === true;

function addRule(ledger: Command, connect: Connect): void {
  askCommand(ledger, connect, {
    name: 'fund-rule',
    about: 'show when what a merchant collects moves to its fund by itself; with --low or --each-day set it, with --off end it',
    options: [
      WHOSE,
      new Option('--currency <code>', 'set or end the rule of this currency'),
      new Option('--low <amount>', 'move whenever the fund holds less'),
      new Option('--each-day', 'move once, as each day of the merchant begins').conflicts('low'),
      new Option('--target <amount>', 'fill the fund up to it; without it all moves'),
      new Option('--off', 'nothing moves by itself any more').conflicts(['low', 'eachDay', 'target']),
      utcOption,
    ],
    operation: async (given) => {
      const { endRule, readFundRules, setRule } = await operations();
      return given.off === true ? endRule : isSetting(given) ? setRule : readFundRules;
    },
    parts: (given: RuleOptions) => {
      const { merchant, currency, low, target } = given;
      if (!isSetting(given) && given.off !== true) {
        if (target !== undefined) throw new CommandRefused('--target takes --low or --each-day beside it.', 2);
        return { path: { merchant } };
      }
      if (currency === undefined) throw new CommandRefused('A rule is for a currency: --currency COP.', 2);
      requireCurrency(currency);
      if (given.off === true) return { path: { merchant, currency } };
      const textOf = (option: string, text: string | undefined): string | null =>
        text === undefined ? null : optionAmountText(option, text, currency);
      return { path: { merchant, currency }, body: { low: textOf('--low', low), target: textOf('--target', target) } };
    },
    json: ({ rules }) => rules,
    zone: async (service, _shown, { merchant, utc }) =>
      (await import('../../merchants/index.ts')).askSharedZone(service, [{ merchant }], utc),
    text: ({ rules }, { merchant }, zone) => {
      if (rules.length === 0) return `Nothing moves to the fund of ${merchant} by itself.\n`;
      const rows = rules.map(({ currency, low, target, nextAt, setAt }): Cell[] => [
        currency,
        low === null ? 'each day' : `below ${low}`,
        target === null ? 'all' : `up to ${target}`,
        sentInstant(nextAt),
        sentInstant(setAt),
      ]);
      return table(['CURRENCY', 'WHEN', 'HOW MUCH', 'NEXT', 'SET'], rows, zone);
    },
  });
}
