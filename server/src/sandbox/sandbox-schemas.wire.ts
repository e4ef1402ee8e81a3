import { Type, type TProperties, type TSchema } from 'typebox';
import { PARAMETER_INVALID } from './sandbox.wire.ts';

// What the OpenAPI document tells of the sandbox: contract §7.6.

const shown = (description: string, example: string) => ({ description, examples: [example] });
const text = (description: string, example: string): TSchema => Type.String(shown(description, example));

/** A success or a refusal in one of the two envelopes; `data` as of a success. */
const answer = ([code, told, data]: readonly [code: string, told: string, data: string], members: TProperties) => ({
  200: {
    ...Type.Object({
      [code]: text('The result: 0000 is success, anything else a refusal.', '0000'),
      [told]: text('OK, or what is wrong.', 'OK'),
      [data]: Type.Union([Type.Object(members), Type.Object({}, { additionalProperties: false, description: 'Empty on a refusal.' })]),
    }),
    description: 'Success or a refusal: the code tells.',
  },
});
const OURS = ['code', 'text', 'data'] as const;
const OF_ORDERS = ['CODE', 'DESC', 'DATA'] as const;

const operation = (operationId: string, summary: string, description: string, refused: string) => ({
  operationId,
  summary,
  description: `${description} Contract §7.6.`,
  tags: ['Sandbox'],
  'x-checksum': [],
  'x-refusals': [{ code: PARAMETER_INVALID, meaning: refused }],
});

const clock = answer(OURS, {
  now: text('The time of the whole service.', '2026-12-24T15:00:00.000Z'),
  ahead: text('How far it is ahead of the machine’s.', 'P33D'),
});
const payment = (servicePrefix: string) =>
  answer(OF_ORDERS, {
    OrdenID: text('The merchant’s id of the order.', 'A-1001'),
    [`${servicePrefix}ordenID`]: text('The service’s id of the order.', '5'),
    Monto: text('The amount.', '45000.0'),
    Moneda: text('ISO 4217.', 'COP'),
    Transaccion: text('The id of the payment: with it the payment is reversed.', '5-0af3c2d1e4b5'),
    Pago: text('The payments of the order are counted from 1.', '1'),
    Fecha: text('When, in the merchant’s time zone.', '2026-11-21 10:00:00'),
    Operacion: text('PAGADA, or REVERSADA.', 'PAGADA'),
  });
const collection = answer(OURS, {
  idoperation: text('The service’s id of the cashout.', '301'),
  transaction: text('The id of the collection: with it the collection is reversed.', '301-0af3c2d1e4b5'),
  operation: text('The merchant’s id of the cashout.', 'W-1'),
  amount: text('The amount.', '45000.0'),
  currency: text('ISO 4217.', 'COP'),
  document: text('The document of the person who collects.', '1020304050'),
  date: text('When, in the merchant’s time zone.', '2026-11-21 10:00:00'),
  status: text('APROBADA, or ANULADA.', 'APROBADA'),
});
const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);
const message = Type.Object({
  id: text('Unique in its channel.', '7'),
  merchant: text('The merchant that it concerns.', 'demo'),
  channel: Type.Union(['mail', 'sms', 'notice'].map((name) => Type.Literal(name))),
  about: text('The merchant’s id of the order or the cashout.', 'A-1001'),
  kind: text('What it tells.', 'order_created'),
  at: text('When it was written.', '2026-11-21T15:00:00Z'),
  state: text('Where its delivery stands.', 'kept'),
  problem: orNull(text('Why the last attempt failed.', 'connection refused')),
  to: orNull(text('An address, a number or a URL.', 'ana@example.com')),
  subject: orNull(text('Of a mail.', 'Demo shop: su referencia para pagar $ 45.000 COP')),
  text: orNull(text('What it says; of a notice its very body.', 'Su orden de pago …')),
  html: orNull(text('Of a mail.', '<!doctype html>…')),
  answer: orNull(Type.Object({ status: Type.Integer(), text: Type.String() }, { description: 'What the receiver of a notice answered.' })),
});

const NO_OBJECT = 'The body is not a JSON object. What else is refused is refused as to a network, with its codes.';
const transaction = (example: string) =>
  Type.Object({ transaction: text('The id that the payment or the collection was given.', example) });

/** What the OpenAPI document tells of each route of the sandbox: contract §7.6. */
export const sandboxSchemas = (servicePrefix: string) => ({
  readClock: {
    ...operation('readClock', 'Read the clock', 'The one clock that the whole service goes by.', 'Never: there is nothing to send.'),
    response: clock,
  },
  moveClock: {
    ...operation(
      'moveClock',
      'Move the clock',
      'Sets the clock with `now`, or advances it with `advance`: expiry, locks, one-time passwords, retries and tokens follow. It only goes forward.',
      'The body holds neither of the two, or both; or the clock would go back, or more than ten years ahead.',
    ),
    body: Type.Object({
      now: Type.Optional(Type.String({ description: 'An instant.' })),
      advance: Type.Optional(text('An ISO 8601 duration, instead of `now`.', 'P3D')),
    }),
    response: clock,
  },
  pay: {
    ...operation('simulatePayment', 'Simulate a payment', 'Pays the open order of a reference, as the network `sandbox` does.', NO_OBJECT),
    body: Type.Object({ reference: text('The reference of the order.', '900100200') }),
    response: payment(servicePrefix),
  },
  reversePayment: {
    ...operation('simulateReversal', 'Reverse a simulated payment', 'Within 50 seconds of the sandbox’s clock.', NO_OBJECT),
    params: transaction('5-0af3c2d1e4b5'),
    response: payment(servicePrefix),
  },
  collect: {
    ...operation(
      'simulateCollection',
      'Simulate a collection',
      'Hands out the money of a cashout, as the network `sandbox` does.',
      NO_OBJECT,
    ),
    body: Type.Object({
      document: text('The document of the person who collects.', '1020304050'),
      otp: text('The one-time password.', '123456'),
    }),
    response: collection,
  },
  reverseCollection: {
    ...operation('simulateCollectionReversal', 'Reverse a simulated collection', 'Within 50 seconds of the sandbox’s clock.', NO_OBJECT),
    params: transaction('301-0af3c2d1e4b5'),
    response: collection,
  },
  readInbox: {
    ...operation(
      'readInbox',
      'Read the inbox',
      'The mails, SMS and notices that were sent, or would have been, newest first; for people at `/sandbox/inbox`.',
      'A parameter is misshapen.',
    ),
    querystring: Type.Object({
      merchant: Type.Optional(text('Only what concerns this merchant.', 'demo')),
      limit: Type.Optional(text('1 to 500; 50 where it is absent.', '50')),
    }),
    response: answer(OURS, { messages: Type.Array(message) }),
  },
});
export type SandboxSchemas = ReturnType<typeof sandboxSchemas>;
