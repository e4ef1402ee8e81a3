import { readCompleteTo } from '../events/index.ts';
import { dayOf } from '../kit/calendar.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { zoneOfMerchant, showMerchant } from '../merchants/index.ts';
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

type Reading = { readonly db: Db; readonly clock: Clock };
type NoSpan = Refusal<'not_found' | 'days_out_of_range'>;

/** Finds when the days begin and end, and whose they are. */
async function spanOf({ db, clock }: Reading, { from, to, by, merchantId, network }: AskFigures): Promise<FigureFilter | NoSpan> {
  if (merchantId !== undefined && (await showMerchant({ db }, merchantId, clock.now())) === undefined) return refuse('not_found');
  const timeZone = await zoneOfMerchant({ db }, merchantId);
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
  const count = steps.reduce((sum, one) => sum + one, 0n);
  let upTo = 0n;
  const median = steps.findIndex((one) => (upTo += one) * 2n >= count && count > 0n);
  return { count, seconds: rows.reduce((sum, { seconds }) => sum + BigInt(seconds), 0n), steps, medianAtMost: PAY_STEPS[median] ?? null };
}
