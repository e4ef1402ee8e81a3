import { Type, type TObject, type TProperties } from 'typebox';
import { toSchema, type Declaration } from '../kit/fields.ts';
import { codes as cancelCodes } from './cancel-order.wire.ts';
import { codes as createCodes } from './create-order.wire.ts';
import { UPDATE_REFUSALS } from './order.ts';
import { codes as queryCodes } from './query-order.wire.ts';
import { refusalText, type OrderRefusal } from './refusal-texts.wire.ts';
import { codes as updateCodes } from './update-order.wire.ts';
import { historyFields } from './read-history.wire.ts';
import { orderFields } from './order-fields.wire.ts';
import { languageField } from '../requests/index.ts';
import { orderPath, signedFields } from './order-parameters.wire.ts';

const tags = ['Orders'];
const shown = (description: string, example: unknown) => ({ description, examples: [example] });

/** Success has all keys of DATA; a refusal has none (contract §2.1). */
function envelope(data: TProperties): TObject {
  return Type.Object({
    CODE: Type.String({ pattern: '^[0-9]{4}$', ...shown('The result: 0000 is success, anything else a refusal.', '0000') }),
    DESC: Type.String(shown('OK, or what is wrong: the field and the rule.', 'OK')),
    DATA: Type.Union([Type.Object(data), Type.Object({}, { additionalProperties: false, description: 'Empty on a refusal.' })]),
  });
}

const orderId = Type.String(shown('The merchant’s id of the order.', 'A-1001'));
const amount = Type.String({ pattern: '^[0-9]+\\.[0-9]+$', ...shown('The amount.', '45000.0') });
const reference = Type.String({ pattern: '^[0-9]{1,25}$', ...shown('The digits that the customer pays with.', '900100200') });
const checkout = Type.String(
  shown('The address at which the customer pays.', 'https://pay.example/checkout?token=eyJhbGciOiJIUzI1NiJ9.e30.AA'),
);
const serviceOrderId = Type.String({ pattern: '^[0-9]+$', ...shown('The service’s id of the order.', '1') });

const saved = (servicePrefix: string, operation: string): TObject =>
  envelope({
    OrdenID: orderId,
    Monto: amount,
    [`${servicePrefix}ordenID`]: serviceOrderId,
    Referencia: reference,
    Operacion: Type.Literal(operation),
    checkout,
  });

const queried = envelope({
  ORDER: orderId,
  CODE: Type.Integer(shown('The service’s id of the order.', 1)),
  STATE: Type.Union(['PENDIENTE', 'APROBADA', 'VENCIDA', 'CANCELADA', 'ANULADA'].map((name) => Type.Literal(name))),
  AMOUNT: Type.String(shown('The amount, with two decimals.', '45000.00')),
  CURRENCY: Type.String(shown('ISO 4217.', 'COP')),
  REFERENCE: reference,
  DESCRIPTION: Type.String(),
  EMAIL: Type.String(),
  PAYMNENT_METHOD: Type.String(shown('Empty: the customer chooses at the checkout.', '')),
  CREATION_DATE: Type.String(shown('In the merchant’s time zone.', '2026-11-21 10:00:00')),
  UDPATE_DATE: Type.String(shown('In the merchant’s time zone.', '2026-11-21 10:00:00')),
  LIFE_TIME: Type.String(shown('Whole hours left to pay; empty for a recurrent order, which has no end.', '445h')),
  NOTIFICATION_RESPONSE: Type.String(shown('What the merchant’s server answered to the notice of the payment.', '')),
  TRANSACTION: Type.Union([
    Type.Object({}, { additionalProperties: false, description: 'Empty until the order is paid.' }),
    Type.Object(
      {
        ID: Type.String(shown('The source’s own id of the payment.', 'T-4711')),
        SOURCE: Type.String(shown('The network or the method of the checkout that took the money, or operator.', 'sandbox')),
        NUMBER: Type.Integer(shown('The payments of the order are counted from 1.', 1)),
        AMOUNT: Type.String(shown('The amount, with two decimals.', '45000.00')),
        CURRENCY: Type.String(shown('ISO 4217.', 'COP')),
        DATE: Type.String(shown('In the merchant’s time zone.', '2026-11-21 10:00:00')),
        STATE: Type.Union([Type.Literal('APROBADA'), Type.Literal('ANULADA')], { description: 'ANULADA: the money was given back.' }),
        GIVEN_BACK: Type.String(shown('When it was given back, in the merchant’s time zone; empty where it was not.', '')),
      },
      { description: 'The last payment of the order.' },
    ),
  ]),
  checkout,
});

const cancelled = (servicePrefix: string): TObject =>
  envelope({
    OrderID: orderId,
    [`${servicePrefix}OrderID`]: serviceOrderId,
    Reference: reference,
    Amount: amount,
    Operation: Type.Literal('DELETED'),
  });

const nullableText = Type.Union([Type.String(), Type.Null()]);
const history = envelope({
  OrdenID: orderId,
  HISTORY: Type.Array(
    Type.Object({
      VERSION: Type.Integer(),
      OPERATION: Type.String(shown('CREADA, ACTUALIZADO, DELETED, VENCIDA, PAGADA, REVERSADA or ANULADA.', 'CREADA')),
      ACTOR: Type.String(shown('Who did it: merchant, service, operator, network:… or method:….', 'merchant')),
      DATE: Type.String(shown('In the merchant’s time zone.', '2026-11-21 10:00:00')),
      INSTANT: Type.String(shown('In UTC.', '2026-11-21T15:00:00Z')),
      CHANGES: Type.Record(Type.String(), Type.Object({ from: nullableText, to: nullableText })),
    }),
  ),
  NEXT: Type.String(shown('The `after` of the next page; empty where there is none.', '')),
});

const ifMatch = Type.Object({ 'if-match': Type.Optional(Type.String(shown('The version that the order must still have, or *.', '"1"'))) });
const answer = (schema: TObject) => ({ 200: { ...schema, description: 'Success or a refusal: CODE tells.' } });
const conditional = (schema: TObject) => ({
  ...answer(schema),
  412: { ...envelope({}), description: 'CODE 0910: the order has another version. Nothing was written.' },
});
const signed = (fields: Declaration) => ({ params: toSchema(orderPath), querystring: toSchema({ ...fields, ...languageField }) });

/** What these mean depends on the field, which the text of an answer names; here is all that they stand for. */
const MEANINGS: Partial<Record<OrderRefusal, string>> = {
  content_invalid:
    'The body is no JSON object in UTF-8 or the query is malformed, a name stands in it twice, a required field is missing, or a field has a wrong type, is too long or misshapen.',
  merchant_invalid: '`merchant` is missing or misshapen.',
  amount_invalid: '`amount` is no plain decimal above zero with the decimals of its currency.',
  country_invalid: '`country` is not three digits of a known country.',
  currency_invalid: '`money` is no currency of ISO 4217.',
  method_invalid: '`method` is too long or misshapen.',
  expiration_malformed: '`expiration` is not a real day, DD/MM/YYYY.',
};

/** Beside the refusals of an update: what other operations tell just after the checksum, and just before an order that is not open. */
const placeOf = (name: OrderRefusal): number => {
  if (name === 'key_in_flight' || name === 'key_reused') return UPDATE_REFUSALS.indexOf('checksum_invalid') + 0.5;
  return name === 'order_exists' || name === 'order_not_found'
    ? UPDATE_REFUSALS.indexOf('order_not_open') - 0.5
    : UPDATE_REFUSALS.indexOf(name);
};

/** Extensions of the OpenAPI document: what the checksum covers, and the refusals in order of precedence. */
const rules = (checksum: readonly string[], codes: Readonly<Partial<Record<OrderRefusal, string>>>) => ({
  'x-checksum': checksum,
  'x-refusals': (Object.entries(codes) as [OrderRefusal, string][])
    .toSorted(([one], [other]) => placeOf(one) - placeOf(other))
    .map(([name, code]) => ({ code, meaning: MEANINGS[name] ?? refusalText(name, {}, 'en') })),
});
const SIGNED_TERMS = ['email', 'country', 'order', 'money', 'amount'];
const SIGNED_KEY = ['order', 'merchant'];

/** What the OpenAPI document tells of each route; requests come from the declarations that read them. */
export const orderSchemas = (servicePrefix: string) => ({
  create: {
    operationId: 'createOrder',
    ...rules(SIGNED_TERMS, createCodes),
    summary: 'Create an order',
    description: 'Order ids are the merchant’s for ever: one that was used is refused, whatever became of the order. Contract §3.2.',
    tags,
    body: toSchema(orderFields),
    response: answer(saved(servicePrefix, 'CREADA')),
  },
  update: {
    operationId: 'updateOrder',
    ...rules(SIGNED_TERMS, updateCodes),
    summary: 'Update a pending order',
    description:
      'A field that is given is compared by value and written only if it differs; where nothing differs nothing is written. Contract §3.1.',
    tags,
    headers: ifMatch,
    body: toSchema(orderFields),
    response: conditional(saved(servicePrefix, 'ACTUALIZADO')),
  },
  query: {
    operationId: 'queryOrder',
    ...rules(SIGNED_KEY, queryCodes),
    summary: 'Query an order',
    description: 'The order as it is now. Contract §3.3.',
    tags,
    ...signed(signedFields),
    response: answer(queried),
  },
  cancel: {
    operationId: 'cancelOrder',
    ...rules(SIGNED_KEY, cancelCodes),
    summary: 'Cancel a pending order',
    description:
      'Cancelling a cancelled order is success again. The parameters may stand in a JSON body instead; the query wins. Contract §3.4.',
    tags,
    headers: ifMatch,
    ...signed(signedFields),
    response: conditional(cancelled(servicePrefix)),
  },
  history: {
    operationId: 'readOrderHistory',
    ...rules(SIGNED_KEY, queryCodes),
    summary: 'Read the history of an order',
    description: 'Every change, oldest first: who, when, version, field by field from → to. Contract §7.2.',
    tags,
    ...signed(historyFields),
    response: answer(history),
  },
});
