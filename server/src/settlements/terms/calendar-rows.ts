import { statement, turnStatement, type Db } from '../../kit/db.ts';
import { calendarOf, type HolidayCalendar } from './business-days.ts';
import type { Holiday } from './holiday-file.ts';

/** A calendar, with the years that it covers. */
export type ListedCalendar = { readonly calendar: string; readonly years: readonly number[]; readonly holidays: number };

/** Two loads of one calendar come one after the other. */
const TAKE_TURN = turnStatement('settlements.take_turn_to_load', '$1');
const DELETE_YEARS = statement(
  'settlements.delete_holidays',
  'delete from holidays where calendar = $1 and extract(year from day) = any ($2::int[])',
);
const INSERT = statement(
  'settlements.insert_holidays',
  'insert into holidays (calendar, day, name) select $1, h.day, h.name from unnest($2::date[], $3::text[]) as h (day, name)',
);
const LIST = statement(
  'settlements.list_calendars',
  `select calendar, array_agg(distinct extract(year from day)::int) as years, count(*)::int as holidays
     from holidays where calendar > $1 group by calendar order by calendar limit $2`,
);
const READ_ONE = statement(
  'settlements.read_calendar',
  `select calendar, array_agg(distinct extract(year from day)::int) as years, count(*)::int as holidays
     from holidays where calendar = $1 group by calendar`,
);
const READ = statement('settlements.read_holidays', 'select calendar, day from holidays');

/**
 * Loads holidays, in one transaction: of each year that they are of, they take the place of those before. Other years stay.
 * Shape: → the calendar as it is now.
 */
export function loadCalendar({ db }: { readonly db: Db }, calendar: string, holidays: readonly Holiday[]): Promise<ListedCalendar> {
  const years = [...new Set(holidays.map(({ day }) => day.year))];
  return db.transaction(async (tx) => {
    await tx.query(TAKE_TURN, [calendar]);
    const [before] = await tx.query<ListedCalendar>(READ_ONE, [calendar]);
    tx.send(DELETE_YEARS, [calendar, years]);
    tx.send(INSERT, [calendar, holidays.map(({ day }) => day), holidays.map(({ name }) => name)]);
    const [loaded] = await tx.query<ListedCalendar>(READ_ONE, [calendar]);
    tx.note?.({ years: [before?.years ?? null, loaded?.years ?? null], holidays: [before?.holidays ?? null, loaded?.holidays ?? null] });
    return loaded as ListedCalendar;
  });
}

/** Lists calendars by name. */
export const listCalendars = (
  { db }: { readonly db: Pick<Db, 'query'> },
  after: string,
  limit: number,
): Promise<readonly ListedCalendar[]> => db.query<ListedCalendar>(LIST, [after, limit]);

/** Reads all calendars, of home. Shape: → by name. */
export async function readCalendars({ db }: { readonly db: Pick<Db, 'query'> }): Promise<ReadonlyMap<string, HolidayCalendar>> {
  const rows = await db.query<{ calendar: string; day: Temporal.PlainDate }>(READ, []);
  return new Map([...Map.groupBy(rows, ({ calendar }) => calendar)].map(([name, own]) => [name, calendarOf(own.map(({ day }) => day))]));
}
