import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cashoutOperations } from '../cashouts/index.ts';
import { orderOperations } from '../orders/index.ts';
import { sandboxOperations } from '../sandbox/index.ts';
import { cashoutScenes } from '../testing/cashout-scenes.ts';
import { orderScenes } from '../testing/order-scenes.ts';
import type { Caudal } from './rooms.ts';
import { sandboxScenes } from '../testing/sandbox-scenes.ts';
import {
  pairsOf,
  provoke,
  waysOf,
  type AnyOperation,
  type Provocation,
  type Refused,
  type Scene,
  type Scenes,
  type Staged,
} from '../testing/precedence.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

// The order of precedence of every operation, from its declaration. Of two refusals of one request, the earlier one is the answer.

const OPERATIONS: readonly AnyOperation[] = [...orderOperations, ...cashoutOperations, ...sandboxOperations];

/** Any two of these. */
const pairs = (...names: readonly string[]): readonly string[] =>
  names.flatMap((earlier, index) => names.slice(index + 1).map((later) => `${earlier}, ${later}`));

/** Pairs that no request can earn: one field, one state or one header is the reason of both. */
const APART: Readonly<Record<string, readonly string[]>> = {
  updateOrder: [
    'country_invalid, country_not_allowed',
    'currency_invalid, currency_not_allowed',
    'expiration_malformed, expiration_out_of_range',
    'id_ambiguous, recurrent_not_allowed',
  ],
  createOrder: [
    'country_invalid, country_not_allowed',
    'currency_invalid, currency_not_allowed',
    'expiration_malformed, expiration_out_of_range',
    'id_ambiguous, recurrent_not_allowed',
    'key_in_flight, key_reused',
  ],
  cancelOrder: ['order_not_found, order_not_open'],
  requestRefund: [
    'amount_invalid, refund_too_large',
    'collected_too_small, fund_too_small',
    'currency_invalid, refund_currency_differs',
    'key_in_flight, key_reused',
    ...['refund_exists', 'nothing_to_refund', 'refund_too_early', 'too_many_refunds', 'collected_too_small', 'fund_too_small'].map(
      (waiting) => `key_in_flight, ${waiting}`,
    ),
    'nothing_to_refund, refund_too_early',
    'nothing_to_refund, too_many_refunds',
    'order_not_found, refund_too_early',
    'payment_not_found, refund_too_early',
    'refund_exists, refund_too_early',
    'refund_too_early, too_many_refunds',
  ],
  cancelRefund: ['refund_ended, refund_approved'],
  registerRefundCashout: [
    'cellphone_impossible, sms_unavailable',
    'expire_malformed, expire_out_of_range',
    'key_in_flight, key_reused',
    'operation_invalid, cashout_exists',
    ...pairs('refund_not_found', 'refund_ended', 'refund_not_approved', 'refund_has_cashout', 'refund_not_for_cashout'),
  ],
  listCashouts: ['date_malformed, range_invalid'],
  listMovements: ['date_malformed, range_invalid'],
  registerCashout: [
    'amount_invalid, amount_out_of_limits',
    'cellphone_impossible, sms_unavailable',
    'expire_malformed, expire_out_of_range',
    'key_in_flight, key_reused',
    'operation_invalid, cashout_exists',
  ],
  cancelCashout: ['cashout_not_pending, cashout_locked'],
  renewOneTimePassword: ['cashout_not_pending, cashout_locked', 'key_in_flight, key_reused', 'cellphone_impossible, sms_unavailable'],
  payCashout: ['cashout_locked, lock_over'],
  moveClock: [
    'parameter_invalid, clock_would_go_back',
    'parameter_invalid, clock_too_far_ahead',
    'clock_would_go_back, clock_too_far_ahead',
  ],
  payOrder: ['amount_invalid, amount_changed', 'payment_given_back, amount_changed'],
};

let service: TestCaudal;
let sender: Caudal;
let scenes: Scenes;
beforeAll(async () => {
  service = await startTestCaudal({ config: { databaseConnections: 4, mode: 'production' } });
  sender = await service.openAnother({ mode: 'sandbox' });
  scenes = { ...(await orderScenes(service)), ...(await cashoutScenes(service, sender)), ...sandboxScenes() };
});
afterAll(async () => {
  await sender.close();
  await service.close();
});

/** Only a sandbox has its operations. */
const answering = (operation: AnyOperation): Pick<TestCaudal, 'app' | 'clock'> =>
  sandboxOperations.some(({ name }) => name === operation.name) ? { app: sender.app, clock: service.clock } : service;

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  const names = Object.keys(operation.refusals);
  const alone = new Map<Provocation<Staged>, Promise<Refused>>();
  /** What a request is answered that earns one refusal only. */
  const answerTo = async (way: Provocation<Staged>): Promise<Refused> => {
    const answer = alone.get(way) ?? provoke(answering(operation), operation, scenes[name] as Scene, [way]);
    alone.set(way, answer);
    return answer;
  };

  test('earns each of its refusals', async () => {
    expect(Object.keys(scenes[name]?.provocations ?? {}).toSorted()).toEqual(names.toSorted());
    for (const refusal of names) {
      const { code, status = 200 } = operation.refusals[refusal]!;
      for (const way of waysOf(scenes[name] as Scene, refusal)) expect(await answerTo(way), refusal).toMatchObject({ code, status });
    }
  });

  test('answers the earlier one of two', async () => {
    const one = scenes[name] as Scene;
    const { meeting, apart } = pairsOf(operation, one);
    expect(apart.toSorted()).toEqual((APART[name] ?? []).toSorted());
    for (const { names, earlier, later } of meeting)
      expect(await provoke(answering(operation), operation, one, [earlier, later]), names).toEqual(await answerTo(earlier));
  });
});
