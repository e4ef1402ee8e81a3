import { Type } from 'typebox';
import { actOf, type OpenActing } from '../../kit/changes/act.ts';
import type { Db } from '../../kit/db.ts';
import { isRefusal, refuse } from '../../kit/outcome.ts';
import { cutPage, managementOperation, schemas, type ManagementOperation } from '../../manage/index.ts';
import { writes } from '../settlement-forms.ts';
import { listCalendars, loadCalendar, type ListedCalendar } from './calendar-rows.ts';
import { MOST_FILE_CHARACTERS } from './choices.ts';
import { MOST_HOLIDAYS, parseHolidays, readShipped } from './holiday-file.ts';

type Deps = { readonly db: Db; readonly acting: OpenActing };

const { answerObject } = schemas;

const tag = 'Settlements';

export const calendarName = Type.String({
  maxLength: 30,
  pattern: '^[a-z0-9-]{1,30}$',
  description: 'The name of a calendar of holidays.',
  examples: ['colombia'],
});

const shows = answerObject({
  calendar: calendarName,
  years: Type.Array(Type.Integer(), { description: 'The years that it covers.' }),
  holidays: Type.Integer({ description: 'Of all these years.', examples: [54] }),
});

const showCalendar = ({ calendar, years, holidays }: ListedCalendar) => ({ calendar, years, holidays });

export const calendarList = managementOperation({
  name: 'listCalendars',
  route: 'GET /manage/v1/calendars',
  tag,
  summary: 'List calendars of holidays',
  description: 'By name. In a year that a calendar does not cover nothing is due.',
  permission: 'ledger:read',
  scope: 'service',
  cells: 'home',
  shows,
  run: async ({ page: { after, limit } }, deps: Deps) => ({ found: await listCalendars(deps, after?.[0] ?? '', limit + 1) }),
  page: ({ found }, { page: { limit } }) => cutPage(found, limit, showCalendar, ({ calendar }) => [calendar]),
});

export const calendarLoading = managementOperation({
  ...writes,
  name: 'loadCalendar',
  route: 'PUT /manage/v1/calendars/{calendar}',
  summary: 'Load holidays of a calendar',
  names: { es: 'Cargar los días festivos de un calendario', pt: 'Carregar os feriados de um calendário' },
  description:
    'Of each year in the file, they take the place of those before; other years stay. Nothing is loaded of a file with a fault. ' +
    'Without `csv` it is the calendar of this name that comes with the program: `colombia`.',
  cells: 'home',
  path: Type.Object({ calendar: calendarName }),
  body: Type.Object({
    csv: Type.Optional(
      Type.String({
        maxLength: MOST_FILE_CHARACTERS,
        description: 'A header `day,name`, and a line for each holiday.',
        examples: ['day,name\n2026-12-25,Navidad\n'],
      }),
    ),
  }),
  takes: { calendar: '1 to 30 small letters, digits or -' },
  refusals: {
    calendar_not_shipped: {
      status: 422,
      title: 'No such calendar comes with the program',
      meaning: 'Send a file.',
      words: {
        es: 'El programa no trae un calendario con ese nombre. Envíe un archivo',
        en: 'No calendar of this name comes with the program. Send a file',
        pt: 'O programa não traz um calendário com esse nome. Envie um arquivo',
      },
      line: ['No calendar {calendar} comes with the program: name a file.', 2],
    },
    holidays_not_csv: {
      status: 422,
      title: 'Not a file of holidays',
      meaning: 'It is a CSV in UTF-8 with the header `day,name` and these two values in each line.',
      words: {
        es: 'El archivo no es un CSV de festivos: su encabezado es day,name y cada línea tiene esos dos valores',
        en: 'The file is no CSV of holidays: its header is day,name, and each line has these two values',
        pt: 'O arquivo não é um CSV de feriados: seu cabeçalho é day,name e cada linha tem esses dois valores',
      },
    },
    holidays_empty: {
      status: 422,
      title: 'The file has no holidays',
      meaning: 'A line for each holiday follows the header.',
      words: { es: 'El archivo no tiene festivos', en: 'The file has no holidays', pt: 'O arquivo não tem feriados' },
    },
    holidays_too_many: {
      status: 422,
      title: 'Too many holidays',
      meaning: `A file has at most ${MOST_HOLIDAYS}.`,
      words: {
        es: `El archivo tiene demasiados festivos: a lo sumo ${MOST_HOLIDAYS}`,
        en: `The file has too many holidays: at most ${MOST_HOLIDAYS}`,
        pt: `O arquivo tem feriados demais: no máximo ${MOST_HOLIDAYS}`,
      },
    },
    holiday_not_a_day: {
      status: 422,
      title: 'Not a day',
      meaning: 'Days are written as `2026-12-25`. `detail` names the line.',
      words: {
        es: 'Una línea no tiene un día válido, como 2026-12-25',
        en: 'A line has no valid day, as 2026-12-25',
        pt: 'Uma linha não tem um dia válido, como 2026-12-25',
      },
    },
    holiday_name_invalid: {
      status: 422,
      title: 'Invalid name of a holiday',
      meaning: 'A name has 1 to 100 characters. `detail` names the line.',
      words: {
        es: 'El nombre de un festivo lleva de 1 a 100 caracteres',
        en: 'The name of a holiday has 1 to 100 characters',
        pt: 'O nome de um feriado leva de 1 a 100 caracteres',
      },
    },
    holiday_twice: {
      status: 422,
      title: 'A day is there twice',
      meaning: 'Each day has one line. `detail` names the second one.',
      words: { es: 'Un día está dos veces', en: 'A day is there twice', pt: 'Um dia aparece duas vezes' },
    },
  },
  shows,
  run: async ({ path: { calendar }, body: { csv }, origin }, deps: Deps) => {
    const text = csv ?? readShipped(calendar);
    if (text === undefined) return refuse('calendar_not_shipped');
    const holidays = parseHolidays(text);
    if (isRefusal(holidays)) return holidays;
    return loadCalendar({ db: deps.acting(actOf(origin, { target: { kind: 'calendar', id: calendar } })) }, calendar, holidays);
  },
  answer: (loaded) => ({ body: showCalendar(loaded) }),
});

/** The operations of the management API on calendars. */
export const calendarManagement: readonly ManagementOperation<Deps>[] = [calendarList, calendarLoading];
