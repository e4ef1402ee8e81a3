import type { Fault, HttpReply } from '../kit/http.ts';
import type { Language } from '../kit/language.ts';
import { sendAnswer, type Answer } from '../requests/index.ts';
import type { Order, OrderState, Refused } from './order.ts';
import type { CheckoutLink } from './checkout-token.ts';
import { refusalText, type OrderRefusal } from './refusal-texts.wire.ts';

/** The envelope of every answer about orders: contract §2.1. */
export const renderFault = ({ code, text }: Pick<Fault, 'code' | 'text'>): object => ({ CODE: code, DESC: text, DATA: {} });

/** contract §3.5. */
export const STATE_NAMES: Readonly<Record<OrderState, string>> = {
  pending: 'PENDIENTE',
  approved: 'APROBADA',
  expired: 'VENCIDA',
  cancelled: 'CANCELADA',
  voided: 'ANULADA',
};

/** What an answer needs to know beyond the order. */
export type AnswerSettings = {
  /** Two letters in front of our order id's key: contract §1. */
  readonly servicePrefix: string;
  readonly checkoutLink: CheckoutLink;
};

/** The success of an operation on one order; `data` is a JSON object as text. */
export const orderAnswer = (version: number, data: string): Answer => ({
  status: 200,
  etag: `"${version}"`,
  body: `{"CODE":"0000","DESC":"OK","DATA":${data}}`,
});

/** Sends the success of an operation on one order. */
export const sendOrder = (reply: HttpReply, version: number, data: string): HttpReply => sendAnswer(reply, orderAnswer(version, data));

/** Refusals that are not HTTP 200 (contract §2.6): the version asked for is not the current one (§7.1), a key cannot be used (§7.3). */
const STATUSES: Readonly<Partial<Record<OrderRefusal, number>>> = { version_mismatch: 412, key_in_flight: 409, key_reused: 422 };

/**
 * A refusal of an operation on one order.
 * Shape: `codes` is the operation's own map, `language` the request's or, once the caller is known, the merchant's.
 */
export function refusalAnswer<Name extends OrderRefusal>(
  refused: Refused<Name>,
  codes: Readonly<Record<Name, string>>,
  language: Language = 'es',
): Answer {
  return {
    status: STATUSES[refused.refusal] ?? 200,
    etag: refused.version === undefined ? null : `"${refused.version}"`,
    body: JSON.stringify(renderFault({ code: codes[refused.refusal], text: refusalText(refused.refusal, refused, language) })),
  };
}

/** Sends a refusal of an operation on one order. */
export function sendRefusal<Name extends OrderRefusal>(
  reply: HttpReply,
  refused: Refused<Name>,
  codes: Readonly<Record<Name, string>>,
  language?: Language,
): HttpReply {
  return sendAnswer(reply, refusalAnswer(refused, codes, language));
}

/** The address at which the customer pays, as a JSON text. */
export const checkoutText = (order: Order, { checkoutLink }: AnswerSettings): string => JSON.stringify(checkoutLink(order));
