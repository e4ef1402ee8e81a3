import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manageCalls } from '../testing/manage-calls.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startCaudalForTest, startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

let service: TestCaudal;
let shop: OrderCalls;
const openPage = ({ app }: TestCaudal, url: unknown, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url: String(url).replace('https://pay.example', ''), headers });
const open = (url: unknown, headers?: Record<string, string>, method?: 'GET' | 'HEAD') => openPage(service, url, headers, method);
/** What reads otherwise than it is written. */
const turned = (text: string): string => `\u202e${text}\u202c \u2067x\u2069`;
const spaced = (text: string): string => text.replace(/\s/g, ' ');

beforeAll(async () => {
  service = await startTestCaudal();
  shop = orderCalls(service, await service.merchant({ name: 'Books & <b>More</b>' }));
});
afterAll(() => service.close());

describe('the checkout page', () => {
  test('shows the order and nothing about its payer, and lets no text be a script', async () => {
    const { data } = await shop.create({
      order: 'P-1',
      reference: '900100200',
      amount: '1234567.5',
      description: '<script>alert("x")</script>',
      email: 'secret@example.com',
      user_name: 'Hidden',
      user_di: '1020304050',
      language: 'en',
      expiration: '30/11/2026',
    });
    const page = await open(data['checkout']);
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; script-src 'sha256-[\w+/=]{44}'; connect-src 'self'; .*frame-ancestors 'none'$/,
    );
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    expect(page.body).toContain('<span>$1,234,567.50</span> <small>COP</small>');
    expect(page.body).toContain('<span>900</span><wbr /><span>100</span><wbr /><span>200</span>');
    expect(page.body).toContain('Books &amp; &lt;b&gt;More&lt;/b&gt;');
    expect(page.body).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
    expect(page.body).toContain('Waiting for payment');
    expect(page.body).toContain('November 30, 2026');
    expect(page.body).toContain('9 days left');
    expect(page.body).toContain('<html lang="en">');
    expect(page.body).not.toMatch(/secret@|Hidden|1020304050|<script>alert/);
    expect(Buffer.byteLength(page.body)).toBeLessThan(50_000);
  });

  test.each([
    ['es', 'Pendiente de pago', 'Quedan 9 días'],
    ['en', 'Waiting for payment', '9 days left'],
    ['pt', 'Aguardando pagamento', 'Faltam 9 dias'],
  ])('speaks %s: the order’s language, whatever the browser’s', async (language, ...words) => {
    const { data } = await shop.create({ order: `P-${language}`, language, expiration: '30/11/2026' });
    const { body } = await open(data['checkout'], { 'accept-language': 'fr' });
    for (const text of [`<html lang="${language}">`, ...words]) expect(body).toContain(text);
  });

  test('speaks the merchant’s language where the order has none', async () => {
    const merchant = await service.merchant({ language: 'pt' });
    const { data } = await orderCalls(service, merchant).create({ order: 'P-M' });
    expect((await open(data['checkout'])).body).toContain('<html lang="pt">');
  });

  test('counts the days to the last one in the merchant’s zone', async () => {
    const service = await startCaudalForTest();
    const shop = orderCalls(service, await service.merchant());
    const { data } = await shop.create({ order: 'P-D', expiration: '22/11/2026' });
    service.clock.set('2026-11-22T04:59:59Z'); // The 21st in Bogota.
    expect((await openPage(service, data['checkout'])).body).toContain('Queda 1 día');
    service.clock.set('2026-11-22T05:00:00Z');
    expect((await openPage(service, data['checkout'])).body).toContain('Vence hoy');
    service.clock.set('2026-11-23T05:00:00Z');
    expect((await openPage(service, data['checkout'])).body).toContain('Se podía pagar hasta el 22 de noviembre de 2026');
  });

  test('of an order that was expired by hand says when it really ended', async () => {
    const merchant = await service.merchant();
    const staff = await manageCalls(service, { name: 'console' });
    const { data } = await orderCalls(service, merchant).create({ order: 'P-H', language: 'en', expiration: '30/11/2026' });
    expect(await staff.send('POST', `/orders/${merchant.merchantId}/P-H/expire`)).toMatchObject({ status: 200 });
    const { body } = await open(data['checkout']);
    expect(spaced(body)).toContain('It could be paid through November 21, 2026.');
    expect(spaced(body)).toMatch(/Expired on<\/dt> *<dd>[^<]*November 21, 2026/);
    expect(body).not.toContain('November 30');
  });

  test('shows the stored order: an old link has the new values, and says what became of it', async () => {
    const service = await startCaudalForTest();
    const shop = orderCalls(service, await service.merchant());
    const { data } = await shop.create({ order: 'P-2', expiration: '21/11/2026' });
    await shop.update({ order: 'P-2', amount: '77', expiration: '30/11/2026' });
    service.clock.set('2026-11-23T15:00:00Z'); // the token's own time has run out, the order's has not
    expect(spaced((await openPage(service, data['checkout'])).body)).toContain('<span>$ 77</span> <small>COP</small>');
    await shop.cancel('P-2');
    expect((await openPage(service, data['checkout'])).body).toContain('Cancelada');
  });

  test('asked again it answers 304 without a body until something changes, and then says what', async () => {
    const { data } = await shop.create({ order: 'P-3', amount: '100', description: 'Box', reference: '5000' });
    const link = data['checkout'];
    const { etag = '' } = (await open(link)).headers;
    const same = await open(`${String(link)}&seen=1`, { 'if-none-match': `W/${etag}` });
    expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', etag]);

    await shop.update({ order: 'P-3', amount: '200', description: 'Big box', user_name: 'Ana' });
    await shop.update({ order: 'P-3', amount: '250', reference: '6000' });
    await shop.update({ order: 'P-3', amount: '250', reference: '5000' });
    const news = await open(`${String(link)}&seen=1`, { 'if-none-match': etag });
    expect(news.statusCode).toBe(200);
    const changes = [...spaced(news.body).matchAll(/<del>(.*?)<\/del>.*?<ins>(.*?)<\/ins>/g)].map(([, before, now]) => [before, now]);
    expect(changes).toEqual([
      ['$ 100', '$ 250'],
      ['Box', 'Big box'],
    ]);
    const { body } = await open(link);
    expect(body, 'who has seen no other values sees no change').not.toContain('<del>');
    for (const seen of ['0', '-1', '9', '2x', '99999999999999999999', ''])
      expect((await open(`${String(link)}&seen=${seen}`)).body, seen).not.toContain('<del>');
  });

  test('shows no text in another direction than it was sent in; what is answered stays as sent', async () => {
    await service.network({ name: turned('Giros') });
    const merchant = orderCalls(service, await service.merchant({ name: turned('Tienda') }));
    const { data } = await merchant.create({ order: 'P-7', description: turned('Pan'), method: turned('caja') });
    await merchant.update({ order: 'P-7', description: turned('Torta') });
    const { body } = await open(`${String(data['checkout'])}&seen=1`);
    expect(body).not.toMatch(/\p{Bidi_Control}/u);
    for (const text of ['Giros x', 'Tienda x', '<del>Pan x</del>', '<ins>Torta x</ins>', '<dd>Torta x</dd>', '<dd>caja x</dd>'])
      expect(body).toContain(text);
    expect((await merchant.query('P-7')).data).toMatchObject({ DESCRIPTION: turned('Torta'), PAYMNENT_METHOD: turned('caja') });
  });

  test('bounds how often one order is asked for, and how often one address opens it', async () => {
    const { data } = await shop.create({ order: 'P-4' });
    const asked = await Promise.all(Array.from({ length: 100 }, () => open(`${String(data['checkout'])}&seen=1`)));
    const refused = asked.filter(({ statusCode }) => statusCode === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers['retry-after']).toMatch(/^[1-9]/);
    expect((await open(data['checkout'])).statusCode).toBe(200);
    const opened = await Promise.all(Array.from({ length: 100 }, () => open(data['checkout'])));
    expect(opened.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThan(0);
    const elsewhere = await service.app.inject({
      url: String(data['checkout']).replace('https://pay.example', ''),
      remoteAddress: '192.0.2.7',
    });
    expect(elsewhere.statusCode, 'another address').toBe(200);
  });

  test('HEAD answers as GET does, without a body', async () => {
    const { data } = await shop.create({ order: 'P-5' });
    const head = await open(data['checkout'], {}, 'HEAD');
    const { headers } = await open(data['checkout']);
    expect([head.statusCode, head.body, head.headers.etag, head.headers['content-length']]).toEqual([
      200,
      '',
      headers.etag,
      headers['content-length'],
    ]);
  });

  test('without a good token is a page of its own, in the language of the browser', async () => {
    for (const url of [
      '/checkout',
      '/checkout?token=',
      '/checkout?token=x',
      '/checkout?token=a&token=b',
      '/checkout?token=%zz',
      '/checkout?seen=1',
    ]) {
      const page = await open(url);
      expect([url, page.statusCode, page.headers['content-type']]).toEqual([url, 404, 'text/html; charset=utf-8']);
      expect(page.body).toContain('Este enlace de pago no es válido');
    }
    const titles = ['pt-BR,pt;q=0.9,en;q=0.8', 'fr-FR, en;q=0.5, es;q=0.1', 'de', 'x;q=zz,,;'].map(async (languages) =>
      /<html lang="(..)">[^]*<h1>(.*)<\/h1>/.exec((await open('/checkout', { 'accept-language': languages })).body)?.slice(1),
    );
    expect(await Promise.all(titles)).toEqual([
      ['pt', 'Este link de pagamento não é válido'],
      ['en', 'This payment link is not valid'],
      ['es', 'Este enlace de pago no es válido'],
      ['es', 'Este enlace de pago no es válido'],
    ]);
  });

  test('is counted when its token is wrong, and not without one', async () => {
    const refused: string[] = [];
    const seen = await startCaudalForTest({ onRefused: (reason) => void refused.push(reason) });
    const { data } = await orderCalls(seen, await seen.merchant()).create({ order: 'P-9' });
    const good = String(data['checkout']);
    const otherSignature = good.replace(/.{4}$/, 'AAAA');
    for (const url of [good, '/checkout', '/checkout?token=']) await openPage(seen, url);
    expect(refused).toEqual([]);
    await openPage(seen, otherSignature);
    await seen.app.inject({ method: 'POST', url: otherSignature.replace('https://pay.example', ''), payload: 'version=1' });
    expect(refused).toEqual(['wrong_checkout_token', 'wrong_checkout_token']);
  });
});
