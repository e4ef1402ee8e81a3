import { Type, type TSchema } from 'typebox';
import { formatAmount } from '../kit/money.ts';
import { amountSchema, checkoutSchema, orderIdSchema, referenceSchema, serviceOrderIdSchema, type AnswerSettings } from './answers.wire.ts';
import type { Order } from './order.ts';

type SavedOperation = 'ACTUALIZADO' | 'CREADA';

/**
 * Renders the data of the answer to an update and to a creation, as JSON. Only the address needs escaping: all else is letters, digits and
 * signs that JSON takes as they are.
 * Source: contract §3.1, §3.2.
 */
export function renderSaved(order: Order, operation: SavedOperation, { servicePrefix, checkoutLink }: AnswerSettings): string {
  const { orderId, serviceOrderId, reference, amountMinor, currency } = order;
  return (
    `{"OrdenID":"${orderId}","Monto":"${formatAmount(amountMinor, currency)}","${servicePrefix}ordenID":"${serviceOrderId}",` +
    `"Referencia":"${reference}","Operacion":"${operation}","checkout":${JSON.stringify(checkoutLink(order))}}`
  );
}

/** The same data in the OpenAPI document. */
export const savedSchema = (servicePrefix: string, operation: SavedOperation): TSchema =>
  Type.Object({
    OrdenID: orderIdSchema,
    Monto: amountSchema,
    [`${servicePrefix}ordenID`]: serviceOrderIdSchema,
    Referencia: referenceSchema,
    Operacion: Type.Literal(operation),
    checkout: checkoutSchema,
  });
