import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networkOrderCalls } from '../testing/network-calls.ts';
import { orderCalls, type OrderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { sourceInWords } from './receipt.ts';
import { CHECKOUT_WORDS } from './words.ts';

let service: TestCaudal;
let shop: OrderCalls;

beforeAll(async () => {
  service = await startTestCaudal();
  shop = orderCalls(service, await service.merchant());
});
afterAll(() => service.close());

const pathOf = (checkout: unknown): string => String(checkout).replace('https://pay.example', '');
const create = async (order: string, fields: Record<string, unknown> = {}): Promise<string> =>
  pathOf((await shop.create({ order, amount: '45000', ...fields })).data['checkout']);
const post = (url: string, payload: string, app = service.app) =>
  app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
const form = (version: number, amount = '45000.0', money = 'COP'): string => `version=${version}&money=${money}&amount=${amount}`;
const stateOf = async (order: string): Promise<unknown> => (await shop.query(order)).data['STATE'];
const payments = async (order: string): Promise<number> =>
  ((await shop.history(order)).data['HISTORY'] as unknown as { OPERATION: string }[]).filter(({ OPERATION }) => OPERATION === 'PAGADA')
    .length;

describe('a simulated payment', () => {
  test('pays what was shown and leads back to the page; sent twice it is one payment', async () => {
    const path = await create('S-1');
    const answers = await Promise.all([post(path, form(1)), post(path, form(1))]);
    for (const { statusCode, headers } of [...answers, await post(path, form(1))]) {
      expect([statusCode, headers.location]).toEqual([303, `${path.replace('/checkout', '')}&seen=1`]);
    }
    expect([await stateOf('S-1'), await payments('S-1')]).toEqual(['APROBADA', 1]);
    expect((await service.app.inject(path)).body).toContain('Pagada');
  });

  test('of an order that has changed meanwhile is not made: the page shows what changed, and the new amount can be paid', async () => {
    const path = await create('S-2');
    await shop.update({ order: 'S-2', amount: '52000' });
    for (const stale of [form(1), form(1, '52000'), form(2), form(2, '52000', 'USD'), form(9, '52000')]) {
      const page = await post(path, stale);
      expect([stale, page.statusCode]).toEqual([stale, 409]);
    }
    expect((await post(path, form(1))).body.replace(/\s/g, ' ')).toMatch(/<del>\$ 45\.000<\/del>.*<ins>\$ 52\.000<\/ins>/);
    expect(await stateOf('S-2')).toBe('PENDIENTE');
    expect((await post(path, form(2, '52000'))).statusCode).toBe(303);
  });

  test('is made where only fields changed that a payer does not see', async () => {
    const path = await create('S-3');
    await shop.update({ order: 'S-3', amount: '45000', user_name: 'Ana', email: 'other@example.com' });
    expect((await post(path, form(1))).statusCode).toBe(303);
    expect(await stateOf('S-3')).toBe('APROBADA');
  });

  test('races an update: it is paid at the amount that was shown, or not at all', async () => {
    for (let round = 0; round < 10; round++) {
      const order = `S-4-${round}`;
      const path = await create(order);
      const [paid] = await Promise.all([post(path, form(1)), shop.update({ order, amount: '52000' })]);
      const { STATE, AMOUNT } = (await shop.query(order)).data as Record<string, unknown>;
      expect([paid.statusCode, STATE, AMOUNT]).toEqual(
        paid.statusCode === 303 ? [303, 'APROBADA', '45000.00'] : [409, 'PENDIENTE', '52000.00'],
      );
    }
  });

  test('of an order that is not open shows what became of it', async () => {
    const path = await create('S-5');
    await shop.cancel('S-5');
    const page = await post(path, form(1));
    expect([page.statusCode, page.body.includes('Cancelada')]).toEqual([409, true]);
  });

  test('of a recurrent order leaves it open and is shown on the page', async () => {
    const path = await create('S-6', { recurrent: true });
    const { headers } = await post(path, form(1));
    const page = await service.app.inject(`/checkout${String(headers.location)}`);
    expect(page.body).toContain('Se registró un pago');
    expect(page.body).toContain('Pendiente de pago');
    await post(path, form(1));
    expect(await payments('S-6'), 'the form of the first payment, sent again, is the first payment').toBe(1);
    await post(path, form(2));
    expect(await payments('S-6')).toBe(2);
  });

  test('needs a form that carries what was shown', async () => {
    const path = await create('S-7');
    for (const body of ['', 'x', '{}', 'version=1', 'version=1&money=COP&amount=-1', 'version=1&version=1', '%zz', '\u00ff', form(0)]) {
      const page = await post(path, body);
      expect([body, page.statusCode, page.headers['content-type']]).toEqual([body, 409, 'text/html; charset=utf-8']);
    }
    expect(await stateOf('S-7')).toBe('PENDIENTE');
    expect((await post('/checkout?token=x', form(1))).statusCode).toBe(404);
  });

  test('does not exist in production, nor does its form', async () => {
    const production = await startTestCaudal({ config: { mode: 'production' } });
    const calls = orderCalls(production, await production.merchant());
    const path = pathOf((await calls.create({ order: 'S-8' })).data['checkout']);
    const page = await production.app.inject(path);
    expect([page.statusCode, page.body.includes('<form')]).toEqual([200, false]);
    expect(page.headers['content-security-policy']).toContain("form-action 'none'");
    expect((await post(path, form(1), production.app)).statusCode).toBe(405);
    await production.close();
  });
});

/** What the page lists, as a payer reads it. */
const factsOf = async (path: string): Promise<Record<string, string>> => {
  const { body } = await service.app.inject(path);
  const facts = [...body.matchAll(/<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/g)];
  // Without the marks of the groups of a reference.
  return Object.fromEntries(facts.map(([, name = '', value = '']) => [name, value.replace(/<[^>]*>/g, '').replace(/\s/g, ' ')]));
};

describe('the page of a paid order is a receipt', () => {
  test('of a network’s payment: when, by whom, under which id; still so after it was given back', async () => {
    const { netname, secret } = await service.network({ name: 'Giros <El Sol>' });
    const network = networkOrderCalls(service, { netname, secret });
    const { data } = await shop.create({ order: 'SHOPS-NUMBER', amount: '45000', reference: '700100200' });
    const path = pathOf(data['checkout']);
    expect(await factsOf(path), 'not before it is paid').not.toHaveProperty('Recibido por');
    await network.pay(data['SVordenID'], 'T.4711-a');
    const receipt = {
      'Pagada el': '21 de noviembre de 2026 a las 10:00 a. m.',
      'Recibido por': 'Giros &lt;El Sol&gt;',
      'Número del pago': 'T.4711-a',
    };
    expect(await factsOf(path)).toMatchObject({ ...receipt, 'Referencia de pago': '700100200' });
    expect((await service.app.inject(path)).body).toContain('<dd>SHOPS-NUMBER</dd>');

    service.clock.advance({ seconds: 40 });
    await network.reverse(data['SVordenID'], 'T.4711-a');
    expect(await factsOf(path)).toMatchObject({ ...receipt, 'Anulada el': '21 de noviembre de 2026 a las 10:00 a. m.' });
  });

  test.each([
    ['es', 'Número del pago', 'Recibido por', 'Entorno de pruebas (pago simulado)'],
    ['en', 'Payment number', 'Received by', 'Test environment (simulated payment)'],
    ['pt', 'Número do pagamento', 'Recebido por', 'Ambiente de testes (pagamento simulado)'],
  ] as const)('in %s, of a simulated payment, and of one that the operator recorded', async (language, id, receivedBy, simulated) => {
    const { data } = await shop.create({ order: `S-R-${language}`, amount: '45000', language });
    const path = pathOf(data['checkout']);
    await post(path, form(1));
    expect(await factsOf(path)).toMatchObject({ [id]: `${String(data['SVordenID'])}-1`, [receivedBy]: simulated });
    expect(sourceInWords('operator', CHECKOUT_WORDS[language].receipt)).toMatch(/servicio|service|serviço/);
  });
});
