import { readCompleteTo } from '../events/index.ts';
import { dayOf } from '../kit/calendar.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { byText } from '../kit/lists/merges.ts';
import { addSame } from '../kit/lists/sums.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { showMerchant, type TimeZoneOf } from '../merchants/index.ts';
import { countRefusedByReason, PAY_STEPS } from '../orders/index.ts';
import { READER } from './count-figures.ts';
import { readSums, type FigureFilter, type SummedRow } from './figure-rows.ts';

export type AskFigures = {
  /** Both are in it. Without a last day it is today, without a first day it is the last one alone. */
  readonly from: Temporal.PlainDate | undefined;
  readonly to: Temporal.PlainDate | undefined;
  readonly by: 'hour' | 'day';
  /** Undefined: all merchants, with days of UTC. */
  readonly merchantId: string | undefined;
  readonly network: string | undefined;
};

/** How long orders took from their creation to the payment that ended them. */
type TimeToPay = {
  readonly count: bigint;
  readonly seconds: bigint;
  /** How many took up to each end of PAY_STEPS. The last took longer. */
  readonly steps: readonly bigint[];
  /** The end of the step that holds the median; null: it is in the last one, or nothing is timed. */
  readonly medianAtMost: number | null;
};

export type Figure = {
  readonly start: Temporal.Instant;
  readonly event: string;
  /** Null: of no currency, and without amounts. */
  readonly currency: string | null;
  readonly count: bigint;
  readonly amountMinor: bigint;
  /** Of order.paid only. */
  readonly timeToPay: TimeToPay | undefined;
};

export type Figures = {
  readonly timeZone: string;
  /** All that was written until then is counted. Undefined: nothing was counted yet. */
  readonly completeTo: Temporal.Instant | undefined;
  readonly items: readonly Figure[];
};

/** What one answer holds at most. */
const MOST_DAYS = { hour: 31, day: 400 } as const;

type Reading = { readonly db: Db; readonly clock: Clock; readonly timeZoneOf: TimeZoneOf };
type NoSpan = Refusal<'not_found' | 'days_out_of_range'>;

/** Finds when the days begin and end, and whose they are. */
async function spanOf(
  { db, clock, timeZoneOf }: Reading,
  { from, to, by, merchantId, network }: AskFigures,
): Promise<FigureFilter | NoSpan> {
  if (merchantId !== undefined && (await showMerchant({ db }, merchantId, clock.now())) === undefined) return refuse('not_found');
  const timeZone = (await timeZoneOf(merchantId)) ?? 'UTC';
  const last = to ?? dayOf(clock.now(), timeZone);
  const first = from ?? last;
  const days = first.until(last, { largestUnit: 'days' }).days + 1;
  if (days < 1 || days > MOST_DAYS[by]) return refuse('days_out_of_range');
  const startOf = (day: Temporal.PlainDate): Temporal.Instant => day.toZonedDateTime(timeZone).toInstant();
  const source = network === undefined ? undefined : `network:${network}`;
  return { from: startOf(first), to: startOf(last.add({ days: 1 })), by, timeZone, merchantId, source };
}

/**
 * Reads figures of some days.
 * Refuses: not_found, days_out_of_range (more than 31 days by hour or 400 by day, or an end before the begin).
 */
export async function readFigures(reading: Reading, ask: AskFigures): Promise<Figures | NoSpan> {
  const span = await spanOf(reading, ask);
  if (isRefusal(span)) return span;
  const completeTo = await readCompleteTo(reading.db, READER);
  const rows = await readSums(reading.db, span);
  const groups = Map.groupBy(rows, ({ start, event, currency }) => `${start.toString()} ${event} ${currency}`);
  return { timeZone: span.timeZone, completeTo, items: [...groups.values()].map(toFigure) };
}

/** Adds up the figures of several cells. All is counted up to the time to which each of them has counted. */
export function sumFigures(figures: readonly Figures[]): Figures {
  const ends = figures.flatMap(({ completeTo }) => completeTo ?? []);
  const [earliest] = ends.toSorted(Temporal.Instant.compare);
  const items = addSame(
    figures.flatMap((one) => one.items),
    ({ start, event, currency }) => `${start.toString()} ${event} ${currency}`,
    addUp,
  );
  return {
    ...(figures[0] as Figures),
    completeTo: ends.length < figures.length ? undefined : earliest,
    items: items.toSorted(
      (one, other) =>
        Temporal.Instant.compare(one.start, other.start) ||
        byText(one.event, other.event) ||
        byText(one.currency ?? '', other.currency ?? ''),
    ),
  };
}

const addUp = (sum: Figure, one: Figure): Figure => ({
  ...sum,
  count: sum.count + one.count,
  amountMinor: sum.amountMinor + one.amountMinor,
  timeToPay: sum.timeToPay && one.timeToPay && addTimes(sum.timeToPay, one.timeToPay),
});

const addTimes = (one: TimeToPay, other: TimeToPay): TimeToPay =>
  timeToPayOf(
    one.steps.map((count, index) => count + (other.steps[index] as bigint)),
    one.seconds + other.seconds,
  );

/**
 * Counts why payments were refused on some days, each once, at its first try.
 * Refuses: as readFigures.
 */
export async function readRefusedReasons(
  reading: Reading,
  ask: Omit<AskFigures, 'by'>,
): Promise<{ readonly timeZone: string; readonly items: Awaited<ReturnType<typeof countRefusedByReason>> } | NoSpan> {
  const span = await spanOf(reading, { ...ask, by: 'day' });
  return isRefusal(span) ? span : { timeZone: span.timeZone, items: await countRefusedByReason(reading.db, span) };
}

type Reasons = Exclude<Awaited<ReturnType<typeof readRefusedReasons>>, NoSpan>;

/** Adds up the reasons of several cells, the most frequent one first. */
export function addReasons(reasons: readonly Reasons[]): Reasons {
  const items = addSame(
    reasons.flatMap((one) => one.items),
    ({ refusal }) => refusal,
    (sum, { count }) => ({ ...sum, count: sum.count + count }),
  );
  return {
    ...(reasons[0] as Reasons),
    items: items.toSorted((one, other) => Number(other.count - one.count) || byText(one.refusal, other.refusal)),
  };
}

function toFigure(rows: readonly SummedRow[]): Figure {
  const [{ start, event, currency }] = rows as [SummedRow];
  return {
    start,
    event,
    currency: currency === '' ? null : currency,
    count: rows.reduce((sum, { count }) => sum + count, 0n),
    amountMinor: rows.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n),
    timeToPay: event === 'order.paid' ? timeToPay(rows) : undefined,
  };
}

function timeToPay(rows: readonly SummedRow[]): TimeToPay {
  const steps = Array.from({ length: PAY_STEPS.length + 1 }, (_, index) => rows.find(({ step }) => step === index + 1)?.count ?? 0n);
  return timeToPayOf(
    steps,
    rows.reduce((sum, { seconds }) => sum + BigInt(seconds), 0n),
  );
}

function timeToPayOf(steps: readonly bigint[], seconds: bigint): TimeToPay {
  const count = steps.reduce((sum, one) => sum + one, 0n);
  let upTo = 0n;
  const median = steps.findIndex((one) => (upTo += one) * 2n >= count && count > 0n);
  return { count, seconds, steps, medianAtMost: PAY_STEPS[median] ?? null };
}
