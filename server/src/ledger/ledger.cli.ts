import { Option, type Command } from 'commander';
import { formatIsoDay } from '../kit/calendar.ts';
import {
  CommandRefused,
  moneyText,
  parseInstant,
  sentInstant,
  table,
  withFlatAmount,
  type Cell,
  type Connect,
} from '../kit/command-line.ts';
import { parseDay } from '../kit/lists/list-options.ts';
import { formatAllDecimals } from '../kit/money.ts';
import { askCommand, limitOption, listCommand, needed, readBy, utcOption } from '../kit/remote/client-commands.ts';
import { parseOptionPercent, readOptionAmount } from '../kit/written/written-amount.ts';
import type { SubjectKind } from './postings.ts';
import { dayText, dayToJson } from './print-day.ts';
import { fundCommands } from './to-fund/to-fund.cli.ts';

const reads = () => import('./ledger.manage.ts');
const changes = () => import('./change-ledger.manage.ts');
const merchants = () => import('../merchants/index.ts');

/** Adds `caudal ledger …` and `caudal day` to the program. Returns the first, to which another room adds its command. */
export function ledgerCommands(program: Command, connect: Connect): Command {
  addDay(program, connect);
  const ledger = program.command('ledger').description('show the money, entry by entry; top up, adjust, move to the fund, and set fees');
  addBalances(ledger, connect);
  addEntries(ledger, connect);
  addFees(ledger, connect);
  addTopUp(ledger, connect);
  addAdjust(ledger, connect);
  addSetFees(ledger, connect);
  fundCommands(ledger, connect);
  return ledger;
}

type DayOptions = { readonly merchant: string; readonly date?: Temporal.PlainDate };

function addDay(program: Command, connect: Connect): void {
  askCommand(program, connect, {
    name: 'day',
    about: "a merchant's money on one day: before, what came in and went out, after",
    options: [
      needed('--merchant <id>', 'whose money'),
      readBy('--date <day>', "the day in the merchant's zone; today where absent", parseDay),
    ],
    operation: async () => (await import('./day.manage.ts')).readStatement,
    parts: ({ merchant, date }: DayOptions) => ({ path: { merchant, day: date === undefined ? 'today' : formatIsoDay(date) } }),
    isFine: ({ addsUp }) => addsUp,
    json: dayToJson,
    text: dayText,
  });
}

type BalancesOptions = { readonly merchant?: string; readonly network?: string; readonly service?: true };

function addBalances(ledger: Command, connect: Connect): void {
  askCommand(ledger, connect, {
    name: 'balances',
    about: 'balances by account and currency, summed over all merchants; above zero: owed to the owner of the account',
    options: [
      new Option('--merchant <id>', 'of one merchant'),
      new Option('--network <name>', 'of one network'),
      new Option('--service', 'of the service itself').conflicts('network'),
    ],
    operation: async () => (await reads()).readBalances,
    parts: ({ merchant, network, service }: BalancesOptions) => ({
      query: { merchant, account: network === undefined ? undefined : `network:${network}`, service },
    }),
    json: ({ balances }) => balances.map(({ account, balance: { amount: balance, currency } }) => ({ account, currency, balance })),
    text: ({ balances }) => {
      if (balances.length === 0) return 'No money has moved there yet.\n';
      const rows = balances.map(({ account, balance }): Cell[] => [account, balance]);
      return table(['ACCOUNT', 'BALANCE'], rows);
    },
  });
}

type EntriesOptions = {
  readonly merchant?: string;
  readonly account?: string;
  readonly transaction?: string;
  readonly currency?: string;
  readonly from?: Temporal.Instant;
  readonly until?: Temporal.Instant;
  readonly limit: number;
  readonly utc?: true;
};

function addEntries(ledger: Command, connect: Connect): void {
  listCommand(ledger, connect, {
    name: 'entries',
    about: 'entries, newest first; without --merchant the whole ledger is read',
    options: [
      new Option('--merchant <id>', 'of one merchant'),
      new Option('--account <name>', 'of one account, such as available or network:NAME'),
      new Option('--transaction <id>', 'of one transaction, such as cashout/W-77/paid'),
      new Option('--currency <code>', 'in one currency'),
      readBy('--from <instant>', 'posted at or after it, such as 2026-11-21T00:00:00-05:00', parseInstant),
      readBy('--until <instant>', 'posted before it', parseInstant),
      limitOption,
      utcOption,
    ],
    operation: async () => (await reads()).listEntries,
    limit: ({ limit }) => limit,
    parts: ({ limit: _limit, utc: _utc, from, until, ...equal }: EntriesOptions) => ({
      query: { ...equal, from: from?.toString(), until: until?.toString() },
    }),
    json: (entries) => entries.map(withFlatAmount),
    zone: async (service, entries, { utc }) => (await merchants()).askSharedZone(service, entries, utc),
    text: (entries, _given, zone) => {
      if (entries.length === 0) return 'No matching entries.\n';
      const rows = entries.map(({ postedAt, merchant, transaction, kind, account, amount, reason }): Cell[] => [
        sentInstant(postedAt),
        merchant,
        transaction,
        kind,
        account,
        amount,
        reason,
      ]);
      return table(['POSTED', 'MERCHANT', 'TRANSACTION', 'KIND', 'ACCOUNT', 'AMOUNT', 'REASON'], rows, zone);
    },
  });
}

function addFees(ledger: Command, connect: Connect): void {
  askCommand(ledger, connect, {
    name: 'fees',
    about: 'what the service takes from a merchant, and what it took before',
    options: [needed('--merchant <id>', 'from whom'), utcOption],
    operation: async () => (await reads()).readLedgerFees,
    parts: ({ merchant }: { readonly merchant: string; readonly utc?: true }) => ({ path: { merchant } }),
    json: ({ fees }) =>
      fees.map(({ operation, percent, fixed: { amount: fixed, currency }, taxPercent: tax, since, until }) => ({
        operation,
        currency,
        percent,
        fixed,
        tax,
        since,
        until,
      })),
    zone: async (service, _shown, { merchant, utc }) => (await merchants()).askSharedZone(service, [{ merchant }], utc),
    text: ({ fees }, { merchant }, zone) => {
      if (fees.length === 0) return `The service takes nothing from ${merchant}.\n`;
      const rows = fees.map(({ operation, percent, fixed, taxPercent, since, until }): Cell[] => [
        operation,
        percent,
        fixed,
        taxPercent,
        sentInstant(since),
        sentInstant(until),
      ]);
      return table(['OPERATION', 'PERCENT', 'FIXED', 'TAX PERCENT', 'SINCE', 'UNTIL'], rows, zone);
    },
  });
}

type Whose = { readonly merchant: string; readonly currency: string };
const WHOSE = needed('--merchant <id>', 'whose money it is');
const CURRENCY = needed('--currency <code>', 'three letters, such as COP');

const sent = (minor: bigint, currency: string) => ({ amount: formatAllDecimals(minor, currency), currency });

type TopUpOptions = Whose & { readonly amount: string; readonly reference?: string; readonly again?: true };

function addTopUp(ledger: Command, connect: Connect): void {
  askCommand(ledger, connect, {
    name: 'top-up',
    about: 'add money that a merchant has sent to its available fund',
    options: [
      WHOSE,
      needed('--amount <decimal>', 'such as 45000.50'),
      CURRENCY,
      new Option('--reference <text>', 'names the transfer: the same command again posts nothing'),
      new Option('--again', 'without a reference: post the same amount a second time within an hour').conflicts('reference'),
    ],
    operation: async () => (await changes()).addFunds,
    parts: ({ merchant, amount, currency, reference, again }: TopUpOptions) => ({
      path: { merchant },
      body: { amount: sent(readOptionAmount('--amount', amount, currency), currency), reference, again },
    }),
    json: ({ available: { amount: available, currency }, ...done }, { merchant }) => ({ merchant, ...done, available, currency }),
    text: ({ transaction, isRepeated, available }, { merchant }) => {
      const what = isRepeated ? `${transaction} was posted before, nothing is posted now` : `${transaction} is posted`;
      return `${what}. The available fund of ${merchant} holds ${moneyText(available)}.\n`;
    },
  });
}

type AdjustOptions = Whose & { readonly account: string; readonly credit?: string; readonly debit?: string; readonly reason: string };

function adjustedBy({ credit, debit, currency }: AdjustOptions) {
  if (credit !== undefined) return sent(readOptionAmount('--credit', credit, currency), currency);
  if (debit === undefined) throw new CommandRefused('An adjustment takes --credit or --debit.', 2);
  return sent(-readOptionAmount('--debit', debit, currency), currency);
}

function addAdjust(ledger: Command, connect: Connect): void {
  askCommand(ledger, connect, {
    name: 'adjust',
    about: 'correct an account by hand, against service:adjustments; the reason is kept',
    options: [
      WHOSE,
      needed('--account <name>', 'available, collected, or network:NAME'),
      new Option('--credit <decimal>', 'owe its owner more, such as 45000.50'),
      new Option('--debit <decimal>', 'owe its owner less').conflicts('credit'),
      CURRENCY,
      needed('--reason <text>', 'why, in one line'),
    ],
    operation: async () => (await changes()).correct,
    parts: (given: AdjustOptions) => ({
      path: { merchant: given.merchant },
      body: { account: given.account, amount: adjustedBy(given), reason: given.reason },
    }),
    json: ({ transaction }, given) => ({ merchant: given.merchant, transaction, account: given.account, ...adjustedBy(given) }),
    text: ({ transaction }, given) =>
      `${transaction} is posted: ${moneyText(adjustedBy(given))} on ${given.account} of ${given.merchant}.\n`,
  });
}

type SetFeesOptions = Whose & {
  readonly operation: SubjectKind;
  readonly percent?: string;
  readonly fixed?: string;
  readonly tax?: string;
};

function termsOf({ operation, currency, percent, fixed, tax }: SetFeesOptions) {
  if (percent === undefined && fixed === undefined && tax === undefined)
    throw new CommandRefused(
      'Fees take --percent, --fixed or --tax: what is not given is 0 from now on, as --percent 0 makes all of it.',
      2,
    );
  const fixedMinor = readOptionAmount('--fixed', fixed ?? '0', currency, 'or zero');
  return { operation, percent: percent ?? '0', fixed: sent(fixedMinor, currency), taxPercent: tax ?? '0' };
}

function addSetFees(ledger: Command, connect: Connect): void {
  askCommand(ledger, connect, {
    name: 'set-fees',
    about: 'set what the service takes from a merchant from now on; earlier terms stay on record',
    options: [
      WHOSE,
      needed('--operation <kind>', 'for what').choices(['order', 'cashout']),
      CURRENCY,
      readBy('--percent <number>', 'of the amount, 0 to 100, at most four decimals (default: 0)', parseOptionPercent),
      new Option('--fixed <decimal>', 'for each operation, such as 900 (default: 0)'),
      readBy('--tax <number>', 'percent on the fee (default: 0)', parseOptionPercent),
    ],
    operation: async () => (await changes()).price,
    parts: (given: SetFeesOptions) => ({ path: { merchant: given.merchant }, body: termsOf(given) }),
    json: (_done, given) => {
      const { operation, percent, fixed, taxPercent: tax } = termsOf(given);
      return { merchant: given.merchant, operation, currency: given.currency, percent, fixed: fixed.amount, tax };
    },
    text: (_done, given) => {
      const { operation, percent, fixed, taxPercent } = termsOf(given);
      return `From now on ${given.merchant} pays ${percent} % and ${moneyText(fixed)} for each ${operation}, and ${taxPercent} % tax on that.\n`;
    },
  });
}
