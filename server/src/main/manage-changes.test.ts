import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statement } from '../kit/db.ts';
import { manageCalls, type ManageCalls } from '../testing/manage-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { ON_OFF_SETTINGS } from '../merchants/on-off-settings.ts';

// What an operator and a merchant's administrator change through the management API, and the act that each change is.

let service: TestCaudal;
let shop: TestMerchant;
let other: TestMerchant;
let owner: ManageCalls;
let administrator: ManageCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  [shop, other] = [await service.merchant(), await service.merchant()];
  owner = await manageCalls(service, { name: 'owner' });
  administrator = await manageCalls(service, {
    name: 'till',
    merchantId: shop.merchantId,
    permissions: ['merchants:read', 'secrets:write', 'notices:send'],
  });
});
afterAll(() => service.close());

type ActRow = { readonly target: string | null; readonly outcome: string; readonly content: string | null };

const ACTS = statement(
  'test.acts_of_operation',
  'select target, outcome, content from acts left join act_details using (act_id) where operation = $1 order by act_id',
);
const actsOf = (operation: string): Promise<readonly ActRow[]> => service.db.query<ActRow>(ACTS, [operation]);
const detailsOf = async (operation: string): Promise<unknown> => JSON.parse((await actsOf(operation)).at(-1)?.content ?? 'null');

const at = (path = ''): string => `/merchants/${shop.merchantId}${path}`;

describe('a merchant', () => {
  test('is created once. Its secrets are shown, and no act holds them', async () => {
    const body = { merchant: 'made-here', country: '343', currencies: ['COP'] };
    const made = await owner.send('POST', '/merchants', body);
    expect(made).toMatchObject({ status: 201, body: { merchant: 'made-here', fixedHash: expect.any(String) } });
    expect(await owner.send('POST', '/merchants', body)).toMatchObject({ status: 409, problem: 'merchant_exists' });
    expect(await owner.send('POST', '/merchants', { ...body, country: '999' })).toMatchObject({ status: 422, problem: 'country_unknown' });
    const acts = await actsOf('createMerchant');
    expect(acts).toMatchObject([
      { target: 'merchant made-here', outcome: 'done' },
      { outcome: 'refused:merchant_exists' },
      { outcome: 'refused:country_unknown' },
    ]);
    expect(JSON.stringify(acts)).not.toContain(made.body['fixedHash']);
  });

  test.each([
    ['PATCH', '', { name: 'Shop', language: 'pt' }, { name: 'Shop', language: 'pt' }, 'updateMerchant', 'name'],
    ['PATCH', '', { contact: 'ana@shop.example' }, { contact: 'ana@shop.example', name: 'Shop' }, 'updateMerchant', 'contact'],
    ['PATCH', '', { contact: null }, { contact: null }, 'updateMerchant', 'contact'],
    ...ON_OFF_SETTINGS.map(
      ([field, { operation, word }]) => ['PUT', `/${word}`, { isOn: true }, { [field]: true }, operation, field] as const,
    ),
    [
      'PUT',
      '/open-amounts',
      { openAmounts: [{ currency: 'COP', least: '1000', most: '500000' }] },
      { openAmounts: [{ currency: 'COP', least: '1000', most: '500000' }] },
      'setOpenAmounts',
      'openAmounts',
    ],
    ['PUT', '/notice-checksum', { noticeChecksum: 'sha512' }, { noticeChecksum: 'sha512' }, 'setNoticeChecksum', 'noticeChecksum'],
    [
      'PUT',
      '/limits',
      { limits: { perSecond: 100, burst: 200, concurrent: 10 } },
      { limits: { perSecond: 100 } },
      'setMerchantLimits',
      'limits',
    ],
    ['PUT', '/limits', { limits: null }, { limits: null }, 'setMerchantLimits', 'limits'],
    ['POST', '/freeze', undefined, { frozenAt: expect.any(String) }, 'freezeMerchant', 'frozenAt'],
    ['POST', '/thaw', undefined, { frozenAt: null }, 'thawMerchant', 'frozenAt'],
    ['POST', '/disable', undefined, { disabledAt: expect.any(String) }, 'disableMerchant', 'disabledAt'],
    ['POST', '/enable', undefined, { disabledAt: null }, 'enableMerchant', 'disabledAt'],
  ] as const)('%s %s %j: is changed, the act says what, and no other side may', async (method, path, body, shown, operation, field) => {
    expect(await owner.send(method, at(path), body)).toMatchObject({ status: 200, body: shown });
    expect(await detailsOf(operation)).toMatchObject({ changes: { [field]: expect.any(Array) } });
    expect(await administrator.send(method, at(path), body)).toMatchObject({ status: 403, problem: 'permission_missing' });
    expect(await owner.send(method, `/merchants/nobody${path}`, body)).toMatchObject({ status: 404, problem: 'not_found' });
  });

  test('is refused what is out of range, member by member', async () => {
    const refused = await owner.send('PUT', at('/limits'), { limits: { perSecond: 0, burst: 1, concurrent: 1, more: 1 } });
    expect(refused).toMatchObject({ status: 422, problem: 'fields_invalid' });
    for (const wrong of [
      [{ currency: 'EUR', least: '1', most: '2' }],
      [{ currency: 'COP', least: '2', most: '1' }],
      [{ currency: 'COP', least: '0', most: '1' }],
      Array.from({ length: 2 }, () => ({ currency: 'COP', least: '1', most: '2' })),
    ])
      expect(await owner.send('PUT', at('/open-amounts'), { openAmounts: wrong })).toMatchObject({
        status: 422,
        problem: 'open_amounts_invalid',
      });
    expect(await owner.send('PATCH', at(), { contact: 'nobody' })).toMatchObject({ status: 422, problem: 'contact_invalid' });
    expect(await owner.send('PATCH', at(), { currencies: ['EUR'] })).toMatchObject({ status: 422, problem: 'currency_not_of_country' });
    expect(await owner.send('PATCH', at(), { country: '348' })).toMatchObject({ body: { errors: [{ pointer: '/country' }] } });
  });

  test('gets a signing secret the first time, and keeps it', async () => {
    const first = await owner.send('PUT', at('/signing'), { signing: 'accept' });
    expect(first).toMatchObject({ status: 200, body: { signing: 'accept', signingSecret: expect.any(String) } });
    expect(await owner.send('PUT', at('/signing'), { signing: 'off' })).toMatchObject({ body: { signing: 'off', signingSecret: null } });
    expect(JSON.stringify(await actsOf('setMerchantSigning'))).not.toContain(first.body['signingSecret']);
  });

  test.each([
    ['rotate-fixed-hash', 'fixedHash', 'rotateFixedHash'],
    ['rotate-notice-hash', 'noticeHash', 'rotateNoticeHash'],
    ['rotate-signing-secret', 'signingSecret', 'rotateSigningSecret'],
  ])('%s: its administrator gets a new one, once, and none of another merchant', async (path, member, operation) => {
    const rotated = await administrator.send('POST', at(`/${path}`), { days: 3 });
    expect(rotated).toMatchObject({ status: 200, body: { merchant: shop.merchantId, previousValidUntil: expect.any(String) } });
    expect(await administrator.send('POST', at(`/${path}`))).toMatchObject({ status: 409, problem: 'rotation_under_way' });
    expect(await administrator.send('POST', `/merchants/${other.merchantId}/${path}`)).toMatchObject({ status: 404, problem: 'not_found' });
    expect(await owner.send('POST', `/merchants/nobody/${path}`)).toMatchObject({ status: 404, problem: 'not_found' });
    const acts = await actsOf(operation);
    expect(acts.map(({ outcome }) => outcome)).toEqual(['done', 'refused:rotation_under_way', 'refused:not_found']);
    expect(JSON.stringify(acts)).not.toContain(rotated.body[member]);
  });

  test('has its notices sent where its administrator says, and to no other merchant’s place', async () => {
    const body = { noticeUrl: 'https://shop.example/new' };
    expect(await administrator.send('PUT', at('/notice-url'), body)).toMatchObject({ status: 200, body });
    expect(await administrator.send('PUT', `/merchants/${other.merchantId}/notice-url`, body)).toMatchObject({ problem: 'not_found' });
    expect(await administrator.send('PUT', at('/notice-url'), { noticeUrl: 'ftp://x' })).toMatchObject({ problem: 'notice_url_invalid' });
    expect(await owner.send('PUT', '/merchants/nobody/notice-url', body)).toMatchObject({ problem: 'not_found' });
    expect((await actsOf('setNoticeUrl')).map(({ outcome }) => outcome)).toEqual([
      'done',
      'refused:notice_url_invalid',
      'refused:not_found',
    ]);
  });
});

test('a network is created, changed and given a new secret, each by an act', async () => {
  const made = await owner.send('POST', '/networks', { netname: 'made-here', countries: ['343'], currencies: ['COP'] });
  expect(made).toMatchObject({ status: 201, body: { netname: 'made-here', secret: expect.any(String) } });
  expect(await owner.send('POST', '/networks', { netname: 'made-here', countries: null })).toMatchObject({ problem: 'network_exists' });
  const changes = [
    ['PUT', '/serves', { countries: null }, { currencies: null }, 'setNetworkServes'],
    ['PUT', '/addresses', { addresses: ['192.0.2.0/24'] }, { addresses: ['192.0.2.0/24'] }, 'setNetworkAddresses'],
    ['PUT', '/limits', { limits: { perSecond: 1, burst: 2, concurrent: 3 } }, { limits: { burst: 2 } }, 'setNetworkLimits'],
    ['PUT', '/signing', { signing: 'checksum' }, { signing: 'checksum' }, 'setNetworkSigning'],
    ['POST', '/disable', undefined, { disabledAt: expect.any(String) }, 'disableNetwork'],
    ['POST', '/enable', undefined, { disabledAt: null }, 'enableNetwork'],
    ['POST', '/rotate-secret', { days: 0 }, { previousValidUntil: null }, 'rotateNetworkSecret'],
  ] as const;
  for (const [method, path, body, shown, operation] of changes) {
    expect(await owner.send(method, `/networks/made-here${path}`, body)).toMatchObject({ status: 200, body: shown });
    expect(await owner.send(method, `/networks/nobody${path}`, body)).toMatchObject({ problem: 'not_found' });
    expect(await actsOf(operation)).toMatchObject([{ outcome: 'done' }, { outcome: 'refused:not_found' }]);
  }
  expect(await owner.send('PUT', '/networks/made-here/addresses', { addresses: ['nowhere'] })).toMatchObject({ problem: 'fields_invalid' });
  expect(await administrator.send('POST', '/networks/made-here/rotate-secret')).toMatchObject({ problem: 'permission_missing' });
});

test('money is added once for each reference, corrected with a reason, and priced, each by an act', async () => {
  const ledger = (path: string): string => `/ledger/${shop.merchantId}/${path}`;
  const top = { amount: { amount: '45000.50', currency: 'COP' }, reference: 'bank-7' };
  const first = await owner.send('POST', ledger('top-ups'), top);
  expect(first).toMatchObject({ status: 200, body: { isRepeated: false } });
  expect(await owner.send('POST', ledger('top-ups'), top)).toMatchObject({
    body: { isRepeated: true, available: first.body['available'] },
  });
  const more = { ...top, amount: { amount: '1', currency: 'COP' } };
  expect(await owner.send('POST', ledger('top-ups'), more)).toMatchObject({ status: 409, problem: 'top_up_differs' });
  const negative = { ...top, amount: { amount: '-1', currency: 'COP' } };
  expect(await owner.send('POST', ledger('top-ups'), negative)).toMatchObject({ status: 422, problem: 'fields_invalid' });
  expect(await owner.send('POST', '/ledger/nobody/top-ups', top)).toMatchObject({ status: 404, problem: 'not_found' });
  const acts = await actsOf('topUp');
  expect(acts.map(({ outcome }) => outcome)).toEqual(['done', 'refused:top_up_differs', 'refused:not_found']);
  expect(acts[0]?.target).toBe(`merchant ${shop.merchantId}`);
  const toppedUp = expect.stringMatching(/^top-up\/bank-7: 45000\.50 COP on available at /) as string;
  expect(JSON.parse(acts[0]?.content ?? 'null')).toEqual({ given: top, changes: { posted: [null, toppedUp] } });

  const adjustment = { account: 'available', amount: { amount: '-0.50', currency: 'COP' }, reason: 'The bank’s fee' };
  const key = { 'idempotency-key': 'bank-fee' };
  const adjusted = await owner.send('POST', ledger('adjustments'), adjustment, key);
  expect(adjusted).toMatchObject({ status: 201, body: { transaction: expect.any(String) } });
  const again = await owner.send('POST', ledger('adjustments'), adjustment, key);
  expect(again).toMatchObject({ status: 201, body: adjusted.body });
  expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true' });
  const small = { ...adjustment, amount: { amount: '-9999999999999.00', currency: 'COP' } };
  for (const replayed of [undefined, 'true']) {
    const refused = await owner.send('POST', ledger('adjustments'), small, { 'idempotency-key': 'too-much' });
    expect(refused).toMatchObject({ status: 409, problem: 'fund_too_small' });
    expect(refused.headers['idempotency-replayed']).toBe(replayed);
  }
  const posted = await owner.get(`/ledger/entries?merchant=${shop.merchantId}&account=available&currency=COP`);
  const kinds = (posted.body as unknown as { items: readonly { kind: string }[] }).items.map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['adjustment', 'top_up', 'top_up']);
  expect(await owner.send('POST', ledger('adjustments'), { ...adjustment, account: 'reserved' })).toMatchObject({
    problem: 'account_not_adjustable',
  });
  const viewer = await manageCalls(service, { merchantId: shop.merchantId, permissions: ['ledger:read'] });
  expect((await viewer.get(ledger('days/2026-11-21'))).body).toMatchObject({
    day: '2026-11-21',
    addsUp: true,
    currencies: [
      {
        lines: [
          { kind: 'adjustment', net: { amount: '-0.50' } },
          { kind: 'top_up', net: { amount: '10000045000.50' } },
        ],
        faults: [],
      },
      { currency: 'USD' },
    ],
  });
  for (const path of ['days/2026-02-30', 'days/yesterday']) expect(await viewer.get(ledger(path))).toMatchObject({ problem: 'not_found' });
  const corrections = await actsOf('adjustAccount');
  expect(corrections.map(({ outcome }) => outcome)).toEqual(['done', 'refused:fund_too_small', 'refused:account_not_adjustable']);
  const { reason, ...given } = adjustment;
  const corrected = expect.stringMatching(/^adjustment\/[-0-9a-f]+: -0\.50 COP on available at .*; The bank’s fee$/) as string;
  expect(JSON.parse(corrections[0]?.content ?? 'null')).toEqual({ reason, given, changes: { posted: [null, corrected] } });

  const fees = { operation: 'order', percent: '2.5', fixed: { amount: '900', currency: 'COP' }, taxPercent: '19' };
  expect(await owner.send('PUT', ledger('fees'), fees)).toMatchObject({ status: 204 });
  expect(await owner.send('PUT', ledger('fees'), { ...fees, percent: '101' })).toMatchObject({
    body: { errors: [{ pointer: '/percent' }] },
  });
  const { body } = await owner.get(ledger('fees'));
  expect(body['fees']).toMatchObject([{ operation: 'order', percent: '2.5', fixed: { amount: '900.00' }, taxPercent: '19' }]);
  expect(await administrator.send('POST', ledger('top-ups'), top)).toMatchObject({ problem: 'permission_missing' });
});

const endpoint = (merchantId: string, verb: string): string => `/notice-endpoints/${merchantId}/${verb}`;

test('an endpoint is paused and resumed, and what was written is sent again. Its own merchant may send again', async () => {
  expect(await owner.send('POST', endpoint(shop.merchantId, 'pause'))).toMatchObject({ status: 204 });
  expect(await owner.send('POST', endpoint(shop.merchantId, 'resume'))).toMatchObject({ body: { wasPaused: true } });
  expect(await administrator.send('POST', endpoint(shop.merchantId, 'resume'))).toMatchObject({ problem: 'permission_missing' });
  expect(await owner.send('POST', endpoint('nobody', 'pause'))).toMatchObject({ status: 404, problem: 'not_found' });
  expect(await actsOf('pauseNoticeEndpoint')).toMatchObject([
    { outcome: 'done', target: `endpoint ${shop.merchantId}` },
    { outcome: 'refused:not_found', target: 'endpoint nobody' },
  ]);
  await owner.send('PATCH', '/merchants/nobody/cashout-limits/COP', { most: '90000' });
  expect(await actsOf('changeCashoutLimits')).toMatchObject([{ outcome: 'refused:not_found', target: 'merchant nobody' }]);

  for (const { merchantId } of [shop, other]) {
    const order = { merchant: merchantId, order: 'N-1', email: 'ana@example.com', amount: { amount: '45000', currency: 'COP' } };
    const { body } = await owner.send('POST', '/orders', order);
    await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: JSON.stringify({ reference: body['reference'] }) });
  }
  const since = { since: '2026-01-01T00:00:00Z' };
  const END = statement('test.end_notices', `update notices set state = 'given_up'`);
  await service.db.query(END, []);
  const { items } = (await owner.get(`/notices?merchant=${other.merchantId}`)).body as unknown as { items: readonly { id: string }[] };
  const foreign = `/notices/${items[0]?.id ?? ''}/redeliver`;
  expect(await administrator.send('POST', foreign)).toMatchObject({ status: 404, problem: 'not_found' });
  expect(await administrator.send('POST', '/notices/redeliver', since)).toMatchObject({ body: { notices: 1 } });
  expect(await owner.send('POST', foreign)).toMatchObject({ status: 204 });
  expect(await owner.send('POST', foreign)).toMatchObject({ status: 409, problem: 'notice_waiting' });
  expect(await actsOf('redeliverNotices')).toMatchObject([{ target: `endpoint ${shop.merchantId}`, outcome: 'done' }]);
});

test('an access token that is asked for twice with one key is made once, and shown once', async () => {
  const asked = { name: 'twice', permissions: ['orders:read'], days: 1 };
  const key = { 'idempotency-key': 'one-token' };
  const made = await owner.send('POST', '/tokens', asked, key);
  expect(made).toMatchObject({ status: 201, body: { token: expect.any(String) } });
  const { token: _shown, ...kept } = made.body;
  expect((await owner.send('POST', '/tokens', asked, key)).body).toEqual(kept);
  expect(await owner.send('POST', '/tokens', { ...asked, days: 2 }, key)).toMatchObject({ status: 422, problem: 'key_reused' });
  expect((await actsOf('createToken')).map(({ outcome }) => outcome)).toEqual(['done', 'refused:key_reused']);
  const { items } = (await owner.get('/tokens')).body as unknown as { items: readonly { name: string }[] };
  expect(items.filter(({ name }) => name === 'twice')).toHaveLength(1);
});

test.each([
  ['merchant', '/merchants/keyed/rotate-fixed-hash', 'rotateFixedHash', ['fixedHash']],
  ['merchant', '/merchants/keyed/rotate-notice-hash', 'rotateNoticeHash', ['noticeHash']],
  ['merchant', '/merchants/keyed/rotate-signing-secret', 'rotateSigningSecret', ['signingSecret']],
  ['network', '/networks/keyed/rotate-secret', 'rotateNetworkSecret', ['secret', 'signingSecret']],
])('a %s: %s that is repeated with its key replaces no second secret, and shows none', async (kind, path, operation, members) => {
  for (const id of ['keyed', 'keyed-too'])
    await owner.send('POST', `/${kind}s`, kind === 'merchant' ? { merchant: id, country: '343' } : { netname: id, countries: null });
  const before = (await actsOf(operation)).length;
  const key = { 'idempotency-key': `once-${operation}` };
  const rotate = (days: number) => owner.send('POST', path, { days }, key);
  const [first, second] = [await rotate(3), await rotate(3)];
  expect([first.status, second.status, second.headers['idempotency-replayed']]).toEqual([200, 200, 'true']);
  const shown = Object.fromEntries(Object.entries(first.body).filter(([name]) => !members.includes(name)));
  expect(Object.keys(first.body).length - Object.keys(shown).length).toBe(members.length);
  expect(second.body).toEqual(shown);
  expect(await rotate(0)).toMatchObject({ status: 422, problem: 'key_reused' });
  expect((await actsOf(operation)).slice(before).map(({ outcome }) => outcome)).toEqual(['done', 'refused:key_reused']);
  const elsewhere = await owner.send('POST', path.replace('keyed', 'keyed-too'), { days: 3 }, key);
  expect(elsewhere, 'the same body for another one').toMatchObject({ status: 422, problem: 'key_reused' });
  const unknown = path.replace('keyed', 'nobody');
  expect(await owner.send('POST', unknown, {}, { 'idempotency-key': 'unknown' })).toMatchObject({ status: 404, problem: 'not_found' });
});

test('money without a reference is added once within an hour, unless it is meant', async () => {
  const path = `/ledger/${other.merchantId}/top-ups`;
  const top = { amount: { amount: '7', currency: 'COP' } };
  expect((await owner.send('POST', path, top)).status).toBe(200);
  expect(await owner.send('POST', path, top)).toMatchObject({ status: 409, problem: 'equal_top_up' });
  expect((await owner.send('POST', path, { ...top, again: true })).status).toBe(200);
  service.clock.advance({ hours: 1, minutes: 1 });
  expect((await owner.send('POST', path, top)).status).toBe(200);
});
