import { Type, type Static } from 'typebox';
import { actOf, type OpenActing } from '../../kit/changes/act.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { byText } from '../../kit/lists/merges.ts';
import { formatAllDecimals, parseCost } from '../../kit/money.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import { formatPercent, parsePercent } from '../../kit/written/percent.ts';
import {
  cutPage,
  managementOperation,
  mergeFound,
  NO_MERCHANT,
  ROOM_PROBLEMS,
  schemas,
  type Actor,
  type ManagementOperation,
  type Permission,
} from '../../manage/index.ts';
import type { HolidayCalendar } from './business-days.ts';
import { readCalendars } from './calendar-rows.ts';
import { calendarName } from './calendars.manage.ts';
import { ACCOUNT_TYPES, PERIODS } from './choices.ts';
import { maskNumber, nextDueOf, type Schedule } from './schedule.ts';
import { listSchedules, readSchedule, setSchedule } from './schedule-rows.ts';

export type TermsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly acting: OpenActing;
  /** The number of the cell. */
  readonly cell: number;
  /** Where holidays and general rules are. */
  readonly home: Pick<Db, 'query'>;
};

const { currency, day, instant, merchantId, oneOf, orNull, answerObject, showInstant, wrong } = schemas;

const tag = 'Settlements';

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export const percent = Type.String({
  maxLength: 8,
  pattern: '^[0-9]{1,3}([.][0-9]{1,4})?$',
  description: '0 to 100, with four decimals at most.',
  examples: ['2.5'],
});
export const costText = (description: string) =>
  Type.String({ maxLength: 20, pattern: '^(0|[1-9][0-9]{0,12})([.][0-9]{1,4})?$', description, examples: ['50000.00'] });

const line = (description: string, example: string) =>
  Type.String({ maxLength: 100, pattern: schemas.ONE_LINE, description, examples: [example] });

const ACCOUNT = {
  bankCode: Type.String({ pattern: '^[0-9A-Z]{1,11}$', description: 'As its clearing house knows it.', examples: ['1007'] }),
  bankName: line('The bank.', 'Banco Ejemplo'),
  type: oneOf(ACCOUNT_TYPES, 'A deposit is one of low value, as those of wallets.'),
  holderName: line('Whose account it is.', 'Tienda Ejemplo SAS'),
  holderDocumentType: Type.String({ pattern: '^[A-Z]{1,10}$', description: 'What kind of document its holder has.', examples: ['NIT'] }),
  holderDocument: Type.String({ pattern: '^[0-9A-Z-]{3,20}$', description: 'The document of its holder.', examples: ['900123456'] }),
};
const sentNumber = Type.String({ maxLength: 40, description: 'Digits alone.', examples: ['04512345678'] });
const shownNumber = Type.String({ description: 'Its last digits, to who may not change it.', examples: ['*******5678'] });

const SET = {
  period: oneOf(PERIODS, 'How often it is paid. On demand: only where somebody asks for it.'),
  weekday: oneOf(WEEKDAYS, 'Of a week.'),
  monthDay: Type.Integer({ minimum: 1, maximum: 31, description: 'Of a month; its last day where it is shorter.', examples: [15] }),
  delayDays: Type.Integer({
    minimum: 1,
    maximum: 30,
    description: 'So many business days after its day a payment is paid out, at the earliest.',
    examples: [1],
  }),
  calendar: calendarName,
  minimum: costText('In the currency. Less than this stays for the next settlement.'),
  reservePercent: { ...percent, description: 'Of what was collected, held back for `reserveDays`.' },
  reserveDays: Type.Integer({ minimum: 0, maximum: 720, examples: [90] }),
};

const scheduleSchema = answerObject({
  merchant: merchantId,
  currency,
  ...SET,
  weekday: orNull(SET.weekday),
  monthDay: orNull(SET.monthDay),
  account: answerObject({ ...ACCOUNT, number: shownNumber }),
  setAt: instant,
  nextDue: orNull(day),
  problem: orNull(
    oneOf(['calendar_unknown', 'calendar_year_missing'], 'Why nothing is made: its calendar ends before the next due day, or is gone.'),
  ),
  lastRun: orNull(
    answerObject({
      due: day,
      at: instant,
      outcome: Type.String({ description: 'What came of it: `drafted`, or why nothing was.', examples: ['below_minimum'] }),
      settlement: orNull(Type.String({ description: 'The id of what was drafted.' })),
    }),
  ),
});

/** Who sets the account, and who approves what is paid to it. */
const WHO_SEES_NUMBERS: readonly Permission[] = ['merchants:write', 'settlements:write'];

type Shown = { readonly schedule: Schedule; readonly calendars: ReadonlyMap<string, HolidayCalendar> };
type Listed = { readonly found: readonly Schedule[]; readonly calendars: Shown['calendars'] };

function showSchedule({ schedule, calendars }: Shown, { permissions }: Pick<Actor, 'permissions'>): Static<typeof scheduleSchema> {
  const { merchantId: merchant, currency: code, weekday, account, minimumMinor, reservePpm, setAt, lookedTo, lastRun, ...rest } = schedule;
  const { period, monthDay, delayDays, calendar, reserveDays } = rest;
  const due = nextDueOf(schedule, calendars, lookedTo);
  return {
    merchant,
    currency: code,
    period,
    weekday: weekday === null ? null : (WEEKDAYS[weekday - 1] ?? null),
    monthDay,
    delayDays,
    calendar,
    minimum: formatAllDecimals(minimumMinor, code),
    reservePercent: formatPercent(reservePpm),
    reserveDays,
    account: { ...account, number: WHO_SEES_NUMBERS.some((one) => permissions.has(one)) ? account.number : maskNumber(account.number) },
    setAt: setAt.toString(),
    nextDue: due === null || isRefusal(due) ? null : due.toString(),
    problem: isRefusal(due) ? due.refusal : null,
    lastRun: lastRun && {
      due: lastRun.due.toString(),
      at: showInstant(lastRun.at) as string,
      outcome: lastRun.outcome,
      settlement: lastRun.settlementId === null ? null : String(lastRun.settlementId),
    },
  };
}

const readHolidays = ({ home }: Pick<TermsDeps, 'home'>) => readCalendars({ db: home });

const inOrder = (one: Schedule, other: Schedule): number =>
  byText(one.merchantId, other.merchantId) || byText(one.currency, other.currency);

export const scheduleList = managementOperation({
  name: 'listSettlementSchedules',
  route: 'GET /manage/v1/settlement-schedules',
  tag,
  summary: 'List when merchants are paid, and to where',
  names: { es: 'Ver cuándo se paga a los comercios', pt: 'Ver quando os estabelecimentos são pagos' },
  description: 'By merchant and currency.',
  permission: 'ledger:read',
  scope: 'merchant',
  query: Type.Object({ merchant: Type.Optional(merchantId) }),
  shows: scheduleSchema,
  run: async ({ merchantId: only, page: { after, limit } }, deps: TermsDeps): Promise<Listed> => {
    const place = after && { merchantId: after[0] ?? '', currency: after[1] ?? '' };
    const found = await listSchedules(deps, { merchantId: only, after: place, limit: limit + 1 });
    return { found, calendars: await readHolidays(deps) };
  },
  cells: { merge: mergeFound(inOrder) },
  page: ({ found, calendars }, { actor, page: { limit } }) =>
    cutPage(
      found,
      limit,
      (schedule) => showSchedule({ schedule, calendars }, actor),
      (last) => [last.merchantId, last.currency],
    ),
});

const path = Type.Object({ merchant: merchantId, currency });

export const scheduleReading = managementOperation({
  name: 'readSettlementSchedule',
  route: 'GET /manage/v1/settlement-schedules/{merchant}/{currency}',
  tag,
  summary: 'Show when a merchant is paid in a currency, and to where',
  permission: 'ledger:read',
  scope: 'merchant',
  missing: ['{merchant} has no schedule in {currency}.', 1],
  path,
  shows: scheduleSchema,
  run: async ({ path: { merchant, currency: code } }, deps: TermsDeps) => {
    const schedule = await readSchedule(deps, { merchantId: merchant, currency: code });
    return schedule === undefined ? refuse('not_found') : { schedule, calendars: await readHolidays(deps) };
  },
  answer: (shown, { actor }) => ({ body: showSchedule(shown, actor) }),
});

const body = Type.Object({
  period: Type.Optional(SET.period),
  weekday: Type.Optional(SET.weekday),
  monthDay: Type.Optional(SET.monthDay),
  delayDays: Type.Optional(SET.delayDays),
  calendar: Type.Optional(SET.calendar),
  minimum: Type.Optional(SET.minimum),
  reservePercent: Type.Optional(SET.reservePercent),
  reserveDays: Type.Optional(SET.reserveDays),
  account: Type.Optional(Type.Object({ ...ACCOUNT, number: sentNumber })),
});

const ACCOUNT_NUMBER = /^[0-9]{4,24}$/;

/** Reads what is sent, where its schema alone cannot judge. */
function readChange({ minimum, reservePercent, weekday, account, ...rest }: Static<typeof body>, code: string) {
  const minimumMinor = minimum === undefined ? undefined : parseCost(minimum, code);
  if (minimum !== undefined && minimumMinor === undefined)
    return wrong('/minimum', 'must be zero or more, with no more decimals than the currency has');
  const reservePpm = reservePercent === undefined ? undefined : parsePercent(reservePercent);
  if (reservePercent !== undefined && reservePpm === undefined) return wrong('/reservePercent', 'must be 0 to 100');
  if (account !== undefined && !ACCOUNT_NUMBER.test(account.number)) return refuse('account_number_invalid');
  return { ...rest, minimumMinor, reservePpm, account, weekday: weekday && WEEKDAYS.indexOf(weekday) + 1 };
}

export const scheduleSetting = managementOperation({
  name: 'setSettlementSchedule',
  route: 'PATCH /manage/v1/settlement-schedules/{merchant}/{currency}',
  tag,
  summary: 'Set when a merchant is paid in a currency, and to where',
  names: { es: 'Cambiar cuándo y a qué cuenta se paga a un comercio', pt: 'Mudar quando e em que conta um estabelecimento é pago' },
  description:
    'What is absent stays. At first it needs `period`, `calendar` and `account`. A day that is no business day moves to the next one.',
  // Who approves what is paid does not say to which account.
  permission: 'merchants:write',
  scope: 'service',
  stepUp: true,
  missing: NO_MERCHANT,
  path,
  actsOn: { kind: 'merchant', member: 'merchant' },
  body,
  refusals: {
    currency_not_allowed: ROOM_PROBLEMS.currency_not_allowed,
    account_number_invalid: {
      status: 422,
      title: 'Invalid account number',
      meaning: 'It has 4 to 24 digits, without spaces, points or hyphens.',
      words: {
        es: 'El número de cuenta lleva de 4 a 24 dígitos, sin espacios, puntos ni guiones',
        en: 'The account number has 4 to 24 digits, without spaces, points or hyphens',
        pt: 'O número da conta leva de 4 a 24 dígitos, sem espaços, pontos nem hifens',
      },
      line: ['--account takes 4 to 24 digits.', 2],
    },
    period_invalid: {
      status: 422,
      title: 'The period and its day do not fit',
      meaning: '`weekly` comes with `weekday`, `monthly` with `monthDay`, and others with neither. They are sent together.',
      words: {
        es: 'Un pago semanal lleva el día de la semana, uno mensual el día del mes, y los demás ninguno',
        en: 'A weekly payment has a weekday, a monthly one a day of the month, and others have neither',
        pt: 'Um pagamento semanal tem o dia da semana, um mensal o dia do mês, e os demais nenhum',
      },
      line: ['--period weekly goes with --weekday, --period monthly with --month-day, and others with neither.', 2],
    },
    schedule_incomplete: {
      status: 422,
      title: 'The schedule is incomplete',
      meaning: 'The first time, it needs `period`, `calendar` and `account`.',
      words: {
        es: 'Faltan el período, el calendario o la cuenta',
        en: 'The period, the calendar or the account is missing',
        pt: 'Faltam o período, o calendário ou a conta',
      },
      line: ['{merchant} has no schedule in {currency} yet: it needs --period, --calendar and an account.', 2],
    },
    reserve_incomplete: {
      status: 422,
      title: 'The reserve is incomplete',
      meaning: '`reservePercent` and `reserveDays` are both zero, or neither.',
      words: {
        es: 'Una reserva lleva porcentaje y días',
        en: 'A reserve has a percentage and days',
        pt: 'Uma reserva tem porcentagem e dias',
      },
      line: ['--reserve-percent and --reserve-days are both zero, or neither.', 2],
    },
    calendar_unknown: {
      status: 422,
      title: 'Unknown calendar',
      meaning: 'Load it first. `GET /manage/v1/calendars` lists the calendars.',
      words: { es: 'No existe ese calendario', en: 'There is no such calendar', pt: 'Esse calendário não existe' },
      line: ['There is no such calendar: "calendars list" shows them, "calendars load" adds one.', 1],
    },
    calendar_year_missing: {
      status: 409,
      title: 'The calendar ends before the next payment',
      meaning: 'Load its holidays of that year.',
      words: {
        es: 'El calendario termina antes del próximo pago. Cargue los festivos de ese año',
        en: 'The calendar ends before the next payment. Load the holidays of that year',
        pt: 'O calendário termina antes do próximo pagamento. Carregue os feriados desse ano',
      },
      line: ['The calendar ends before the next payment: "calendars load" adds the holidays of that year.', 1],
    },
  },
  shows: scheduleSchema,
  run: async ({ path: { merchant, currency: code }, body: given, origin }, deps: TermsDeps) => {
    const change = readChange(given, code);
    if (isRefusal(change)) return change;
    const target = { kind: 'merchant', id: merchant, merchantId: merchant };
    const changing = {
      db: deps.acting(actOf(origin, { target, given: { currency: code } })),
      home: deps.home,
      clock: deps.clock,
    };
    const schedule = await setSchedule(changing, { merchantId: merchant, currency: code }, change);
    if (!isRefusal(schedule)) return { schedule, calendars: await readHolidays(deps) };
    return schedule.refusal === 'merchant_unknown' ? refuse('not_found') : (schedule as Refusal<Known<typeof schedule>>);
  },
  answer: (shown, { actor }) => ({ body: showSchedule(shown, actor) }),
});

type Known<Outcome> = Outcome extends Refusal<infer Name> ? Exclude<Name, 'merchant_unknown'> : never;

/** The operations of the management API on schedules. */
export const scheduleManagement: readonly ManagementOperation<TermsDeps>[] = [scheduleList, scheduleReading, scheduleSetting];
