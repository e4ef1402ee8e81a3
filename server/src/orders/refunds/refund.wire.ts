import { Type } from 'typebox';
import { formatLocal } from '../../kit/calendar.ts';
import { text } from '../../kit/fields.ts';
import { formatAmount } from '../../kit/money.ts';
import type { Answer } from '../../requests/index.ts';
import { amountSchema, okAnswer, orderIdSchema, withExample } from '../answers.wire.ts';
import { REFUND_BEARERS, REFUND_STATES, REFUNDERS, type Refund, type RefundState } from './refund-columns.ts';

// What the merchants' operations on refunds share: contract §3.10.

export const REFUND_STATE_NAMES: Readonly<Record<RefundState, string>> = {
  requested: 'SOLICITADO',
  approved: 'APROBADO',
  paid: 'PAGADO',
  failed: 'FALLIDO',
  cancelled: 'CANCELADO',
};

/** A refund's id in a path. One that the service has made is the order's with a number behind a dot. */
export const refundInPath = text({
  required: true,
  max: 211,
  pattern: /^[A-Za-z0-9_-]{1,200}(?:[.][0-9]{1,10})?$/,
  description: 'The merchant’s id of the refund, or one that the service has made: that of the order, a dot and a number.',
  example: 'R-1001',
  form: {
    es: '1 a 200 letras, dígitos, _ o -, o un id del servicio',
    en: '1 to 200 letters, digits, _ or -, or an id of the service',
    pt: '1 a 200 letras, dígitos, _ ou -, ou um id do serviço',
  },
});

/**
 * What a request is for, as a part of its checksum. A checksum does not say it by itself, and no other operation signs a text with this in
 * it: that of a query neither asks for money nor withdraws a request, and does nothing to an order or a cashout of the same id.
 */
export const typeField = (type: `refund.${string}`) =>
  text({
    required: true,
    max: type.length,
    pattern: new RegExp(`^${type.replace('.', '[.]')}$`),
    description: `What the request is for: \`${type}\`. Part of the checksum, so that the checksum of another operation does nothing here.`,
    example: type,
    form: { es: type, en: type, pt: type },
  });

/** The success of an operation on one refund. */
export const refundAnswer = (refund: Refund, timeZone: string): Answer => okAnswer(renderRefund(refund, timeZone));

/** A refund as answers show it. Fee and tax are what of them comes back to the merchant. */
export const renderRefund = (refund: Refund, timeZone: string): object => ({
  REFUND: refund.refundId,
  ORDER: refund.orderId,
  PAYMENT: refund.paymentNumber,
  STATE: REFUND_STATE_NAMES[refund.state],
  AMOUNT: formatAmount(refund.amountMinor, refund.currency),
  CURRENCY: refund.currency,
  FEE: formatAmount(refund.feeMinor, refund.currency),
  TAX: formatAmount(refund.taxMinor, refund.currency),
  REFUNDED_BY: refund.refundedBy,
  CASHOUT: refund.operationId ?? '',
  TAKEN_FROM: refund.takenFrom,
  REASON: refund.reason,
  REQUEST_DATE: formatLocal(refund.requestedAt, timeZone),
  END_DATE: refund.endedAt === null ? '' : formatLocal(refund.endedAt, timeZone),
  PROOF: refund.proof ?? '',
  PROBLEM: refund.problem ?? '',
});

/** The same in the OpenAPI document. */
export const refundDataSchema = Type.Object({
  REFUND: Type.String(withExample('The id of the refund.', 'R-1001')),
  ORDER: orderIdSchema,
  PAYMENT: Type.Integer(withExample('Which payment of the order, counted from 1.', 1)),
  STATE: Type.Union(
    REFUND_STATES.map((state) => Type.Literal(REFUND_STATE_NAMES[state])),
    { description: 'SOLICITADO: waits for the operator. APROBADO: is to be paid. The other three are final.' },
  ),
  AMOUNT: amountSchema,
  CURRENCY: Type.String(withExample('ISO 4217.', 'COP')),
  FEE: Type.String(withExample('What comes back to the merchant of the fee of the payment.', '0.0')),
  TAX: Type.String(withExample('What comes back of the tax on that fee.', '0.0')),
  REFUNDED_BY: Type.Union(
    REFUNDERS.map((one) => Type.Literal(one)),
    { description: 'Who is to hand the money to the payer, or has. `cashout`: a network, at a counter.' },
  ),
  CASHOUT: Type.String(withExample('The cashout with which the payer collects it, or has; else empty.', '')),
  TAKEN_FROM: Type.Union(
    REFUND_BEARERS.map((one) => Type.Literal(one)),
    { description: 'What bears it: what the merchant has `collected`, or its `fund` for cashouts.' },
  ),
  REASON: Type.String(withExample('Why it was asked for.', 'The shoes came back')),
  REQUEST_DATE: Type.String(withExample('When it was asked for, in the merchant’s time zone.', '2026-11-21 10:00:00')),
  END_DATE: Type.String(withExample('When it was paid, failed or was cancelled, in that zone; empty until then.', '')),
  PROOF: Type.String(withExample('What shows that it was paid, such as the id of a transfer; else empty.', '')),
  PROBLEM: Type.String(withExample('Why it failed; else empty.', '')),
});

const NOT_FOUND_TEXT = {
  es: 'No hay un reembolso con ese refund',
  en: 'There is no refund of that id',
  pt: 'Não há reembolso com esse refund',
};
/** A query answers 0001, a cancellation 0018, as those of orders do. */
export const refundNotFound = (code: '0001' | '0018') => ({ code, text: NOT_FOUND_TEXT }) as const;
