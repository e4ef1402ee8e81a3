import { Type } from 'typebox';
import { dayOf, formatCompactDay, parseCompactDay } from '../kit/calendar.ts';
import { readFields, text, toSchema, type FieldsRead, type PartialFieldValues } from '../kit/fields.ts';
import { sendJson, type HttpRequest, type HttpServer } from '../kit/http.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import type { Language } from '../kit/language.ts';
import type { Merchant } from '../merchants/index.ts';
import { languageField } from '../requests/index.ts';
import { type CashoutRefusal, CODES, refusalRules, refusalText } from './cashout-refusals.wire.ts';
import { CASHOUT_MERCHANT_ID, findState, itemSchema, renderEmptyList, renderTexts, type DateForm } from './cashout.wire.ts';
import { CASHOUT_STATES, type CashoutState } from './cashout.ts';
import type { CashoutDeps } from './cashout-deps.ts';
import { listCashouts, type ListCashouts, type ListedPage } from './list-cashouts.ts';
import { MAX_CURSOR_CHARACTERS, openCursor, sealCursor, type CursorScope, type ListCursor } from './list-cursor.ts';
import { languageOf, readQuery, shorten } from './read-request.wire.ts';

const DEFAULT_LIMIT = 23;
const MIN_LIMIT = 10;
const MAX_LIMIT = 100;
/** The parameter `page` has four digits at most; a walk goes on beyond, by its cursor. */
const MAX_PAGE = 9999;

/** The parameters of contract §4.1, in the order of precedence of their refusals. An empty text is as good as none. */
const PARAMETERS = {
  status: text({
    required: false,
    max: 64,
    pattern: /^(0|[A-Za-z]{1,12}(,[A-Za-z]{1,12})*)?$/,
    description: '`0` for all, or one or several names, with commas.',
    example: 'PENDIENTE,APROBADA',
  }),
  document: text({
    required: false,
    max: 20,
    pattern: /^[0-9]*$/,
    description: 'Only operations of this end user.',
    example: '1020304050',
  }),
  cursor: text({
    required: false,
    max: MAX_CURSOR_CHARACTERS,
    pattern: /^[A-Za-z0-9_-]*$/,
    description: 'From a link of an earlier answer; it decides which page is shown.',
    example: 'AQIAAAACATTtaQE07X0',
  }),
  start: text({
    required: false,
    max: 8,
    pattern: /^([0-9]{8})?$/,
    description: 'First update day, YYYYMMDD; today where absent.',
    example: '20261101',
  }),
  end: text({
    required: false,
    max: 8,
    pattern: /^([0-9]{8})?$/,
    description: 'Last update day, YYYYMMDD; today where absent.',
    example: '20261130',
  }),
  page: text({ required: false, max: 4, pattern: /^[0-9]*$/, description: '1–9999; 1 where absent.', example: '1' }),
  limit: text({ required: false, max: 4, pattern: /^[0-9]*$/, description: '10–100; 23 where absent.', example: '23' }),
  checksum: text({
    required: true,
    max: 512,
    pattern: /^[0-9a-fA-F]+$/,
    description: 'SHA-512 in hex over merchant, start, end as sent, and the fixed hash.',
    example: 'b1946ac92492d2347c6235b4d2611184',
  }),
} as const;

/** All that the list takes. */
const KNOWN = { ...PARAMETERS, ...languageField };

type Sent = PartialFieldValues<typeof PARAMETERS>;

/** The refusals of the list, first to last. */
const PRECEDENCE = [
  'merchant_invalid',
  'parameter_invalid',
  'date_malformed',
  'range_invalid',
  'page_invalid',
  'limit_invalid',
  'checksum_invalid',
] as const satisfies readonly CashoutRefusal[];

type ListRefusal = Refusal<(typeof PRECEDENCE)[number]>;

const REFUSED_WITH: Readonly<Record<keyof typeof PARAMETERS, ListRefusal['refusal']>> = {
  status: 'parameter_invalid',
  document: 'parameter_invalid',
  cursor: 'parameter_invalid',
  start: 'date_malformed',
  end: 'date_malformed',
  page: 'page_invalid',
  limit: 'limit_invalid',
  checksum: 'checksum_invalid',
};

/** The zone of whoever has not proved to be a merchant: an answer must not tell in which zone a merchant of that name lives. */
const NOBODYS_ZONE = 'UTC';

/** A request for the list: what it asks for, and what its links repeat. */
type ListRequest = {
  readonly list: ListCashouts;
  readonly scope: CursorScope;
  readonly parameters: ReadonlyMap<string, string>;
  readonly path: string;
};

type Reading = { readonly request: ListRequest } | { readonly refused: ListRefusal; readonly language: Language };

/**
 * Reads a request for the list.
 * Shape: a request, and the prefix under which it came, to which its links lead → what to list.
 * Refuses, the first that applies: merchant_invalid, parameter_invalid, date_malformed, range_invalid, page_invalid, limit_invalid,
 * checksum_invalid. The checksum is compared early, because which day is today depends on who asks, and told last.
 * Source: contract §4.1.
 */
async function readList(deps: CashoutDeps, request: HttpRequest, prefix: string): Promise<Reading> {
  const { merchant: merchantId } = request.params as { merchant: string };
  const path = `${prefix}/operation/${merchantId}`;
  if (!CASHOUT_MERCHANT_ID.test(merchantId))
    return { refused: refuse('merchant_invalid', { field: 'merchant', rule: 'shape' }), language: languageOf(request) };
  const parameters = readQuery(request.raw.url as string);
  if (isRefusal(parameters)) return { refused: parameters, language: languageOf(request) };
  const read = readFields(PARAMETERS, parameters);
  const sent: Sent = read.values;
  const refusals = shapeRefusals(parameters, read);

  const states = readStates(sent.status);
  if (states === undefined) refusals.push(refuse('parameter_invalid', { field: 'status', rule: 'shape' }));
  const document = sent.document === '' ? undefined : sent.document;
  const scope: CursorScope = { merchantId, start: sent.start ?? '', end: sent.end ?? '', states: states ?? [], document };
  const cursor = isGiven(sent.cursor) ? openCursor(deps.cursorKey, scope, sent.cursor) : undefined;
  if (isGiven(sent.cursor) && cursor === undefined) refusals.push(refuse('parameter_invalid', { field: 'cursor', rule: 'shape' }));

  const caller = await authenticate(deps, request, merchantId, parameters, cursor);
  if (isRefusal(caller)) refusals.push(caller);
  const merchant = isRefusal(caller) ? undefined : caller;

  const range = cursor ?? readRange(sent, dayOf(deps.clock.now(), merchant?.country.timeZone ?? NOBODYS_ZONE));
  if ('refusal' in range) refusals.push(range);
  const page = isGiven(sent.page) ? Number(sent.page) : 1;
  if (page < 1) refusals.push(refuse('page_invalid', { field: 'page', rule: 'range' }));
  const limit = isGiven(sent.limit) ? Number(sent.limit) : DEFAULT_LIMIT;
  if (limit < MIN_LIMIT || limit > MAX_LIMIT) refusals.push(refuse('limit_invalid', { field: 'limit', rule: 'range' }));

  const refused = firstOf(refusals);
  if (refused !== undefined) return { refused, language: languageOf(request, merchant) };
  if (states === undefined || 'refusal' in range) throw new Error('a broken rule was not refused');
  const { startOn, endOn } = range;
  const list: ListCashouts = { merchantId, startOn, endOn, states, document, limit, position: cursor?.position ?? { at: 'page', page } };
  return { request: { list, scope, parameters, path } };
}

const isGiven = (value: string | undefined): value is string => value !== undefined && value !== '';

/** A filter that were silently ignored would return other people's trouble: unknown parameters are refused. */
function shapeRefusals(parameters: ReadonlyMap<string, string>, read: FieldsRead<typeof PARAMETERS>): ListRefusal[] {
  const refusals: ListRefusal[] = [];
  for (const name of parameters.keys())
    if (!Object.hasOwn(KNOWN, name)) refusals.push(refuse('parameter_invalid', { field: shorten(name), rule: 'unknown' }));
  if (!read.ok) for (const violation of read.violations) refusals.push(refuse(REFUSED_WITH[violation.field], violation));
  return refusals;
}

function firstOf(refusals: readonly ListRefusal[]): ListRefusal | undefined {
  if (refusals.length === 0) return undefined;
  const name = PRECEDENCE.find((one) => refusals.some(({ refusal }) => refusal === one));
  return refusals.find(({ refusal }) => refusal === name);
}

/** The states of a status text, in our order, each once. Refuses (undefined): a name that is none. */
function readStates(status: string | undefined): readonly CashoutState[] | undefined {
  if (!isGiven(status) || status === '0') return CASHOUT_STATES;
  const named = new Set(status.split(',').map(findState));
  return named.has(undefined) ? undefined : CASHOUT_STATES.filter((state) => named.has(state));
}

function readRange({ start, end }: Sent, today: Temporal.PlainDate): Pick<ListCursor, 'startOn' | 'endOn'> | ListRefusal {
  const startOn = isGiven(start) ? parseCompactDay(start) : today;
  const endOn = isGiven(end) ? parseCompactDay(end) : today;
  if (startOn === undefined || endOn === undefined)
    return refuse('date_malformed', { field: startOn === undefined ? 'start' : 'end', rule: 'shape' });
  return Temporal.PlainDate.compare(startOn, endOn) > 0 ? refuse('range_invalid') : { startOn, endOn };
}

/**
 * The merchant, if the checksum proves it. Where a date is absent it may have been made over an empty text or over the day that is meant:
 * today, or the range that a cursor has kept since the walk began.
 */
async function authenticate(
  { merchants, requests, clock }: CashoutDeps,
  request: HttpRequest,
  merchantId: string,
  parameters: ReadonlyMap<string, string>,
  cursor: ListCursor | undefined,
): Promise<Merchant | Refusal<'checksum_invalid'>> {
  const [start = '', end = '', checksum = ''] = [parameters.get('start'), parameters.get('end'), parameters.get('checksum')];
  // Both are given: what is meant is what was sent, and one checksum to make instead of two.
  if (start !== '' && end !== '') return requests.callers.authenticate(request, merchantId, checksum, [merchantId, start, end]);
  const known = await merchants.find(merchantId);
  const today = dayOf(clock.now(), known?.country.timeZone ?? NOBODYS_ZONE);
  const meant = [start || formatCompactDay(cursor?.startOn ?? today), end || formatCompactDay(cursor?.endOn ?? today)];
  return requests.callers.authenticate(request, merchantId, checksum, [merchantId, start, end], [merchantId, ...meant]);
}

/**
 * Renders a page with its links (contract §4.1, §4.2). Each link repeats the request's own parameters and adds the page and a cursor; it
 * counts pages from the one that was asked for, and stays at 9999 where the cursor leads beyond.
 */
function renderPage(
  { items, newest, oldest, page, pages, hasPrevious, hasNext }: ListedPage,
  { list, scope, parameters, path }: ListRequest,
  cursorKey: Buffer,
  dateForm: DateForm,
): object {
  const { startOn, endOn } = list;
  let own = `${path}?`;
  for (const [name, value] of parameters) if (name !== 'page' && name !== 'cursor') own += `${name}=${encodeURIComponent(value)}&`;
  const link = (number: number, position: ListCursor['position']): string =>
    `${own}page=${Math.min(number, MAX_PAGE)}&cursor=${sealCursor(cursorKey, scope, { startOn, endOn, position })}`;
  const first = (): string => link(1, { at: 'page', page: 1 });
  const last = (): string => link(pages, { at: 'last' });
  const before = Math.max(page - 1, 1);
  return {
    code: '0000',
    text: 'OK',
    first: pages > 0 ? first() : '',
    previous: !hasPrevious ? '' : newest === undefined ? last() : link(before, { at: 'before', key: newest, page: before }),
    next: !hasNext ? '' : oldest === undefined ? first() : link(page + 1, { at: 'after', key: oldest, page: page + 1 }),
    end: pages > 0 ? last() : '',
    data: items.map((item) => renderTexts(item, dateForm)),
  };
}

const linkSchema = (which: string, example: string) =>
  Type.String({
    description: `The ${which} page: a path with its query, ready to be called again; empty where there is none.`,
    examples: [example],
  });
const exampleLink = (page: number): string =>
  `/cashout/v1/operation/demo?start=20261101&end=20261130&checksum=b1946ac92492d2347c6235b4d2611184&page=${page}&cursor=AQIAAAACATTtaQE07X0`;

/** The answer in the OpenAPI document. */
const pageSchema = Type.Object({
  code: Type.String({ description: 'Result code; 0000 is success.', examples: ['0000'] }),
  text: Type.String({ examples: ['OK'] }),
  first: linkSchema('first', exampleLink(1)),
  previous: linkSchema('previous', ''),
  next: linkSchema('next', exampleLink(2)),
  end: linkSchema('last', exampleLink(9)),
  data: Type.Array(itemSchema, { description: 'Empty on a refusal.' }),
});

const schema = {
  operationId: 'listCashouts',
  ...refusalRules(['merchant', 'start', 'end'], PRECEDENCE),
  summary: 'List cashouts',
  description:
    'Operations whose last update lies in a range of days, newest first, in pages. Walking `next` from the first page neither repeats nor skips an operation that does not change meanwhile. Contract §4.1, §4.2.',
  tags: ['Cashouts'],
  params: toSchema({
    merchant: text({ required: true, max: 30, pattern: CASHOUT_MERCHANT_ID, description: "The merchant's id.", example: 'demo' }),
  }),
  querystring: toSchema(KNOWN),
  response: {
    200: pageSchema,
  },
};

/** Adds the list of cashouts. Source: contract §4.1. */
export function addListCashouts(app: HttpServer, prefixes: readonly string[], deps: CashoutDeps): void {
  for (const [index, prefix] of prefixes.entries()) {
    app.get(`${prefix}/operation/:merchant`, { schema: { ...schema, hide: index > 0 } }, async (request, reply) => {
      const reading = await readList(deps, request, prefix);
      if ('refused' in reading) {
        const { refused, language } = reading;
        return sendJson(reply, renderEmptyList(CODES[refused.refusal], refusalText(language, refused.refusal, refused)));
      }
      const page = await listCashouts(deps.db, reading.request.list);
      return sendJson(reply, renderPage(page, reading.request, deps.cursorKey, deps.dateForm));
    });
  }
}
