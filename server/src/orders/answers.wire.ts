import { sendJson, type Fault, type HttpReply } from '../kit/http.ts';
import type { Language } from '../merchants/index.ts';
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

/** Sends the success of an operation on one order; `data` is a JSON object as text. */
export function sendOrder(reply: HttpReply, version: number, data: string): HttpReply {
  return sendJson(reply.header('etag', `"${version}"`), `{"CODE":"0000","DESC":"OK","DATA":${data}}`);
}

/**
 * Sends a refusal: HTTP 200, or 412 where the version asked for is not the current one (contract §2.6, §7.1).
 * Shape: `codes` is the operation's own map, `language` the request's or, once the caller is known, the merchant's.
 */
export function sendRefusal<Name extends OrderRefusal>(
  reply: HttpReply,
  refused: Refused<Name>,
  codes: Readonly<Record<Name, string>>,
  language: Language = 'es',
): HttpReply {
  const name: OrderRefusal = refused.refusal;
  if (refused.version !== undefined) void reply.header('etag', `"${refused.version}"`);
  const body = renderFault({ code: codes[refused.refusal], text: refusalText(name, refused, language) });
  return sendJson(reply, body, name === 'version_mismatch' ? 412 : 200);
}

/** The address at which the customer pays, as a JSON text. */
export const checkoutText = (order: Order, { checkoutLink }: AnswerSettings): string => JSON.stringify(checkoutLink(order));
