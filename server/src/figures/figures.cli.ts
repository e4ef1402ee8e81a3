import { Option, type Command } from 'commander';
import {
  everyCell,
  JSON_OPTION,
  print,
  localText,
  printJson,
  table,
  withConnection,
  type Cell,
  type Connect,
} from '../kit/command-line.ts';
import { parseDay } from '../kit/lists/list-options.ts';
import { askCommand, readBy } from '../kit/remote/client-commands.ts';
import type { showFigure } from './figures.manage.ts';

type ShownFigure = ReturnType<typeof showFigure>;

type ShowOptions = {
  readonly from?: Temporal.PlainDate;
  readonly to?: Temporal.PlainDate;
  readonly by: 'hour' | 'day';
  readonly merchant?: string;
  readonly network?: string;
};

/** Adds `caudal figures …` to the program. */
export function figureCommands(program: Command, connect: Connect): void {
  const figures = program.command('figures').description('what happened, counted by hour or day');
  askCommand(figures, connect, {
    name: 'show',
    about: 'show figures of some days: orders, cashouts, refused payments, notices',
    options: [
      readBy('--from <day>', 'the first day, such as 2026-11-21 (default: the last day)', parseDay),
      readBy('--to <day>', 'the last day (default: today)', parseDay),
      new Option('--by <unit>', 'one line for each').choices(['hour', 'day']).default('day'),
      new Option('--merchant <id>', 'of one merchant, by its time zone; without it by UTC'),
      new Option('--network <name>', 'what one network did'),
    ],
    operation: async () => (await import('./figures.manage.ts')).readFigureItems,
    parts: ({ from, to, ...rest }: ShowOptions) => ({ query: { ...rest, from: from?.toString(), to: to?.toString() } }),
    text: ({ timeZone, completeTo, items }, { by }) => {
      const rows = items.map((one) => toCells(one, by, timeZone));
      const counted = rows.length === 0 ? 'Nothing was counted in these days.\n' : table(HEADING, rows, timeZone);
      if (completeTo === null) return `${counted}Nothing was counted yet: a running server counts.\n`;
      return `${counted}Complete to ${localText(Temporal.Instant.from(completeTo), timeZone)}.\n`;
    },
  });

  figures
    .command('rebuild')
    .description('count all figures again from the histories, while servers run')
    .option(...JSON_OPTION)
    .action(({ json }: { json?: true }) =>
      withConnection(connect, async (connection) => {
        const { countAgain } = await import('./count-figures.ts');
        for (const [, own] of everyCell(connection)) await countAgain(own);
        if (json) return printJson({ completeTo: connection.clock.now().toString() });
        print('All figures are counted again.\n');
      }),
    );
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
