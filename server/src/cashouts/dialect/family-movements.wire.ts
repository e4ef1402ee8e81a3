import { Type } from 'typebox';
import { dayOf, endOfDay, parseCompactDay, parseIsoDay, startOfDay } from '../../kit/calendar.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { text } from '../../kit/fields.ts';
import { amountNumber } from '../../kit/money.ts';
import { readMovements, type Movement } from '../../ledger/index.ts';
import type { Merchant, MerchantDirectory } from '../../merchants/index.ts';
import { operation, type ParseContext, type RefuseField, LIMIT_FIELD, PAGE_FIELD, readLimit, readPage } from '../../requests/index.ts';
import { listAnswer, listEnvelope } from '../answers.wire.ts';
import { KEY_FIELDS, NOBODYS_ZONE, proveDays } from '../cashout-fields.wire.ts';
import {
  CHECKSUM_INVALID,
  DATE_MALFORMED,
  LIMIT_INVALID,
  MERCHANT_INVALID,
  PAGE_INVALID,
  PARAMETER_INVALID,
  RANGE_INVALID,
} from '../cashout-refusals.wire.ts';

type Deps = { readonly db: Db; readonly clock: Clock; readonly merchants: Pick<MerchantDirectory, 'find'> };

/** The words that clients of the family may ask for. Some of them name nothing that moves a fund of ours. */
const TYPES = [
  'RECARGA',
  'OPERACION CASHOUT',
  'COMISION',
  'IVA',
  'DEVOLUCION',
  'ANULACION',
  'TRANSFERENCIA',
  'COMPRA',
  'PROVISION',
  'NINGUNO',
] as const;
type Type = (typeof TYPES)[number];

/** What caused a movement, in the family's words. A registration takes fee and tax with the amount. */
const TYPE_OF: Readonly<Record<Movement['kind'], Type>> = {
  top_up: 'RECARGA',
  moved_to_fund: 'PROVISION',
  cashout_registered: 'OPERACION CASHOUT',
  cashout_released: 'DEVOLUCION',
  cashout_payment_reversed: 'ANULACION',
  adjustment: 'TRANSFERENCIA',
  order_paid: 'COMPRA',
  order_payment_reversed: 'ANULACION',
  order_refund_owed: 'ANULACION',
  order_refund_released: 'DEVOLUCION',
  order_refund_paid: 'DEVOLUCION',
  settlement_approved: 'NINGUNO',
  settlement_paid: 'NINGUNO',
  settlement_returned: 'NINGUNO',
  hold_placed: 'NINGUNO',
  hold_released: 'NINGUNO',
  cashout_paid: 'NINGUNO',
};
const KINDS = Object.keys(TYPE_OF) as readonly Movement['kind'][];

const dayInEitherForm = (description: string) =>
  text({
    required: false,
    max: 10,
    pattern: /^([0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2})?$/,
    description: `${description}, YYYY-MM-DD or YYYYMMDD; today where absent.`,
    example: '2026-11-21',
    refusal: 'date_malformed',
  });

const fields = {
  page: PAGE_FIELD,
  start: dayInEitherForm('First day'),
  end: dayInEitherForm('Last day'),
  limit: LIMIT_FIELD,
  type: text({
    required: false,
    max: 20,
    pattern: new RegExp(`^(${TYPES.join('|')})?$`),
    description: `Only movements of this type: ${TYPES.join(', ')}.`,
    example: 'RECARGA',
  }),
  checksum: KEY_FIELDS.checksum,
};

type Sent = { readonly [Name in keyof typeof fields | 'merchant']?: string | undefined };
type Refuse = RefuseField<'parameter_invalid' | 'date_malformed' | 'range_invalid' | 'page_invalid' | 'limit_invalid'>;

/** The movements as clients of the family ask for them. It takes the place of the contract's operation. */
export const listFamilyMovementsOperation = operation({
  name: 'listMovements',
  route: 'GET /cashout/v1/walletmovements/:merchant',
  tag: 'Cashouts',
  summary: 'List the movements of the fund',
  description: 'Lists what came into the fund of a merchant and what left it, newest first, in numbered pages.',
  section: '§4.3',
  envelope: listEnvelope({
    first: Type.String({ description: 'The first page; empty where there is none.' }),
    previous: Type.String({ description: 'The page before; empty on the first.' }),
    next: Type.String({ description: 'The next page; empty after the last.' }),
    end: Type.String({ description: 'Always empty.' }),
  }),
  path: { merchant: KEY_FIELDS.merchant },
  from: 'query',
  fields,
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
  run: ({ values: { merchant }, parsed: { startOn, endOn, type, page, limit }, caller }, { db }: Deps) => {
    const zone = caller.country.timeZone;
    return readNumberedPage(db, {
      merchantId: merchant,
      from: startOfDay(startOn, zone),
      until: endOfDay(endOn, zone),
      kinds: type === undefined ? KINDS : KINDS.filter((kind) => TYPE_OF[kind] === type),
      limit,
      offset: (page - 1) * limit,
    });
  },
  answer: ({ movements, isLast }, { parsed: { page }, path, query }) => {
    const link = (number: number): string => {
      const parameters = new URLSearchParams([...query].filter(([name]) => name !== 'page'));
      parameters.set('page', String(number));
      return `${path()}?${parameters.toString()}`;
    };
    const links = {
      first: movements.length === 0 ? '' : link(1),
      previous: page > 1 ? link(page - 1) : '',
      next: isLast ? '' : link(page + 1),
    };
    return listAnswer({ ...links, end: '' }, movements.map(renderMovement));
  },
  data: () =>
    Type.Object({
      date: Type.String({ description: 'The instant, in UTC.', examples: ['2026-11-21T15:15:00.000Z'] }),
      type: Type.Unsafe<string>({ type: 'string', enum: TYPES, description: 'What caused it.' }),
      operation: Type.String({ description: 'The cashout that caused it; empty where none did.', examples: ['W-77'] }),
      amount: Type.Number({ description: 'What left the fund has a minus.', examples: [-45000] }),
      currency: Type.String({ description: 'ISO 4217.', examples: ['COP'] }),
    }),
});

/** Reads what is asked for. Refuses in any order: the declaration has the precedence. */
async function readRequest(sent: Sent, refuse: Refuse, context: ParseContext<Deps, Merchant>) {
  const merchant = await proveDays(sent, undefined, context);
  const today = dayOf(context.deps.clock.now(), merchant?.country.timeZone ?? NOBODYS_ZONE);
  const [startOn, endOn] = [readDay('start', sent.start, today, refuse), readDay('end', sent.end, today, refuse)];
  const [page, limit] = [readPage(sent.page, refuse), readLimit(sent.limit, refuse)];
  if (startOn === undefined || endOn === undefined) return undefined;
  if (Temporal.PlainDate.compare(startOn, endOn) > 0) return refuse('range_invalid');
  return { startOn, endOn, page, limit, type: sent.type || undefined };
}

const readDay = (name: string, sent: string | undefined, today: Temporal.PlainDate, refuse: Refuse): Temporal.PlainDate | undefined =>
  sent ? (parseCompactDay(sent) ?? parseIsoDay(sent) ?? refuse('date_malformed', name)) : today;

/** One row more than the page shows whether there is another page. */
async function readNumberedPage(db: Db, { limit, ...asked }: Parameters<typeof readMovements>[1]) {
  const rows = await readMovements(db, { ...asked, limit: limit + 1 });
  return { movements: rows.slice(0, limit), isLast: rows.length <= limit };
}

function renderMovement({ transactionId, kind, currency, amountMinor, postedAt }: Movement): object {
  const [subject, id] = transactionId.split('/');
  return {
    date: postedAt.toString({ smallestUnit: 'millisecond' }),
    type: TYPE_OF[kind],
    operation: subject === 'cashout' ? id : '',
    amount: amountNumber(amountMinor, currency),
    currency,
  };
}
