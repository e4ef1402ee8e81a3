import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectionConfig, Unavailable, type Db, type Statement, type Tx } from '../../kit/db.ts';
import type { Order } from '../../orders/index.ts';
import * as fc from '../../testing/fast-check.ts';
import { manageCalls, type ManageCalls } from '../../testing/manage-calls.ts';
import { networkOrderCalls } from '../../testing/network-calls.ts';
import { noisyPng } from '../../testing/noisy-png.ts';
import { startTestCaudal, type TestCaudal } from '../../testing/test-caudal.ts';
import type { PageSurroundings } from '../page-state.ts';
import { openPageLog, type NotePage } from './page-log.ts';

let service: TestCaudal;
let staff: ManageCalls;
let netname: string;
let network: ReturnType<typeof networkOrderCalls>;
const COMPUTER = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
const PHONE = 'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/148.0.0.0 Mobile Safari/537.36';

beforeAll(async () => {
  service = await startTestCaudal();
  const created = await service.network({ name: 'Giros' });
  netname = created.netname;
  network = networkOrderCalls(service, created);
});
afterAll(() => service.close());

/** A page as a payer got it. */
type Captured = {
  readonly version: number;
  readonly seen: number;
  readonly at: string;
  readonly isFirstOfVersion: boolean;
  readonly body: string;
};
type View = { readonly id: number; readonly version: number; readonly seen: number; readonly loads: number } & Record<
  'firstAt' | 'lastAt' | 'device' | 'state' | 'language',
  string
>;

let numbers = 0;

/** A new order of a new merchant, and what may happen to it. */
async function newOrder(terms: object) {
  // The clock moves on: a token has an end.
  staff = await manageCalls(service);
  const { merchantId } = await service.merchant({ name: `Shop ${++numbers}`, language: 'es' });
  const order = `P-${numbers}`;
  const email = 'ana@example.com';
  const { body, text } = await staff.send('POST', '/orders', { merchant: merchantId, order, email, amount: pesos(45_000), ...terms });
  expect(body['version'], text).toBe(1);
  const here = `/orders/${merchantId}/${order}`;
  const link = String(body['checkoutUrl']).replace('https://pay.example', '');
  const change = (path: string, sent?: object) => staff.send('POST', `${here}${path}`, sent, { 'if-match': '*' });
  const read = async () => (await staff.get(here)).body as unknown as { amount: { amount: string }; serviceOrderId: string };
  let transaction = 'T-0';
  const refunded = (of: number, to: 'pay' | 'fail', sent: object) =>
    staff.send('POST', `/refunds/${merchantId}/${order}.${of}/${to}`, sent);
  return {
    here,
    link,
    open: (more = '', agent = PHONE) => service.app.inject({ url: `${link}${more}`, headers: { 'user-agent': agent } }),
    views: async (): Promise<readonly View[]> => {
      await service.runJobs();
      const all: View[] = [];
      for (let cursor = ''; ;) {
        const { items, next } = (await staff.get(`${here}/page-views?limit=7${cursor}`)).body as unknown as {
          items: View[];
          next: string | null;
        };
        all.push(...items);
        if (next === null) return all;
        cursor = `&cursor=${encodeURIComponent(next)}`;
      }
    },
    update: (patch: object) => staff.send('PATCH', here, patch, { 'if-match': '*' }),
    pay: async () => {
      const { amount, serviceOrderId } = await read();
      transaction = `T-${++numbers}`;
      return network.pay(serviceOrderId, transaction, amount.amount);
    },
    lastTransaction: () => transaction,
    payTooLittle: async () => network.pay((await read()).serviceOrderId, `T-${++numbers}`, '1.00'),
    reverse: async () => network.reverse((await read()).serviceOrderId, transaction),
    refund: (amount: number) => change('/refunds', { amount: pesos(amount), refundedBy: 'operator', reason: 'Broken heel' }),
    becomes: (of: number, to: 'pay' | 'fail', sent: object) => refunded(of, to, sent),
    give: () => change('/void', { reason: 'The payer asked for it.', refundedBy: 'network' }),
    cancel: () => change('/cancel'),
    expire: () => change('/expire'),
    setBrand: (patch: object) => staff.send('PATCH', `/merchants/${merchantId}/brand`, patch),
    setMerchant: (patch: object) => staff.send('PATCH', `/merchants/${merchantId}`, patch),
  };
}
type AnOrder = Awaited<ReturnType<typeof newOrder>>;

const pesos = (amount: number) => ({ amount: String(amount), currency: 'COP' });
const inDays = (days: number): string => service.clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate().add({ days }).toString();

type Step = { readonly says: string; readonly act: (order: AnOrder) => Promise<unknown> };

/** One thing that happens. What is refused is as good: nothing changes. */
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: 1, max: 4 })
      .map((n) => ({ says: `amount ${n}`, act: (o: AnOrder) => o.update({ amount: pesos(n * 1000) }) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('Box', '<b>Bag</b>', null)
      .map((text) => ({ says: `description ${text}`, act: (o: AnOrder) => o.update({ description: text }) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('es', 'en', 'pt', null)
      .map((language) => ({ says: `language ${language}`, act: (o: AnOrder) => o.update({ language }) })),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map((recurrent) => ({ says: `recurrent ${recurrent}`, act: (o: AnOrder) => o.update({ recurrent }) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 0, max: 9 })
      .map((days) => ({ says: `day ${days}`, act: (o: AnOrder) => o.update({ expiresOn: inDays(days) }) })),
  },
  {
    weight: 1,
    arbitrary: fc.constant({ says: 'dollars', act: (o: AnOrder) => o.update({ amount: { amount: '12.50', currency: 'USD' } }) }),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 80 }).map((hours) => ({ says: `${hours} h`, act: async () => service.clock.advance({ hours }) })),
  },
  { weight: 1, arbitrary: fc.constant({ says: 'jobs', act: () => service.runJobs() }) },
  { weight: 2, arbitrary: fc.constant({ says: 'pay', act: (o: AnOrder) => o.pay() }) },
  { weight: 1, arbitrary: fc.constant({ says: 'pay too little', act: (o: AnOrder) => o.payTooLittle() }) },
  { weight: 1, arbitrary: fc.constant({ says: 'reverse', act: (o: AnOrder) => o.reverse() }) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 3 }).map((n) => ({ says: `refund ${n}`, act: (o: AnOrder) => o.refund(n * 500) })),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 2, max: 8 }).map((n) => ({ says: `refund ${n} is paid`, act: (o: AnOrder) => o.becomes(n, 'pay', {}) })),
  },
  { weight: 1, arbitrary: fc.constant({ says: 'void', act: (o: AnOrder) => o.give() }) },
  { weight: 1, arbitrary: fc.constant({ says: 'cancel', act: (o: AnOrder) => o.cancel() }) },
  { weight: 1, arbitrary: fc.constant({ says: 'expire', act: (o: AnOrder) => o.expire() }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('Sol', 'Luna', 'Mar')
      .map((name) => ({ says: `name ${name}`, act: (o: AnOrder) => o.setMerchant({ name }) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(null, noisyPng(500).toString('base64'), noisyPng(900).toString('base64'))
      .map((logo) => ({ says: `logo ${logo?.length}`, act: (o: AnOrder) => o.setBrand({ logo, colour: logo && '#9a3412' }) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('es', 'en', 'pt')
      .map((language) => ({ says: `speaks ${language}`, act: (o: AnOrder) => o.setMerchant({ language }) })),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 3 }).map((fee) => ({
      says: `fee ${fee}`,
      act: () => staff.send('PATCH', `/networks/${netname}/brand`, { fees: [pesos(fee * 500)], hours: `mon-sat 0${fee}:00-20:00` }),
    })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('disable', 'enable')
      .map((verb) => ({ says: `network ${verb}`, act: () => staff.send('POST', `/networks/${netname}/${verb}`) })),
  },
);
const history = fc.record({
  terms: fc.record({ language: fc.constantFrom('es', 'en', null), recurrent: fc.boolean() }),
  steps: fc.array(fc.record({ step, seen: fc.option(fc.integer({ min: 1, max: 6 })) }), { minLength: 3, maxLength: 14 }),
});

type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

/** Random histories alone may all end in one way. */
const endingBy = (says: string, act: Step['act']): [History] => [
  { terms: { language: null, recurrent: false }, steps: [{ step: { says, act }, seen: null }] },
];

const versionOf = (body: string): number => Number(/data-version="(\d+)"/.exec(body)?.[1]);

/** Opens the page after each step, afresh and as an open page asks for what has changed. */
async function live(order: AnOrder, steps: readonly { readonly step: Step; readonly seen: number | null }[]) {
  const captured: Captured[] = [];
  const capture = async (asked: number | null): Promise<void> => {
    const { body, statusCode } = await order.open(asked === null ? '' : `&seen=${asked}`);
    expect(statusCode).toBe(200);
    const version = versionOf(body);
    const isFirstOfVersion = !captured.some((one) => one.version === version);
    captured.push({ version, seen: Math.min(asked ?? version, version), at: service.clock.now().toString(), isFirstOfVersion, body });
  };
  await capture(null);
  for (const { step: one, seen } of steps) {
    service.clock.advance({ seconds: 7 });
    await one.act(order);
    await capture(null);
    if (seen !== null) await capture(seen);
  }
  return captured;
}

/** A line of a page: how much goes back. */
const fact = (name: string, amount: string): RegExp => new RegExp(`<dt>${name}</dt> <dd>\\$ ${amount}</dd>`);

describe('the page of a version', () => {
  test('that a payment ended is the receipt of that payment, not of an earlier one', async () => {
    const order = await newOrder({ recurrent: true });
    await order.pay();
    const earlier = order.lastTransaction();
    await order.update({ recurrent: false });
    await order.pay();
    const { text } = await staff.get(`${order.here}/page?version=4`);
    expect([earlier, order.lastTransaction()].map((id) => text.includes(`>${id}<`))).toEqual([false, true]);
  });

  test('of a paid order says how much goes back to the payer and how much has, and neither why nor what failed', async () => {
    const order = await newOrder({ language: 'es' });
    await order.pay();
    await order.refund(10_000); // version 3, and so its id
    const shown = async (): Promise<string> => (await order.open()).body.replace(/\s+/g, ' ');
    expect(await shown()).toMatch(fact('Por devolver', '10\\.000'));
    await order.refund(5000);
    await order.becomes(3, 'pay', {});
    await order.becomes(4, 'fail', { reason: 'No such account' });
    await order.refund(250);
    const page = await shown();
    expect(page).toMatch(fact('Devuelto', '10\\.000'));
    expect(page).toMatch(fact('Por devolver', '250'));
    expect(page).not.toMatch(/>\$ 5\.000<|Broken|account|en revisión/);
    // A page of an earlier version has what was so then.
    const { text: earlier } = await staff.get(`${order.here}/page?version=4`);
    expect(earlier.replace(/\s+/g, ' ')).toMatch(fact('Por devolver', '15\\.000'));
    for (const [language, paid, promised] of [
      ['en', 'Paid back', 'To be paid back'],
      ['pt', 'Devolvido', 'A devolver'],
    ] as const) {
      const other = await newOrder({ language });
      await other.pay();
      await other.refund(100);
      await other.becomes(3, 'pay', {});
      await other.refund(100);
      const { body: text } = await other.open();
      expect([text.includes(paid), text.includes(promised)]).toEqual([true, true]);
    }
    await order.give();
    await order.becomes(7, 'pay', {});
    await order.give();
    expect(await shown()).toMatch(/El pago se devolvió/);
  });

  test('is, byte for byte, the page that payers got while the version was current', async () => {
    const seenStates = new Set<string>();
    await fc.assert(
      fc.asyncProperty(history, async ({ terms, steps }) => {
        const order = await newOrder(terms);
        const captured = await live(order, steps);
        const views = await order.views();
        expect(
          views.reduce((sum, { loads }) => sum + loads, 0),
          'each load is in the log',
        ).toBe(captured.length);
        const served = await Promise.all(
          views.map(async (view) => ({ ...view, body: (await staff.get(`${order.here}/page?view=${view.id}`)).text })),
        );
        for (const { state } of views) seenStates.add(state);
        for (const { version, seen, at, isFirstOfVersion, body } of captured) {
          const same = served.filter((one) => one.version === version && one.seen === seen && one.firstAt <= at && at <= one.lastAt);
          expect(same.map((one) => one.body)).toContain(body);
          if (isFirstOfVersion) {
            const page = await staff.get(`${order.here}/page?version=${version}`);
            expect([page.headers['page-names'], page.text]).toEqual(['served', body]);
          }
        }
      }),
      { numRuns: 8, examples: [endingBy('pay', (order) => order.pay()), endingBy('cancel', (order) => order.cancel())] },
    );
    expect(seenStates.size, 'histories end in different ways').toBeGreaterThan(2);
  });

  test('that nobody opened is that of the history, with the names of today, and says so', async () => {
    const order = await newOrder({ language: 'en', description: 'Box' });
    await order.update({ amount: pesos(99_000), description: 'Bag' });
    await order.setMerchant({ name: 'Later' });
    await order.open();
    const first = await staff.get(`${order.here}/page?version=1`);
    expect(first.headers['page-names']).toBe('today');
    expect(first.text).toContain('<span>$45,000</span>');
    expect(first.text).toContain('<dd>Box</dd>');
    expect(first.text).not.toContain('Bag');
  });

  test('that an earlier release served, which kept less, shows the rest as of now', async () => {
    const order = await newOrder({ language: 'en' });
    const { body } = await order.open();
    await order.views();
    const owner = new Client(connectionConfig(service.url, null));
    await owner.connect();
    await owner.query(`update page_surroundings set shown = shown - 'brand' - 'networks'`);
    await owner.end();
    await order.setMerchant({ name: 'Later' });
    const page = await staff.get(`${order.here}/page?version=1`);
    expect([page.headers['page-names'], page.text]).toEqual(['served', body]);
  });

  test('does nothing: it has no origin, runs no script, sends no form, and the console alone may frame it', async () => {
    const order = await newOrder({});
    const { headers, text } = await staff.get(`${order.here}/page?version=1`);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    });
    expect(headers['content-security-policy']).toMatch(
      /^sandbox; default-src 'none'; style-src 'sha256-[\w+/=]{44}'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'$/,
    );
    expect(text).toContain('<!doctype html>');
  });

  test('is found by one of version and view, of this very order', async () => {
    const [order, other] = [await newOrder({}), await newOrder({})];
    await other.open();
    const [view] = await other.views();
    const asked = ['', '?version=1&view=1', '?version=0', '?version=2', `?view=${view?.id}`, '?view=999999999'];
    const answers = await Promise.all(asked.map(async (query) => (await staff.get(`${order.here}/page${query}`)).status));
    expect(answers).toEqual([422, 422, 422, 404, 404, 404]);
    expect((await staff.get(`${other.here}/page?view=${view?.id}`)).status).toBe(200);
  });
});

describe('the log of pages', () => {
  test('says which version was served when, how often and to what kind of device; an unchanged page does not count', async () => {
    const order = await newOrder({ language: 'pt' });
    const at = service.clock.now();
    const { headers } = await order.open();
    for (const agent of [PHONE, COMPUTER, 'WhatsApp/2.26', '']) await order.open('', agent);
    const again = { url: order.link, headers: { 'if-none-match': String(headers.etag), 'user-agent': PHONE } };
    expect((await service.app.inject(again)).statusCode).toBe(304);
    expect((await service.app.inject({ method: 'HEAD', url: order.link })).statusCode).toBe(200);
    service.clock.advance({ seconds: 30 });
    await order.update({ amount: pesos(1_000) });
    await order.open('&seen=1');
    const views = await order.views();
    const shared = { version: 1, seen: 1, state: 'pending', daysLeft: 30, language: 'pt', firstAt: at.toString(), lastAt: at.toString() };
    expect(views.toSorted((one, other) => one.id - other.id)).toMatchObject([
      { ...shared, device: 'computer', loads: 1 },
      { ...shared, device: 'phone', loads: 2 },
      { ...shared, device: 'program', loads: 2 },
      { version: 2, seen: 1, device: 'phone', loads: 1, firstAt: at.add({ seconds: 30 }).toString() },
    ]);
  });

  test('forgets a page when its time is over, and not before', async () => {
    const order = await newOrder({});
    await order.open();
    const left = async () => {
      staff = await manageCalls(service);
      return (await order.views()).length;
    };
    expect(await left()).toBe(1);
    service.clock.advance({ days: 399 });
    expect(await left()).toBe(1);
    service.clock.advance({ days: 2 });
    expect(await left()).toBe(0);
  });

  test('keeps in memory what the database does not take, up to a bound', async () => {
    const written: number[] = [];
    let isAway = true;
    const send = (_: Statement, values: readonly unknown[]): unknown => written.push(...((values[12] ?? []) as number[]));
    const transaction = async (work: (tx: Tx) => Promise<void>): Promise<void> => {
      if (isAway) throw new Unavailable('away');
      await work({ send } as unknown as Tx);
    };
    const { note, job, close } = openPageLog({ db: { transaction } as unknown as Db, log: service.log });
    for (let number = 0; number < 10_050; number++) note(noted(`P-${number}`), PHONE);
    await expect(job.step()).rejects.toThrow(Unavailable);
    note(noted('P-0'), PHONE);
    isAway = false;
    await close();
    expect([written.length, written.filter((loads) => loads === 2).length]).toEqual([10_000, 1]);
    expect(await job.step(), 'all is written').toBe(false);
  });
});

/** A page of an order, as the log notes it. */
const noted = (orderId: string): Parameters<NotePage>[0] => {
  const order = { merchantId: 'shop', orderId, version: 1 } as Order;
  const moment = { state: 'pending', language: 'es', daysLeft: 1, etag: '"1-pending-1-es"' } as const;
  return { order, at: service.clock.now(), seenVersion: 1, surroundings: { merchantName: 'Shop' } as PageSurroundings, ...moment };
};
