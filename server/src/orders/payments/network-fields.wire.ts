import { Type, type TSchema } from 'typebox';
import { formatDayFirst, formatLocal } from '../../kit/calendar.ts';
import { text, textOrNumber } from '../../kit/fields.ts';
import { formatAmount } from '../../kit/money.ts';
import { openAmountIn, type Merchant } from '../../merchants/index.ts';
import { NETNAME_PATTERN } from '../../networks/index.ts';
import { underPrefixes, type DeclaredRefusal, type Dialect } from '../../requests/index.ts';
import { amountSchema, orderIdSchema, referenceSchema, serviceOrderIdSchema, withExample } from '../answers.wire.ts';
import type { Order } from '../order.ts';
import { LANGUAGE } from '../order-fields.wire.ts';
import type { Payment } from './payment.ts';

/** What networks send about orders: contract §3.7 – §3.9. */
export const languageField = text({ ...LANGUAGE, description: 'The language of a refusal’s text.' });
export const netnameField = text({
  required: true,
  max: 30,
  pattern: new RegExp(NETNAME_PATTERN),
  description: 'The network. Part of the checksum.',
  example: 'sandbox',
  form: {
    es: '1 a 30 letras minúsculas, dígitos, _ o -',
    en: '1 to 30 small letters, digits, _ or -',
    pt: '1 a 30 letras minúsculas, dígitos, _ ou -',
  },
  refusal: 'network_invalid',
  refusesAbsence: true,
});
export const transactionField = textOrNumber({
  required: true,
  max: 64,
  pattern: /^[A-Za-z0-9_.-]+$/,
  description: 'The network’s own id of the payment, never used for another one. Part of the checksum.',
  example: 'T-4711',
  form: { es: '1 a 64 letras, dígitos o _ . -', en: '1 to 64 letters, digits or _ . -', pt: '1 a 64 letras, dígitos ou _ . -' },
});
/** Eighteen digits: our ids come from a sequence that never gets so far, and each of them fits PostgreSQL's bigint. */
export const serviceIdField = textOrNumber({
  required: true,
  max: 18,
  pattern: /^[1-9][0-9]*$/,
  description: 'The service’s id of the order: `SVordenID` of the look-up. Part of the checksum.',
  example: '1',
  form: {
    es: '1 a 18 dígitos, como la consulta los dio',
    en: '1 to 18 digits, as the look-up gave them',
    pt: '1 a 18 dígitos, como a consulta os deu',
  },
});

/** The refusals that the networks' operations on orders share. */
export const NETWORK_CONTENT_INVALID = {
  code: '0011',
  meaning:
    'The body is not a JSON object in UTF-8, or a name is in it twice. Or a required field is missing, or a field has a wrong type, is too long or malformed.',
} as const satisfies DeclaredRefusal;
export const NETWORK_INVALID = {
  code: '0010',
  meaning: 'netname is not valid: 1 to 30 small letters, digits, _ or -',
} as const satisfies DeclaredRefusal;
/** The network is not one for this order. */
export const ORDER_NOT_SERVED = {
  code: '0010',
  text: {
    es: 'La red no atiende el país y la moneda de la orden',
    en: 'The network does not serve the country and currency of the order',
    pt: 'A rede não atende o país e a moeda do pedido',
  },
} as const satisfies DeclaredRefusal;
export const NETWORK_CHECKSUM_INVALID = {
  code: '0025',
  text: {
    es: 'La red no existe o checksum no corresponde a los valores enviados',
    en: 'The network does not exist, or checksum does not match the values sent',
    pt: 'A rede não existe ou checksum não corresponde aos valores enviados',
  },
} as const satisfies DeclaredRefusal;
export const PAYMENT_GIVEN_BACK = {
  code: '0906',
  text: {
    es: 'El pago de esa transaction ya fue devuelto',
    en: 'The payment of that transaction was given back already',
    pt: 'O pagamento dessa transaction já foi devolvido',
  },
} as const satisfies DeclaredRefusal;

/** Renders an order as a network shows it to its payer: contract §3.7. Nothing about the payer. */
export const renderPayable = (order: Order, merchant: Pick<Merchant, 'name' | 'openAmounts'>, dialect: Dialect): object => ({
  OrdenID: order.orderId,
  ...underPrefixes(dialect, 'ordenID', order.serviceOrderId.toString()),
  Referencia: order.reference,
  Monto: formatAmount(order.amountMinor, order.currency),
  Moneda: order.currency,
  ...limitsOf(order, merchant),
  Comercio: merchant.name,
  Descripcion: order.description ?? '',
  Vence: order.recurrent ? '' : formatDayFirst(order.expiresOn),
});

/** Of an order that leaves the amount to the payer. */
function limitsOf({ amountMinor, currency }: Order, merchant: Pick<Merchant, 'openAmounts'>): object {
  const limits = amountMinor === 0n ? openAmountIn(merchant, currency) : undefined;
  if (limits === undefined) return {};
  return { MontoMinimo: formatAmount(limits.leastMinor, currency), MontoMaximo: formatAmount(limits.mostMinor, currency) };
}

/**
 * Renders a payment that was made or reversed. It shows only what never changes, so that the same request has the same answer.
 * Source: contract §3.8, §3.9.
 */
export const renderPayment = (
  { orderId, amountMinor, currency, transactionId, paymentNumber, paidAt, givenBackAt }: Payment,
  { serviceOrderId }: Order,
  { country }: Pick<Merchant, 'country'>,
  dialect: Dialect,
): object => ({
  OrdenID: orderId,
  ...underPrefixes(dialect, 'ordenID', serviceOrderId.toString()),
  Monto: formatAmount(amountMinor, currency),
  Moneda: currency,
  Transaccion: transactionId,
  Pago: String(paymentNumber),
  Fecha: formatLocal(givenBackAt ?? paidAt, country.timeZone),
  Operacion: givenBackAt === null ? 'PAGADA' : 'REVERSADA',
});

const keySchemas = (dialect: Dialect) => ({ OrdenID: orderIdSchema, ...underPrefixes(dialect, 'ordenID', serviceOrderIdSchema) });
const moneySchemas = { Monto: amountSchema, Moneda: Type.String(withExample('ISO 4217.', 'COP')) };

/** A payable order in the OpenAPI document. */
export const payableSchema = (dialect: Dialect): TSchema =>
  Type.Object({
    ...keySchemas(dialect),
    Referencia: referenceSchema,
    ...moneySchemas,
    MontoMinimo: Type.Optional(Type.String(withExample('Only where `Monto` is 0: the payer chooses, and this is the least.', '1000.0'))),
    MontoMaximo: Type.Optional(Type.String(withExample('Only where `Monto` is 0: the most that the payer may choose.', '500000.0'))),
    Comercio: Type.String(withExample('The merchant’s name.', 'Demo Books')),
    Descripcion: Type.String(withExample('What is paid for.', 'Books')),
    Vence: Type.String(withExample('The last day on which it can be paid, DD/MM/YYYY; empty for an order without an end.', '15/12/2026')),
  });

/** A payment in the OpenAPI document. */
export const paymentSchema = (dialect: Dialect, operation: 'PAGADA' | 'REVERSADA'): TSchema =>
  Type.Object({
    ...keySchemas(dialect),
    ...moneySchemas,
    Transaccion: Type.String(withExample('The network’s own id of the payment.', 'T-4711')),
    Pago: Type.String({ pattern: '^[0-9]+$', ...withExample('The payments of the order are counted from 1.', '1') }),
    Fecha: Type.String(withExample('When, in the merchant’s time zone.', '2026-11-21 10:00:00')),
    Operacion: Type.Literal(operation),
  });
