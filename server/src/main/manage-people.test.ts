import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement } from '../kit/db.ts';
import { manageCalls, type ManageCalls } from '../testing/manage-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { openPersonalKinds } from './personal-data.ts';

// What the service does for one person who asks, through the management API.

const ANA = { document: '52998877', email: 'ana.perez@example.com' };

let service: TestCaudal;
let shop: TestMerchant;
let owner: ManageCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  shop = await service.merchant();
  owner = await manageCalls(service);
});
afterAll(() => service.close());

const ACTS = statement(
  'test.acts_of_people',
  `select operation, target, outcome, content from acts left join act_details using (act_id)
    where operation in ('exportPerson', 'erasePerson') order by act_id`,
);
type ActRow = { readonly operation: string; readonly target: string | null; readonly outcome: string; readonly content: string | null };

test('a person is exported and erased, users too, each by an act that does not name the person', async () => {
  const order = { merchant: shop.merchantId, order: 'A-1', email: ANA.email, userDocument: ANA.document };
  await owner.send('POST', '/orders', { ...order, amount: { amount: '45000', currency: 'COP' } });
  const invitation = { email: 'Ana.Perez@example.com', name: 'Ana Perez', role: 'support', language: 'es', merchant: null };
  const invited = (await owner.send('POST', '/users', invitation)).body as unknown as { user: { id: string } };
  const { id } = invited.user;

  const exported = await owner.send('POST', '/people/export', ANA);
  expect(exported).toMatchObject({
    status: 200,
    body: { person: ANA, orders: [{ orderId: 'A-1' }], cashouts: [], users: [{ name: 'Ana Perez', sessions: [], tokens: [] }] },
  });
  const open = await owner.send('POST', '/people/erase', ANA);
  const left = [
    { kind: 'orders', merchant: shop.merchantId, id: 'A-1' },
    { kind: 'users', merchant: '', id },
  ];
  expect(open.body['left']).toEqual(expect.arrayContaining(left));

  await owner.send('POST', `/orders/${shop.merchantId}/A-1/cancel`);
  await owner.send('PATCH', `/users/${id}`, { state: 'disabled' }, { 'if-match': '*' });
  const erased = await owner.send('POST', '/people/erase', ANA);
  expect(erased.body).toMatchObject({ pseudonym: expect.stringMatching(/^erased-/), erased: { orders: 1, users: 1 }, left: [] });
  expect((await owner.send('POST', '/people/erase', ANA)).body).toEqual({ pseudonym: null, erased: {}, left: [] });
  expect(await owner.get(`/users/${id}`)).toMatchObject({ status: 404 });
  const gone = await owner.send('POST', '/people/export', ANA);
  expect(gone.body).toMatchObject({ orders: [], users: [], acts: [] });
  expect(await owner.send('POST', '/users', invitation)).toMatchObject({ status: 201 });

  const acts = await service.db.query<ActRow>(ACTS, []);
  const ofErasure = { operation: 'erasePerson', target: `person ${erased.body['pseudonym'] as unknown as string}`, outcome: 'done' };
  expect(acts.filter(({ target }) => target === ofErasure.target).length).toBeGreaterThanOrEqual(2);
  expect(acts.filter(({ operation, target }) => operation === 'erasePerson' && target === null)).toHaveLength(1);
  expect(acts.filter(({ operation, outcome }) => operation === 'exportPerson' && outcome === 'done')).toHaveLength(2);
  expect(JSON.stringify(acts)).not.toMatch(/52998877|ana\.perez/i);
});

test('nobody is looked for without a document or an address, and by no one of a merchant', async () => {
  for (const person of [{}, { document: ' - ' }, { email: ' ' }])
    expect(await owner.send('POST', '/people/erase', person)).toMatchObject({ status: 422, problem: 'fields_invalid' });
  const bound = await manageCalls(service, { merchantId: shop.merchantId });
  for (const verb of ['export', 'erase'])
    expect(await bound.send('POST', `/people/${verb}`, ANA)).toMatchObject({ status: 403, problem: 'permission_missing' });
});

test('a server looks for one person at a time', async () => {
  const key = { generation: 1, id: 'test', key: Buffer.alloc(32, 1) };
  const openKinds = openPersonalKinds(service, { current: () => key, valid: () => [key] });
  const first = openKinds();
  expect(openKinds()).toBeUndefined();
  await Promise.all([first?.end(), first?.end()]);
  const second = openKinds();
  expect(second).toBeDefined();
  await second?.end();
});
