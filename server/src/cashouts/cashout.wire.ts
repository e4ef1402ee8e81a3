import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import { formatIsoDay } from '../kit/calendar.ts';
import type { Door } from '../kit/http.ts';
import { formatAmount } from '../kit/money.ts';
import type { Refusal } from '../kit/outcome.ts';
import type { Language } from '../kit/language.ts';
import type { Answer } from '../requests/index.ts';
import { CODES, refusalText, type CashoutRefusal } from './cashout-refusals.wire.ts';
import { CASHOUT_STATES, type CashoutState, type ListedCashout, type ListedTexts } from './cashout.ts';

/** The words of contract §4.6. */
export const STATE_NAMES: Readonly<Record<CashoutState, string>> = {
  pending: 'PENDIENTE',
  approved: 'APROBADA',
  expired: 'VENCIDA',
  cancelled: 'CANCELADA',
  nullified: 'ANULADA',
};

const STATES_BY_NAME: ReadonlyMap<string, CashoutState> = new Map(CASHOUT_STATES.map((state) => [STATE_NAMES[state], state]));

/** The state of a wire name, in any case; undefined where there is none. */
export function findState(name: string): CashoutState | undefined {
  return STATES_BY_NAME.get(name.toUpperCase());
}

/** A merchant's id in a cashout path: 1–30 (contract §4.1). */
export const CASHOUT_MERCHANT_ID = /^[A-Za-z0-9_.-]{1,30}$/;

/** How `expire` and `update` of an item are printed: a setting of the deployment (contract §4.1). */
export type DateForm = 'YYYYMMDD' | 'DDMMYYYY';

/** Renders an operation as contract §4.1 lists it: all texts, in the given order. */
export function renderItem(cashout: ListedCashout, dateForm: DateForm): CashoutItem {
  const { operationId, state, currency, description, document, cellphone, amountMinor, transactionCostMinor, sms, expiresOn, updatedOn } =
    cashout;
  const amounts = [String(amountMinor), String(transactionCostMinor)] as const;
  const days = [formatIsoDay(expiresOn), formatIsoDay(updatedOn)] as const;
  return renderTexts([operationId, state, currency, description, document, cellphone, ...amounts, sms ? 't' : 'f', ...days], dateForm);
}

/** Renders an operation as renderItem does, from the texts of a page. */
export function renderTexts(cashout: ListedTexts, dateForm: DateForm): CashoutItem {
  const [operation, state, currency, description, document, cellphone, amountMinor, transactionCostMinor, sms, expiresOn, updatedOn] =
    cashout;
  return {
    amount: formatAmount(amountMinor, currency),
    transactionCost: formatAmount(transactionCostMinor, currency),
    currency,
    description,
    document,
    sms: sms === 't' ? 'true' : 'false',
    cellphone,
    operation,
    expire: formatDay(expiresOn, dateForm),
    update: formatDay(updatedOn, dateForm),
    status: STATE_NAMES[state],
  };
}

/** Of a day as YYYY-MM-DD. */
function formatDay(day: string, dateForm: DateForm): string {
  const year = day.slice(0, 4);
  const month = day.slice(5, 7);
  return dateForm === 'YYYYMMDD' ? year + month + day.slice(8) : day.slice(8) + month + year;
}

export type CashoutItem = Readonly<
  Record<
    | 'amount'
    | 'transactionCost'
    | 'currency'
    | 'description'
    | 'document'
    | 'sms'
    | 'cellphone'
    | 'operation'
    | 'expire'
    | 'update'
    | 'status',
    string
  >
>;

/** The item in the OpenAPI document. */
export const itemSchema: TSchema = Type.Object({
  amount: Type.String({ description: 'What is paid out.', examples: ['45000.0'] }),
  transactionCost: Type.String({ description: 'What the end user bears.', examples: ['0.0'] }),
  currency: Type.String({ description: 'ISO 4217.', examples: ['COP'] }),
  description: Type.String({ description: 'Shown to the end user.', examples: ['Prize'] }),
  document: Type.String({ description: 'Identification number of the end user.', examples: ['1020304050'] }),
  sms: Type.Unsafe<string>({
    type: 'string',
    enum: ['true', 'false'],
    description: 'Whether the one-time password went to the end user by SMS.',
  }),
  cellphone: Type.String({ description: 'Where the one-time password goes.', examples: ['3001234567'] }),
  operation: Type.String({ description: 'The merchant’s id of the operation.', examples: ['W-77'] }),
  expire: Type.String({ description: 'The last day on which it can be collected.', pattern: '^[0-9]{8}$', examples: ['20261231'] }),
  update: Type.String({
    description: 'The day of its last change, in the merchant’s zone.',
    pattern: '^[0-9]{8}$',
    examples: ['20261121'],
  }),
  status: Type.Unsafe<string>({
    type: 'string',
    enum: Object.values(STATE_NAMES),
    description: 'Pending, paid out, not collected in time, cancelled by the merchant, or nullified by the service.',
  }),
});

/** The answer of a successful operation on one cashout (contract §2.1). */
export function renderSuccess(data: object): object {
  return { code: '0000', text: 'OK', data };
}

/** The answer of a refused operation on one cashout; the list has its own, with links (contract §2.1, §4.1). */
export function renderRefusal(refused: Refusal<CashoutRefusal>, language: Language): object {
  return { code: CODES[refused.refusal], text: refusalText(language, refused.refusal, refused), data: {} };
}

/** Refusals that are not HTTP 200: a key that cannot be used (contract §7.3). */
const STATUSES: Readonly<Partial<Record<CashoutRefusal, number>>> = { key_in_flight: 409, key_reused: 422 };

/** The whole answer of an operation that may be asked for again (contract §7.3). */
export const successAnswer = (data: object): Answer => ({ status: 200, etag: null, body: JSON.stringify(renderSuccess(data)) });
export const refusalAnswer = (refused: Refusal<CashoutRefusal>, language: Language): Answer => ({
  status: STATUSES[refused.refusal] ?? 200,
  etag: null,
  body: JSON.stringify(renderRefusal(refused, language)),
});

/** The envelope of the list around no items, for refusals and for faults (contract §4.1). */
export function renderEmptyList(code: string, text: string): object {
  return { code, text, first: '', previous: '', next: '', end: '', data: [] };
}

const renderFault: Door['renderFault'] = ({ code, text }) => renderEmptyList(code, text);

/** The paths of contract §4 and their envelope of faults: the list's, which is also readable as any other operation's. */
export const cashoutDoor: Door = { prefix: '/cashout/', renderFault };

/** The same door under the path that the sandbox answers too (contract §4). */
export const sandboxCashoutDoor: Door = { prefix: '/v1/', renderFault };
