import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cashoutOperations } from '../cashouts/index.ts';
import { isWriteOperation } from '../manage/management-operation.ts';
import { orderOperations } from '../orders/index.ts';
import { cashoutScenes } from '../testing/cashout-scenes.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { manageCalls, type ManageCalls } from '../testing/manage-calls.ts';
import { orderScenes } from '../testing/order-scenes.ts';
import { provoke, type AnyOperation, type Provocation, type Scene, type Scenes, type Staged } from '../testing/precedence.ts';
import { sampleRequest } from '../testing/sample-requests.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { managementOperations } from './manage.ts';
import type { Caudal } from './rooms.ts';
import { ON_OFF_SETTINGS } from '../merchants/on-off-settings.ts';

// Freezing is a rule of no protocol: each operation of each way in is asked for it. Where the others are asked is in decision 0069.

const OPERATIONS: readonly AnyOperation[] = [...orderOperations, ...cashoutOperations];
const OF_MERCHANTS = OPERATIONS.filter(({ caller }) => caller === 'merchant');

let service: TestCaudal;
let sender: Caudal;
let scenes: Scenes;
beforeAll(async () => {
  service = await startTestCaudal({ config: { databaseConnections: 4, mode: 'production' } });
  sender = await service.openAnother({ mode: 'sandbox' });
  scenes = { ...(await orderScenes(service)), ...(await cashoutScenes(service, sender)) };
});
afterAll(async () => {
  await sender.close();
  await service.close();
});

const send = (operation: AnyOperation, ways: readonly Provocation<Staged>[]) =>
  provoke(service, operation, scenes[operation.name] as Scene, ways);

const setFrozen = async (merchantId: string, isFrozen: boolean): Promise<void> => {
  const staff = await manageCalls(service, { name: 'operator' });
  expect(await staff.send('POST', `/merchants/${merchantId}/${isFrozen ? 'freeze' : 'thaw'}`)).toMatchObject({ problem: undefined });
  await eventually(SOON_MS, async () => expect((await service.merchants.find(merchantId))?.isFrozen).toBe(isFrozen));
};

describe('a frozen merchant', () => {
  const FROZEN: Provocation<Staged> = {
    touches: ['merchant'],
    phase: 9,
    apply: async ({ fields, cleanUp }) => {
      const merchantId = String(fields['merchant']);
      await setFrozen(merchantId, true);
      cleanUp.push(() => setFrozen(merchantId, false));
    },
  };

  test.each(OF_MERCHANTS.map((operation) => [operation.name, operation] as const))('on the wire: %s', async (_name, operation) => {
    const usual = await send(operation, []);
    const frozen = await send(operation, [FROZEN]);
    if (operation.effect === 'reads') expect(frozen).toMatchObject({ status: usual.status, code: usual.code });
    else expect(frozen.text).toContain('congelado');
  });

  /** What is done for a frozen merchant all the same: why, and the operations. */
  const GOES_ON: Readonly<Record<string, readonly string[]>> = {
    'it is about no merchant': [
      'createMerchant',
      'createNetwork',
      'setNetworkServes',
      'setNetworkAddresses',
      'setNetworkLimits',
      'setNetworkSigning',
      'setNetworkBrand',
      'disableNetwork',
      'enableNetwork',
      'rotateNetworkSecret',
      'moveClock',
    ],
    'the service settles what was begun': [
      'voidOrder',
      'approveRefund',
      'payRefund',
      'failRefund',
      'resolveRefusedPayments',
      'nullifyCashout',
      'unlockCashout',
      'expireOrder',
      'cancelSettlement',
      'sendSettlement',
      'paySettlement',
      'returnSettlement',
      'makeSettlementFile',
      'recordSettlementResults',
    ],
    'only the service’s side moves this money': ['topUp', 'adjustAccount', 'setFees', 'placeHold', 'releaseHold'],
    'it moves no money': [
      'runSettlement',
      'setSettlementSchedule',
      'addSettlementRule',
      'endSettlementRule',
      'loadCalendar',
      'setBankFileLayout',
    ],
    'it refuses the settlements of a frozen merchant, and approves the others': ['approveSettlements'],
    'it is a setting, and moves no money': [
      'placeMerchant',
      'updateMerchant',
      'disableMerchant',
      'enableMerchant',
      'freezeMerchant',
      'thawMerchant',
      ...ON_OFF_SETTINGS.map(([, { operation }]) => operation),
      'setNoticeChecksum',
      'setOpenAmounts',
      'setMerchantLimits',
      'setMerchantSigning',
      'setMerchantBrand',
      'setNoticeUrl',
      'setReturnUrl',
      'rotateFixedHash',
      'rotateNoticeHash',
      'rotateSigningSecret',
      'changeCashoutLimits',
    ],
    'it tells what has happened': [
      'sendTestNotice',
      'redeliverNotice',
      'redeliverNotices',
      'sendNoticeNow',
      'pauseNoticeEndpoint',
      'resumeNoticeEndpoint',
      'sendMessageNow',
    ],
    'who may sign in is another matter': ['inviteUser', 'changeUser', 'resetUser', 'signOutUser', 'createToken', 'endToken'],
    'people have a right to it': ['exportPerson', 'erasePerson'],
    'it copies': ['exportList'],
    'the decision of the payment refuses it, as a network’s': [
      'simulatePayment',
      'reverseSimulatedPayment',
      'simulateCollection',
      'reverseSimulatedCollection',
    ],
  };
  /** What a merchant's own people may not do while it is frozen, and the service's side may, which settles what was begun. */
  const REFUSED_TO_ITS_OWN: ReadonlySet<string> = new Set(['cancelRefund']);
  // What ends the freeze comes last.
  const writes = managementOperations
    .filter((operation) => isWriteOperation(operation) && operation.scope !== 'own')
    .toSorted((one, other) => Number(one.name === 'thawMerchant') - Number(other.name === 'thawMerchant'));

  describe('in the management API, and so by command', () => {
    let merchant: TestMerchant;
    let staff: ManageCalls;
    let own: ManageCalls;
    beforeAll(async () => {
      merchant = await service.merchant();
      staff = await manageCalls(service, { name: 'staff' });
      own = await manageCalls(service, { name: 'own', merchantId: merchant.merchantId });
      await setFrozen(merchant.merchantId, true);
    });

    test.each(writes.map((operation) => [operation.name, operation] as const))('%s', async (name, operation) => {
      const { method, url, payload, headers } = sampleRequest(operation, merchant.merchantId);
      const body = payload === undefined ? undefined : (JSON.parse(payload) as object);
      const { problem } = await (REFUSED_TO_ITS_OWN.has(name) ? own : staff).send(
        method as 'POST',
        url.replace('/manage/v1', ''),
        body,
        headers,
      );
      if (operation.refusals !== undefined && 'merchant_frozen' in operation.refusals) expect(problem).toBe('merchant_frozen');
      else expect(Object.values(GOES_ON).flat()).toContain(name);
    });
  });
});
