import type { Clock } from '../../kit/clock.ts';
import { isConnectionLost, type Db } from '../../kit/db.ts';
import { inRounds, type Job } from '../../kit/jobs.ts';
import type { Log } from '../../kit/log.ts';
import { isRefusal } from '../../kit/outcome.ts';
import { runSettlement } from '../run-settlement.ts';
import type { HolidayCalendar } from './business-days.ts';
import { readCalendars } from './calendar-rows.ts';
import { dueDays, lastDayOf, settledAt } from './due-days.ts';
import { listToLookAt, markLooked, markRun, type ScheduleToLookAt } from './schedule-rows.ts';
import type { LastRun, Schedule, ScheduleKey } from './schedule.ts';

const ROUND_SECONDS = 60;
const PORTION = 5;

export type DraftDue = {
  readonly db: Db;
  /** Where holidays and general rules are. */
  readonly home: Pick<Db, 'query'>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Makes the job of a cell that drafts what its schedules say. Each due day has one settlement, whoever runs the job, and however often.
 * Of several due days that nobody was there for, the last one has all that the others would have had.
 * A schedule whose calendar does not cover the days waits until somebody loads them; its answer says so.
 */
export function draftDue({ clock, ...deps }: DraftDue): Job {
  let after: ScheduleKey | undefined;
  let calendars: Calendars | undefined;
  const step = async (): Promise<boolean> => {
    const now = clock.now();
    const schedules = await listToLookAt(deps, { at: settledAt(now), after, limit: PORTION });
    if (schedules.length > 0) {
      calendars ??= await readCalendars({ db: deps.home });
      await lookAt({ clock, ...deps }, schedules, calendars, now);
    }
    after = schedules.length < PORTION ? undefined : schedules.at(-1);
    // A round reads holidays once.
    if (after === undefined) calendars = undefined;
    return after !== undefined;
  };
  return inRounds(clock, ROUND_SECONDS, { name: 'settlements.draft_due', patience: 'much', step });
}

async function lookAt(deps: DraftDue, schedules: readonly ScheduleToLookAt[], calendars: Calendars, now: Temporal.Instant): Promise<void> {
  const { db, log } = deps;
  const idle: (ScheduleKey & { readonly day: Temporal.PlainDate })[] = [];
  for (const schedule of schedules) {
    const { due, judgedTo } = dueOf(schedule, calendars, schedule.day);
    if (due === undefined) idle.push({ ...schedule, day: judgedTo });
    else
      try {
        await markRun(deps, schedule, judgedTo, await draft(deps, schedule, due, now));
      } catch (error) {
        if (isConnectionLost(error)) throw error;
        // It is tried again in the next round; others go on.
        log.error({ merchantId: schedule.merchantId, currency: schedule.currency, error }, 'what is due could not be drafted');
      }
  }
  await markLooked({ db }, idle);
}

type Calendars = ReadonlyMap<string, HolidayCalendar>;
type Due = { readonly day: Temporal.PlainDate; readonly until: Temporal.PlainDate };

/** What of a schedule is due up to a day. Without a calendar that covers the days nothing is, and it is looked at again. */
function dueOf(
  schedule: Schedule,
  calendars: Calendars,
  to: Temporal.PlainDate,
): { readonly due: Due | undefined; readonly judgedTo: Temporal.PlainDate } {
  const calendar = calendars.get(schedule.calendar);
  if (calendar === undefined) return { due: undefined, judgedTo: schedule.lookedTo };
  const { days, judgedTo } = dueDays(schedule, calendar, schedule.lookedTo, to);
  const day = days.at(-1);
  const until = day && lastDayOf(schedule, calendar, day);
  // Where the calendar begins later, it is not known which payments are due.
  if (day !== undefined && until === undefined) return { due: undefined, judgedTo: schedule.lookedTo };
  return { due: day && until && { day, until }, judgedTo };
}

async function draft(
  deps: DraftDue,
  { merchantId, currency }: ScheduleKey,
  { day: due, until }: Due,
  at: Temporal.Instant,
): Promise<LastRun> {
  const made = await runSettlement(deps, { merchantId, currency, until, dueOn: due });
  if (isRefusal(made)) return { due, at, outcome: made.refusal, settlementId: null };
  return { due, at, outcome: 'drafted', settlementId: made.settlement.settlementId };
}
