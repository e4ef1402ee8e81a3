import { Type } from 'typebox';
import { endOfDay, parseCompactDay, startOfDay } from '../../kit/calendar.ts';
import type { Db } from '../../kit/db.ts';
import { text, type PartialFieldValues, type Texts } from '../../kit/fields.ts';
import type { ServiceKey } from '../../kit/keys/service-keys.ts';
import { linksOfPage, type ListPosition } from '../../kit/lists/numbered-pages.ts';
import { openPosition, sealPosition, type PagePosition } from '../../manage/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import {
  LIMIT_FIELD,
  operation,
  PAGE_FIELD,
  pageLinker,
  readLimit,
  readPage,
  type ParseContext,
  type RefuseField,
} from '../../requests/index.ts';
import { okAnswer, orderEnvelope, withExample } from '../answers.wire.ts';
import { checksumField, merchantField, ORDER_ID } from '../order-fields.wire.ts';
import { PARAMETER_REFUSALS } from '../order-refusals.wire.ts';
import { listRefundsOfMerchant, type RefundPlaceOfMerchant } from './list-refunds.ts';
import { REFUND_STATES, type Refund, type RefundState } from './refund-columns.ts';
import { REFUND_STATE_NAMES, refundDataSchema, renderRefund, typeField } from './refund.wire.ts';

const NAMES = REFUND_STATES.map((state) => REFUND_STATE_NAMES[state]).join(', ');
const A_DAY: Texts = { es: 'un día real, AAAAMMDD', en: 'a real day, YYYYMMDD', pt: 'um dia real, AAAAMMDD' };

const dayField = (description: string, example: string) =>
  text({
    required: true,
    max: 8,
    pattern: /^[0-9]{8}$/,
    check: (day) => parseCompactDay(day) !== undefined,
    description: `${description}, YYYYMMDD. Part of the checksum.`,
    example,
    form: A_DAY,
  });

const fields = {
  merchant: merchantField,
  type: typeField('refund.list'),
  start: dayField('The first day of the requests', '20261101'),
  end: dayField('The last day of the requests', '20261130'),
  state: text({
    required: false,
    max: 64,
    pattern: /^(?:[A-Za-z]{1,12}(?:,[A-Za-z]{1,12})*)?$/,
    check: (names) => names === '' || readStates(names) !== undefined,
    description: `Only refunds in these states, with commas: ${NAMES}.`,
    example: 'SOLICITADO,APROBADO',
    form: { es: `con comas ${NAMES}`, en: `with commas ${NAMES}`, pt: `com vírgulas ${NAMES}` },
  }),
  order: text({ ...ORDER_ID, required: false, pattern: /^[A-Za-z0-9_-]*$/, description: 'Only refunds of this order.' }),
  page: { ...PAGE_FIELD, form: { es: '1 a 9999', en: '1 to 9999', pt: '1 a 9999' } },
  limit: { ...LIMIT_FIELD, form: { es: '10 a 100', en: '10 to 100', pt: '10 a 100' } },
  cursor: text({
    required: false,
    max: 600,
    pattern: /^[A-Za-z0-9_-]*$/,
    description: 'From a link of an earlier answer; it decides which page is shown.',
    example: 'czAIcfRMFo58lJ3ix1DmDFsiYWZ0ZXIiLCIyIiwiMjAyNi0xMS0yMVQxNTowMDowMFoiLCJSLTEwMDEiXQ',
    form: { es: 'de un enlace de la misma lista', en: 'from a link of the same list', pt: 'de um link da mesma lista' },
  }),
  checksum: checksumField,
};

type Deps = { readonly db: Db; readonly cursorKey: ServiceKey };
type Position = ListPosition<RefundPlaceOfMerchant>;
type Sent = PartialFieldValues<typeof fields>;

export const listRefundsOfMerchantOperation = operation({
  name: 'listRefunds',
  route: 'GET /api/v3/refunds',
  tag: 'Orders',
  summary: 'List refunds',
  description:
    'Refunds that were asked for in a range of days, the newest first, in pages. Walking `NEXT` from the first page neither repeats nor ' +
    'skips a refund. Links: contract §4.2.',
  section: '§3.10',
  example: 'list-refunds/of-an-order',
  envelope: orderEnvelope,
  from: 'query',
  fields,
  isStrict: true,
  caller: 'merchant',
  effect: 'reads',
  proof: ['type', 'merchant', 'start', 'end'],
  refusals: {
    content_invalid: PARAMETER_REFUSALS.content_invalid,
    merchant_invalid: PARAMETER_REFUSALS.merchant_invalid,
    range_invalid: {
      code: '0011',
      text: { es: 'start es posterior a end', en: 'start is later than end', pt: 'start é posterior a end' },
    },
    page_invalid: { code: '0011', meaning: '`page` is not 1–9999.' },
    limit_invalid: { code: '0011', meaning: '`limit` is not 10–100.' },
    checksum_invalid: PARAMETER_REFUSALS.checksum_invalid,
  },
  parse: (sent, refuse, { deps: { cursorKey } }: ParseContext<Deps, Merchant>) => {
    const { start = '', end = '', cursor } = sent;
    const [first, last] = [parseCompactDay(start), parseCompactDay(end)];
    if (first !== undefined && last !== undefined && Temporal.PlainDate.compare(first, last) > 0) refuse('range_invalid');
    const page = readPage(sent.page, refuse);
    const position: Position | undefined = cursor ? readCursor(cursorKey, sent, cursor, refuse) : { at: 'page', page };
    return { first, last, position, limit: readLimit(sent.limit, refuse) };
  },
  run: ({ values: { merchant, state, order }, parsed: { first, last, position, limit }, caller: { country } }, { db }: Deps) =>
    listRefundsOfMerchant(db, {
      merchantId: merchant,
      from: startOfDay(first as Temporal.PlainDate, country.timeZone),
      until: endOfDay(last as Temporal.PlainDate, country.timeZone),
      states: readStates(state),
      orderId: order || undefined,
      limit,
      position: position as Position,
    }),
  answer: (listed, { values, caller: { country }, path, query }, { cursorKey }) => {
    const link = pageLinker(path(), query);
    const seal = (position: Position): string => sealPosition(cursorKey, scopeOf(values), writtenPosition(position));
    const { first, previous, next, end } = linksOfPage(listed, placeOf, (page, position) => link(page, seal(position)));
    return okAnswer({
      REFUNDS: listed.rows.map((refund) => renderRefund(refund, country.timeZone)),
      FIRST: first,
      PREVIOUS: previous,
      NEXT: next,
      END: end,
    });
  },
  data: () =>
    Type.Object({
      REFUNDS: Type.Array(refundDataSchema),
      FIRST: linkSchema('first'),
      PREVIOUS: linkSchema('previous'),
      NEXT: linkSchema('next'),
      END: linkSchema('last'),
    }),
});

const linkSchema = (which: string) =>
  Type.String(withExample(`The ${which} page: a path with its query, ready to be called again; empty where there is none.`, ''));

/** The states of a text, in our order, each once. Undefined: any, or a name is unknown. */
function readStates(names: string | undefined): readonly RefundState[] | undefined {
  if (!names) return undefined;
  const named = new Set(names.toUpperCase().split(','));
  const states = REFUND_STATES.filter((state) => named.has(REFUND_STATE_NAMES[state]));
  return states.length === named.size ? states : undefined;
}

const placeOf = ({ requestedAt, refundId }: Refund): RefundPlaceOfMerchant => ({ requestedAt, refundId });

/** What a cursor is bound to: the merchant and the filters, as sent. The limit may change in a walk. */
const scopeOf = ({ merchant = '', start = '', end = '', state = '', order = '' }: Sent): readonly string[] => [
  'refunds of a merchant',
  merchant,
  start,
  end,
  state,
  order,
];

function writtenPosition(position: Position): PagePosition {
  if (position.at === 'last') return ['last'];
  if (position.at === 'page') return ['page', String(position.page)];
  const { requestedAt, refundId } = position.key;
  return [position.at, String(position.page), requestedAt.toString(), refundId];
}

/** Reads a cursor. Refuses: content_invalid, for one that no link of the same list has. */
function readCursor(key: ServiceKey, sent: Sent, cursor: string, refuse: RefuseField<'content_invalid'>): Position | undefined {
  const opened = openPosition(key, scopeOf(sent), cursor);
  if (opened === undefined) return refuse('content_invalid', 'cursor');
  const [at, page, requestedAt, refundId] = opened;
  if (at === 'last') return { at };
  if (at === 'page') return { at, page: Number(page) };
  return {
    at: at as 'after' | 'before',
    page: Number(page),
    key: { requestedAt: Temporal.Instant.from(requestedAt as string), refundId: refundId as string },
  };
}
