import { Type } from 'typebox';
import { dayOf, endOfDay, formatLocal, parseCompactDay, startOfDay } from '../../kit/calendar.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { text } from '../../kit/fields.ts';
import { formatAmount } from '../../kit/money.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import type { Movement } from '../../ledger/index.ts';
import type { Merchant, MerchantDirectory } from '../../merchants/index.ts';
import { LIMIT_FIELD, operation, readLimit, type ParseContext, type RefuseField } from '../../requests/index.ts';
import { listAnswer, listEnvelope } from '../answers.wire.ts';
import { dayField, KEY_FIELDS, proveDays } from '../cashout-fields.wire.ts';
import {
  CHECKSUM_INVALID,
  DATE_MALFORMED,
  LIMIT_INVALID,
  MERCHANT_INVALID,
  PARAMETER_INVALID,
  RANGE_INVALID,
} from '../cashout-refusals.wire.ts';
import { listMovements, type MovementPlace } from './movements.ts';

type Deps = { readonly db: Db; readonly clock: Clock; readonly merchants: Pick<MerchantDirectory, 'find'> };

/** What caused a movement, in words of the wire. */
const TYPES: Readonly<Record<Movement['kind'], string>> = {
  cashout_registered: 'REGISTRO',
  cashout_released: 'DEVOLUCION',
  cashout_payment_reversed: 'REVERSO',
  top_up: 'RECARGA',
  moved_to_fund: 'TRASLADO',
  adjustment: 'AJUSTE',
  cashout_paid: 'PAGO',
  order_paid: 'RECAUDO',
  order_payment_reversed: 'REVERSO_RECAUDO',
  order_refund_owed: 'REEMBOLSO',
  order_refund_released: 'REVERSO_REEMBOLSO',
  order_refund_paid: 'PAGO_REEMBOLSO',
  settlement_approved: 'LIQUIDACION',
  settlement_paid: 'PAGO_LIQUIDACION',
  settlement_returned: 'DEVOLUCION_LIQUIDACION',
  hold_placed: 'RETENCION',
  hold_released: 'LIBERACION',
};

export const listMovementsOperation = operation({
  name: 'listMovements',
  route: 'GET /cashout/v1/walletmovements/:merchant',
  tag: 'Cashouts',
  summary: 'List the movements of the fund',
  description: 'Lists what came into the fund of a merchant and what left it, newest first.',
  section: '§4.3',
  example: 'list-movements/no-movements',
  envelope: listEnvelope({
    first: Type.String({ description: 'The first page; empty where there is none.' }),
    previous: Type.String({ description: 'Always empty: movements are walked forward.' }),
    next: Type.String({ description: 'The next page; empty after the last.' }),
    end: Type.String({ description: 'Always empty.' }),
  }),
  path: { merchant: KEY_FIELDS.merchant },
  from: 'query',
  // An empty text counts as absent.
  fields: {
    cursor: text({
      required: false,
      max: 40,
      pattern: /^([0-9]{1,17}-[0-9]{1,9})?$/,
      description: 'From the link `next` of an earlier answer.',
      example: '1795273200000000-1',
    }),
    start: dayField('First day, YYYYMMDD; today where absent.', '20261121'),
    end: dayField('Last day, YYYYMMDD; today where absent.', '20261121'),
    limit: LIMIT_FIELD,
    checksum: KEY_FIELDS.checksum,
  },
  isStrict: true,
  caller: 'merchant',
  effect: 'reads',
  proof: ['merchant', 'start', 'end'],
  refusals: {
    merchant_invalid: MERCHANT_INVALID,
    parameter_invalid: PARAMETER_INVALID,
    date_malformed: DATE_MALFORMED,
    range_invalid: RANGE_INVALID,
    limit_invalid: LIMIT_INVALID,
    checksum_invalid: CHECKSUM_INVALID,
  },
  parse: async (sent, refuse, context: ParseContext<Deps, Merchant>) => {
    const { start, end, cursor, limit } = sent;
    await proveDays(sent, undefined, context);
    const [startOn, endOn] = [readDay('start', start, refuse), readDay('end', end, refuse)];
    if (startOn !== undefined && endOn !== undefined && isAfter(startOn, endOn)) refuse('range_invalid');
    return { startOn, endOn, limit: readLimit(limit, refuse), place: readPlace(cursor) };
  },
  run: async ({ values: { merchant }, parsed, caller }, { db, clock }: Deps) => {
    const { limit, place } = parsed;
    const range = rangeOf(parsed, caller.country.timeZone, clock.now());
    return isRefusal(range) ? range : listMovements(db, { merchantId: merchant, ...range, limit, place });
  },
  answer: ({ movements, next }, { values: { checksum, start = '', end = '' }, parsed: { limit }, caller, path, query }) => {
    const language = query.get('language');
    const own = { checksum, start, end, limit: String(limit), ...(language === undefined ? {} : { language }) };
    const link = (cursor: string): string => `${path()}?${new URLSearchParams({ ...own, cursor }).toString()}`;
    return listAnswer(
      { first: movements.length === 0 ? '' : link(''), previous: '', next: next === undefined ? '' : link(writePlace(next)), end: '' },
      movements.map((movement) => renderMovement(movement, caller.country.timeZone)),
    );
  },
  data: () =>
    Type.Object({
      date: Type.String({ description: 'In the merchant’s time zone.', examples: ['2026-11-21 10:15:00'] }),
      type: Type.Unsafe<string>({ type: 'string', enum: Object.values(TYPES), description: 'What caused it: contract §4.3.' }),
      operation: Type.String({ description: 'The cashout that caused it; empty where none did.', examples: ['W-77'] }),
      amount: Type.String({ description: 'What left the fund has a minus.', examples: ['-45000.0'] }),
      currency: Type.String({ description: 'ISO 4217.', examples: ['COP'] }),
    }),
});

const isAfter = (one: Temporal.PlainDate, other: Temporal.PlainDate): boolean => Temporal.PlainDate.compare(one, other) > 0;

const readDay = (name: string, sent: string | undefined, refuse: RefuseField<'date_malformed'>): Temporal.PlainDate | undefined =>
  sent ? (parseCompactDay(sent) ?? refuse('date_malformed', name)) : undefined;

function readPlace(cursor = ''): MovementPlace | undefined {
  const [microseconds, ofInstant] = cursor.split('-');
  if (!microseconds || !ofInstant) return undefined;
  return { at: Temporal.Instant.fromEpochNanoseconds(BigInt(microseconds) * 1_000n), ofInstant: Number(ofInstant) };
}

const writePlace = ({ at, ofInstant }: MovementPlace): string => `${at.epochNanoseconds / 1_000n}-${ofInstant}`;

type Asked = {
  readonly startOn: Temporal.PlainDate | undefined;
  readonly endOn: Temporal.PlainDate | undefined;
  readonly place: MovementPlace | undefined;
};
type Range = { readonly from: Temporal.Instant; readonly until: Temporal.Instant };

/** The days that are meant, as instants. A place outside of them belongs to another walk. */
function rangeOf(
  { startOn, endOn, place }: Asked,
  timeZone: string,
  now: Temporal.Instant,
): Range | Refusal<'range_invalid' | 'parameter_invalid'> {
  // A walk that began before midnight continues in its own day: only older movements are left.
  const today = dayOf(place?.at ?? now, timeZone);
  const [first, last] = [startOn ?? today, endOn ?? today];
  if (isAfter(first, last)) return refuse('range_invalid');
  const [from, until] = [startOfDay(first, timeZone), endOfDay(last, timeZone)];
  const isInside = place === undefined || (Temporal.Instant.compare(place.at, from) >= 0 && Temporal.Instant.compare(place.at, until) < 0);
  return isInside ? { from, until } : refuse('parameter_invalid', { field: 'cursor', rule: 'range' });
}

/** A movement, all texts: what left the fund has a minus. */
function renderMovement({ transactionId, kind, currency, amountMinor, postedAt }: Movement, timeZone: string): object {
  const [subject, id] = transactionId.split('/');
  const amount = formatAmount(amountMinor < 0n ? -amountMinor : amountMinor, currency);
  return {
    date: formatLocal(postedAt, timeZone),
    type: TYPES[kind],
    operation: subject === 'cashout' ? id : '',
    amount: amountMinor < 0n ? `-${amount}` : amount,
    currency,
  };
}
