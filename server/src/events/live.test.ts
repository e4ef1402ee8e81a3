import { afterAll, beforeAll, expect, test } from 'vitest';
import { capturePrinted } from '../testing/captured.ts';
import { manageCalls } from '../testing/manage-calls.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { enrolUser, sendForm, tokenOf } from '../testing/user-calls.ts';

const printed = capturePrinted();

let service: TestCaudal;
let shop: TestMerchant;
let other: TestMerchant;
let origin: string;
beforeAll(async () => {
  service = await startTestCaudal();
  [shop, other] = [await service.merchant(), await service.merchant()];
  origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => service.close());

type Told = { readonly kind: string; readonly merchant: string; readonly id: string; readonly event: string };
type Event = { readonly name: string; readonly id: string; readonly changes: readonly Told[] };

/** Opens a stream, as a program with a token does. */
async function listen(authorization: string, lastEventId?: string, at = origin) {
  return hear({ authorization, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) }, at);
}

async function hear(headers: Record<string, string>, at = origin) {
  const cut = new AbortController();
  const answer = await fetch(`${at}/manage/v1/events`, { headers, signal: cut.signal });
  const reader = (answer.body as NonNullable<typeof answer.body>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  /** The next event that says something. Undefined: the stream has ended. */
  async function next(): Promise<Event | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const { value, done } = await reader.read();
        if (done) return undefined;
        text += value;
        continue;
      }
      const [, name, id, data] = /^event: (.*)\nid: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      // Without a name it is a heartbeat.
      if (name === undefined || id === undefined || data === undefined) continue;
      return { name, id, changes: (JSON.parse(data) as { changes?: readonly Told[] }).changes ?? [] };
    }
  }
  return { next, cut: () => cut.abort() };
}

test('a program hears of its merchant alone, and misses nothing when it comes again at another server', async () => {
  const authorization = await tokenOf(service, ['orders:read'], shop.merchantId);
  const { next, cut } = await listen(authorization);
  expect((await next())?.name).toBe('ready');
  await orderCalls(service, other).create({ order: 'O-1' });
  await orderCalls(service, shop).create({ order: 'S-1' });
  const first = await next();
  expect(first?.changes).toMatchObject([{ kind: 'order', merchant: shop.merchantId, id: 'S-1', event: 'order.created' }]);
  cut();
  await orderCalls(service, shop).cancel('S-1');
  const second = await service.openAnother();
  const resumed = await listen(authorization, first?.id, await second.app.listen({ host: '127.0.0.1', port: 0 }));
  expect((await resumed.next())?.changes).toMatchObject([{ id: 'S-1', event: 'order.cancelled' }]);
  // A server that stops ends its streams: it would wait for them.
  const closed = second.close();
  expect(await resumed.next()).toBeUndefined();
  await closed;
});

test('the first change after its rights ended ends a stream and is not in it: role, state, session, merchant, token, maker', async () => {
  const { send } = await manageCalls(service);
  const enrol = async (name: string, role: 'support' | 'clerk' | 'administrator' = 'support', merchantId?: string) => {
    const { cookie } = await enrolUser(service, (work) => printed.by(work), `${name}@example.com`, role, merchantId);
    const { id } = (await service.app.inject({ url: '/manage/v1/me', headers: { cookie } })).json<{ id: string }>();
    return { cookie, id, change: (change: object) => send('PATCH', `/users/${id}`, change, { 'if-match': '*' }) };
  };
  const makeToken = async (cookie: string): Promise<{ readonly id: string; readonly token: string }> => {
    const payload = JSON.stringify({ name: 'Events', permissions: ['orders:read'], merchant: shop.merchantId, days: 1 });
    const headers = { cookie, host: 'localhost', origin: 'http://localhost' };
    return (await service.app.inject({ method: 'POST', url: '/manage/v1/tokens', headers, payload })).json();
  };
  const [role, state, session] = [await enrol('role'), await enrol('state'), await enrol('session')];
  const merchant = await enrol('merchant', 'clerk', shop.merchantId);
  const maker = await enrol('maker', 'administrator', shop.merchantId);
  const [revoked, madeByMaker] = [await makeToken(maker.cookie), await makeToken(maker.cookie)];
  const streams = await Promise.all([
    ...[role, state, session, merchant].map(({ cookie }) => hear({ cookie })),
    ...[revoked, madeByMaker].map(({ token }) => hear({ authorization: `Bearer ${token}` })),
  ]);
  for (const { next } of streams) expect((await next())?.name).toBe('ready');
  const ended = await Promise.all([
    role.change({ role: 'auditor' }),
    state.change({ state: 'disabled' }),
    sendForm(service, { act: 'sign-out' }, { cookie: session.cookie }),
    merchant.change({ merchant: other.merchantId }),
    send('DELETE', `/tokens/${revoked.id}`),
  ]);
  ended.push(await maker.change({ state: 'disabled' }));
  expect(ended.map(({ status }) => status)).toEqual([200, 200, 303, 200, 200, 200]);
  await orderCalls(service, shop).create({ order: 'S-2' });
  for (const { next } of streams) expect(await next()).toBeUndefined();
});
