import { Type, type TObject, type TProperties } from 'typebox';
import { toSchema } from '../../kit/fields.ts';
import { lookUpFields, lookUpPath, payFields, reverseFields, reversePath } from './network-fields.wire.ts';
import { CODES, networkRefusalText, type NetworkRefusal } from './network-refusals.wire.ts';

const tags = ['Networks'];
const shown = (description: string, example: string) => ({ description, examples: [example] });

const about = (servicePrefix: string): TProperties => ({
  OrdenID: Type.String(shown('The merchant’s id of the order.', 'A-1001')),
  [`${servicePrefix}ordenID`]: Type.String({ pattern: '^[0-9]+$', ...shown('The service’s id of the order: `idorder`.', '1') }),
  Monto: Type.String({ pattern: '^[0-9]+\\.[0-9]+$', ...shown('The amount.', '45000.0') }),
  Moneda: Type.String(shown('ISO 4217.', 'COP')),
});
const payable = (servicePrefix: string): TObject =>
  Type.Object({
    ...about(servicePrefix),
    Referencia: Type.String({ pattern: '^[0-9]{1,25}$', ...shown('The digits that the payer shows.', '900100200') }),
    Comercio: Type.String(shown('The merchant’s name.', 'Demo Books')),
    Descripcion: Type.String(shown('What is paid for.', 'Books')),
    Vence: Type.String(shown('The last day on which it can be paid, DD/MM/YYYY; empty for an order without an end.', '15/12/2026')),
  });
const payment = (servicePrefix: string, operation: string): TObject =>
  Type.Object({
    ...about(servicePrefix),
    Transaccion: Type.String(shown('The network’s own id of the payment.', 'T-4711')),
    Pago: Type.String({ pattern: '^[0-9]+$', ...shown('The payments of the order are counted from 1.', '1') }),
    Fecha: Type.String(shown('When, in the merchant’s time zone.', '2026-11-21 10:00:00')),
    Operacion: Type.Literal(operation),
  });

const EMPTY = Type.Object({}, { additionalProperties: false, description: 'Empty on a refusal.' });

const answer = (...data: readonly [TObject, ...TObject[]]) => ({
  200: {
    ...Type.Object({
      CODE: Type.String({ pattern: '^[0-9]{4}$', ...shown('The result: 0000 is success, anything else a refusal.', '0000') }),
      DESC: Type.String(shown('OK, or what is wrong: the field and the rule.', 'OK')),
      DATA: Type.Union([...data, EMPTY]),
    }),
    description: 'Success or a refusal: CODE tells.',
  },
});

const MEANINGS: Partial<Record<NetworkRefusal, string>> = {
  content_invalid:
    'The body is no JSON object in UTF-8, a name stands in it twice, a required field is missing, or a field has a wrong type, is too long or misshapen.',
  amount_invalid: '`amount` is no plain decimal above zero with the decimals of its currency.',
  currency_invalid: '`money` is no currency of ISO 4217.',
};

/** Extensions of the OpenAPI document: what the checksum covers, and the refusals in order of precedence. */
const rules = (checksum: readonly string[], refusals: readonly NetworkRefusal[]) => ({
  'x-checksum': checksum,
  'x-refusals': refusals.map((name) => ({ code: CODES[name], meaning: MEANINGS[name] ?? networkRefusalText(name, {}, 'en') })),
});

/** What the OpenAPI document tells of a network's operations on orders: contract §3.7–§3.9. */
export const networkSchemas = (servicePrefix: string) => ({
  lookUp: {
    operationId: 'lookUpOrder',
    ...rules(['netname', 'reference'], ['content_invalid', 'network_invalid', 'checksum_invalid', 'reference_unknown']),
    summary: 'Look up an order by its reference',
    description: 'What a payer is shown before paying. Nothing is locked: the payment carries what the payer saw. Contract §3.7.',
    tags,
    params: toSchema(lookUpPath),
    body: toSchema(lookUpFields),
    response: answer(payable(servicePrefix)),
  },
  pay: {
    operationId: 'payOrder',
    ...rules(
      ['netname', 'transaction', 'amount', 'money', 'idorder'],
      [
        ...(['content_invalid', 'network_invalid', 'amount_invalid', 'currency_invalid', 'checksum_invalid'] as const),
        ...(['order_not_found', 'transaction_repeated', 'payment_given_back', 'order_not_open', 'amount_changed'] as const),
      ],
    ),
    summary: 'Pay an order',
    description:
      'Pays a pending order with exactly the amount that the payer saw; where the merchant has changed it since, nothing is paid (0905) and DATA shows the order as it is now. The same transaction with the same values has the same answer. Contract §3.8.',
    tags,
    params: toSchema(lookUpPath),
    body: toSchema(payFields),
    response: answer(payment(servicePrefix, 'PAGADA'), payable(servicePrefix)),
  },
  reverse: {
    operationId: 'reversePayment',
    ...rules(
      ['netname', 'transaction', 'idorder'],
      [
        ...(['content_invalid', 'network_invalid', 'checksum_invalid'] as const),
        ...(['payment_not_found', 'payment_given_back', 'payment_not_reversible'] as const),
      ],
    ),
    summary: 'Reverse a payment',
    description: 'Takes a payment back within 50 seconds. Reversing it again has the same answer. Contract §3.9.',
    tags,
    params: toSchema(reversePath),
    body: toSchema(reverseFields),
    response: answer(payment(servicePrefix, 'REVERSADA')),
  },
});
