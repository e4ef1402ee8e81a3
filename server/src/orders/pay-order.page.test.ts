import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

let service: TestCaudal;
let shop: OrderCalls;
const open = (url: unknown) => service.app.inject({ method: 'GET', url: String(url).replace('https://pay.example', '') });

beforeAll(async () => {
  service = await startTestCaudal();
  shop = orderCalls(service, await service.merchant({ name: 'Books & <b>More</b>' }));
});
afterAll(() => service.close());

describe('the checkout page', () => {
  test('shows the order and nothing about its payer, and lets no script run', async () => {
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
    });
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; .*frame-ancestors 'none'/);
    expect(page.body).toMatch(/COP\s1,234,567\.50/);
    expect(page.body).toContain('<span>900</span><span>100</span><span>200</span>');
    expect(page.body).toContain('Books &amp; &lt;b&gt;More&lt;/b&gt;');
    expect(page.body).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
    expect(page.body).toContain('Waiting for payment');
    expect(page.body).toContain('November 30, 2026');
    expect(page.body).toContain('<html lang="en">');
    expect(page.body).not.toMatch(/secret@|Hidden|1020304050|<script/);
  });

  test.each([
    ['es', 'Pendiente de pago'],
    ['en', 'Waiting for payment'],
    ['pt', 'Aguardando pagamento'],
  ])('speaks %s', async (language, words) => {
    const { data } = await shop.create({ order: `P-${language}`, language });
    expect((await open(data['checkout'])).body).toContain(words);
  });

  test('shows the stored order: an old link has the new values, and says what became of it', async () => {
    const { data } = await shop.create({ order: 'P-2', expiration: '21/11/2026' });
    await shop.update({ order: 'P-2', amount: '77', expiration: '30/11/2026' });
    service.clock.set('2026-11-23T15:00:00Z'); // the token's own time has run out, the order's has not
    expect((await open(data['checkout'])).body).toMatch(/COP\s77/);
    await shop.cancel('P-2');
    expect((await open(data['checkout'])).body).toContain('Cancelada');
    service.clock.set('2026-11-21T15:00:00Z');
  });

  test('without a good token is a page of its own', async () => {
    for (const url of ['/checkout', '/checkout?token=', '/checkout?token=x', '/checkout?token=a&token=b', '/checkout?token=%zz']) {
      const page = await open(url);
      expect([url, page.statusCode, page.headers['content-type']]).toEqual([url, 404, 'text/html; charset=utf-8']);
      expect(page.body).toContain('Este enlace de pago no es válido');
    }
  });
});
