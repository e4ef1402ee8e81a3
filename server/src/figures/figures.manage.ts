import { Type } from 'typebox';
import type { Clock } from '../kit/clock.ts';
import { parseIsoDay } from '../kit/calendar.ts';
import type { Db } from '../kit/db.ts';
import { refuse } from '../kit/outcome.ts';
import { managementOperation, NO_MERCHANT, ROOM_PROBLEMS, schemas, type ManagementOperation } from '../manage/index.ts';
import type { TimeZoneOf } from '../merchants/index.ts';
import { PAY_STEPS, refusedSchema } from '../orders/index.ts';
import { sumFigures, addReasons, readFigures, readRefusedReasons, type AskFigures, type Figure } from './read-figures.ts';

type Deps = { readonly db: Db; readonly clock: Clock; readonly timeZoneOf: TimeZoneOf };
const { amount, day, instant, merchantId, oneOf, orNull, answerObject, showAmount, showInstant } = schemas;

const counted = (description: string) => Type.Integer({ minimum: 0, description });

const figure = answerObject({
  start: instant,
  event: Type.String({
    maxLength: 40,
    examples: ['order.paid'],
    description: 'As histories name it; also payment.refused, notice.given_up, and refund.owed, refund.released and refund.paid.',
  }),
  count: counted('How often it happened.'),
  value: orNull(amount),
  timeToPay: orNull(
    answerObject({
      count: counted('Orders that a payment ended.'),
      seconds: counted('Their sum, from creation to payment.'),
      steps: Type.Array(counted('Orders of this step.'), { description: `Up to ${PAY_STEPS.join(', ')} seconds, and longer.` }),
      medianAtMost: orNull(counted('The end, in seconds, of the step that holds the median. Null: the last step, or no order.')),
    }),
  ),
});

export const showFigure = ({ start, event, currency, count, amountMinor, timeToPay }: Figure) => ({
  start: start.toString(),
  event,
  count: Number(count),
  value: currency === null ? null : showAmount(amountMinor, currency),
  timeToPay:
    timeToPay === undefined
      ? null
      : { ...timeToPay, count: Number(timeToPay.count), seconds: Number(timeToPay.seconds), steps: timeToPay.steps.map(Number) },
});

const days = {
  from: Type.Optional(day),
  to: Type.Optional(day),
  merchant: Type.Optional(merchantId),
  network: Type.Optional(Type.String({ maxLength: 30, pattern: '^[a-z0-9_-]{1,30}$', examples: ['efectivo'] })),
};

type AskedDays = { readonly from?: string; readonly to?: string };

/** Undefined: one of the days does not exist. */
function readDays({ from, to }: AskedDays): Pick<AskFigures, 'from' | 'to'> | undefined {
  const read = { from: parseIsoDay(from ?? ''), to: parseIsoDay(to ?? '') };
  const isWrong = (from !== undefined && read.from === undefined) || (to !== undefined && read.to === undefined);
  return isWrong ? undefined : read;
}

export const readFigureItems = managementOperation({
  name: 'readFigures',
  route: 'GET /manage/v1/figures',
  tag: 'Figures',
  summary: 'Read figures by hour or day',
  description:
    'Kept counts of what happened: events of orders and cashouts with their value by currency, refused payments, ends of notices. Without ' +
    '`to` the last day is today, without `from` it is one day. Hours and days without any are left out. Days are of the time zone that ' +
    '`timeZone` names: that of the merchant, or of all merchants where they have the same, else UTC. `completeTo`: all that was written ' +
    'until then is counted.',
  permission: 'figures:read',
  scope: 'merchant',
  query: Type.Object({
    ...days,
    by: Type.Optional(oneOf(['hour', 'day'], 'Up to 31 days by hour, 400 by day. By day where absent.')),
  }),
  missing: NO_MERCHANT,
  refusals: { days_out_of_range: ROOM_PROBLEMS.days_out_of_range },
  shows: answerObject({ timeZone: Type.String({ maxLength: 40 }), completeTo: orNull(instant), items: Type.Array(figure) }),
  run: async ({ query: { by = 'day', network, ...asked }, merchantId: merchant }, deps: Deps) => {
    const read = readDays(asked);
    return read === undefined ? refuse('days_out_of_range') : readFigures(deps, { ...read, by, merchantId: merchant, network });
  },
  cells: { merge: (outcomes) => sumFigures(outcomes) },
  answer: ({ timeZone, completeTo, items }) => ({
    body: { timeZone, completeTo: showInstant(completeTo ?? null), items: items.map(showFigure) },
  }),
});

export const readRefusedItems = managementOperation({
  name: 'readRefusedFigures',
  route: 'GET /manage/v1/figures/refused-payments',
  tag: 'Figures',
  summary: 'Count why payments were refused',
  description: 'Each payment counts once, on the day of its first try, by its newest reason. The days are as in `readFigures`, up to 400.',
  permission: 'figures:read',
  scope: 'merchant',
  query: Type.Object(days),
  refusals: { days_out_of_range: ROOM_PROBLEMS.days_out_of_range },
  shows: answerObject({
    timeZone: Type.String({ maxLength: 40 }),
    items: Type.Array(answerObject({ refusal: refusedSchema.properties.refusal, count: counted('How many payments.') }), {
      description: 'The most frequent reason first.',
    }),
  }),
  run: async ({ query: { network, ...asked }, merchantId: merchant }, deps: Deps) => {
    const read = readDays(asked);
    return read === undefined ? refuse('days_out_of_range') : readRefusedReasons(deps, { ...read, merchantId: merchant, network });
  },
  cells: { merge: (outcomes) => addReasons(outcomes) },
  answer: ({ timeZone, items }) => ({
    body: { timeZone, items: items.map(({ refusal, count }) => ({ refusal, count: Number(count) })) },
  }),
});

/** The operations of the room. */
export const figureManagement: readonly ManagementOperation<Deps>[] = [readFigureItems, readRefusedItems];
