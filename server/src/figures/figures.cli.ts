import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseIsoDay } from '../kit/calendar.ts';
import {
  accept,
  JSON_OPTION,
  print,
  localText,
  printJson,
  table,
  withConnection,
  type Cell,
  type Connect,
  type RefusalLines,
} from '../kit/command-line.ts';
import { formatAllDecimals } from '../kit/money.ts';
import type { Figure } from './read-figures.ts';

const REFUSALS: RefusalLines<'not_found' | 'days_out_of_range'> = {
  not_found: (id) => [`There is no merchant ${id}.`, 1],
  days_out_of_range: () => ['--to is not before --from, and there are at most 31 days by hour and 400 by day.', 2],
};

type ShowOptions = {
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
  by: 'hour' | 'day';
  merchant?: string;
  network?: string;
  json?: true;
};

/** Adds `caudal figures …` to the program. */
export function figureCommands(program: Command, connect: Connect): void {
  const figures = program.command('figures').description('what happened, counted by hour or day');
  figures
    .command('show')
    .description('show figures of some days: orders, cashouts, refused payments, notices')
    .requiredOption('--from <day>', 'the first day, such as 2026-11-21', parseDay)
    .requiredOption('--to <day>', 'the last day', parseDay)
    .addOption(new Option('--by <unit>', 'one line for each').choices(['hour', 'day']).default('day'))
    .option('--merchant <id>', 'of one merchant, by its time zone; without it by UTC')
    .option('--network <name>', 'what one network did')
    .option(...JSON_OPTION)
    .action(({ from, to, by, merchant: merchantId, network, json }: ShowOptions) =>
      withConnection(connect, async (connection) => {
        const { readFigures } = await import('./read-figures.ts');
        const asked = { from, to, by, merchantId, network };
        const { timeZone, completeTo, items } = accept(await readFigures(connection, asked), REFUSALS, merchantId ?? '');
        if (json) return printJson({ timeZone, completeTo: completeTo?.toString() ?? null, items: items.map(toJson) });
        const rows = items.map((one) => toCells(one, by, timeZone));
        print(rows.length === 0 ? 'Nothing was counted in these days.\n' : table(HEADING, rows, timeZone));
        print(
          completeTo === undefined
            ? 'Nothing was counted yet: a running server counts.\n'
            : `Complete to ${localText(completeTo, timeZone)}.\n`,
        );
      }),
    );

  figures
    .command('rebuild')
    .description('count all figures again from the histories, while servers run')
    .option(...JSON_OPTION)
    .action(({ json }: { json?: true }) =>
      withConnection(connect, async ({ db, url, clock }) => {
        const { countAgain } = await import('./count-figures.ts');
        await countAgain({ db, url, clock });
        if (json) return printJson({ completeTo: clock.now().toString() });
        print('All figures are counted again.\n');
      }),
    );
}

function parseDay(text: string): Temporal.PlainDate {
  const day = parseIsoDay(text);
  if (day === undefined) throw new InvalidArgumentError('It takes a day, such as 2026-11-21.');
  return day;
}

const HEADING = ['START', 'EVENT', 'COUNT', 'VALUE', 'HALF PAID WITHIN'];

function toCells({ start, event, count, currency, amountMinor, timeToPay }: Figure, by: 'hour' | 'day', timeZone: string): Cell[] {
  const median = timeToPay?.medianAtMost ?? null;
  return [
    by === 'day' ? start.toZonedDateTimeISO(timeZone).toPlainDate().toString() : start,
    event,
    count,
    currency === null ? null : { amountMinor, currency },
    median === null ? null : `${median} s`,
  ];
}

/** Plain values; amounts are texts. */
const toJson = ({ start, event, count, currency, amountMinor, timeToPay }: Figure) => ({
  start: start.toString(),
  event,
  count: Number(count),
  value: currency === null ? null : { amount: formatAllDecimals(amountMinor, currency), currency },
  timeToPay:
    timeToPay === undefined
      ? null
      : { ...timeToPay, count: Number(timeToPay.count), seconds: Number(timeToPay.seconds), steps: timeToPay.steps.map(Number) },
});
