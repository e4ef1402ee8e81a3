import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capturePrinted } from '../../testing/captured.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import { enrolUser, PASSWORD, runUsers, tokenOf, type TestUser } from '../../testing/user-calls.ts';
import type { Role } from '../../manage/index.ts';

let service: TestCaudal;
const printed = capturePrinted();
beforeAll(async () => {
  service = await startTestCaudal();
});
afterAll(() => service.close());

type Answer = { readonly status: number; readonly body: Record<string, unknown>; readonly headers: Record<string, unknown> };
type Who = { readonly cookie?: string; readonly authorization?: string; readonly etag?: string };

async function call(route: string, { cookie, authorization, etag }: Who = {}, body?: object): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const reply = await service.app.inject({
    method: method as 'GET',
    url: `/manage/v1${path}`,
    remoteAddress: '198.51.100.7',
    headers: {
      host: 'localhost',
      ...(cookie === undefined ? {} : { cookie, origin: 'http://localhost' }),
      ...(authorization === undefined ? {} : { authorization }),
      ...(etag === undefined ? {} : { 'if-match': etag }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return { status: reply.statusCode, body: reply.body === '' ? {} : reply.json<Record<string, unknown>>(), headers: reply.headers };
}

let users = 0;
const enrol = (role?: Role, merchantId?: string): Promise<TestUser> =>
  enrolUser(service, (work) => printed.by(work), `person-${++users}@example.com`, role, merchantId);
const idOf = async (cookie: string): Promise<string> => (await call('GET /me', { cookie })).body['id'] as string;
const problem = ({ status, body }: Answer): readonly [number, string] => [status, String(body['type']).replace('/docs/problems/', '')];
const nextStep = (): void => service.clock.advance({ seconds: 30 });
const newUser = (changes: object) => ({ email: `new-${++users}@example.com`, name: 'New', role: 'support', language: 'en', ...changes });

describe('a session of the API', () => {
  test('is opened by password and code, in a cookie of this host alone, and ends by itself or everywhere', async () => {
    const { email, code, cookie: first } = await enrol();
    expect(problem(await call('POST /sessions', {}, { email, password: PASSWORD, code: '000000' }))).toEqual([401, 'sign_in_refused']);
    nextStep();
    const signedIn = await call('POST /sessions', {}, { email, password: PASSWORD, code: code() });
    const set = [signedIn.headers['set-cookie']].flat()[0] as string;
    expect(set).toMatch(/^__Host-caudal=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const [cookie = ''] = set.split(';');
    const { items } = (await call('GET /sessions', { cookie })).body as { items: { id: string; isThis: boolean; address: string }[] };
    expect(items.map(({ isThis, address }) => [isThis, address])).toEqual([
      [true, '198.51.100.7'],
      [false, '198.51.100.7'],
    ]);
    expect((await call(`DELETE /sessions/${items[1]?.id}`, { cookie })).status).toBe(204);
    expect((await call('GET /me', { cookie: first })).status).toBe(401);
    expect(problem(await call(`DELETE /sessions/${items[1]?.id}`, { cookie }))).toEqual([404, 'not_found']);
    expect((await call('DELETE /sessions', { cookie })).status).toBe(204);
    expect((await call('GET /me', { cookie })).status).toBe(401);
  });

  test('must be proved again after ten minutes, by a new code or the password', async () => {
    const { cookie, code } = await enrol();
    const invite = (): Promise<Answer> => call('POST /users', { cookie }, newUser({}));
    expect((await invite()).status).toBe(201);
    service.clock.advance({ minutes: 10 });
    expect(problem(await invite())).toEqual([403, 'step_up_required']);
    expect(problem(await call('POST /me/step-up', { cookie }, { code: '000000' }))).toEqual([401, 'sign_in_refused']);
    expect(problem(await call('POST /me/step-up', { cookie }, { password: 'another password' }))).toEqual([401, 'sign_in_refused']);
    const used = code();
    expect((await call('POST /me/step-up', { cookie }, { code: used })).status).toBe(204);
    expect((await call('POST /me/step-up', { cookie }, { code: used })).status).toBe(401);
    expect((await invite()).status).toBe(201);
    service.clock.advance({ minutes: 10 });
    expect((await call('POST /me/step-up', { cookie }, { password: PASSWORD })).status).toBe(204);
    expect((await invite()).status).toBe(201);
  });
});

describe('an own account', () => {
  test('gets another password: other sessions end, this one stays; easy ones are refused', async () => {
    const { email, cookie, code } = await enrol();
    nextStep();
    const other = await call('POST /sessions', {}, { email, password: PASSWORD, code: code() });
    const [otherCookie = ''] = ([other.headers['set-cookie']].flat()[0] as string).split(';');
    expect(problem(await call('PUT /me/password', { cookie }, { password: 'password1234' }))).toEqual([422, 'password_refused']);
    expect((await call('PUT /me/password', { cookie }, { password: 'seven brown foxes at dawn' })).status).toBe(204);
    expect((await call('GET /me', { cookie: otherCookie })).status).toBe(401);
    expect((await call('GET /me', { cookie })).status).toBe(200);
    expect((await service.messages.list({ limit: 1 }))[0]?.content).toMatchObject({
      to: email,
      mail: { subject: 'Caudal: your password changed' },
    });
  });

  test('gets new recovery codes, and the earlier ones end; a token has no account', async () => {
    const { email, cookie, recoveryCodes } = await enrol();
    const renewed = await call('POST /me/recovery-codes', { cookie });
    const [code = ''] = renewed.body['recoveryCodes'] as string[];
    expect((await call('POST /sessions', {}, { email, password: PASSWORD, code: recoveryCodes[0] })).status).toBe(401);
    expect((await call('POST /sessions', {}, { email, password: PASSWORD, code })).status).toBe(201);
    expect(problem(await call('POST /me/recovery-codes', { authorization: await tokenOf(service, ['users:write']) }))).toEqual([
      403,
      'not_a_user',
    ]);
  });

  test('is nothing that a token has: its passwords are refused before one is hashed', async () => {
    const authorization = await tokenOf(service, ['orders:read']);
    const change = () => call('PUT /me/password', { authorization }, { password: 'seven brown foxes at dawn' });
    const answers = await Promise.all(Array.from({ length: 30 }, change));
    expect(new Set(answers.map((answer) => problem(answer).join(' ')))).toEqual(new Set(['403 not_a_user']));
  });
});

describe('who may give what', () => {
  test('an administrator invites and sees users of the own merchant alone; others do not exist', async () => {
    const [own, other] = [await service.merchant(), await service.merchant()];
    const { cookie } = await enrol('administrator', own.merchantId);
    const stranger = await idOf((await enrol('clerk', other.merchantId)).cookie);
    const invited = await call('POST /users', { cookie }, newUser({ role: 'clerk' }));
    expect([invited.status, invited.body['user']]).toMatchObject([201, { role: 'clerk', merchant: own.merchantId, state: 'invited' }]);
    for (const [body, refusal] of [
      [{ role: 'support' }, [422, 'role_takes_no_merchant']],
      [{ role: 'support', merchant: null }, [422, 'role_takes_no_merchant']],
      [{ role: 'clerk', merchant: other.merchantId }, [404, 'not_found']],
    ] as const)
      expect(problem(await call('POST /users', { cookie }, newUser(body)))).toEqual(refusal);
    const { items } = (await call('GET /users', { cookie })).body as { items: { merchant: string }[] };
    expect(new Set(items.map(({ merchant }) => merchant))).toEqual(new Set([own.merchantId]));
    for (const route of ['GET /users/X', 'POST /users/X/reset', 'POST /users/X/sign-out', 'PATCH /users/X']) {
      const answers = [stranger, '0123456789abcdef'].map((id) =>
        call(route.replace('X', id), { cookie, etag: '*' }, route.startsWith('PATCH') ? { name: 'X' } : undefined),
      );
      const [known, unknown] = (await Promise.all(answers)).map(({ status, body }) => ({ status, body: { ...body, instance: '' } }));
      expect([route, known]).toEqual([route, unknown]);
      expect(known?.status).toBe(404);
    }
  });

  test('an administrator learns of no account elsewhere: each answer about such an address is that of a free one', async () => {
    const own = await service.merchant();
    const { cookie } = await enrol('administrator', own.merchantId);
    const owner = await enrol();
    const elsewhere = (await enrol('clerk', (await service.merchant()).merchantId)).email;
    await call('POST /users', { cookie }, newUser({ email: 'z-last@example.com', role: 'clerk' }));
    const free = `${'x'.repeat(elsewhere.indexOf('@'))}@example.com`;
    const asks = async (email: string): Promise<{ readonly id: string; readonly answers: readonly string[] }> => {
      const body = { ...newUser({ role: 'clerk' }), email: email.toUpperCase() };
      const invited = await call('POST /users', { cookie }, body);
      const { id } = invited.body['user'] as { id: string };
      const who = { cookie, etag: '*' };
      const answers = [
        invited,
        await call('POST /users', { cookie }, body),
        await call(`GET /users/${id}`, { cookie }),
        await call(`GET /users?email=${email}`, { cookie }),
        await call('GET /users?state=invited&limit=1', { cookie }),
        await call(`POST /users/${id}/reset`, { cookie }),
        await call(`PATCH /users/${id}`, who, { state: 'disabled' }),
        await call(`PATCH /users/${id}`, who, { state: 'active' }),
        await call(`POST /users/${id}/reset`, { cookie }),
        await call(`POST /users/${id}/sign-out`, { cookie }),
      ];
      const mask = (text: string): string => text.replaceAll(id, 'ID').replaceAll(new RegExp(email, 'gi'), 'EMAIL');
      const plain = answers.map(({ status, body: { instance, next, ...shown }, headers }) => {
        const lengths = [instance === undefined, (next as string | null | undefined)?.length, headers['content-length']];
        return mask(JSON.stringify([status, shown, headers['etag'], ...lengths]));
      });
      return { id, answers: plain };
    };
    const known = await asks(elsewhere);
    // The list of invited users then begins with the other one.
    const setState = (state: string) => call(`PATCH /users/${known.id}`, { cookie, etag: '*' }, { state });
    await setState('disabled');
    const unknown = await asks(free);
    await setState('active');
    expect(known.answers).toEqual(unknown.answers);
    // The owner of the address hears of it. Nobody has the link, and the account elsewhere signs in as before.
    const mails = (await service.messages.list({ limit: 10 })).map(({ content }) => content as { to: string; mail: { subject: string } });
    const subjects = mails.filter(({ to }) => to === elsewhere.toUpperCase()).map(({ mail }) => mail.subject);
    expect(subjects).toContain('Caudal: an invitation of your address');
    expect(subjects).not.toContain('Caudal: your access');
    expect(problem(await call(`POST /users/${known.id}/reset`, { cookie: owner.cookie }))).toEqual([409, 'user_exists']);
    expect(problem(await call('POST /users', { cookie: owner.cookie }, newUser({ email: elsewhere })))).toEqual([409, 'user_exists']);
  });

  test('reads in the mail who invites and to which service; of a program only the service is named', async () => {
    const owner = await enrol();
    const named = await service.openAnother({ operatorName: 'Pagos del Sur' });
    const newest = async () => (await named.messages.list({ limit: 1 }))[0]?.content;
    await call('POST /users', { cookie: owner.cookie }, newUser({}));
    expect(await newest()).toMatchObject({
      text: expect.stringContaining(`${owner.email} has given you access to Pagos del Sur. Open the link`) as string,
      mail: { subject: 'Pagos del Sur: your access' },
    });
    await printed.by(() => runUsers(service, 'users', 'invite', 'pia@example.com', '--role', 'support', '--language', 'pt'));
    expect((await newest())?.text).toContain('Você tem acesso a Pagos del Sur. Abra o link');
  });

  test('of two administrators who invite one free address at the same time, both succeed', async () => {
    const one = await enrol('administrator', (await service.merchant()).merchantId);
    const both = [one, await enrol('administrator', (await service.merchant()).merchantId)];
    const body = newUser({ role: 'clerk' });
    const answers = await Promise.all(both.map(({ cookie }) => call('POST /users', { cookie }, body)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });

  test('a token invites nobody with a permission that it lacks, and makes no token that may more or lives longer', async () => {
    const authorization = await tokenOf(service, ['users:write', 'tokens:write', 'orders:read']);
    expect(problem(await call('POST /users', { authorization }, newUser({ role: 'owner' })))).toEqual([403, 'role_not_yours']);
    const make = (permissions: string[]): Promise<Answer> =>
      call('POST /tokens', { authorization }, { name: 'Child', permissions, days: 300 });
    expect(problem(await make(['orders:write']))).toEqual([403, 'permission_not_yours']);
    const child = await make(['orders:read']);
    expect(
      Temporal.Instant.from(child.body['endsAt'] as string)
        .since(service.clock.now())
        .total('days'),
    ).toBe(30);
    expect((await call('GET /me', { authorization: `Bearer ${String(child.body['token'])}` })).body['permissions']).toEqual([
      'orders:read',
    ]);
  });

  test('the last owner keeps the role, also when two owners remove each other at the same time', async () => {
    const text = await printed.by(() => runUsers(service, 'users', 'list', '--json'));
    const listed = text.matchAll(/"email":"([^"]+)"[^}]*"role":"owner"/g);
    const [one, two] = [await enrol(), await enrol()];
    for (const [, email = ''] of listed) await runUsers(service, 'users', 'disable', email);
    const [oneId, twoId] = [await idOf(one.cookie), await idOf(two.cookie)];
    const remove = (who: TestUser, id: string): Promise<Answer> =>
      call(`PATCH /users/${id}`, { cookie: who.cookie, etag: '*' }, { role: 'auditor' });
    const answers = await Promise.all([remove(one, twoId), remove(two, oneId)]);
    expect(answers.map((answer) => (answer.status === 200 ? 'done' : problem(answer)[1])).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'done',
      'last_owner',
    ]);
    const left = answers[0]?.status === 200 ? one : two;
    const leftId = answers[0]?.status === 200 ? oneId : twoId;
    expect(problem(await call(`PATCH /users/${leftId}`, { cookie: left.cookie, etag: '*' }, { state: 'disabled' }))).toEqual([
      409,
      'last_owner',
    ]);
    expect(problem(await call(`PATCH /users/${leftId}`, { cookie: left.cookie, etag: '"99"' }, { name: 'Ana' }))).toEqual([
      412,
      'version_mismatch',
    ]);
  });
});

test('an owner who never enrolled is invited again when enabled, and is no last owner', async () => {
  const owner = await enrol();
  const others = (await printed.by(() => runUsers(service, 'users', 'list', '--json'))).matchAll(/"email":"([^"]+)"[^}]*"role":"owner"/g);
  for (const [, email = ''] of others) if (email !== owner.email) await runUsers(service, 'users', 'disable', email);
  const ghost = { email: 'ghost@example.com', name: 'Ghost', role: 'owner', language: 'en' };
  const { id } = (await call('POST /users', owner, ghost)).body['user'] as { id: string };
  const change = (who: string, body: object): Promise<Answer> => call(`PATCH /users/${who}`, { cookie: owner.cookie, etag: '*' }, body);
  expect((await change(id, { state: 'disabled' })).body['state']).toBe('disabled');
  expect((await change(id, { state: 'active' })).body['state']).toBe('invited');
  expect(problem(await change(await idOf(owner.cookie), { role: 'auditor' }))).toEqual([409, 'last_owner']);
});

describe('saved views', () => {
  test('are of their user alone, by name, and name no person', async () => {
    const [ana, beto] = [await enrol('support'), await enrol('support')];
    const view = { name: 'Open orders', address: '/orders?state=pending' };
    const saved = await call('PUT /me/views', ana, view);
    expect([saved.status, saved.body]).toEqual([
      200,
      { ...view, id: expect.any(String) as string, createdAt: expect.any(String) as string },
    ]);
    const again = await call('PUT /me/views', ana, { ...view, address: '/orders?state=expired' });
    expect(again.body['id']).toBe(saved.body['id']);
    expect((await call('GET /me/views', ana)).body).toMatchObject({ views: [{ address: '/orders?state=expired' }] });
    expect((await call('GET /me/views', beto)).body).toEqual({ views: [] });
    const path = `DELETE /me/views/${saved.body['id'] as string}`;
    expect(problem(await call(path, beto))).toEqual([404, 'not_found']);
    const refused = [
      '/orders?email=ana@example.com',
      '/orders?state=pending&document=1',
      '/orders?state=pending?email=1',
      '/orders#document=1',
      '/orders?q=ana%40example.com',
      '/users/ana@example.com',
      '//evil.example',
      'https://evil.example',
    ];
    for (const address of refused)
      expect(problem(await call('PUT /me/views', ana, { name: 'x', address })), address).toEqual([422, 'fields_invalid']);
    expect((await call(path, ana)).status).toBe(204);
    expect(problem(await call('PUT /me/views', { authorization: await tokenOf(service, ['orders:read']) }, view))).toEqual([
      403,
      'not_a_user',
    ]);
  });

  test('are at most a hundred of a user, also when many are saved at once', async () => {
    const ana = await enrol('support');
    const statuses: number[] = [];
    for (let first = 0; first < 110; first += 11) {
      const saves = Array.from({ length: 11 }, (_, one) => call('PUT /me/views', ana, { name: `view ${first + one}`, address: '/orders' }));
      statuses.push(...(await Promise.all(saves)).map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 200).length).toBe(100);
    expect(statuses.filter((status) => status === 409).length).toBe(10);
    expect((await call('PUT /me/views', ana, { name: 'view 0', address: '/cashouts' })).status).toBe(200);
  });
});
