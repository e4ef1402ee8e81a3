import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caudal } from '../main/rooms.ts';
import { setSigning } from '../merchants/change-merchant.ts';
import type { Ran } from '../testing/captured.ts';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { runCaudal } from '../testing/child-server.ts';
import { eventually, SOON_MS, withinSeconds } from '../testing/deadlines.ts';
import { answering, startNoticeReceiver } from '../testing/notice-receiver.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';

const CLOCK = '/sandbox/v1/clock';

type ClockAnswer = { readonly code: string; readonly text: string; readonly data: { readonly now: string; readonly ahead: string } };

let service: TestCaudal;
/** A second server on the same database. */
let other: Caudal;
beforeAll(async () => {
  service = await startTestCaudal();
  other = await service.openAnother();
});
afterAll(async () => {
  await other.close();
  await service.close();
});

async function move(payload: string | object): Promise<ClockAnswer> {
  const response = await service.app.inject({ method: 'POST', url: CLOCK, payload });
  expect(response.statusCode).toBe(200);
  return response.json<ClockAnswer>();
}
const readClock = async ({ app }: Pick<Caudal, 'app'>): Promise<ClockAnswer['data']> => (await app.inject(CLOCK)).json<ClockAnswer>().data;

/** Headers of a signature that is right in nothing but, perhaps, its time. */
const signed = (seconds: number): Record<string, string> => ({
  'webhook-id': `m-${seconds}`,
  'webhook-timestamp': `${seconds}`,
  'webhook-signature': 'v1,eA==',
});

describe('the clock of the sandbox', () => {
  test('is the machine’s until it is moved', async () => {
    expect(await readClock(service)).toEqual({ now: '2026-11-21T15:00:00.000Z', ahead: 'PT0S' });
  });

  test('is advanced and set for the whole service: here at once, in every other server within a second', async () => {
    const { merchantId, ...secrets } = await service.merchant();
    const [here, there] = [service, { ...service, app: other.app }].map((one) => orderCalls(one, { merchantId, ...secrets }));
    await here!.create({ order: 'A-1', expiration: '22/11/2026' });
    const advanced = await move({ advance: 'P1DT30M' });
    expect(advanced).toEqual({ code: '0000', text: 'OK', data: { now: '2026-11-22T15:30:00.000Z', ahead: 'P1DT30M' } });
    expect((await here!.query('A-1')).data).toMatchObject({ STATE: 'PENDIENTE' });

    expect((await move({ now: '2026-11-23T00:00:00-05:00' })).data.now).toBe('2026-11-23T05:00:00.000Z');
    expect((await here!.query('A-1')).data).toMatchObject({ STATE: 'VENCIDA' });
    await withinSeconds(1, async () => expect((await there!.query('A-1')).data).toMatchObject({ STATE: 'VENCIDA' }));
    service.clock.advance({ minutes: 1 });
    expect((await readClock(other)).now).toBe('2026-11-23T05:01:00.000Z');
  });

  test('shows the same time when a server starts', async () => {
    await move({ advance: 'P1M' });
    const restarted = await service.openAnother();
    expect(await readClock(restarted)).toEqual(await readClock(service));
    await restarted.close();
  });

  test('is what the command line goes by', async () => {
    await move({ advance: 'P2Y' });
    const settings = { DATABASE_URL: service.url, CAUDAL_MASTER_KEY: service.keys.current().key.toString('hex') };
    const networks = (...words: string[]): Promise<Ran> => runCaudal(settings, 'networks', ...words, '--json');
    expect(await networks('create', 'later')).toMatchObject({ stderr: '', exitCode: 0 });
    const [{ createdAt }] = JSON.parse((await networks('list')).stdout) as [{ createdAt: string }];
    expect(Temporal.Instant.from(createdAt).epochMilliseconds).toBeGreaterThan(Date.now() + 2 * 365 * 86_400_000);
  });

  test('is what retries of notices, kept answers, cashouts and signatures go by', async () => {
    const receiver = await startNoticeReceiver();
    const merchant = await service.merchant({ noticeUrl: receiver.url });
    const [orders, cashouts] = [orderCalls(service, merchant), cashoutCalls(service, merchant)];
    await setSigning(service, merchant.merchantId, 'accept');
    const key = { 'idempotency-key': 'clock' };
    await orders.create({ order: 'T-1', reference: '7001' }, key);
    await cashouts.register(cashouts.registration());
    receiver.answer(answering(503));
    await service.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: { reference: '7001' } });
    await service.runJobs();
    await service.runJobs();
    expect([receiver.received.length, receiver.taken.length]).toEqual([1, 0]);

    receiver.answer(answering(200));
    const { now } = (await move({ advance: 'PT1H' })).data;
    await service.runJobs();
    expect(receiver.taken.map(({ body }) => (JSON.parse(body) as { po_id: string }).po_id)).toEqual(['T-1']);
    const seconds = Math.floor(Temporal.Instant.from(now).epochMilliseconds / 1000);
    await eventually(SOON_MS, async () => expect((await merchant.read()).signing).toBe('accept'));
    expect((await orders.create({ order: 'T-2' }, signed(seconds - 3600))).text).toContain('webhook-timestamp');
    expect((await orders.create({ order: 'T-2' }, signed(seconds))).text).toContain('webhook-signature');

    expect((await orders.create({ order: 'T-1', reference: '7001' }, key)).headers['idempotency-replayed']).toBe('true');
    await move({ advance: 'P32D' });
    await service.runJobs();
    expect(await orders.create({ order: 'T-1', reference: '7001' }, key)).toMatchObject({ code: '0042' });
    expect(receiver.taken.map(({ body }) => (JSON.parse(body) as { status: string }).status)).toContain('VENCIDA');
    await receiver.close();
  });

  test('moved by many at once, adds up', async () => {
    const before = Temporal.Instant.from((await readClock(service)).now);
    const posts = Array.from({ length: 8 }, (_, index) =>
      [service, other][index % 2]!.app.inject({ method: 'POST', url: CLOCK, payload: { advance: 'PT1H' } }),
    );
    await Promise.all(posts);
    await withinSeconds(1, async () => {
      for (const one of [service, other]) expect(Temporal.Instant.from((await readClock(one)).now)).toEqual(before.add({ hours: 8 }));
    });
  });

  test.each([
    ['{"now":"2020-01-01T00:00:00Z"}', /forward/],
    ['{"advance":"-PT1S"}', /forward/],
    ['{"advance":"P11Y"}', /ten years/],
    ['{"advance":"P999999999Y"}', /ten years/],
    ['{"now":"+275760-09-13T00:00:00Z"}', /ten years/],
    ['{"now":"2027-01-01"}', /The body is/],
    ['{"now":1}', /The body is/],
    ['{"advance":"3 days"}', /The body is/],
    ['{"now":"2030-01-01T00:00:00Z","advance":"P1D"}', /The body is/],
    ['{}', /The body is/],
    ['[]', /The body is/],
    ['', /The body is/],
    ['\u0000', /The body is/],
  ])('refuses %j and stays', async (body, reason) => {
    const before = await readClock(service);
    expect(await move(body)).toMatchObject({ code: '0019', text: expect.stringMatching(reason) as string, data: {} });
    expect(await readClock(service)).toEqual(before);
  });
});
