import { formatDayFirst, formatLocal } from '../kit/calendar.ts';
import type { Db } from '../kit/db.ts';
import { text } from '../kit/fields.ts';
import type { HttpReply, HttpRequest } from '../kit/http.ts';
import { formatAmount } from '../kit/money.ts';
import { isRefusal } from '../kit/outcome.ts';
import type { Callers } from '../requests/index.ts';
import { sendOrder, sendRefusal, STATE_NAMES } from './answers.wire.ts';
import { languageAsked, readOrderParameters, signedFields, signedTexts } from './order-parameters.wire.ts';
import { codes } from './query-order.wire.ts';
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

export const historyFields = {
  ...signedFields,
  after: text({ required: false, max: 9, pattern: /^[0-9]*$/, description: 'Only what came after this version.', example: '500' }),
};

/** What happened, in the words of the answers (contract §3.1, §3.2, §3.4). */
const EVENT_NAMES: Readonly<Record<OrderEventName, string>> = {
  'order.created': 'CREADA',
  'order.updated': 'ACTUALIZADO',
  'order.cancelled': 'DELETED',
  'order.expired': 'VENCIDA',
  'order.paid': 'PAGADA',
  'order.reversed': 'REVERSADA',
  'order.voided': 'ANULADA',
};

type Door = { readonly db: Db; readonly callers: Callers };

/** GET /api/v3/porders/{order}/history: contract §7.2. */
export async function answerHistory({ db, callers }: Door, request: HttpRequest, reply: HttpReply): Promise<HttpReply> {
  const sent = readOrderParameters(historyFields, request);
  if (isRefusal(sent)) return sendRefusal(reply, sent, codes, languageAsked(request));
  const merchant = await callers.authenticate(request, sent.merchant, sent.checksum, signedTexts(sent));
  if (isRefusal(merchant)) return sendRefusal(reply, merchant, codes, languageAsked(request));
  const history = await readHistory(db, { merchantId: sent.merchant, orderId: sent.order }, Number(sent.after ?? '0'));
  if (isRefusal(history)) return sendRefusal(reply, history, codes, languageAsked(request) ?? merchant.language);
  const { timeZone } = merchant.country;
  const data = {
    OrdenID: sent.order,
    HISTORY: history.events.map((event) => render(event, timeZone)),
    NEXT: history.next === undefined ? '' : String(history.next),
  };
  return sendOrder(reply, history.version, JSON.stringify(data));
}

type Change = { readonly from: string | null; readonly to: string | null };

function render({ version, event, actor, changedAt, changes }: OrderEvent, timeZone: string): object {
  const shown: Record<string, Change> = {};
  for (const field of RECORDED_FIELDS) {
    const [from, to] = changes[field] ?? [null, null];
    for (const [name, show] of Object.entries(SHOWN[field])) {
      const change = { from: from === null ? null : show(from), to: to === null ? null : show(to) };
      if (change.from !== change.to) shown[name] = change;
    }
  }
  if (changes.reason !== undefined) shown['reason'] = { from: null, to: String(changes.reason[1]) };
  return {
    VERSION: version,
    OPERATION: EVENT_NAMES[event],
    ACTOR: actor,
    DATE: formatLocal(changedAt, timeZone),
    INSTANT: changedAt.toString(),
    CHANGES: shown,
  };
}

type Show = (value: RecordedValue) => string;
const asText: Show = String;

/** Recorded fields under the names and in the forms of the request. The instant at which the day ends follows from expiration. */
const SHOWN: Readonly<Record<RecordedField, Readonly<Record<string, Show>>>> = {
  serviceOrderId: { CODE: asText },
  state: { STATE: (value) => STATE_NAMES[value as OrderState] },
  email: { email: asText },
  country: { country: asText },
  amount: {
    money: (value) => recordedMoney(value).currency,
    amount: (value) => {
      const { amountMinor, currency } = recordedMoney(value);
      return formatAmount(amountMinor, currency);
    },
  },
  reference: { reference: asText },
  description: { description: asText },
  method: { method: asText },
  language: { language: asText },
  recurrent: { recurrent: asText },
  expiresOn: { expiration: (value) => formatDayFirst(Temporal.PlainDate.from(value as string)) },
  expiresAt: {},
  vatRatePpm: { iva: (value) => formatPercentage(Number(value)) },
  userDocument: { user_di: asText },
  userDocumentType: { user_type_di: asText },
  userName: { user_name: asText },
  redirectTimeoutMs: { redirect_timeout: asText },
  payments: { PAYMENTS: asText },
  paymentsGivenBack: { PAYMENTS_GIVEN_BACK: asText },
};

const PPM_PER_PERCENT = 10_000;

/** Millionths as a percentage, without zeros that say nothing. */
const formatPercentage = (ppm: number): string =>
  `${Math.floor(ppm / PPM_PER_PERCENT)}.${String(ppm % PPM_PER_PERCENT).padStart(4, '0')}`.replace(/\.?0+$/, '');
