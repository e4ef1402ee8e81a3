import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement, type Db } from '../kit/db.ts';
import { capturePrinted } from '../testing/captured.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { manageCalls, type ManageCalls } from '../testing/manage-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { enrolUser, linkOf, loadPage, PASSWORD, runUsers, sendForm, type TestUser } from '../testing/user-calls.ts';
import { signIn } from './sign-in.ts';
import { countTry } from './sign-in-tries.ts';
import { emailKeyOf, isName } from './user.ts';

const TRIES = statement('test.tries_of_network', `select count(*)::int as rows from sign_in_tries where account like $1`);

let service: TestCaudal;
const printed = capturePrinted();
beforeAll(async () => {
  service = await startTestCaudal();
});
afterAll(() => service.close());

const run = (...words: string[]): Promise<string> => printed.by(() => runUsers(service, ...words));
let users = 0;
const enrol = (): Promise<TestUser> => enrolUser(service, (work) => printed.by(work), `attacked-${++users}@example.com`);
const me = async (token: string): Promise<number> =>
  (await service.app.inject({ method: 'GET', url: '/manage/v1/me', headers: { authorization: `Bearer ${token}` } })).statusCode;

test('who guesses accounts that nobody has fills no table: beyond the limit a network leaves nothing new', async () => {
  const guess = (tries: number): Promise<number | undefined> =>
    service.db.transaction((tx) => countTry(tx, { account: `made-up-${tries}@example.com`, network: '203.0.113.77' }, service.clock.now()));
  const waits: boolean[] = [];
  for (let tries = 0; tries < 60; tries++) waits.push((await guess(tries)) !== undefined);
  expect(waits).toEqual(Array.from({ length: 60 }, (_, tries) => tries >= 50));
  const [kept] = await service.db.query<{ rows: number }>(TRIES, ['made-up-%']);
  expect(kept).toEqual({ rows: 100 });
});

const copyOf = async (token: string): Promise<string> => {
  const reply = await service.app.inject({
    method: 'POST',
    url: '/manage/v1/tokens',
    headers: { authorization: `Bearer ${token}` },
    payload: JSON.stringify({ name: 'Copy', permissions: ['tokens:write'], days: 300 }),
  });
  return reply.json<{ token: string }>().token;
};

test('a token that a stolen token made ends with it, and so does one that this one made', async () => {
  const { token: stolen, id } = JSON.parse(await run('tokens', 'create', '--name', 'Old', '--permissions', 'tokens:write', '--json')) as {
    id: string;
    token: string;
  };
  const child = await copyOf(stolen);
  const grandchild = await copyOf(child);
  expect(await Promise.all([stolen, child, grandchild].map(me))).toEqual([200, 200, 200]);
  await run('tokens', 'revoke', id);
  expect(await Promise.all([stolen, child, grandchild].map(me))).toEqual([401, 401, 401]);
});

test('a token that the service’s side binds to a merchant sees no one-time password', async () => {
  const { merchantId } = await service.merchant();
  const permissions = ['tokens:write', 'cashouts:write'] as const;
  const registerWith = async (maker: ManageCalls, operation: string) => {
    const made = await maker.send('POST', '/tokens', { name: 'Till', permissions, merchant: merchantId, days: 1 });
    const reply = await service.app.inject({
      method: 'POST',
      url: '/manage/v1/cashouts',
      headers: { authorization: `Bearer ${made.body['token']}` },
      payload: JSON.stringify({ merchant: merchantId, operation, amount: { amount: '45000', currency: 'COP' }, document: '1020304050' }),
    });
    return reply.json<{ type?: string; oneTimePassword?: string }>();
  };
  const ofService = await manageCalls(service, { permissions });
  expect(await registerWith(ofService, 'W-1')).toMatchObject({ type: '/docs/problems/password_for_merchant' });
  const ofMerchant = await manageCalls(service, { permissions, merchantId });
  expect(await registerWith(ofMerchant, 'W-2')).toMatchObject({ oneTimePassword: expect.any(String) });
});

test('whatever opens, proves or ends an account’s session, or is refused to, is an act', async () => {
  const { email, cookie, code } = await enrol();
  service.clock.advance({ seconds: 30 });
  await sendForm(service, { act: 'sign-in', email, password: 'a wrong guess', code: '000000' });
  await sendForm(service, { act: 'passkey', passkey: '{}' });
  await sendForm(service, { act: 'prove', code: '000000' }, { cookie });
  await sendForm(service, { act: 'prove', code: code() }, { cookie });
  await sendForm(service, { act: 'sign-out' }, { cookie });
  await sendForm(service, { act: 'password', link: await forgottenLink(email), password: 'a longer sentence than before' });
  const { get } = await manageCalls(service);
  const { items } = (await get(`/audit?limit=200`)).body as unknown as {
    items: { actor: { name: string }; operation: string; outcome: string }[];
  };
  const acts = items
    .filter(({ actor: { name } }) => [email, 'nobody'].includes(name))
    .map(({ operation, outcome }) => [operation, outcome]);
  expect(acts.toReversed()).toEqual([
    ['enrol', 'done'],
    ['signIn', 'done'],
    ['signIn', 'refused:sign_in_refused'],
    ['signIn', 'refused:passkey_refused'],
    ['proveAgain', 'refused:sign_in_refused'],
    ['proveAgain', 'done'],
    ['endSession', 'done'],
    ['choosePassword', 'done'],
  ]);
});

async function forgottenLink(email: string): Promise<string> {
  await sendForm(service, { act: 'forgot', email });
  return eventually(SOON_MS, async () => {
    const mails = await service.messages.list({ limit: 50 });
    const link = linkOf(mails.find(({ content }) => content?.to === email && content.text.includes('new password'))?.content?.text ?? '');
    expect(link).not.toBe('');
    return link;
  });
}

test('a crowd that signs in gets 503 before it reaches the database; orders of merchants are served', async () => {
  const { room } = service.users;
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const inside = Array.from({ length: 100 }, (_, at) => room.admit(`10.0.${at}.0`, () => end).catch(() => undefined));
  const form = { email: 'crowd@example.com', password: 'a wrong guess', code: '000000' };
  const api = { method: 'POST', url: '/manage/v1/sessions', payload: JSON.stringify(form) } as const;
  for (const act of ['sign-in', 'passkey', 'enrol', 'password', 'use-link', 'forgot'])
    expect([act, (await sendForm(service, { act, ...form })).status]).toEqual([act, 503]);
  expect((await service.app.inject(api)).statusCode).toBe(503);
  expect((await (await manageCalls(service)).get('/me')).status).toBe(200);
  resolve();
  await Promise.all(inside);
  expect((await service.app.inject(api)).statusCode).toBe(401);
});

test('one network that signs in has a third of the places; others sign in', async () => {
  const { room } = service.users;
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const inside = Array.from({ length: 100 }, () => room.admit('192.0.2.0', () => end).catch(() => undefined));
  const payload = JSON.stringify({ email: 'crowd@example.com', password: 'a wrong guess', code: '000000' });
  const from = async (remoteAddress: string) =>
    (await service.app.inject({ method: 'POST', url: '/manage/v1/sessions', payload, remoteAddress })).statusCode;
  expect([await from('192.0.2.0'), await from('198.51.100.7')]).toEqual([503, 401]);
  resolve();
  await Promise.all(inside);
});

test('a crowd asks a slow provider 24 questions at a time, and others sign in by a password', async () => {
  const held: ServerResponse[] = [];
  const provider = createServer((request, reply) => {
    if (request.url !== '/.well-known/openid-configuration') return void held.push(reply);
    const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` };
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer, ...endpoints }));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const server = await service.openAnother({ openId: { issuer, clientId: 'caudal', clientSecret: 'a secret', trustsEmails: false } });
  const [state, nonce, verifier] = ['s', 'n', 'v'].map((sign) => sign.repeat(43));
  const headers = { cookie: `__Host-caudal-openid=${state}.${nonce}.${verifier}` };
  const back = async (at: number): Promise<number> =>
    (await server.app.inject({ url: `/console/sign-in/openid?code=made-up&state=${state}`, headers, remoteAddress: `10.0.0.${at}` }))
      .statusCode;
  const crowd = Array.from({ length: 60 }, (_, at) => back(at));
  await eventually(SOON_MS, async () => expect(held.length).toBe(24));
  const form = { act: 'sign-in', email: 'crowd@example.com', password: 'a wrong guess', code: '000000' };
  expect((await sendForm(server, form)).status).toBe(422);
  for (const reply of held) reply.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
  const statuses = await Promise.all(crowd);
  expect([statuses.filter((status) => status === 422).length, statuses.filter((status) => status === 503).length]).toEqual([24, 36]);
  await server.close();
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
});

test('a reset ends the link for a new password too: who reads the mailbox chooses none afterwards', async () => {
  const { email } = await enrol();
  const link = await forgottenLink(email);
  await run('users', 'reset', email);
  expect((await loadPage(service, { url: `/console/sign-in?link=${link}` })).status).toBe(410);
  const subjects = (await service.messages.list({ limit: 2 })).map(({ content }) => content?.mail?.subject);
  expect(new Set(subjects)).toEqual(new Set(['Caudal: your access', 'Caudal: your account was reset']));
});

test('a wrong password costs the database what a wrong code costs, and nothing is committed: their times are alike', async () => {
  const { email } = await enrol();
  const { room } = service.users;
  const tryWith = async (password: string): Promise<readonly string[]> => {
    const seen: string[] = [];
    const db: Db = {
      ...room.db,
      transaction: (work) =>
        room.db
          .transaction((tx) =>
            work({
              ...tx,
              query: (asked, values) => {
                seen.push(asked.name);
                return tx.query(asked, values);
              },
            }),
          )
          .then(
            (done) => (seen.push('commit'), done),
            (error: unknown) => {
              seen.push('rollback');
              throw error;
            },
          ),
    };
    const visitor = { address: '198.51.100.9', browser: '', requestId: 'r' };
    expect(await signIn({ ...room, db }, { email, password, code: '000000' }, visitor)).toMatchObject({ refusal: 'sign_in_refused' });
    return seen;
  };
  const wrongCode = await tryWith(PASSWORD);
  expect(wrongCode.at(-1)).toBe('rollback');
  expect(await tryWith('a wrong guess')).toEqual(wrongCode);
});

const askWith = async (cookies: string): Promise<number> =>
  (await service.app.inject({ url: '/manage/v1/me', headers: { cookie: cookies } })).statusCode;

test.each(['\u00a0', '\u000b', '\ufeff', '\u00a0 '])('a cookie whose name begins with %j is not the session', async (blank) => {
  const { cookie } = await enrol();
  const asked = [`a=b; ${cookie}`, `${blank}${cookie}`, `a=b;${blank}${cookie}`].map(askWith);
  expect(await Promise.all(asked)).toEqual([200, 401, 401]);
});

test.each(['', '\0', 'ñ', 'x'.repeat(2_000)])('%j is no passkey that could be removed', async (passkey) => {
  const { cookie } = await enrol();
  expect((await sendForm(service, { act: 'remove-passkey', passkey }, { cookie })).status).toBe(422);
});

test.each(['Ana\u2028Owner', 'Ana\u202Eresu', 'Ana\nOwner', ' '])('%j is no name: it would show another one', (name) =>
  expect(isName(name)).toBe(false),
);

test('an address with a character that nobody sees is none: it would look like that of somebody else', () => {
  expect(emailKeyOf('ana\u200B@example.com')).toBeUndefined();
  expect(emailKeyOf('Ana@Example.com')).toBe('ana@example.com');
});
