import { setReturnUrl } from '../merchants/change-merchant.ts';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setMerchantBrand, setNetworkBrand } from '../brands/brand-rows.ts';
import { axeFindings, BROWSER_TIMEOUT_MS, closePages, sharedBrowser } from '../testing/browser.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { noisyPng } from '../testing/noisy-png.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

/** For one step of a page: a click, a load, an element that is waited for. */
const STEP_MS = 10_000;
const PHONE = { width: 390, height: 844 };
const SCREENS = [
  { viewport: PHONE, colorScheme: 'light' },
  { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
] as const;

let service: TestCaudal;
let shop: OrderCalls;
let origin: string;
let browser: Browser;
/** The link of an order that could be paid until the day before. */
let expired: string;
/** What a page must never do: break its own policy, fail in its script, or ask anyone but its server. */
let faults: string[];

beforeAll(async () => {
  browser = await sharedBrowser();
  service = await startTestCaudal({ now: '2026-11-20T15:00:00Z' });
  shop = orderCalls(service, await service.merchant({ name: 'Panadería La Espiga' }));
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  expired = await link({ order: 'S-expired', expiration: '20/11/2026' });
  service.clock.set('2026-11-21T15:00:00Z');
  return () => service.close();
}, BROWSER_TIMEOUT_MS);
beforeEach(() => void (faults = []));
afterEach(async () => {
  await closePages(browser);
  expect(faults).toEqual([]);
});

async function open(link: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) faults.push(`asks ${request.url()}`);
  });
  await page.goto(link);
  return page;
}

async function link(fields: Record<string, unknown>): Promise<string> {
  const { data } = await shop.create({ expiration: '30/11/2026', description: 'Torta de 20 porciones', ...fields });
  return String(data['checkout']).replace('https://pay.example', origin);
}

const change = (order: string, amount: string): Promise<unknown> => shop.update({ order, amount, description: 'Torta de 30 porciones' });
const textOf = async (page: Page, selector: string): Promise<string> => (await page.innerText(selector)).replace(/\s+/g, ' ');
const pay = (page: Page): Promise<void> => page.click('#pay');

/** Makes an open page ask for news at once, as it does when a phone is back in a network. */
async function askNow(page: Page): Promise<void> {
  const answered = Promise.any([page.waitForEvent('requestfailed'), page.waitForEvent('requestfinished')]);
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await answered;
}

/** Each state of the page, and what brings it about. */
const STATES: Readonly<Record<string, (order: string) => Promise<Page>>> = {
  pending: async (order) => open(await link({ order, amount: '9888888888888.88', reference: '1234567890123456789012345' })),
  recurrent: async (order) => open(await link({ order, recurrent: true, language: 'pt', description: 'Uma descrição '.repeat(30) })),
  changed: async (order) => {
    const page = await open(await link({ order }));
    await change(order, '52000');
    await askNow(page);
    await page.waitForSelector('.notice');
    return page;
  },
  paid: async (order) => {
    const page = await open(await link({ order }));
    await pay(page);
    await page.waitForSelector('.pill.approved');
    return page;
  },
  cancelled: async (order) => {
    const checkout = await link({ order, language: 'en' });
    await shop.cancel(order);
    return open(checkout);
  },
  voided: async (order) => {
    const checkout = await link({ order, reference: '7000800090' });
    const paid = await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: '{"reference":"7000800090"}' });
    const { Transaccion } = paid.json<{ DATA: { Transaccion: string } }>().DATA;
    await service.app.inject({ method: 'PATCH', url: `/sandbox/v1/payments/${Transaccion}` });
    const page = await open(checkout);
    await page.waitForSelector('.pill.voided');
    return page;
  },
  expired: () => open(expired),
  'without an order': () => open(`${origin}/checkout?token=x`),
};

/** Names what does not fit: anything beyond the screen, and an amount or a button on two lines. */
const badFits = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const linesOf = (element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getClientRects().length;
    };
    const broken = [...document.querySelectorAll('.amount span, footer .button')].filter((element) => linesOf(element) > 1);
    const isTooWide = document.documentElement.scrollWidth > innerWidth;
    return [...(isTooWide ? ['wider than the screen'] : []), ...broken.map(({ textContent }) => textContent)];
  })()`);

/** What a text of somebody else could have made of itself. */
const ODD = `[
  ...[...document.querySelectorAll('*')].flatMap(({ attributes }) => [...attributes]).filter(({ name }) => name.startsWith('on')),
  ...[...document.querySelectorAll('script')].filter(({ text }) => text.includes('alert(1)')),
  ...document.querySelectorAll('svg[onload]'),
].map(({ name, outerHTML }) => name ?? outerHTML).concat(document.documentElement.textContent.match(/\\p{Bidi_Control}/gu) ?? [])`;

describe('the checkout page in a browser', () => {
  test.each(Object.entries(STATES))(
    '%s: accessible, on a phone in light and on a desktop in dark, and nothing is cut off',
    async (state, bring) => {
      const page = await bring(`S-${state.replaceAll(' ', '-')}`);
      for (const { viewport, colorScheme } of SCREENS) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        expect(await axeFindings(page), colorScheme).toEqual([]);
        expect(await badFits(page), `${viewport.width} px`).toEqual([]);
      }
      // The narrowest phone, and a desktop at 400 % of its size.
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await badFits(page), '320 px').toEqual([]);
    },
  );

  test('texts of others are texts on page, receipt and mails, fit a phone, and turn nothing', async () => {
    const names = [`<script>alert(1)</script>'"--></style></title><svg/onload=alert(1)>a\u202Emoc`, 'W'.repeat(100)];
    for (const [index, name] of names.entries()) {
      const merchant = await service.merchant({ name });
      const calls = orderCalls(service, merchant);
      const { data } = await calls.create({ order: 'H-1', description: name, expiration: '30/11/2026' });
      const page = await open(String(data['checkout']).replace('https://pay.example', origin));
      page.on('dialog', (dialog) => faults.push(`dialog ${dialog.message()}`));
      const look = async (where: string): Promise<void> => {
        expect(await badFits(page), `${where} ${index}`).toEqual([]);
        expect(await page.evaluate(ODD), `${where} ${index}`).toEqual([]);
        expect(await textOf(page, 'body')).toContain(name.replace('\u202E', ' '));
      };
      await look('page');
      await pay(page);
      await page.waitForSelector('.pill.approved');
      await look('receipt');
      const mails = (await service.messages.list({ limit: 2 })).map(({ content }) => content?.mail?.html ?? '');
      expect(mails).toHaveLength(2);
      for (const mail of mails) {
        // Without the policy of the inbox: a mail program may have none.
        await page.goto('about:blank');
        await page.setContent(mail);
        await look('mail');
      }
    }
  });

  test.each([768, 1440])('has no blank below the codes on a screen of %i px', async (width) => {
    const page = await open(await link({ order: `D-${width}` }), { viewport: { width, height: 900 } });
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).boundingBox();
      if (box === null) throw new Error(`${selector} is not shown`);
      return { ...box, bottom: box.y + box.height };
    };
    const [codes, column, steps] = [await boxOf('.reference > div'), await boxOf('.reference'), await boxOf('.steps')];
    expect(column.bottom - codes.bottom).toBeLessThan(48);
    expect(Math.abs(column.bottom - steps.bottom)).toBeLessThan(2);
  });

  test('shows within two seconds what the merchant changed, until it is acknowledged, and pays nothing meanwhile', async () => {
    const page = await open(await link({ order: 'U-1', amount: '45000' }));
    await change('U-1', '52000');
    const changed = performance.now();
    await page.waitForSelector('.notice');
    expect(performance.now() - changed).toBeLessThan(2_000);
    expect(await textOf(page, '.notice')).toMatch(/Valor .*\$ 45\.000 .*→ .*\$ 52\.000/);
    expect(await textOf(page, '.notice')).toMatch(/Concepto .*20 porciones .*→ .*30 porciones/);
    expect(await textOf(page, '.amount')).toBe('$ 52.000 COP');
    expect(await page.title()).toContain('52.000');
    expect(await page.isDisabled('#pay')).toBe(true);

    await change('U-1', '60000');
    await askNow(page);
    await page.waitForSelector('ins:text("60.000")');
    expect(await textOf(page, '.notice'), 'it goes on from what the payer knows').toMatch(/\$ 45\.000 .*→ .*\$ 60\.000/);
    await page.click('#acknowledge');
    expect(await page.locator('.notice').count()).toBe(0);
    expect(await page.isDisabled('#pay')).toBe(false);

    await change('U-1', '61000');
    await askNow(page);
    await page.waitForSelector('.notice');
    expect(await textOf(page, '.notice')).toMatch(/\$ 60\.000 .*→ .*\$ 61\.000/);
  });

  test('shows within two seconds that the order was paid elsewhere, and asks no more often than it should', async () => {
    const checkout = await link({ order: 'U-2' });
    const [watching, paying] = [await open(checkout), await open(checkout)];
    const asked: string[] = [];
    watching.on('response', (response) => void asked.push(`${response.status()}`));
    await pay(paying);
    const paid = performance.now();
    await watching.waitForSelector('.pill.approved');
    expect(performance.now() - paid).toBeLessThan(2_000);
    expect(await watching.getAttribute('#state', 'role')).toBe('status');
    expect(await textOf(watching, 'h1')).toBe('Pagado a Panadería La Espiga');
    expect(asked.length).toBeLessThanOrEqual(2);
  });

  test('paid elsewhere while it shows a change, it shows the payment in place of the change', async () => {
    const checkout = await link({ order: 'U-7', amount: '45000' });
    const watching = await open(checkout);
    await change('U-7', '52000');
    await watching.waitForSelector('.notice');
    expect(await textOf(watching, '.notice')).toContain('antes de pagar');
    const spoken = watching.locator('.notice li:first-child :is(b, del, ins, .spoken)');
    expect((await spoken.allTextContents()).join('')).toBe('Valor: antes $\u00a045.000, ahora $\u00a052.000');
    await pay(await open(checkout));
    await watching.waitForSelector('.pill.approved');
    // The tick and the heading say it to who sees them, and this to who hears the page.
    expect((await watching.locator('.pill.approved').boundingBox())?.width).toBe(1);
    expect(await watching.locator('.facts .groups span').allTextContents()).toEqual([
      expect.stringMatching(/^\d{4}$/),
      expect.anything(),
      expect.anything(),
    ]);
    expect(await watching.locator('.notice').count()).toBe(0);
    expect(await textOf(watching, '.amount')).toBe('$ 52.000 COP');
    expect(await watching.isVisible('.success')).toBe(true);
  });

  test('says when it lost its connection, and when it has it again', async () => {
    const page = await open(await link({ order: 'U-3' }));
    await page.context().setOffline(true);
    await askNow(page);
    await askNow(page);
    await page.waitForSelector('#connection:has-text("Sin conexión")');
    await page.context().setOffline(false);
    await askNow(page);
    await page.waitForSelector('#connection:empty', { state: 'attached' });
  });

  test('a change covers a small part of a phone', async () => {
    const page = await open(await link({ order: 'U-8', amount: '45000' }));
    await change('U-8', '52000');
    await askNow(page);
    await page.waitForSelector('.notice');
    expect((await page.locator('.notice').boundingBox())?.height).toBeLessThan(PHONE.height / 4);
  });

  test('what is now comes behind what was before, though that is written from the right', async () => {
    const url = await link({ order: 'S-right', description: '\u05d0\u05d1' });
    await shop.update({ order: 'S-right', description: '12 tortas' });
    const page = await open(`${url}&seen=1`);
    await page.locator('ins').waitFor();
    const lefts = await page.evaluate(`['del', 'ins'].map((one) => document.querySelector(one).getBoundingClientRect().left)`);
    expect(lefts).toEqual((lefts as number[]).toSorted((one, other) => one - other));
  });

  test('shares the link without what was seen; where there is no sharing it copies it', async () => {
    const checkout = await link({ order: 'U-9' });
    const page = await open(`${checkout}&seen=1`, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.click('#share');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(checkout);
    await page.evaluate('navigator.share = async (what) => void (window.shared = what)');
    await page.click('#share');
    expect(await page.evaluate('shared.url')).toBe(checkout);
  });

  test('copies the reference, which can also be selected as it is', async () => {
    const page = await open(await link({ order: 'U-4', reference: '900100200300' }), {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.click('#copy');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('900100200300');
    expect(await page.innerText('#said')).toBe('Referencia copiada');
    await page.click('#reference');
    expect(await page.evaluate('String(getSelection())')).toBe('900100200300');
  });

  test('without JavaScript it shows all, pays, and asks again when the order has changed since', async () => {
    const page = await open(await link({ order: 'N-1', amount: '45000' }), { javaScriptEnabled: false });
    expect(await textOf(page, '.digits')).toMatch(/^[\d ]+$/);
    expect(await page.locator('svg.qr').count()).toBe(1);
    expect(await page.locator('svg.bars').count()).toBe(1);
    expect(await page.isVisible('#copy')).toBe(false);
    await change('N-1', '52000');
    const [answer] = await Promise.all([page.waitForResponse((response) => response.request().method() === 'POST'), pay(page)]);
    expect(answer.status()).toBe(409);
    expect(await textOf(page, '.notice')).toMatch(/\$ 45\.000 .*→ .*\$ 52\.000/);
    expect((await shop.query('N-1')).data['STATE'], 'nothing was paid').toBe('PENDIENTE');
    await pay(page);
    await page.waitForSelector('.pill.approved');
    expect(await textOf(page, '.amount')).toBe('$ 52.000 COP');
    expect((await shop.query('N-1')).data).toMatchObject({ STATE: 'APROBADA', AMOUNT: '52000.00' });
  });

  test('without JavaScript a link asks whether there is news', async () => {
    const page = await open(await link({ order: 'N-2' }), { javaScriptEnabled: false });
    await change('N-2', '70000');
    await page.click('footer a');
    expect(await textOf(page, '.notice')).toContain('$ 70.000');
    await page.click('#acknowledge');
    expect(await page.locator('.notice').count()).toBe(0);
  });

  test('is one request of less than 60 KB, with a logo of the largest size', async () => {
    const bakery = await service.merchant({ name: 'Horno' });
    await setMerchantBrand(service, bakery.merchantId, { logo: noisyPng(8_000), colour: '#9a3412', contact: 'ayuda@horno.example' });
    await setNetworkBrand(service, (await service.network({ name: 'Giros' })).netname, {
      logo: noisyPng(3_000),
      hours: 'mon-sun 00:00-24:00',
    });
    const { data } = await orderCalls(service, bakery).create({
      order: 'B-1',
      reference: '1234567890123456789099999',
      description: 'ñ'.repeat(500),
    });
    const checkout = String(data['checkout']).replace('https://pay.example', origin);
    const context = await browser.newContext({ viewport: PHONE });
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MS);
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) =>
      sizes.push(request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize)),
    );
    await page.goto(checkout, { waitUntil: 'networkidle' });
    expect(await page.locator('img.mark').count()).toBe(2);
    const [first = 0, ...polls] = await Promise.all(sizes);
    expect(first).toBeLessThan(60_000);
    for (const poll of polls) expect(poll).toBeLessThan(2_000);
  });

  test('leads back to the shop after a payment, at the end of a countdown', async () => {
    const bakery = await service.merchant();
    await setReturnUrl({ db: service.db, isSandbox: true }, bakery.merchantId, `${origin}/docs`);
    await eventually(SOON_MS, async () => expect((await bakery.read()).returnUrl).not.toBeNull());
    const { data } = await orderCalls(service, bakery).create({ order: 'B-3', redirect_timeout: '1500' });
    const page = await open(String(data['checkout']).replace('https://pay.example', origin));
    await pay(page);
    expect(await textOf(page, '[data-return]')).toMatch(/en [12] s$/);
    await page.waitForURL(`${origin}/docs`);
  });

  test('a paid order is printed as a receipt, on one sheet', async () => {
    const page = await open(await link({ order: 'B-4', reference: '7000800091' }));
    await pay(page);
    await page.waitForSelector('.pill.approved');
    await page.emulateMedia({ media: 'print' });
    expect(await textOf(page, 'main')).toMatch(/45\.000 COP.*Torta de 20 porciones.*B-4.*7000800091/);
    expect(await page.isVisible('footer .button')).toBe(false);
    const sheet = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(sheet.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  });

  test('prints on one sheet, without what only a screen can do', async () => {
    const page = await open(await link({ order: 'B-2' }));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const selector of ['.reference', '.qr', '.steps', '.amount']) expect(await page.isVisible(selector), selector).toBe(true);
    for (const selector of ['.simulate', '#copy', '.updates', '[data-print]']) expect(await page.isVisible(selector), selector).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    const sheet = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(sheet.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  });
});
