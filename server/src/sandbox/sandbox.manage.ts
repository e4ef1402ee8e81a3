import { Type } from 'typebox';
import { TYPED_DOCUMENT, type CashoutCounter } from '../cashouts/index.ts';
import type { Db } from '../kit/db.ts';
import { onceOf } from '../kit/once.ts';
import { isRefusal, refuse } from '../kit/outcome.ts';
import { actOf, type OpenActing } from '../kit/changes/act.ts';
import { cellOfId, cellOfNumber } from '../kit/per-cell.ts';
import { managementOperation, schemas, type ManagementOperation, type ManagementRefusal } from '../manage/index.ts';
import { cellOfReference, lookUpOrder, readOrderForCheckout, type OpenOrders } from '../orders/index.ts';
import { recallAnswer, runAloneOnce } from '../requests/index.ts';
import { readWish, renderClock } from './clock.wire.ts';
import { clockFacts, type SandboxClock } from './sandbox-clock.ts';
import { SANDBOX_NETWORK, sandboxNetwork, type SandboxNetworkRoom } from './sandbox-network.ts';
import { DANE_CODE, idIn, POINT, randomId } from './simulate.wire.ts';

// Time and the network of a sandbox, for who is signed in. What is simulated is decided as for any network, with the act in its transaction.

export type CounterDeps = {
  readonly db: Db;
  readonly clock: SandboxClock;
  readonly acting: OpenActing;
  readonly orders: Pick<OpenOrders, 'payOrderOnce' | 'reversePayment'>;
  readonly cashouts: CashoutCounter;
  /** The counter of another cell: a password says nothing of the cell that its cashout is in. */
  readonly counterOf: (cell: number) => Pick<CashoutCounter, 'payCashout'>;
  /** What the network of the sandbox is made with, at home. */
  readonly atHome: SandboxNetworkRoom;
};

const { amount, instant, merchantId, answerObject, showAmount } = schemas;
const shared = { tag: 'Sandbox', permission: 'sandbox:use', scope: 'service' } as const;

const clockSchema = answerObject({
  now: instant,
  ahead: Type.String({ description: 'How far it is ahead of the machine’s.', examples: ['P33D'] }),
});

export const readClock = managementOperation({
  ...shared,
  name: 'readClock',
  route: 'GET /manage/v1/sandbox/clock',
  summary: 'Read the clock of a sandbox',
  cells: 'home',
  description: 'The one clock that the whole service goes by.',
  shows: clockSchema,
  run: (_request, { clock }: CounterDeps) => ({ now: clock.now(), offsetMs: clock.offsetMs() }),
  answer: (read) => ({ body: renderClock(read) }),
});

export const moveClock = managementOperation({
  ...shared,
  name: 'moveClock',
  route: 'POST /manage/v1/sandbox/clock',
  summary: 'Move the clock of a sandbox',
  cells: 'home',
  names: { es: 'Adelantar el reloj de pruebas', pt: 'Adiantar o relógio de testes' },
  description:
    'To `now`, or on by `advance`. Expiry, holds, one-time passwords, retries and tokens follow it. It only goes forward. ' +
    'Without an Idempotency-Key a repeated `advance` moves it again.',
  body: Type.Object({
    now: Type.Optional(instant),
    advance: Type.Optional(
      Type.String({
        maxLength: 40,
        pattern: '^P[0-9A-Z.,]+$',
        description: 'A duration of ISO 8601, instead of `now`.',
        examples: ['P3D'],
      }),
    ),
  }),
  refusals: {
    clock_would_go_back: {
      status: 409,
      title: 'The clock only goes forward',
      meaning: 'Otherwise existing records would be dated in the future.',
      words: { es: 'El reloj solo va hacia adelante', en: 'The clock only goes forward', pt: 'O relógio só anda para a frente' },
    },
    clock_too_far_ahead: {
      status: 409,
      title: 'The clock would be too far ahead',
      meaning: 'It can be at most ten years ahead.',
      words: {
        es: 'El reloj se adelanta diez años a lo sumo',
        en: 'The clock runs ten years ahead at most',
        pt: 'O relógio se adianta dez anos no máximo',
      },
    },
  },
  shows: clockSchema,
  keepsAnswersAs: 'manage-move-clock',
  run: async ({ body, origin, once }, { clock, acting }: CounterDeps) => {
    const wish = readWish(body.now, body.advance);
    if (wish === undefined) return oneOfBoth;
    const moved = await runAloneOnce(acting(actOf(origin, { given: body }), clockFacts), once, (tx) => clock.moveIn(tx, wish));
    await clock.refresh();
    return moved;
  },
  answer: (moved) => ({ body: renderClock(moved) }),
});

const oneOfBoth = schemas.wrong('', 'must have `now` or `advance`, one of both, as a real instant or duration');

const SIMULATION = {
  simulation_refused: {
    status: 409,
    title: 'The simulated network was refused',
    meaning: 'It gets the same refusals as any network. `detail` has the name of the refusal.',
    words: {
      es: 'El servicio rechazó a la red de prueba',
      en: 'The service refused the network of the sandbox',
      pt: 'O serviço recusou a rede de teste',
    },
  },
} as const;

/** What does not exist is not found. All else is refused as a network is. */
const UNKNOWN: ReadonlySet<string> = new Set(['order_not_found', 'payment_not_found', 'transaction_unknown']);
const asSimulated = ({ refusal }: { readonly refusal: string }): ManagementRefusal<'not_found' | 'simulation_refused'> =>
  UNKNOWN.has(refusal) ? refuse('not_found') : { ...refuse('simulation_refused'), detail: refusal };

const transaction = Type.String({
  maxLength: 40,
  pattern: '^[1-9][0-9]{0,17}-[0-9a-f]{12}$',
  description: 'The id of the payment or the collection, from its answer.',
  examples: ['5-0af3c2d1e4b5'],
});
/** The cell of a simulated payment or collection: its id begins with ours of the order or the cashout. */
const cellOfTransaction = ({ path }: { readonly path: { readonly transaction: string } }): number => cellOfNumber(idIn(path.transaction));
const source = `network:${SANDBOX_NETWORK}` as const;

const paymentSchema = answerObject({
  merchant: merchantId,
  order: Type.String({ examples: ['A-1001'] }),
  transaction,
  amount,
  state: Type.String({ description: 'Of the payment.', examples: ['paid'] }),
});
type Decided = Awaited<ReturnType<OpenOrders['payOrder']>>;
type Settled = Exclude<Decided, { readonly refusal: string }>;
const showPayment = ({ payment: { merchantId: merchant, orderId, transactionId, amountMinor, currency, state } }: Settled) => ({
  body: { merchant, order: orderId, transaction: transactionId, amount: showAmount(amountMinor, currency), state },
});

export const simulatePayment = managementOperation({
  ...shared,
  name: 'simulatePayment',
  route: 'POST /manage/v1/sandbox/payments',
  summary: 'Simulate a payment',
  cells: ({ body: { reference } }, { db }: CounterDeps) => cellOfReference(db, reference),
  names: { es: 'Simular un pago', pt: 'Simular um pagamento' },
  description:
    'Pays the open order of a reference, as the network `sandbox` does. Without an Idempotency-Key each request is another payment.',
  body: Type.Object({ reference: Type.String({ maxLength: 40, pattern: '^[0-9]+$', examples: ['900100200'] }) }),
  refusals: SIMULATION,
  shows: paymentSchema,
  status: 201,
  keepsAnswersAs: 'manage-simulate-payment',
  run: async ({ body: { reference }, origin, requestId, once }, room: CounterDeps) => {
    const order = await lookUpOrder(room.db, room.clock, reference);
    // The first request of a key may have paid it.
    if (order === undefined) return (await recallAnswer(room.db, once)) ?? refuse('not_found');
    const { serviceOrderId, merchantId: merchant, orderId, amountMinor, currency } = order;
    const paid = await room.orders.payOrderOnce({
      serviceOrderId,
      source,
      transactionId: `${serviceOrderId}-${randomId()}`,
      shown: { amountMinor, currency },
      requestId,
      served: await sandboxNetwork(room.atHome),
      act: actOf(origin, { target: { kind: 'order', merchantId: merchant, id: orderId } }),
      once: onceOf(once, (decided: Decided) => (isRefusal(decided) ? asSimulated(decided) : decided)),
    });
    if (!isRefusal(paid)) return paid;
    return paid.refusal === 'key_reused' ? refuse(paid.refusal) : asSimulated(paid);
  },
  answer: showPayment,
});

export const reversePayment = managementOperation({
  ...shared,
  name: 'reverseSimulatedPayment',
  route: 'POST /manage/v1/sandbox/payments/{transaction}/reverse',
  summary: 'Reverse a simulated payment',
  cells: cellOfTransaction,
  names: { es: 'Revertir un pago simulado', pt: 'Estornar um pagamento simulado' },
  description: 'Within 50 seconds of the sandbox’s clock. Reversing it again is success again.',
  path: Type.Object({ transaction }),
  refusals: SIMULATION,
  shows: paymentSchema,
  run: async ({ path: { transaction: transactionId }, origin, requestId }, { db, orders }: CounterDeps) => {
    const serviceOrderId = BigInt(idIn(transactionId));
    const order = await readOrderForCheckout(db, serviceOrderId);
    if (order === undefined) return refuse('not_found');
    const act = actOf(origin, { target: { kind: 'order', merchantId: order.merchantId, id: order.orderId } });
    const reversed = await orders.reversePayment({ serviceOrderId, source, transactionId, requestId, act });
    return isRefusal(reversed) ? asSimulated(reversed) : reversed;
  },
  answer: showPayment,
});

const collectionSchema = answerObject({
  merchant: merchantId,
  operation: Type.String({ examples: ['W-77'] }),
  transaction,
  amount,
  state: Type.String({ description: 'Of the cashout.', examples: ['approved'] }),
});
type Collected = Exclude<Awaited<ReturnType<CashoutCounter['payCashout']>>, { readonly refusal: string }>;
const showCollection = ({ cashout: { merchantId: merchant, operationId, amountMinor, currency, state }, payment }: Collected) => ({
  body: { merchant, operation: operationId, transaction: payment.transactionId, amount: showAmount(amountMinor, currency), state },
});

export const simulateCollection = managementOperation({
  ...shared,
  name: 'simulateCollection',
  route: 'POST /manage/v1/sandbox/collections',
  summary: 'Simulate a collection',
  cells: 'home',
  names: { es: 'Simular un cobro de retiro', pt: 'Simular um recebimento de saque' },
  description: 'Hands out the money of a cashout, as the network `sandbox` does. A wrong password counts.',
  body: Type.Object({
    document: Type.String({
      maxLength: 20,
      pattern: TYPED_DOCUMENT.source,
      description: 'Of the end user, as people write it.',
      examples: ['1020304050'],
    }),
    oneTimePassword: Type.String({ maxLength: 12, pattern: '^[0-9]{4,12}$', examples: ['048213'] }),
  }),
  refusals: SIMULATION,
  shows: collectionSchema,
  status: 201,
  run: async ({ body: { document, oneTimePassword: otp }, origin, requestId }, room: CounterDeps) => {
    const served = await sandboxNetwork(room.atHome);
    const found = await room.cashouts.lookUpCashout({ netname: SANDBOX_NETWORK, document, otp, point: POINT, served });
    if (isRefusal(found)) return asSimulated(found);
    const { cashoutId, merchantId: merchant, operationId } = found;
    const paid = await room.counterOf(cellOfId(cashoutId)).payCashout({
      netname: SANDBOX_NETWORK,
      transactionId: `${cashoutId}-${randomId()}`,
      cashoutId,
      teller: POINT,
      daneCode: DANE_CODE,
      requestId,
      served,
      act: actOf(origin, { target: { kind: 'cashout', merchantId: merchant, id: operationId } }),
    });
    return isRefusal(paid) ? asSimulated(paid) : paid;
  },
  answer: showCollection,
});

export const reverseCollection = managementOperation({
  ...shared,
  name: 'reverseSimulatedCollection',
  route: 'POST /manage/v1/sandbox/collections/{transaction}/reverse',
  summary: 'Reverse a simulated collection',
  cells: cellOfTransaction,
  names: { es: 'Revertir un cobro simulado', pt: 'Estornar um recebimento simulado' },
  description: 'Within 50 seconds of the sandbox’s clock. The cashout is then nullified. Reversing it again is success again.',
  path: Type.Object({ transaction }),
  refusals: SIMULATION,
  shows: collectionSchema,
  run: async ({ path: { transaction: transactionId }, origin, requestId }, { db, cashouts }: CounterDeps) => {
    const [payment] = await cashouts.readPayments(db, [{ netname: SANDBOX_NETWORK, transactionId }]);
    if (payment === undefined) return refuse('not_found');
    const { cashoutId, merchantId: merchant, operationId } = payment;
    const act = actOf(origin, { target: { kind: 'cashout', merchantId: merchant, id: operationId } });
    const reversed = await cashouts.reverseCashoutPayment({ netname: SANDBOX_NETWORK, transactionId, cashoutId, requestId, act });
    return isRefusal(reversed) ? asSimulated(reversed) : reversed;
  },
  answer: showCollection,
});

/** Time and the network of a sandbox. */
export const counterManagement: readonly ManagementOperation<CounterDeps>[] = [
  readClock,
  moveClock,
  simulatePayment,
  reversePayment,
  simulateCollection,
  reverseCollection,
];
