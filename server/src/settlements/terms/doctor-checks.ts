import { atNow, checkOfRow, nameSome, warning, when, type DoctorCheck } from '../../kit/checks/doctor.ts';

/** So long before a calendar ends somebody should load its next year. */
const DAYS_AHEAD = 60;

/** Holidays are at home: a cell has none. */
export const CALENDAR_CHECKS: readonly DoctorCheck[] = [
  checkOfRow<{ readonly names: readonly string[]; readonly total: number }>(
    'calendars of holidays',
    `select (array_agg(calendar order by calendar))[:5] as names, count(*)::int as total
       from (select calendar from holidays group by calendar
             having extract(year from max(day)) < extract(year from $1::timestamptz + interval '${DAYS_AHEAD} days')) as ending`,
    ({ names, total }) =>
      when(total > 0, () =>
        warning(
          `the holidays of ${nameSome(names, total)} end within ${DAYS_AHEAD} days: then no merchant is paid by them`,
          './caudal calendars load CALENDAR FILE, with the next year',
        ),
      ),
    atNow,
  ),
];
