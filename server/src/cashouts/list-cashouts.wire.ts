import { Type } from 'typebox';
import { dayOf, parseCompactDay } from '../kit/calendar.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { text, type PartialFieldValues } from '../kit/fields.ts';
import { openWith, type ServiceKey } from '../kit/keys/service-keys.ts';
import { linksOfPage, type ListedPage } from '../kit/lists/numbered-pages.ts';
import type { Merchant, MerchantDirectory } from '../merchants/index.ts';
import {
  LIMIT_FIELD,
  operation,
  PAGE_FIELD,
  pageLinker,
  readLimit,
  readPage,
  type ParseContext,
  type RefuseField,
} from '../requests/index.ts';
import { listAnswer, listEnvelope } from './answers.wire.ts';
import { dayField, KEY_FIELDS, NOBODYS_ZONE, proveDays } from './cashout-fields.wire.ts';
import {
  CHECKSUM_INVALID,
  DATE_MALFORMED,
  LIMIT_INVALID,
  PAGE_INVALID,
  MERCHANT_INVALID,
  PARAMETER_INVALID,
  RANGE_INVALID,
} from './cashout-refusals.wire.ts';
import type { CashoutShapes } from './dialect/cashout-shapes.ts';
import { findState, itemSchema, renderTexts, CASHOUT_STATE_NAMES } from './cashout.wire.ts';
import { CASHOUT_STATES, type CashoutState } from './cashout.ts';
import { listCashouts, type ListCashouts } from './list-cashouts.ts';
import { MAX_LIST_CURSOR_CHARACTERS, openCursor, sealCursor, type ListScope, type ListCursor } from './list-cursor.ts';
import { isDocumentOf } from './end-users/documents.ts';
import { keyOf, type CashoutRowAsTexts } from './list-statements.ts';

const NAMES = CASHOUT_STATES.map((state) => CASHOUT_STATE_NAMES[state]).join(', ');
const STATUS_FORM = { es: `0, o con comas ${NAMES}`, en: `0, or with commas ${NAMES}`, pt: `0, ou com vírgulas ${NAMES}` };

/** The parameters of contract §4.1. An empty text counts as absent. */
const PARAMETERS = {
  status: text({
    required: false,
    max: 64,
    pattern: /^(0|[A-Za-z]{1,12}(,[A-Za-z]{1,12})*)?$/,
    form: STATUS_FORM,
    description: '`0` for all; or names of contract §4.6 in any case, with commas.',
    example: 'PENDIENTE,APROBADA',
  }),
  document: text({
    required: false,
    max: 20,
    pattern: /^(?:(?=[A-Z]*[0-9])[0-9A-Z]+)?$/,
    description: 'Only cashouts of this end user.',
    example: '1020304050',
  }),
  cursor: text({
    required: false,
    max: MAX_LIST_CURSOR_CHARACTERS,
    pattern: /^[A-Za-z0-9_-]*$/,
    description: 'From a link of an earlier answer; it decides which page is shown.',
    example: 'AQIAAAACATTtaQE07X0',
  }),
  start: dayField('First update day, YYYYMMDD; today where absent.', '20261101'),
  end: dayField('Last update day, YYYYMMDD; today where absent.', '20261130'),
  page: PAGE_FIELD,
  limit: LIMIT_FIELD,
  checksum: KEY_FIELDS.checksum,
};

const linkSchema = (which: string, example: string) =>
  Type.String({
    description: `The ${which} page: a path with its query, ready to be called again; empty where there is none.`,
    examples: [example],
  });
const exampleLink = (page: number): string =>
  `/cashout/v1/operation/demo?start=20261101&end=20261130&checksum=b1946ac92492d2347c6235b4d2611184&page=${page}&cursor=AQIAAAACATTtaQE07X0`;

type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  /** Signs the cursors. */
  readonly cursorKey: ServiceKey;
  readonly shapes: CashoutShapes;
};

export const listCashoutsOperation = operation({
  name: 'listCashouts',
  route: 'GET /cashout/v1/operation/:merchant',
  tag: 'Cashouts',
  summary: 'List cashouts',
  description:
    'Cashouts whose last update lies in a range of days, newest first, in pages. Walking `next` from the first page neither repeats nor skips a cashout that does not change meanwhile. Links: contract §4.2.',
  section: '§4.1',
  example: 'list-cashouts/days',
  envelope: listEnvelope({
    first: linkSchema('first', exampleLink(1)),
    previous: linkSchema('previous', ''),
    next: linkSchema('next', exampleLink(2)),
    end: linkSchema('last', exampleLink(9)),
  }),
  path: { merchant: KEY_FIELDS.merchant },
  from: 'query',
  fields: PARAMETERS,
  isStrict: true,
  caller: 'merchant',
  effect: 'reads',
  proof: ['merchant', 'start', 'end'],
  refusals: {
    merchant_invalid: MERCHANT_INVALID,
    parameter_invalid: PARAMETER_INVALID,
    date_malformed: DATE_MALFORMED,
    range_invalid: RANGE_INVALID,
    page_invalid: PAGE_INVALID,
    limit_invalid: LIMIT_INVALID,
    checksum_invalid: CHECKSUM_INVALID,
  },
  parse: readRequest,
  run: ({ parsed }, { db }: Deps) => listCashouts(db, parsed.list),
  answer: (page, { parsed, path, query }, { cursorKey, shapes }) =>
    listAnswer(
      linksOf(page, parsed, path(), query, cursorKey),
      page.rows.map((row) => renderTexts(row, shapes)),
    ),
  data: (dialect) => itemSchema(dialect),
});

type Context = ParseContext<Deps, Merchant>;
type Refuse = RefuseField<'parameter_invalid' | 'date_malformed' | 'range_invalid' | 'page_invalid' | 'limit_invalid'>;
type Sent = PartialFieldValues<typeof PARAMETERS & { readonly merchant: typeof KEY_FIELDS.merchant }>;

/** What a request asks for, and what the cursors of its links are bound to. */
type ListRequest = { readonly list: ListCashouts; readonly scope: ListScope };

/** Reads what is asked for. Refuses in any order: the declaration has the precedence. */
async function readRequest(sent: Sent, refuse: Refuse, { deps, prove }: Context): Promise<ListRequest | undefined> {
  const states = readStates(sent.status) ?? refuse('parameter_invalid', 'status');
  const document = sent.document || undefined;
  const { merchant: merchantId = '', start = '', end = '' } = sent;
  const scope = { merchantId, start, end, states: states ?? [], document };
  const { cursor: sentCursor } = sent;
  const cursor = sentCursor ? openWith(deps.cursorKey, (key) => openCursor(key, scope, sentCursor)) : undefined;
  if (sentCursor && cursor === undefined) refuse('parameter_invalid', 'cursor');
  const merchant = await proveDays(sent, cursor, { deps, prove });
  if (document !== undefined && !isDocumentOf(document, merchant)) refuse('parameter_invalid', 'document');
  const range = cursor ?? readRange(sent, dayOf(deps.clock.now(), merchant?.country.timeZone ?? NOBODYS_ZONE), refuse);
  const page = readPage(sent.page, refuse);
  const limit = readLimit(sent.limit, refuse);
  if (states === undefined || range === undefined) return undefined;
  const { startOn, endOn } = range;
  return { scope, list: { merchantId, startOn, endOn, states, document, limit, position: cursor?.position ?? { at: 'page', page } } };
}

/** The states of a status text, in our order, each once; undefined where a name is unknown. */
function readStates(status: string | undefined): readonly CashoutState[] | undefined {
  if (!status || status === '0') return CASHOUT_STATES;
  const named = new Set(status.split(',').map(findState));
  return named.has(undefined) ? undefined : CASHOUT_STATES.filter((state) => named.has(state));
}

function readRange({ start, end }: Sent, today: Temporal.PlainDate, refuse: Refuse): Pick<ListCursor, 'startOn' | 'endOn'> | undefined {
  const startOn = start ? parseCompactDay(start) : today;
  const endOn = end ? parseCompactDay(end) : today;
  if (startOn === undefined || endOn === undefined) return refuse('date_malformed', startOn === undefined ? 'start' : 'end');
  return Temporal.PlainDate.compare(startOn, endOn) > 0 ? refuse('range_invalid') : { startOn, endOn };
}

/** Writes the links of a page (contract §4.2). Pages are counted from the one that was asked for. */
function linksOf(
  listed: ListedPage<CashoutRowAsTexts>,
  { list: { startOn, endOn }, scope }: ListRequest,
  path: string,
  parameters: ReadonlyMap<string, string>,
  cursorKey: ServiceKey,
) {
  const link = pageLinker(path, parameters);
  return linksOfPage(listed, keyOf, (page, position) =>
    link(page, sealCursor(cursorKey.current().key, scope, { startOn, endOn, position })),
  );
}
