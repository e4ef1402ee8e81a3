import { Type } from 'typebox';
import { dayOf, endOfDay, formatLocal, parseCompactDay, startOfDay } from '../../kit/calendar.ts';
import { readFields, text, toSchema, type Violation } from '../../kit/fields.ts';
import { sendJson, type HttpServer } from '../../kit/http.ts';
import { formatAmount } from '../../kit/money.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import type { Movement } from '../../ledger/index.ts';
import type { Language } from '../../kit/language.ts';
import type { Merchant } from '../../merchants/index.ts';
import { languageField } from '../../requests/index.ts';
import { KEY_FIELDS } from '../cashout-fields.wire.ts';
import { CODES, refusalRules, refusalText, type CashoutRefusal } from '../cashout-refusals.wire.ts';
import { renderEmptyList } from '../cashout.wire.ts';
import type { CashoutDeps } from '../cashout-deps.ts';
import { languageOf, readQuery, shorten } from '../read-request.wire.ts';
import { listMovements, type ListMovements, type MovementPlace } from './movements.ts';

const DEFAULT_LIMIT = 23;
const MIN_LIMIT = 10;
const MAX_LIMIT = 100;

const day = (which: string) =>
  text({
    required: false,
    max: 8,
    pattern: /^([0-9]{8})?$/,
    description: `${which} day, YYYYMMDD; today where absent.`,
    example: '20261121',
  });

/** The parameters, in the order of precedence of their refusals. An empty text is as good as none. */
const PARAMETERS = {
  cursor: text({
    required: false,
    max: 40,
    pattern: /^([0-9]{1,17}-[0-9]{1,9})?$/,
    description: 'From the link `next` of an earlier answer.',
    example: '1795273200000000-1',
  }),
  start: day('First'),
  end: day('Last'),
  limit: text({ required: false, max: 4, pattern: /^[0-9]*$/, description: '10–100; 23 where absent.', example: '23' }),
  checksum: KEY_FIELDS.checksum,
} as const;

/** All that is taken. */
const KNOWN = { ...PARAMETERS, ...languageField };

const PRECEDENCE = [
  'merchant_invalid',
  'parameter_invalid',
  'date_malformed',
  'range_invalid',
  'limit_invalid',
  'checksum_invalid',
] as const satisfies readonly CashoutRefusal[];

type MovementRefusal = Refusal<(typeof PRECEDENCE)[number]>;

const REFUSED_WITH: Readonly<Record<string, MovementRefusal['refusal']>> = {
  merchant: 'merchant_invalid',
  start: 'date_malformed',
  end: 'date_malformed',
  limit: 'limit_invalid',
  checksum: 'checksum_invalid',
};

type Asked = {
  readonly merchantId: string;
  readonly checksum: string;
  readonly start: string;
  readonly end: string;
  readonly startOn: Temporal.PlainDate | undefined;
  readonly endOn: Temporal.PlainDate | undefined;
  readonly limit: number;
  readonly place: MovementPlace | undefined;
  /** As sent, for the links. */
  readonly language: string | undefined;
};

/**
 * Reads a request for movements.
 * Refuses, the first that applies: merchant_invalid, parameter_invalid (also a repeated or unknown parameter), date_malformed, range_invalid
 * (as far as it can be told without knowing today), limit_invalid, checksum_invalid (missing or misshapen).
 * Source: contract §4.3.
 */
function readRequest(merchantId: string, url: string): Asked | MovementRefusal {
  const query = readQuery(url);
  const given = isRefusal(query) ? new Map<string, string>() : query;
  const fields = { merchant: KEY_FIELDS.merchant, ...PARAMETERS };
  const read = readFields(fields, new Map([...given, ['merchant', merchantId]]));
  const refusals: MovementRefusal[] = [
    ...(isRefusal(query) ? [query] : []),
    ...[...given.keys()]
      .filter((name) => !Object.hasOwn(KNOWN, name))
      .map((name) => refuse('parameter_invalid', { field: shorten(name), rule: 'unknown' })),
    ...(read.ok ? [] : read.violations.map(refusalOf)),
  ];
  const { start = '', end = '', cursor = '' } = read.values;
  const [startOn, endOn] = [start, end].map((text) => (text === '' ? undefined : parseCompactDay(text)));
  if (start !== '' && startOn === undefined) refusals.push(refuse('date_malformed', { field: 'start', rule: 'shape' }));
  if (end !== '' && endOn === undefined) refusals.push(refuse('date_malformed', { field: 'end', rule: 'shape' }));
  if (startOn !== undefined && endOn !== undefined && Temporal.PlainDate.compare(startOn, endOn) > 0)
    refusals.push(refuse('range_invalid'));
  const limit = read.values.limit ? Number(read.values.limit) : DEFAULT_LIMIT;
  if (limit < MIN_LIMIT || limit > MAX_LIMIT) refusals.push(refuse('limit_invalid', { field: 'limit', rule: 'range' }));
  for (const name of PRECEDENCE) {
    const first = refusals.find(({ refusal }) => refusal === name);
    if (first !== undefined) return first;
  }
  if (!read.ok) throw new Error('a broken rule was not refused');
  return {
    merchantId,
    checksum: read.values.checksum,
    start,
    end,
    startOn,
    endOn,
    limit,
    place: readPlace(cursor),
    language: given.get('language'),
  };
}

const refusalOf = ({ field, rule, limit }: Violation): MovementRefusal =>
  refuse(REFUSED_WITH[field] ?? 'parameter_invalid', limit === undefined ? { field, rule } : { field, rule, limit });

function readPlace(cursor: string): MovementPlace | undefined {
  const [microseconds, ofInstant] = cursor.split('-');
  if (!microseconds || !ofInstant) return undefined;
  return { at: Temporal.Instant.fromEpochNanoseconds(BigInt(microseconds) * 1_000n), ofInstant: Number(ofInstant) };
}

const writePlace = ({ at, ofInstant }: MovementPlace): string => `${at.epochNanoseconds / 1_000n}-${ofInstant}`;

/** The days that are meant, or why they cannot be. A place outside of them is none of this walk. */
function toList(asked: Asked, merchant: Merchant, now: Temporal.Instant): ListMovements | MovementRefusal {
  const { timeZone } = merchant.country;
  // A walk that began before midnight goes on in its own day; what is older than its place is all that is left of it.
  const today = dayOf(asked.place?.at ?? now, timeZone);
  const [startOn, endOn] = [asked.startOn ?? today, asked.endOn ?? today];
  if (Temporal.PlainDate.compare(startOn, endOn) > 0) return refuse('range_invalid');
  const [from, until] = [startOfDay(startOn, timeZone), endOfDay(endOn, timeZone)];
  const { merchantId, limit, place } = asked;
  const isInside = place === undefined || (Temporal.Instant.compare(place.at, from) >= 0 && Temporal.Instant.compare(place.at, until) < 0);
  if (!isInside) return refuse('parameter_invalid', { field: 'cursor', rule: 'range' });
  return { merchantId, from, until, limit, place };
}

/** What caused a movement, in words of this door: an operation of the merchant, or the service. */
const TYPES: Readonly<Record<Movement['kind'], string>> = {
  cashout_registered: 'REGISTRO',
  cashout_released: 'DEVOLUCION',
  cashout_payment_reversed: 'REVERSO',
  top_up: 'RECARGA',
  adjustment: 'AJUSTE',
  cashout_paid: 'PAGO',
  order_paid: 'RECAUDO',
  order_payment_reversed: 'REVERSO_RECAUDO',
};

/** Renders a movement, all texts: what left the fund has a minus. Source: contract §4.3. */
export function renderMovement({ transactionId, kind, currency, amountMinor, postedAt }: Movement, timeZone: string): object {
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

const schema = {
  operationId: 'listMovements',
  ...refusalRules(['merchant', 'start', 'end'], PRECEDENCE),
  summary: 'List the movements of the fund',
  description:
    'Lists what came into the fund of a merchant and what left it, newest first. Checksum over merchant, start, end. Contract §4.3.',
  tags: ['Cashouts'],
  params: toSchema({ merchant: KEY_FIELDS.merchant }),
  querystring: toSchema(KNOWN),
  response: {
    200: Type.Object({
      code: Type.String({ description: 'Result code; 0000 is success.', examples: ['0000'] }),
      text: Type.String({ examples: ['OK'] }),
      first: Type.String({ description: 'The first page; empty where there is none.' }),
      previous: Type.String({ description: 'Always empty: movements are walked forward.' }),
      next: Type.String({ description: 'The next page; empty after the last.' }),
      end: Type.String({ description: 'Always empty.' }),
      data: Type.Array(
        Type.Object({
          date: Type.String({ description: 'By the wall clock of the merchant.', examples: ['2026-11-21 10:15:00'] }),
          type: Type.Unsafe<string>({ type: 'string', enum: Object.values(TYPES), description: 'What caused it.' }),
          operation: Type.String({ description: 'The operation that caused it; empty where none did.', examples: ['W-77'] }),
          amount: Type.String({ description: 'What left the fund has a minus.', examples: ['-45000.0'] }),
          currency: Type.String({ examples: ['COP'] }),
        }),
      ),
    }),
  },
};

/** The refusal in the envelope of the list, around nothing. */
const refused = (refusal: MovementRefusal, language: Language): object =>
  renderEmptyList(CODES[refusal.refusal], refusalText(language, refusal.refusal, refusal));

/** Adds the movements. Source: contract §4.3. */
export function addListMovements(app: HttpServer, prefixes: readonly string[], { db, clock, requests }: CashoutDeps): void {
  for (const [index, prefix] of prefixes.entries()) {
    app.get(`${prefix}/walletmovements/:merchant`, { schema: { ...schema, hide: index > 0 } }, async (request, reply) => {
      const { merchant: merchantId } = request.params as { merchant: string };
      const asked = readRequest(merchantId, request.raw.url as string);
      if (isRefusal(asked)) return sendJson(reply, refused(asked, languageOf(request)));
      const { start, end, checksum, limit, language } = asked;
      const merchant = await requests.callers.authenticate(request, merchantId, checksum, [merchantId, start, end]);
      if (isRefusal(merchant)) return sendJson(reply, refused(merchant, languageOf(request)));
      const list = toList(asked, merchant, clock.now());
      if (isRefusal(list)) return sendJson(reply, refused(list, languageOf(request, merchant)));
      const { movements, next } = await listMovements(db, list);
      const own = { checksum, start, end, limit: String(limit), ...(language === undefined ? {} : { language }) };
      const link = (cursor: string): string =>
        `${prefix}/walletmovements/${merchantId}?${new URLSearchParams({ ...own, cursor }).toString()}`;
      return sendJson(reply, {
        code: '0000',
        text: 'OK',
        first: movements.length === 0 ? '' : link(''),
        previous: '',
        next: next === undefined ? '' : link(writePlace(next)),
        end: '',
        data: movements.map((movement) => renderMovement(movement, merchant.country.timeZone)),
      });
    });
  }
}
