import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement } from '../kit/db.ts';
import { capturePrinted } from '../testing/captured.ts';
import { holdRows } from '../testing/held-rows.ts';
import { manageCalls } from '../testing/manage-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { enrolUser, runUsers, tokenOf } from '../testing/user-calls.ts';

const MADE_BY = statement(
  'test.token_made_by',
  'update access_tokens set user_id = (select user_id from users where email = $1) where token_id = $2',
);

const USED_AT = statement('test.token_used_at', 'select last_used_at as "usedAt" from access_tokens where token_id = $1');

let service: TestCaudal;
const printed = capturePrinted();
beforeAll(async () => {
  service = await startTestCaudal();
});
afterAll(() => service.close());

type Me = { readonly id: string; readonly kind: string; readonly merchant: string | null; readonly permissions: readonly string[] };
const me = async (authorization: string): Promise<Me | number> => {
  const reply = await service.app.inject({ method: 'GET', url: '/manage/v1/me', headers: { host: 'localhost', authorization } });
  return reply.statusCode === 200 ? reply.json<Me>() : reply.statusCode;
};
const run = (...words: string[]): Promise<string> => printed.by(() => runUsers(service, ...words));

test('a program signs in with a token until it is revoked or ends; only its hash is kept', async () => {
  const made = JSON.parse(
    await run('tokens', 'create', '--name', 'Books', '--permissions', 'orders:read,ledger:read', '--days', '1', '--json'),
  ) as {
    id: string;
    token: string;
  };
  expect(made.token).toMatch(/^caudal_[\w-]{43}$/);
  expect(await me(`Bearer ${made.token}`)).toMatchObject({
    kind: 'token',
    id: made.id,
    merchant: null,
    permissions: ['orders:read', 'ledger:read'],
  });
  expect(await me(`Bearer ${made.token}x`)).toBe(401);
  expect(await run('tokens', 'list')).toMatch(/Books +all +command line/);
  service.clock.advance({ days: 1 });
  expect(await me(`Bearer ${made.token}`)).toBe(401);
  const other = await tokenOf(service, ['orders:read']);
  const { id } = (await me(other)) as Me;
  expect(await run('tokens', 'revoke', id)).toContain('works no more');
  expect(await me(other)).toBe(401);
});

test('a token whose row another transaction holds signs in at once: only the note of its use is left out', async () => {
  const token = await tokenOf(service, ['orders:read']);
  const { id } = (await me(token)) as Me;
  const before = await service.db.query(USED_AT, [id]);
  service.clock.advance({ minutes: 2 });
  const release = await holdRows(service.url, 'select from access_tokens where token_id = $1 for update', [id]);
  expect(await me(token)).toMatchObject({ id });
  await release();
  expect(await service.db.query(USED_AT, [id])).toEqual(before);
  expect(await me(token)).toMatchObject({ id });
  expect(await service.db.query(USED_AT, [id])).not.toEqual(before);
});

test('a token never may more than its maker may now, and ends with its maker', async () => {
  const { merchantId } = await service.merchant();
  const { email } = await enrolUser(service, (work) => printed.by(work), 'maker@example.com', 'operations');
  const token = await tokenOf(service, ['orders:write', 'cashouts:read', 'ledger:write'], merchantId);
  await service.db.query(MADE_BY, [email, ((await me(token)) as Me).id]);
  expect(await me(token)).toMatchObject({ merchant: merchantId, permissions: ['orders:write', 'cashouts:read'] });
  // The merchant sees the token, and not who of the service made it.
  const madeBy = async (bound: object): Promise<readonly unknown[]> => {
    const calls = await manageCalls(service, { permissions: ['tokens:write'], ...bound });
    const { items } = (await calls.get(`/tokens?merchant=${merchantId}`)).body as unknown as { items: readonly { madeBy: unknown }[] };
    return items.map((one) => one.madeBy).filter((one) => one !== null);
  };
  expect([await madeBy({}), await madeBy({ merchantId })]).toEqual([[email], []]);
  await run('users', 'set-role', email, '--role', 'viewer', '--merchant', merchantId);
  expect(await madeBy({ merchantId })).toEqual([email]);
  expect(await me(token)).toMatchObject({ permissions: ['cashouts:read'] });
  const { merchantId: another } = await service.merchant();
  await run('users', 'set-role', email, '--role', 'viewer', '--merchant', another);
  expect(await me(token)).toBe(401);
  await run('users', 'set-role', email, '--role', 'operations');
  expect(await me(token)).toMatchObject({ permissions: ['orders:write', 'cashouts:read'] });
  await run('users', 'disable', email);
  expect(await me(token)).toBe(401);
});
