import { differences } from '../../kit/changes/act.ts';
import { dayOf } from '../../kit/calendar.ts';
import type { Clock } from '../../kit/clock.ts';
import { columnsOf, statement, turnStatement, type Db } from '../../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import { dayOfMerchant, daysAt, findCountry, showMerchant, type Country } from '../../merchants/index.ts';
import { readCalendars } from './calendar-rows.ts';
import type { Period } from './due-days.ts';
import {
  changeTerms,
  nextDueOf,
  type BankAccount,
  type LastRun,
  type Schedule,
  type ScheduleChange,
  type ScheduleKey,
  type ScheduleTerms,
} from './schedule.ts';

const TERM_COLUMNS = `period, weekday, month_day as "monthDay", delay_days as "delayDays", calendar, minimum_minor as "minimumMinor",
  reserve_ppm as "reservePpm", reserve_days as "reserveDays", bank_code as "bankCode", bank_name as "bankName",
  account_type as "type", account_number as "number", holder_name as "holderName", holder_document_type as "holderDocumentType", holder_document as "holderDocument"`;
const COLUMNS = `merchant_id as "merchantId", currency, ${TERM_COLUMNS}, set_at as "setAt", looked_to as "lookedTo",
  last_due as "lastDue", last_at as "lastAt", last_outcome as "lastOutcome", last_settlement_id as "lastSettlementId"`;

type Row = ScheduleKey &
  Period &
  Omit<ScheduleTerms, 'account' | keyof Period> &
  BankAccount &
  Pick<Schedule, 'setAt' | 'lookedTo'> & {
    readonly lastDue: Temporal.PlainDate | null;
    readonly lastAt: Temporal.Instant | null;
    readonly lastOutcome: string | null;
    readonly lastSettlementId: bigint | null;
  };

function scheduleOf(row: Row): Schedule {
  const {
    bankCode,
    bankName,
    type,
    number,
    holderName,
    holderDocumentType,
    holderDocument,
    lastDue,
    lastAt,
    lastOutcome,
    lastSettlementId,
    ...rest
  } = row;
  const lastRun =
    lastDue === null || lastAt === null || lastOutcome === null
      ? null
      : { due: lastDue, at: lastAt, outcome: lastOutcome, settlementId: lastSettlementId };
  return { ...rest, account: { bankCode, bankName, type, number, holderName, holderDocumentType, holderDocument }, lastRun };
}

const READ = statement('settlements.read_schedule', `select ${COLUMNS} from settlement_schedules where merchant_id = $1 and currency = $2`);
const LOCK = statement(
  'settlements.lock_schedule',
  `select ${COLUMNS} from settlement_schedules where merchant_id = $1 and currency = $2 for no key update`,
);
const LIST = statement(
  'settlements.list_schedules',
  `select ${COLUMNS} from settlement_schedules
    where ($1::text is null or merchant_id = $1) and (merchant_id, currency) > ($2, $3) order by merchant_id, currency limit $4`,
);
const SET = statement(
  'settlements.set_schedule',
  `insert into settlement_schedules (merchant_id, currency, period, weekday, month_day, delay_days, calendar, minimum_minor, reserve_ppm,
          reserve_days, bank_code, bank_name, account_type, account_number, holder_name, holder_document_type, holder_document, set_at, looked_to)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
   on conflict (merchant_id, currency) do update
     set period = excluded.period, weekday = excluded.weekday, month_day = excluded.month_day, delay_days = excluded.delay_days,
         calendar = excluded.calendar, minimum_minor = excluded.minimum_minor, reserve_ppm = excluded.reserve_ppm,
         reserve_days = excluded.reserve_days, bank_code = excluded.bank_code, bank_name = excluded.bank_name,
         account_type = excluded.account_type, account_number = excluded.account_number, holder_name = excluded.holder_name,
         holder_document_type = excluded.holder_document_type, holder_document = excluded.holder_document, set_at = excluded.set_at, looked_to = excluded.looked_to`,
);

/** Two first changes of one schedule find no row to lock. */
const TAKE_TURN = turnStatement('settlements.take_turn_to_schedule', `$1 || ' ' || $2`);

/** Reads a schedule. Undefined: there is none. */
export async function readSchedule(
  { db }: { readonly db: Pick<Db, 'query'> },
  { merchantId, currency }: ScheduleKey,
): Promise<Schedule | undefined> {
  const [row] = await db.query<Row>(READ, [merchantId, currency]);
  return row && scheduleOf(row);
}

/** Lists schedules by merchant and currency. `merchantId` undefined: of all merchants of the cell. */
export async function listSchedules(
  { db }: { readonly db: Pick<Db, 'query'> },
  {
    merchantId,
    after,
    limit,
  }: { readonly merchantId: string | undefined; readonly after: ScheduleKey | undefined; readonly limit: number },
): Promise<readonly Schedule[]> {
  const rows = await db.query<Row>(LIST, [merchantId ?? null, after?.merchantId ?? '', after?.currency ?? '', limit]);
  return rows.map(scheduleOf);
}

const TO_LOOK_AT = statement(
  'settlements.schedules_to_look_at',
  `select ${COLUMNS}, day from settlement_schedules s
    cross join lateral (select ${dayOfMerchant('s.merchant_id', '$2')} as day) as here
    where period <> 'on_demand' and looked_to < $1::date and looked_to < day and (merchant_id, currency) > ($3, $4)
    order by merchant_id, currency limit $5`,
);
const MARK_LOOKED = statement(
  'settlements.mark_looked',
  `update settlement_schedules s set looked_to = seen.day
     from unnest($1::text[], $2::text[], $3::date[]) as seen (merchant_id, currency, day)
    where s.merchant_id = seen.merchant_id and s.currency = seen.currency and s.looked_to < seen.day`,
);
const MARK_RUN = statement(
  'settlements.mark_run',
  `update settlement_schedules set looked_to = $3, last_due = $4, last_at = $5, last_outcome = $6, last_settlement_id = $7
    where merchant_id = $1 and currency = $2 and looked_to < $3::date`,
);

/** A schedule that was not looked at yet up to this day of its merchant's zone. */
export type ScheduleToLookAt = Schedule & { readonly day: Temporal.PlainDate };

/** Schedules by which something may be due on the day that it is at an instant, by merchant and currency. */
export async function listToLookAt(
  { db }: { readonly db: Pick<Db, 'query'> },
  { at, after, limit }: { readonly at: Temporal.Instant; readonly after: ScheduleKey | undefined; readonly limit: number },
): Promise<readonly ScheduleToLookAt[]> {
  const { latest, byCountry } = daysAt(at);
  const values = [latest, byCountry, after?.merchantId ?? '', after?.currency ?? '', limit];
  const rows = await db.query<Row & Pick<ScheduleToLookAt, 'day'>>(TO_LOOK_AT, values);
  return rows.map(({ day, ...row }) => ({ ...scheduleOf(row), day }));
}

/** Notes that nothing was due up to a day. Of a schedule that was looked at up to a later day that one stays. */
export async function markLooked(
  { db }: { readonly db: Pick<Db, 'query'> },
  looked: readonly (ScheduleKey & { readonly day: Temporal.PlainDate })[],
): Promise<void> {
  if (looked.length > 0) await db.query(MARK_LOOKED, columnsOf(looked, 'merchantId', 'currency', 'day'));
}

/** Notes what came of a due day, and that nothing else was due up to a day. */
export async function markRun(
  { db }: { readonly db: Pick<Db, 'query'> },
  { merchantId, currency }: ScheduleKey,
  day: Temporal.PlainDate,
  { due, at, outcome, settlementId }: LastRun,
): Promise<void> {
  await db.query(MARK_RUN, [merchantId, currency, day, due, at, outcome, settlementId]);
}

type Changing = {
  readonly db: Db;
  /** Where holidays are. */
  readonly home: Pick<Db, 'query'>;
  readonly clock: Clock;
};

type SetScheduleRefusal =
  | 'merchant_unknown'
  | 'currency_not_allowed'
  | Extract<ReturnType<typeof changeTerms> | ReturnType<typeof nextDueOf>, Refusal>['refusal'];

/** Terms as an act shows them. */
const factsOf = (terms: ScheduleTerms | undefined) => {
  if (terms === undefined) return undefined;
  const { period, weekday, monthDay, delayDays, calendar, minimumMinor, reservePpm, reserveDays, account } = terms;
  return { period, weekday, monthDay, delayDays, calendar, minimumMinor: String(minimumMinor), reservePpm, reserveDays, ...account };
};

/**
 * Sets when and to where a merchant is paid in a currency.
 * Shape: what is absent of the change stays → the schedule as it is now.
 * Refuses: merchant_unknown, currency_not_allowed, period_invalid, schedule_incomplete, reserve_incomplete, calendar_unknown,
 * calendar_year_missing: the calendar ends before the next due day. The first that applies is the answer.
 * Effects: what is due today is made; what was due before, and was not made by then, is not made any more.
 */
export async function setSchedule(
  { db, home, clock }: Changing,
  { merchantId, currency }: ScheduleKey,
  change: ScheduleChange,
): Promise<Schedule | Refusal<SetScheduleRefusal>> {
  const now = clock.now();
  const merchant = await showMerchant({ db }, merchantId, now);
  if (merchant === undefined) return refuse('merchant_unknown');
  if (!merchant.currencies.includes(currency)) return refuse('currency_not_allowed');
  const calendars = await readCalendars({ db: home });
  const yesterday = dayOf(now, (findCountry(merchant.country) as Country).timeZone).subtract({ days: 1 });
  return db.transaction(async (tx) => {
    await tx.query(TAKE_TURN, [merchantId, currency]);
    const [row] = await tx.query<Row>(LOCK, [merchantId, currency]);
    const before = row && scheduleOf(row);
    const terms = changeTerms(before, change);
    if (isRefusal(terms)) return terms;
    const lookedTo = before !== undefined && Temporal.PlainDate.compare(before.lookedTo, yesterday) > 0 ? before.lookedTo : yesterday;
    const due = nextDueOf(terms, calendars, lookedTo);
    if (isRefusal(due)) return due;
    const { account, period, weekday, monthDay, delayDays, calendar, minimumMinor, reservePpm, reserveDays } = terms;
    const ofAccount = [
      account.bankCode,
      account.bankName,
      account.type,
      account.number,
      account.holderName,
      account.holderDocumentType,
      account.holderDocument,
    ];
    const values = [period, weekday, monthDay, delayDays, calendar, minimumMinor, reservePpm, reserveDays, ...ofAccount, now, lookedTo];
    tx.send(SET, [merchantId, currency, ...values]);
    tx.note?.(differences(factsOf(before), factsOf(terms)) ?? {});
    return { merchantId, currency, ...terms, setAt: now, lookedTo, lastRun: before?.lastRun ?? null };
  });
}
