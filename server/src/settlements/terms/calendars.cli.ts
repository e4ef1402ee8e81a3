import { Argument, type Command } from 'commander';
import { readTextFile, table, type Connect } from '../../kit/command-line.ts';
import { askCommand, listCommand, type AnswerOf } from '../../kit/remote/client-commands.ts';
import type { calendarLoading } from './calendars.manage.ts';
import { MOST_FILE_CHARACTERS } from './choices.ts';

const operations = () => import('./calendars.manage.ts');

type Shown = AnswerOf<typeof calendarLoading>;

const yearsText = ({ years }: Shown): string => years.join(', ');

/** Adds `caudal calendars …` to the program. */
export function calendarCommands(program: Command, connect: Connect): void {
  const calendars = program.command('calendars').description('holidays, on which nothing is paid to merchants');
  listCommand(calendars, connect, {
    name: 'list',
    about: 'all calendars, with the years that they cover',
    operation: async () => (await operations()).calendarList,
    limit: () => Number.POSITIVE_INFINITY,
    parts: (_given: object) => ({}),
    text: (listed) =>
      listed.length === 0
        ? 'There is no calendar yet: "calendars load colombia" loads the one that comes with the program.\n'
        : table(
            ['CALENDAR', 'YEARS', 'HOLIDAYS'],
            listed.map((one) => [one.calendar, yearsText(one), one.holidays]),
          ),
  });
  askCommand(calendars, connect, {
    name: 'load',
    about: 'load holidays: those of each year in the file replace the ones before, other years stay',
    args: [
      new Argument('<calendar>', 'its name, such as colombia'),
      new Argument('[file]', 'a CSV with the header day,name and a line for each holiday (default: the one that comes with the program)'),
    ],
    operation: async () => (await operations()).calendarLoading,
    parts: async ({ calendar, file }: { readonly calendar: string; readonly file?: string }) => ({
      path: { calendar },
      body: { csv: file === undefined ? undefined : await readTextFile(file, MOST_FILE_CHARACTERS, 'is too large for a file of holidays') },
    }),
    lines: { '/calendar': ['A calendar is called by 1 to 30 small letters, digits or -.', 2] },
    text: (loaded) => `Calendar ${loaded.calendar} covers ${yearsText(loaded)}, with ${loaded.holidays} holidays.\n`,
  });
}
