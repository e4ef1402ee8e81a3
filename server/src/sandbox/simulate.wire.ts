import { randomBytes } from 'node:crypto';
import { Type, type TSchema } from 'typebox';
import { hasNoMoreDecimals } from '../kit/money.ts';
import { findLanguage } from '../kit/language.ts';
import { operation, underPrefixes, type Answer, type Dialect } from '../requests/index.ts';
import type { NetworkAnswer, PlayNetwork } from './play-network.ts';
import { asSent, NO_OBJECT, sandboxEnvelope, simulatedOrderEnvelope, textSchema } from './sandbox.wire.ts';

// What people do at a network's counter, simulated: contract §7.6. The answers are those of the networks' operations, §3.7–§3.9 and §4.3.

type Deps = {
  readonly playNetwork: PlayNetwork;
  readonly dialect: Dialect;
};

/** Where the sandbox's network pays out. */
export const POINT = 'SANDBOX';
/** Bogotá. */
export const DANE_CODE = '11001';

const language = asSent('The language of a refusal’s text: es, en or pt.', 'es');
const transactionInPath = (example: string) => asSent('The id of the payment or the collection, from its answer.', example);
const refusals = { parameter_invalid: NO_OBJECT };
/** People type this amount, so that `50.000` may be fifty thousand. The answer is that of a network's payment. */
const AMOUNT_UNCLEAR = {
  es: 'amount tiene más decimales que su moneda: escriba 50000 o 50000.00',
  en: 'amount has more decimals than its currency: write 50000 or 50000.00',
  pt: 'amount tem mais decimais que a sua moeda: escreva 50000 ou 50000.00',
};
const amountUnclear = (language: string | undefined): NetworkAnswer => ({
  status: 200,
  body: JSON.stringify({ CODE: '0021', DESC: AMOUNT_UNCLEAR[findLanguage(language) ?? 'en'], DATA: {} }),
});

export const simulatePaymentOperation = operation({
  name: 'simulatePayment',
  route: 'POST /sandbox/v1/payments',
  tag: 'Sandbox',
  summary: 'Simulate a payment',
  description: 'Pays the pending order of a reference, as the network `sandbox` does.',
  section: '§7.6',
  envelope: simulatedOrderEnvelope,
  from: 'body',
  fields: {
    reference: asSent('The reference of the order. It is needed.', '900100200'),
    amount: asSent('What the payer chose, where the amount is open. Another order takes its own amount alone.', '45000.00'),
    language,
  },
  caller: 'anyone',
  proof: [],
  refusals,
  run: async ({ values: { reference = '', amount: chosen, language }, requestId }, { playNetwork, dialect }: Deps) => {
    const asked = language === undefined ? {} : { language };
    const found = await playNetwork({
      method: 'POST',
      path: (netname) => `/api/v3/references/${netname}`,
      signed: [reference],
      fields: { reference, ...asked },
      requestId,
    });
    const order = dataOf(found);
    if (order === undefined) return found;
    const { Monto: due = '', Moneda: money = '', [`${dialect.servicePrefixes[0]}ordenID`]: idorder = '' } = order;
    const amount = chosen ?? due;
    if (chosen !== undefined && !hasNoMoreDecimals(chosen, money)) return amountUnclear(language);
    const transaction = `${idorder}-${randomId()}`;
    return playNetwork({
      method: 'POST',
      path: (netname) => `/api/v3/payments/${netname}`,
      signed: [transaction, amount, money, idorder],
      fields: { transaction, amount, money, idorder, ...asked },
      requestId,
    });
  },
  answer: answerOf,
  data: paymentSchema,
});

export const simulateReversalOperation = operation({
  name: 'simulateReversal',
  route: 'PATCH /sandbox/v1/payments/:transaction',
  tag: 'Sandbox',
  summary: 'Reverse a simulated payment',
  description: 'Within 50 seconds of the sandbox’s clock. It is refused as a network is, with its codes.',
  section: '§7.6',
  envelope: simulatedOrderEnvelope,
  path: { transaction: transactionInPath('5-0af3c2d1e4b5') },
  from: 'none',
  fields: {},
  caller: 'anyone',
  proof: [],
  refusals: {},
  run: ({ values: { transaction = '' }, requestId }, { playNetwork }: Deps) => {
    const idorder = idIn(transaction);
    return playNetwork({
      method: 'PATCH',
      path: (netname) => `/api/v3/payments/${netname}/${encodeURIComponent(transaction)}`,
      signed: [transaction, idorder],
      fields: { idorder },
      requestId,
    });
  },
  answer: answerOf,
  data: paymentSchema,
});

export const simulateCollectionOperation = operation({
  name: 'simulateCollection',
  route: 'POST /sandbox/v1/collections',
  tag: 'Sandbox',
  summary: 'Simulate a collection',
  description: 'Hands out the money of a cashout, as the network `sandbox` does.',
  section: '§7.6',
  envelope: sandboxEnvelope,
  from: 'body',
  fields: {
    document: asSent('The document of the person who collects. It is needed.', '1020304050'),
    otp: asSent('The one-time password. It is needed.', '123456'),
  },
  caller: 'anyone',
  proof: [],
  refusals,
  run: async ({ values: { document = '', otp = '' }, requestId }, { playNetwork }: Deps) => {
    const found = await playNetwork({
      method: 'POST',
      path: (netname) => `/cashout/v1/order/${netname}`,
      signed: [otp, document],
      fields: { otp, document, netcode: POINT },
      requestId,
    });
    const idoperation = dataOf(found)?.['idoperation'];
    if (idoperation === undefined) return found;
    const transaction = `${idoperation}-${randomId()}`;
    return playNetwork({
      method: 'POST',
      path: (netname) => `/cashout/v1/transaction/${netname}`,
      signed: [idoperation, transaction],
      fields: { idoperation, transaction, teller: POINT, danecode: DANE_CODE },
      requestId,
    });
  },
  answer: answerOf,
  data: () => collectionSchema,
});

export const simulateCollectionReversalOperation = operation({
  name: 'simulateCollectionReversal',
  route: 'PATCH /sandbox/v1/collections/:transaction',
  tag: 'Sandbox',
  summary: 'Reverse a simulated collection',
  description: 'Within 50 seconds of the sandbox’s clock. It is refused as a network is, with its codes.',
  section: '§7.6',
  envelope: sandboxEnvelope,
  path: { transaction: transactionInPath('301-0af3c2d1e4b5') },
  from: 'none',
  fields: {},
  caller: 'anyone',
  proof: [],
  refusals: {},
  run: ({ values: { transaction = '' }, requestId }, { playNetwork }: Deps) => {
    const idoperation = idIn(transaction);
    return playNetwork({
      method: 'PATCH',
      path: (netname) => `/cashout/v1/transaction/${netname}/${encodeURIComponent(transaction)}`,
      signed: [transaction, idoperation],
      fields: { idoperation },
      requestId,
    });
  },
  answer: answerOf,
  data: () => collectionSchema,
});

/** The network's answer, as it came. */
function answerOf({ status, body }: NetworkAnswer): Answer {
  return { status, etag: null, body };
}

/** What a success carries, in either envelope; undefined for anything else. */
function dataOf({ body }: NetworkAnswer): Readonly<Record<string, string>> | undefined {
  const answer = JSON.parse(body) as { CODE?: string; DATA?: Record<string, string>; code?: string; data?: Record<string, string> };
  return (answer.CODE ?? answer.code) === '0000' ? (answer.DATA ?? answer.data) : undefined;
}

/** Our id of the order or the cashout, with which each transaction made here begins. For any other one 1 will do: it is unknown. */
export const idIn = (transaction: string): string => /^([1-9][0-9]{0,17})-/.exec(transaction)?.[1] ?? '1';

/** Behind such an id still within the forty characters of a network's transaction. */
export const randomId = (): string => randomBytes(6).toString('hex');

function paymentSchema(dialect: Dialect): TSchema {
  return Type.Object({
    OrdenID: textSchema('The merchant’s id of the order.', 'A-1001'),
    ...underPrefixes(dialect, 'ordenID', textSchema('The service’s id of the order.', '5')),
    Monto: textSchema('The amount.', '45000.0'),
    Moneda: textSchema('ISO 4217.', 'COP'),
    Transaccion: textSchema('The id of the payment: with it the payment is reversed.', '5-0af3c2d1e4b5'),
    Pago: textSchema('The payments of the order are counted from 1.', '1'),
    Fecha: textSchema('When, in the merchant’s time zone.', '2026-11-21 10:00:00'),
    Operacion: textSchema('PAGADA, or REVERSADA.', 'PAGADA'),
  });
}

const collectionSchema = Type.Object({
  idoperation: textSchema('The service’s id of the cashout.', '301'),
  transaction: textSchema('The id of the collection: with it the collection is reversed.', '301-0af3c2d1e4b5'),
  operation: textSchema('The merchant’s id of the cashout.', 'W-1'),
  amount: textSchema('The amount.', '45000.0'),
  currency: textSchema('ISO 4217.', 'COP'),
  document: textSchema('The document of the person who collects.', '1020304050'),
  date: textSchema('When, in the merchant’s time zone.', '2026-11-21 10:00:00'),
  status: textSchema('APROBADA, or ANULADA.', 'APROBADA'),
});
