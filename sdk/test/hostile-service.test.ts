import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNoticeReceiver, type NoticeReceiver } from '../../server/src/testing/notice-receiver.ts';
import { Caudal } from '../src/index.ts';
import { refusalOf } from './failing.ts';

// A service, or what is in front of it, that means harm or is broken.

let service: NoticeReceiver;
let shop: Caudal;
beforeAll(async () => {
  service = await startNoticeReceiver();
  shop = new Caudal({ url: new URL(service.url).origin, merchant: 'demo', fixedHash: 'c0ffee', signingSecret: 'whsec_AAAA', retries: 1 });
});
afterAll(() => service.close());

const terms = { order: 'A-1', email: 'ana@example.com', country: '343', amount: '1', money: 'COP' };
const list = (next: string) => ({ code: '0000', text: 'OK', first: '', previous: '', next, end: '', data: [] });
/** Answers with this from now on. */
const says = (body: object): void => service.answer((_, response) => void response.end(JSON.stringify(body)));
const lastQuery = (): object => Object.fromEntries(new URL(service.received.at(-1)?.path ?? '', service.url).searchParams);

describe('a hostile service', () => {
  test('sends nobody elsewhere', async () => {
    const before = service.received.length;
    for (const status of [301, 302, 303, 307, 308]) {
      service.answer((_, response) => void response.writeHead(status, { location: service.url }).end());
      expect(await refusalOf(shop.orders.create(terms))).toMatchObject({ code: 'unreadable', status });
    }
    expect(service.received.slice(before).map(({ path }) => path)).toEqual(Array(5).fill('/api/v3/porders'));
  });

  test('fills no memory with an answer that is long, or was compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 25, ' '), { level: 1 });
    service.answer((_, response) => void response.writeHead(503, { 'content-encoding': 'gzip' }).end(bomb));
    const before = service.received.length;
    expect(await refusalOf(shop.balance())).toMatchObject({ code: 'unreadable', text: 'the answer does not end' });
    expect(service.received.length).toBe(before + 1);
  });

  test('cannot claim a success without what makes it one', async () => {
    for (const more of [
      {},
      { DATA: 'done' },
      { DATA: null },
      { DATA: {} },
      { DATA: { OrdenID: 'A-1' } },
      { DATA: [null] },
      { data: [null] },
    ]) {
      says({ CODE: '0000', DESC: 'OK', ...more });
      for (const call of [
        () => shop.orders.create(terms),
        () => shop.orders.query('A-1'),
        () => shop.orders.cancel('A-1'),
        () => shop.orders.history('A-1').next(),
        () => shop.cashouts.register({ operation: 'W-1', document: '7', amount: '1', currency: 'COP' }),
        () => shop.cashouts.query({ operation: 'W-1', document: '7' }),
        () => shop.cashouts.resend({ operation: 'W-1', document: '7' }),
        () => shop.balance(),
      ])
        expect(await refusalOf(call()), JSON.stringify(more)).toMatchObject({ code: 'unreadable' });
    }
    says({ ...list(''), data: [{ operation: 'W-1' }] });
    expect(await refusalOf(shop.cashouts.list().next())).toMatchObject({ code: 'unreadable' });
  });

  test.each(['/x?page=1', '/x?page=1&cursor=a', '/x'])('leads no walk in a circle: %s', async (next) => {
    says(list(next));
    expect(await refusalOf(shop.cashouts.list().next())).toMatchObject({ code: 'unreadable', text: 'a page leads back' });
  });

  test('is not waited for where the caller gave up while it answered', async () => {
    const stop = new AbortController();
    const settings = { url: service.url, merchant: 'demo', fixedHash: 'c0ffee' };
    const busy = new Caudal({
      ...settings,
      fetch: () => {
        const answer = new Response('', { status: 503, headers: { 'retry-after': '60' } });
        queueMicrotask(() => stop.abort(new Error('enough')));
        return Promise.resolve(answer);
      },
    });
    await expect(busy.balance({ signal: stop.signal })).rejects.toThrow('enough');
  });
});

test('a place that comes from a web page changes nothing of what is asked for', async () => {
  says(list(''));
  await shop.cashouts.list({ document: '7' }).page('page=2&cursor=c&document=8&status=PAGADO&start=20260101&limit=10');
  expect(lastQuery()).toEqual({ page: '2', cursor: 'c', document: '7', limit: '100', checksum: expect.any(String) as string });
  says({ CODE: '0000', DESC: 'OK', DATA: { OrdenID: 'A-1', HISTORY: [], NEXT: '' } });
  await shop.orders.history('A-1').page('after=3&order=B-2');
  expect(service.received.at(-1)?.path).toMatch(/\/A-1\/history\?after=3&/);
});
