import { Type } from 'typebox';
import { formatLocal } from '../kit/calendar.ts';
import type { Db } from '../kit/db.ts';
import { text } from '../kit/fields.ts';
import { formatAmount } from '../kit/money.ts';
import { withoutOperator } from '../manage/index.ts';
import { operation } from '../requests/index.ts';
import { orderAnswer, orderEnvelope, orderIdSchema, withExample, ORDER_STATE_NAMES } from './answers.wire.ts';
import { checksumField, merchantField, orderInPath, TERM_FIELDS } from './order-fields.wire.ts';
import { PARAMETER_REFUSALS, orderNotFound } from './order-refusals.wire.ts';
import { readHistory } from './read-history.ts';
import {
  RECORDED_FIELDS,
  recordedMoney,
  type OrderEvent,
  type OrderEventName,
  type RecordedField,
  type RecordedValue,
} from './order-history.ts';
import type { OrderState } from './order.ts';
import type { RefundState } from './refunds/refund-columns.ts';
import { REFUND_STATE_NAMES } from './refunds/refund.wire.ts';

export const readOrderHistoryOperation = operation({
  name: 'readOrderHistory',
  route: 'GET /api/v3/porders/:order/history',
  tag: 'Orders',
  summary: 'Read the history of an order',
  description: 'Every change, oldest first: who, when, version, field by field from → to.',
  section: '§7.2',
  example: 'order-history/updated',
  envelope: orderEnvelope,
  path: { order: orderInPath },
  from: 'query',
  fields: {
    merchant: merchantField,
    checksum: checksumField,
    after: text({
      required: false,
      max: 9,
      pattern: /^[0-9]*$/,
      description: 'Only what came after this version.',
      example: '500',
      form: { es: 'un número de versión', en: 'a version number', pt: 'um número de versão' },
    }),
  },
  caller: 'merchant',
  effect: 'reads',
  proof: ['order', 'merchant'],
  refusals: { ...PARAMETER_REFUSALS, order_not_found: orderNotFound('0001') },
  run: ({ values: { merchant, order, after } }, { db }: { readonly db: Db }) =>
    readHistory(db, { merchantId: merchant, orderId: order }, Number(after ?? '0')),
  answer: ({ version, events, next }, { values: { order }, caller: { country } }) =>
    orderAnswer(
      version,
      JSON.stringify({
        OrdenID: order,
        HISTORY: events.map((event) => renderEvent(event, country.timeZone)),
        NEXT: next === undefined ? '' : String(next),
      }),
    ),
  data: () => historySchema,
});

/** What happened, in the words of the answers (contract §3.1, §3.2, §3.4). */
const EVENT_NAMES: Readonly<Record<OrderEventName, string>> = {
  'order.created': 'CREADA',
  'order.updated': 'ACTUALIZADO',
  'order.cancelled': 'DELETED',
  'order.expired': 'VENCIDA',
  'order.paid': 'PAGADA',
  'order.reversed': 'REVERSADA',
  'order.voided': 'ANULADA',
  'order.refund_requested': 'REEMBOLSO_SOLICITADO',
  'order.refund_approved': 'REEMBOLSO_APROBADO',
  'order.refund_cashout_registered': 'REEMBOLSO_EN_RETIRO',
  'order.refund_reopened': 'REEMBOLSO_REABIERTO',
  'order.refunded': 'REEMBOLSO_PAGADO',
  'order.refund_failed': 'REEMBOLSO_FALLIDO',
  'order.refund_cancelled': 'REEMBOLSO_CANCELADO',
};

/** A merchant sees on which side somebody acted. Who it was is for the management API. */
const actorWord = (actor: OrderEvent['actor']): string => (actor.startsWith('merchant:') ? 'merchant' : withoutOperator(actor));

type Change = { readonly from: string | null; readonly to: string | null };

/** Renders what an event changed: the fields under their names in requests and answers. */
export function renderChanges(changes: OrderEvent['changes']): Readonly<Record<string, Change>> {
  const shown: Record<string, Change> = {};
  for (const field of RECORDED_FIELDS) {
    for (const [name, show] of Object.entries(SHOWN[field])) {
      const change = shownChange(changes[field] ?? [null, null], show);
      if (change.from !== change.to) shown[name] = change;
    }
  }
  for (const [field, [name, show]] of Object.entries(SHOWN_TOLD)) {
    const told = changes[field as keyof typeof SHOWN_TOLD];
    if (told !== undefined) shown[name] = shownChange(told, show);
  }
  return shown;
}

const shownChange = ([from, to]: readonly [RecordedValue, RecordedValue], show: Show): Change => ({
  from: from === null ? null : show(from),
  to: to === null ? null : show(to),
});

function renderEvent({ version, event, actor, changedAt, changes }: OrderEvent, timeZone: string): object {
  return {
    VERSION: version,
    OPERATION: EVENT_NAMES[event],
    ACTOR: actorWord(actor),
    DATE: formatLocal(changedAt, timeZone),
    INSTANT: changedAt.toString(),
    CHANGES: renderChanges(changes),
  };
}

type Show = (value: RecordedValue) => string;
const asText: Show = String;

const asAmount: Show = (value) => {
  const { amountMinor, currency } = recordedMoney(value);
  return formatAmount(amountMinor, currency);
};

/** What a change tells beside the fields of the order: why, and which refund changed. */
const SHOWN_TOLD = {
  reason: ['reason', asText],
  refund: ['REFUND', asText],
  refundState: ['REFUND_STATE', (value) => REFUND_STATE_NAMES[value as RefundState]],
  refundAmount: ['REFUND_AMOUNT', asAmount],
  refundCashout: ['REFUND_CASHOUT', asText],
} as const satisfies Readonly<Record<string, readonly [name: string, show: Show]>>;

/** The terms under the names and in the forms of the request. */
const SHOWN_TERMS = Object.fromEntries(TERM_FIELDS.map(({ sets, name, setting }) => [sets, { [name]: setting.show ?? asText }]));

/** Recorded fields as the answer shows them. The instant at which the last day ends follows from expiration. */
const SHOWN: Readonly<Record<RecordedField, Readonly<Record<string, Show>>>> = {
  ...(SHOWN_TERMS as Record<
    Exclude<RecordedField, 'serviceOrderId' | 'state' | 'amount' | 'expiresAt' | 'payments' | 'paymentsGivenBack'>,
    Record<string, Show>
  >),
  serviceOrderId: { CODE: asText },
  state: { STATE: (value) => ORDER_STATE_NAMES[value as OrderState] },
  amount: { money: (value) => recordedMoney(value).currency, amount: asAmount },
  expiresAt: {},
  payments: { PAYMENTS: asText },
  paymentsGivenBack: { PAYMENTS_GIVEN_BACK: asText },
};

const nullableText = Type.Union([Type.String(), Type.Null()]);
/** The data in the OpenAPI document. */
const historySchema = Type.Object({
  OrdenID: orderIdSchema,
  HISTORY: Type.Array(
    Type.Object({
      VERSION: Type.Integer(withExample('The version that the change made.', 1)),
      OPERATION: Type.String(
        withExample(
          'CREADA, ACTUALIZADO, DELETED, VENCIDA, PAGADA, REVERSADA, ANULADA, or REEMBOLSO_ with SOLICITADO, APROBADO, EN_RETIRO, REABIERTO, ' +
            'PAGADO, FALLIDO or CANCELADO.',
          'CREADA',
        ),
      ),
      ACTOR: Type.String(withExample('Who did it: merchant, service, operator, network:… or method:….', 'merchant')),
      DATE: Type.String(withExample('In the merchant’s time zone.', '2026-11-21 10:00:00')),
      INSTANT: Type.String(withExample('In UTC.', '2026-11-21T15:00:00Z')),
      CHANGES: Type.Record(Type.String(), Type.Object({ from: nullableText, to: nullableText }), {
        description: 'Each field that changed, by its name: an object of `from` and `to`, which are texts or null.',
      }),
    }),
  ),
  NEXT: Type.String(withExample('The `after` of the next page; empty where there is none.', '')),
});
