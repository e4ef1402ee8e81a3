import { Argument, Option, type Command } from 'commander';
import { table, type Cell, type Connect } from '../../kit/command-line.ts';
import { moreText } from '../../kit/lists/list-options.ts';
import { askCommand, limitOption, listCommand, needed, type AnswerOf } from '../../kit/remote/client-commands.ts';
import { optionAmountText } from '../../kit/written/written-amount.ts';
import { LINE_BASES, RULE_KINDS } from './choices.ts';
import type { ruleEnding } from './rules.manage.ts';

const operations = () => import('./rules.manage.ts');

type Shown = AnswerOf<typeof ruleEnding>;

type AddOptions = {
  readonly name: string;
  readonly merchant?: string;
  readonly kind: string;
  readonly base: string;
  readonly source?: string;
  readonly currency: string;
  readonly percent?: string;
  readonly fixed?: string;
  readonly tax?: string;
  readonly since: string;
  readonly until?: string;
};

const DAY = (option: string) => [`${option} takes a day, such as 2026-12-31.`, 2] as const;
const PERCENT = (option: string) => [`${option} takes 0 to 100, with four decimals at most.`, 2] as const;

/** Adds `caudal settlements rules`, `add-rule` and `end-rule`. */
export function ruleCommands(settlements: Command, connect: Connect): void {
  addList(settlements, connect);
  askCommand(settlements, connect, {
    name: 'add-rule',
    about: 'take a fee, a withholding or a tax from settlements, from a day on',
    args: [new Argument('<name>', "a merchant's own rule takes the place of the general one of the same name")],
    options: [
      new Option('--merchant <id>', 'of one merchant; of all where absent'),
      needed('--kind <kind>', 'what it is').choices(RULE_KINDS),
      needed('--base <base>', 'of what it takes').choices(LINE_BASES),
      new Option('--source <source>', 'of payments that this network took, such as cashpoint; of all where absent'),
      needed('--currency <code>', 'three letters, such as COP'),
      new Option('--percent <number>', 'of the base, 0 to 100, at most four decimals; 0 exempts').default('0'),
      new Option('--fixed <amount>', 'once for each settlement').default('0'),
      new Option('--tax <number>', 'percent on a fee').default('0'),
      needed('--since <day>', 'its first day'),
      new Option('--until <day>', 'its last day; none where absent'),
    ],
    operation: async () => (await operations()).ruleAdding,
    parts: ({ tax: taxPercent, fixed = '0', ...rest }: AddOptions) => ({
      body: { ...rest, fixed: optionAmountText('--fixed', fixed, rest.currency, 'or zero'), taxPercent },
    }),
    lines: {
      '/percent': PERCENT('--percent'),
      '/taxPercent': PERCENT('--tax'),
      '/since': DAY('--since'),
      '/until': DAY('--until'),
      '/source': ['--source takes a network, such as cashpoint.', 2],
      merchant_unknown: ['There is no merchant {merchant}.', 1],
      currency_not_allowed: ['{currency} is not a currency of {merchant}.', 2],
    },
    text: (rule) => `Rule ${rule.rule}, ${rule.name}, holds ${daysText(rule)}.\n`,
  });
  askCommand(settlements, connect, {
    name: 'end-rule',
    about: 'say which day is the last one of a rule; the day before its first one withdraws it',
    args: [new Argument('<rule>', 'its number')],
    options: [needed('--until <day>', 'its last day')],
    operation: async () => (await operations()).ruleEnding,
    parts: ({ rule, until }: { readonly rule: string; readonly until: string }) => ({ path: { rule }, body: { until } }),
    lines: { '/until': DAY('--until') },
    text: (rule) => `Rule ${rule.rule}, ${rule.name}, holds ${daysText(rule)}.\n`,
  });
}

const daysText = ({ since, until }: Shown): string =>
  until === null ? `from ${since} on` : until < since ? 'on no day: it is withdrawn' : `from ${since} to ${until}`;

type ListOptions = { readonly merchant?: string; readonly limit: number };

const HEADING = ['RULE', 'MERCHANT', 'NAME', 'KIND', 'BASE', 'SOURCE', 'CURRENCY', 'PERCENT', 'FIXED', 'TAX PERCENT', 'SINCE', 'UNTIL'];

function addList(settlements: Command, connect: Connect): void {
  listCommand(settlements, connect, {
    name: 'rules',
    about: 'what is taken from settlements; ended rules too',
    options: [new Option('--merchant <id>', 'of one merchant: its own rules, and those of all'), limitOption],
    operation: async () => (await operations()).ruleList,
    limit: ({ limit }) => limit,
    parts: ({ merchant }: ListOptions) => ({ query: { merchant } }),
    text: (listed, { limit }, _zone, isMore) => {
      if (listed.length === 0) return 'No matching rules.\n';
      return `${table(HEADING, listed.map(cellsOf))}${moreText(isMore, limit)}`;
    },
  });
}

const cellsOf = (one: Shown): Cell[] => [
  one.rule,
  one.merchant ?? 'all',
  one.name,
  one.kind,
  one.base,
  one.source ?? 'any',
  one.currency,
  one.percent,
  { amount: one.fixed, currency: one.currency },
  one.taxPercent,
  one.since,
  one.until,
];
