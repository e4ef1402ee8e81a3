import { Option, type Command } from 'commander';
import {
  carryOut,
  CommandRefused,
  JSON_OPTION,
  print,
  printJson,
  type Connect,
  type RefusalLines,
  moneyText,
} from '../kit/command-line.ts';
import { formatAllDecimals } from '../kit/money.ts';
import { isRefusal } from '../kit/outcome.ts';
import { readOptionAmount } from '../kit/written/written-amount.ts';
import type { AdjustRefusal } from './adjust.ts';
import { parsePercent, toPercent } from './command-values.ts';
import type { SetFeesRefusal } from './fees.ts';
import type { SubjectKind } from './postings.ts';
import type { TopUpRefusal } from './top-up.ts';

const operations = () => import('./change-ledger.manage.ts');

const unknown = (id: string): readonly [string, 1] => [`There is no merchant ${id}.`, 1];

const REFUSALS: RefusalLines<TopUpRefusal | AdjustRefusal | SetFeesRefusal | 'not_found'> = {
  merchant_unknown: unknown,
  not_found: unknown,
  currency_not_allowed: (id) => [`--currency takes a currency of the merchant; "merchants show ${id}" lists them.`, 1],
  reference_invalid: () => ['--reference takes 1 to 100 letters, digits, _, ., : or -.', 2],
  top_up_differs: (id) => [`${id} has a top-up with this reference, but of another amount or currency.`, 1],
  equal_top_up: (id) => [
    `${id} got a top-up of this amount within the last hour: --again posts another one, and --reference makes repeating safe.`,
    1,
  ],
  account_not_adjustable: () => [
    '--account takes available, collected, or network:NAME of a network that the merchant has a balance with.',
    1,
  ],
  reason_invalid: () => ['--reason takes 1 to 500 characters on one line.', 2],
  fund_too_small: (id) => [`The available fund of ${id} holds less.`, 1],
  account_too_large: (id) => [`An account of ${id}, or the service's own beside it, would hold more than an account can.`, 1],
  fund_too_large: (id) => [`The available fund of ${id} would be larger than a fund can be.`, 1],
};

const MERCHANT_OPTION = ['--merchant <id>', 'whose money it is'] as const;
const CURRENCY_OPTION = ['--currency <code>', 'three letters, such as COP'] as const;
type Whose = { merchant: string; currency: string };

/** Adds the commands that move money or set its price to `caudal ledger`. */
export function ledgerChangeCommands(ledger: Command, connect: Connect): void {
  addTopUp(ledger, connect);
  addAdjust(ledger, connect);
  addSetFees(ledger, connect);
}

type TopUpOptions = Whose & { amount: string; reference?: string; again?: true; json?: true };

/** Without a reference a second transfer looks like the same command sent twice. Within this time it counts as that. */
const REPEATED_HOURS = 1;

function addTopUp(ledger: Command, connect: Connect): void {
  ledger
    .command('top-up')
    .description('add money that a merchant has sent to its available fund')
    .requiredOption(...MERCHANT_OPTION)
    .requiredOption('--amount <decimal>', 'such as 45000.50')
    .requiredOption(...CURRENCY_OPTION)
    .option('--reference <text>', 'names the transfer: the same command again posts nothing')
    .addOption(new Option('--again', 'without a reference: post the same amount a second time within an hour').conflicts('reference'))
    .option(...JSON_OPTION)
    .action(async ({ merchant, amount, currency, reference, again, json }: TopUpOptions) => {
      const amountMinor = readOptionAmount('--amount', amount, currency);
      const sent = formatAllDecimals(amountMinor, currency);
      const { transaction, isRepeated, available } = await carryOut(connect, REFUSALS, merchant, {
        here: async (connection) => {
          const { topUp } = await import('./top-up.ts');
          const mayRepeat = reference !== undefined || again === true;
          const noEqualSince = mayRepeat ? undefined : connection.clock.now().subtract({ hours: REPEATED_HOURS });
          const done = await topUp(connection, { merchantId: merchant, currency, amountMinor, reference, noEqualSince });
          if (isRefusal(done)) return done;
          const { transactionId, availableMinor } = done;
          return { transaction: transactionId, isRepeated: done.isRepeated, available: formatAllDecimals(availableMinor, currency) };
        },
        there: async (service) => {
          if (reference === undefined) throw new CommandRefused('With --url a top-up takes --reference: then repeating is safe.', 2);
          const body = { amount: { amount: sent, currency }, reference };
          const done = await service.call((await operations()).addFunds, { path: { merchant }, body });
          return { ...done, available: done.available.amount };
        },
      });
      if (json) return printJson({ merchant, transaction, isRepeated, available, currency });
      const what = isRepeated ? `${transaction} was posted before, nothing is posted now` : `${transaction} is posted`;
      print(`${what}. The available fund of ${merchant} holds ${moneyText({ amount: available, currency })}.\n`);
    });
}

type AdjustOptions = Whose & { account: string; credit?: string; debit?: string; reason: string; json?: true };

function addAdjust(ledger: Command, connect: Connect): void {
  ledger
    .command('adjust')
    .description('correct an account by hand, against service:adjustments; the reason is kept')
    .requiredOption(...MERCHANT_OPTION)
    .requiredOption('--account <name>', 'available, collected, or network:NAME')
    .option('--credit <decimal>', 'owe its owner more, such as 45000.50')
    .addOption(new Option('--debit <decimal>', 'owe its owner less').conflicts('credit'))
    .requiredOption(...CURRENCY_OPTION)
    .requiredOption('--reason <text>', 'why, in one line')
    .option(...JSON_OPTION)
    .action(async ({ merchant, account, credit, debit, currency, reason, json }: AdjustOptions) => {
      if (credit === undefined && debit === undefined) throw new CommandRefused('An adjustment takes --credit or --debit.', 2);
      const amountMinor =
        credit === undefined ? -readOptionAmount('--debit', debit ?? '', currency) : readOptionAmount('--credit', credit, currency);
      const amount = formatAllDecimals(amountMinor, currency);
      const { transaction } = await carryOut(connect, REFUSALS, merchant, {
        here: async (connection) => {
          const { adjust } = await import('./adjust.ts');
          const done = await adjust(connection, { merchantId: merchant, account, currency, amountMinor, reason });
          return isRefusal(done) ? done : { transaction: done.transactionId };
        },
        there: async (service) => {
          const body = { account, amount: { amount, currency }, reason };
          return service.call((await operations()).correct, { path: { merchant }, body });
        },
      });
      if (json) return printJson({ merchant, transaction, account, amount, currency });
      print(`${transaction} is posted: ${moneyText({ amount, currency })} on ${account} of ${merchant}.\n`);
    });
}

type SetFeesOptions = Whose & { operation: SubjectKind; percent?: number; fixed?: string; tax?: number; json?: true };

function addSetFees(ledger: Command, connect: Connect): void {
  ledger
    .command('set-fees')
    .description('set what the service takes from a merchant from now on; earlier terms stay on record')
    .requiredOption(...MERCHANT_OPTION)
    .addOption(new Option('--operation <kind>', 'for what').choices(['order', 'cashout']).makeOptionMandatory())
    .requiredOption(...CURRENCY_OPTION)
    .option('--percent <number>', 'of the amount, 0 to 100, at most four decimals (default: 0)', parsePercent)
    .option('--fixed <decimal>', 'for each operation, such as 900 (default: 0)')
    .option('--tax <number>', 'percent on the fee (default: 0)', parsePercent)
    .option(...JSON_OPTION)
    .action(async ({ merchant, operation: kind, currency, percent, fixed, tax, json }: SetFeesOptions) => {
      if (percent === undefined && fixed === undefined && tax === undefined)
        throw new CommandRefused(
          'Fees take --percent, --fixed or --tax: what is not given is 0 from now on, as --percent 0 makes all of it.',
          2,
        );
      const [percentPpm, taxPpm] = [percent ?? 0, tax ?? 0];
      const fixedMinor = readOptionAmount('--fixed', fixed ?? '0', currency, 'or zero');
      const set = { percent: toPercent(percentPpm), fixed: formatAllDecimals(fixedMinor, currency), tax: toPercent(taxPpm) };
      await carryOut(connect, REFUSALS, merchant, {
        here: async (connection) =>
          (await import('./fees.ts')).setFees(connection, { merchantId: merchant, kind, currency, percentPpm, fixedMinor, taxPpm }),
        there: async (service) => {
          const body = { operation: kind, percent: set.percent, fixed: { amount: set.fixed, currency }, taxPercent: set.tax };
          await service.call((await operations()).price, { path: { merchant }, body });
          return undefined;
        },
      });
      if (json) return printJson({ merchant, operation: kind, currency, ...set });
      print(
        `From now on ${merchant} pays ${set.percent} % and ${moneyText({ amount: set.fixed, currency })} for each ${kind}, and ${set.tax} % tax on that.\n`,
      );
    });
}
