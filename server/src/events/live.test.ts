import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../testing/test-caudal.ts';
import { tokenOf } from '../testing/user-calls.ts';

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
  const cut = new AbortController();
  const headers = { authorization, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
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
