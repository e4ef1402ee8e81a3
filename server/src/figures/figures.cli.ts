import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseIsoDay } from '../kit/calendar.ts';
import {
  carryOut,
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
import { isRefusal } from '../kit/outcome.ts';
import type { showFigure } from './figures.manage.ts';

const operations = () => import('./figures.manage.ts');

type ShownFigure = ReturnType<typeof showFigure>;

const REFUSALS: RefusalLines<'not_found' | 'days_out_of_range'> = {
  not_found: (id) => [`There is no merchant ${id}.`, 1],
  days_out_of_range: () => ['--to is not before --from, and there are at most 31 days by hour and 400 by day.', 2],
};

type ShowOptions = {
  from?: Temporal.PlainDate;
  to?: Temporal.PlainDate;
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
    .option('--from <day>', 'the first day, such as 2026-11-21 (default: the last day)', parseDay)
    .option('--to <day>', 'the last day (default: today)', parseDay)
    .addOption(new Option('--by <unit>', 'one line for each').choices(['hour', 'day']).default('day'))
    .option('--merchant <id>', 'of one merchant, by its time zone; without it by UTC')
    .option('--network <name>', 'what one network did')
    .option(...JSON_OPTION)
    .action(async ({ from, to, by, merchant, network, json }: ShowOptions) => {
      const { timeZone, completeTo, items } = await carryOut(connect, REFUSALS, merchant ?? '', {
        here: async (connection) => {
          const [{ readFigures }, { showFigure }] = await Promise.all([import('./read-figures.ts'), operations()]);
          const read = await readFigures(connection, { from, to, by, merchantId: merchant, network });
          if (isRefusal(read)) return read;
          return { ...read, completeTo: read.completeTo?.toString() ?? null, items: read.items.map(showFigure) };
        },
        there: async (service) => {
          const query = { from: from?.toString(), to: to?.toString(), by, merchant, network };
          return service.call((await operations()).readFigureItems, { query });
        },
      });
      if (json) return printJson({ timeZone, completeTo, items });
      const rows = items.map((one) => toCells(one, by, timeZone));
      print(rows.length === 0 ? 'Nothing was counted in these days.\n' : table(HEADING, rows, timeZone));
      print(
        completeTo === null
          ? 'Nothing was counted yet: a running server counts.\n'
          : `Complete to ${localText(Temporal.Instant.from(completeTo), timeZone)}.\n`,
      );
    });

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

function toCells({ start, event, count, value, timeToPay }: ShownFigure, by: 'hour' | 'day', timeZone: string): Cell[] {
  const at = Temporal.Instant.from(start);
  const median = timeToPay?.medianAtMost ?? null;
  return [
    by === 'day' ? at.toZonedDateTimeISO(timeZone).toPlainDate().toString() : at,
    event,
    count,
    value,
    median === null ? null : `${median} s`,
  ];
}
