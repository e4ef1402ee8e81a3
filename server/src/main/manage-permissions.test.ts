import { afterAll, describe, expect, test } from 'vitest';
import { ALL_ROLES, ROLES, type ManagementOperation } from '../manage/index.ts';
import { sampleRequest, type Shape } from '../testing/sample-requests.ts';
import { onlyReached, serveAlone } from '../testing/served-management.ts';
import { managementOperations } from './manage.ts';

// Every operation of the management API × every role × the own and another merchant, made of the declarations. No operation runs:
// each answers that it was reached.

const operations = managementOperations;
const served = serveAlone(onlyReached(operations), {});
afterAll(() => served.app.close());

const OWN = 'own-shop';
const OTHER = 'other-shop';

const namesMerchant = ({ path, query, body }: ManagementOperation<never>): boolean =>
  [path, query, body].some((schema) => schema?.properties['merchant'] !== undefined);

/** The name of the answer: the problem, which is `reached` where the operation ran. */
async function ask(operation: ManagementOperation<never>, merchant: string, headers: object): Promise<string> {
  const request = sampleRequest(operation, merchant);
  const answer = await served.app.inject({ ...request, headers: { ...request.headers, ...headers } });
  return `${answer.statusCode} ${answer.json<{ type: string }>().type.replace('/docs/problems/', '')}`;
}

describe.each(operations.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
  const { permission, scope } = operation;

  test('is for nobody who is not signed in, unless it says so', async () => {
    expect(await ask(operation, OWN, {})).toBe(permission === 'anyone' ? '409 reached' : '401 not_signed_in');
  });

  test.each(ALL_ROLES)('%s: reaches what its permissions and its merchant allow, and nothing else', async (role) => {
    const { side, permissions } = ROLES[role];
    const isBound = side === 'merchant';
    const headers = served.signIn({ role, permissions, merchantId: isBound ? OWN : undefined });
    const isOpen = permission === 'anyone';
    const may = isOpen || permission === 'signed-in' || permissions.has(permission);
    const isAllowed = may && (isOpen || scope !== 'service' || !isBound);
    expect(await ask(operation, OWN, headers)).toBe(isAllowed ? '409 reached' : '403 permission_missing');
    const isForeign = isAllowed && isBound && scope === 'merchant' && namesMerchant(operation);
    expect(await ask(operation, OTHER, headers)).toBe(isForeign ? '404 not_found' : isAllowed ? '409 reached' : '403 permission_missing');
  });

  test('a token with no permissions, or a role without its merchant, reaches nothing', async () => {
    const isFree = permission === 'anyone' || permission === 'signed-in';
    const isService = permission !== 'anyone' && scope === 'service';
    const bare = served.signIn({ kind: 'token', merchantId: OWN });
    expect(await ask(operation, OWN, bare)).toBe(isFree && !isService ? '409 reached' : '403 permission_missing');
    const lost = served.signIn({ role: 'administrator', permissions: ROLES.administrator.permissions });
    expect(await ask(operation, OWN, lost)).toBe(permission === 'anyone' ? '409 reached' : '403 permission_missing');
  });

  test('a sensitive one asks a session to prove its user again, and a write asks for the own origin', async () => {
    const cookie = served.signIn({ role: 'owner', permissions: ROLES.owner.permissions }, { isByCookie: true, isFresh: false });
    const isWrite = !operation.route.startsWith('GET ');
    if (isWrite) expect(await ask(operation, OWN, cookie)).toBe('403 origin_foreign');
    if (isWrite) expect(await ask(operation, OWN, { ...cookie, origin: 'https://evil.example' })).toBe('403 origin_foreign');
    const own = await ask(operation, OWN, { ...cookie, host: 'pay.example', origin: 'https://pay.example' });
    expect(own).toBe(operation.stepUp && permission !== 'anyone' ? '403 step_up_required' : '409 reached');
  });
});

/** The places of objects in what a schema describes, however deep, with a value that has an object there. */
function placesOf(schema: Shape): readonly [string, unknown][] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(placesOf);
  // Members of any name.
  if (schema.patternProperties !== undefined) return [];
  if (schema.items !== undefined) return placesOf(schema.items).map(([place, value]) => [`/0${place}`, [value]]);
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    placesOf(property).map(([place, value]): [string, unknown] => [`/${name}${place}`, { [name]: value }]),
  );
  return schema.type === 'object' ? [['', { misspelt: 1 }], ...inner] : inner;
}

const places = operations.flatMap((operation) =>
  operation.body === undefined ? [] : placesOf(operation.body).map((place) => [operation.name, ...place, operation] as const),
);

test.each(places)('%s refuses a member that it does not know in %j of its body', async (_name, place, body, operation) => {
  const request = sampleRequest(operation, OWN);
  const owner = served.signIn({ role: 'owner', permissions: ROLES.owner.permissions });
  const headers = { ...request.headers, ...owner };
  const answer = await served.app.inject({ ...request, headers, payload: JSON.stringify(body) });
  expect(answer.json<{ errors: unknown }>().errors).toContainEqual({ pointer: `${place}/misspelt`, detail: 'is not known' });
});

test('no two operations have the same name or the same route', () => {
  for (const key of ['name', 'route'] as const) {
    const all = operations.map((operation) => operation[key].replaceAll(/\{\w+\}/g, '{}'));
    expect(all.filter((one, index) => all.indexOf(one) !== index)).toEqual([]);
  }
});

/** Why a request that is sent again does no harm, for each POST that keeps no answer under an Idempotency-Key. */
const REPEATABLE: Readonly<Record<string, string>> = {
  'cancelOrder voidOrder expireOrder cancelCashout nullifyCashout unlockCashout simulateCollection resolveRefusedPayments cancelRefund':
    'it is over already',
  'reverseSimulatedPayment reverseSimulatedCollection': 'it is reversed already',
  'moveClock simulatePayment': 'the time and the money of a sandbox are not real',
  'createMerchant createNetwork inviteUser': 'the id or the address is taken',
  'disableMerchant enableMerchant freezeMerchant thawMerchant disableNetwork enableNetwork approveRefund payRefund failRefund':
    'it is so already',
  'rotateFixedHash rotateNoticeHash rotateSigningSecret rotateNetworkSecret': 'two secrets are valid already',
  'topUp moveToFund': 'the reference is taken',
  runSettlement: 'what is in a settlement is free no more',
  'approveSettlements cancelSettlement sendSettlement paySettlement returnSettlement releaseHold recordSettlementResults':
    'it is so already',
  makeSettlementFile: 'what was sent is approved no more',
  'addSettlementRule endSettlementRule': 'its days are taken, or it ends so already',
  'exportPerson erasePerson': 'what is gone is not found',
  'sendTestNotice redeliverNotice redeliverNotices pauseNoticeEndpoint resumeNoticeEndpoint sendNoticeNow sendMessageNow':
    'it waits, or is so already',
  'signIn proveAgain offerCodes renewRecoveryCodes resetUser signOutUser': 'the last one holds',
};

test('a POST that is repeated after a lost answer makes nothing twice: it takes an Idempotency-Key, or says why not', () => {
  const named = new Set(Object.keys(REPEATABLE).flatMap((names) => names.split(' ')));
  const posts = operations.filter(({ route, keepsAnswersAs }) => route.startsWith('POST ') && keepsAnswersAs === undefined);
  expect(posts.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
});
