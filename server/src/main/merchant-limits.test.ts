import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isWriteOperation } from '../manage/management-operation.ts';
import { ALL_PERMISSIONS, type ManagementOperation } from '../manage/index.ts';
import { showsManyPeople } from '../manage/shows-people.ts';
import { openActorLimits } from '../requests/index.ts';
import { openLimits, type Limits } from '../requests/limits/limits.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { manageCalls } from '../testing/manage-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { sampleRequest } from '../testing/sample-requests.ts';
import { onlyReached, serveAlone } from '../testing/served-management.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { managementOperations } from './manage.ts';

// What an operator allows a merchant holds on every way in: a walk over all operations of the management API.

const OWN = 'own-shop';
/** A process of 400, with a 400th of the limits: one request, and the next in 400 seconds. */
const openSmall = (): Limits => openLimits({ unprovedPerSecond: 1_000_000, processes: 20, servers: 20 }, () => undefined);
const LIMITS = { perSecond: 1, burst: 1, concurrent: 400 };

let limits: Limits;
const merchants = { find: async (merchantId: string) => ({ merchantId, limits: LIMITS }) as never };
const served = serveAlone(onlyReached(managementOperations), {}, { admit: (...asked) => openActorLimits(limits, merchants)(...asked) });
beforeEach(() => void (limits = openSmall()));
afterAll(() => served.app.close());

const statusesOf = async (operation: ManagementOperation<never>, headers: object): Promise<number[]> => {
  const statuses: number[] = [];
  for (let times = 0; times < 2; times++) {
    const request = sampleRequest(operation, OWN);
    const { statusCode } = await served.app.inject({ ...request, headers: { ...request.headers, ...headers } });
    statuses.push(statusCode);
  }
  return statuses;
};

const ofMerchants = managementOperations.filter(({ scope }) => scope !== 'service');
describe.each(ofMerchants.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
  test('of a merchant’s program counts for the merchant', async () => {
    const program = served.signIn({ kind: 'token', permissions: new Set(ALL_PERMISSIONS), merchantId: OWN });
    expect(await statusesOf(operation, program)).toEqual([409, 429]);
  });

  test('of a merchant’s people counts where it writes', async () => {
    const person = served.signIn({ role: 'administrator', permissions: new Set(ALL_PERMISSIONS), merchantId: OWN });
    const counts = isWriteOperation(operation) || showsManyPeople(operation);
    expect(await statusesOf(operation, person)).toEqual([409, counts ? 429 : 409]);
  });

  test('of the service’s side counts for no merchant', async () => {
    const operator = served.signIn({ role: 'owner', permissions: new Set(ALL_PERMISSIONS) });
    expect(await statusesOf(operation, operator)).toEqual([409, 409]);
  });
});

describe('on a server', () => {
  let service: TestCaudal;
  beforeAll(async () => {
    service = await startTestCaudal();
  });
  afterAll(() => service.close());

  test('a merchant that used up its requests on the wire has none in the management API, and the other way round', async () => {
    const small = await service.openAnother({ processes: 20, servers: 20 });
    const here = { ...service, app: small.app };
    const operator = await manageCalls(here);
    const asks = async () => {
      const merchant = await service.merchant();
      const { merchantId } = merchant;
      await operator.send('PUT', `/merchants/${merchantId}/limits`, { limits: LIMITS });
      await eventually(SOON_MS, async () => expect((await small.merchants.find(merchantId))?.limits).toEqual(LIMITS));
      const program = await manageCalls(here, { merchantId });
      const amount = { amount: '10000', currency: 'COP' };
      return {
        managed: async () =>
          (await program.send('POST', '/orders', { merchant: merchantId, order: 'A-1', email: 'ana@example.com', amount })).status,
        read: async () => (await program.get('/orders')).status,
        wire: async () => (await orderCalls(here, merchant).create({ order: 'W-1' })).status,
      };
    };
    const first = await asks();
    expect([await first.wire(), await first.managed()]).toEqual([200, 429]);
    const second = await asks();
    expect([await second.managed(), await second.wire()]).toEqual([201, 429]);
    const third = await asks();
    for (let times = 0; times < 3; times++) await third.read();
    expect([await third.read(), await third.wire()], 'whoever only reads takes nothing from the wire').toEqual([429, 200]);
    await small.close();
  });
});
