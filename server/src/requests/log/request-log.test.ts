import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpReply, HttpRequest } from '../../kit/http.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import * as fc from '../../testing/fast-check.ts';
import { cashoutCalls } from '../../testing/cashout-calls.ts';
import { manageCalls } from '../../testing/manage-calls.ts';
import { orderCalls } from '../../testing/order-calls.ts';
import { startTestCaudal, testClock, type TestCaudal } from '../../testing/test-caudal.ts';
import type { Operation } from '../operation.ts';
import { MOST, MOST_MERCHANTS, openRequestLog } from './request-log.ts';

let service: TestCaudal;
let other: Awaited<ReturnType<TestCaudal['openAnother']>>;
beforeAll(async () => {
  service = await startTestCaudal();
  other = await service.openAnother();
});
afterAll(async () => {
  await other.close();
  await service.close();
});

test('every server shows what all of them answered to a merchant, and no value but ids', async () => {
  const shop = await service.merchant();
  const [here, there] = [orderCalls(service, shop), orderCalls({ ...service, app: other.app }, shop)];
  const requestId = { 'x-request-id': 'r-1' };
  await here.create({ order: 'A-1', email: 'ana@example.com', amount: '45000' }, requestId);
  await there.update({ order: 'A-1', amount: '46000', user_name: 'Ana' });
  await here.update({ order: 'A-1', amount: '4,6' });
  await there.update({ order: 'A-1', amount: '47000', checksum: 'f'.repeat(128) });
  await cashoutCalls(service, shop).register({ ...cashoutCalls(service, shop).registration({ operation: 'W-1', amount: '99999999999' }) });
  // Nobody has these names, and this is not JSON.
  await here.send('PATCH', JSON.stringify({ ...here.signed({ order: 'A-1' }), merchant: 'nobody' }));
  await here.send('PATCH', '{');
  const read = async (query = '') => (await (await manageCalls(service)).get(`/merchants/${shop.merchantId}/requests${query}`)).body;
  // What nobody has proved is written a moment after its answer.
  await eventually(SOON_MS, async () => expect((await read())['items']).toHaveLength(5));
  const { items, ...counts } = await read();
  expect(counts).toEqual({ processes: 2, heard: 2 });
  const order = { kind: 'order', id: 'A-1' };
  const ok = { refusal: null, code: '0000', status: 200, subject: order, proof: 'checksum' };
  expect(items).toHaveLength(5);
  expect(items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ operation: 'createOrder', ...ok, requestId: 'r-1', at: '2026-11-21T15:00:00.000Z' }),
      expect.objectContaining({ operation: 'updateOrder', ...ok }),
      expect.objectContaining({ operation: 'updateOrder', refusal: 'amount_invalid', subject: order, proof: 'none' }),
      expect.objectContaining({ operation: 'updateOrder', refusal: 'checksum_invalid', subject: order, proof: 'none' }),
      expect.objectContaining({ operation: 'registerCashout', subject: { kind: 'cashout', id: 'W-1' }, proof: 'checksum' }),
    ]),
  );
  expect(JSON.stringify(items)).not.toMatch(/ana|45000|46000|[0-9a-f]{64}/i);
  expect((await read('?refused=true'))['items']).toHaveLength(3);
  const narrow = await manageCalls(service, { permissions: ['merchants:read', 'cashouts:read'], merchantId: shop.merchantId });
  const shown = (await narrow.get(`/merchants/${shop.merchantId}/requests`)).body['items'] as unknown as { subject: unknown }[];
  expect(new Set(shown.map(({ subject }) => JSON.stringify(subject)))).toEqual(new Set(['null', '{"kind":"cashout","id":"W-1"}']));
});

const OPERATIONS = ['Orders', 'Cashouts'].map(
  (tag) => ({ name: tag, tag, refusals: { no: { code: '0001' }, never: { code: '0002' } } }) as unknown as Operation<never>,
);

/** A log, and what writes to it as the service does. */
function openLog() {
  const log = openRequestLog(testClock(), { find: async (id) => (id.startsWith('m') ? ({} as never) : undefined) });
  const writers = OPERATIONS.map((one) => log.writerOf(one));
  const write = (request: {
    merchant: string;
    id: string;
    operation: 0 | 1;
    refusal: number;
    isProved: boolean;
    subject: string;
  }): void => {
    const values = { merchant: request.merchant, order: request.subject, operation: request.subject };
    const caller = request.isProved ? { merchantId: request.merchant, signing: 'off' } : undefined;
    const sent = { id: request.id, headers: {}, noted: { values, caller, refusal: request.refusal } };
    writers[request.operation]?.(sent as unknown as HttpRequest, { elapsedTime: 1.234, statusCode: 200 } as HttpReply);
  };
  return { log, write };
}

test('the last lines of a merchant are as they were written, whatever others and strangers send', async () => {
  const written = fc.record({
    merchant: fc.constantFrom('m1', 'm2', 'stranger'),
    id: fc.string({ unit: fc.constantFrom('a', '-', '9'), minLength: 1, maxLength: 70 }),
    operation: fc.constantFrom<(0 | 1)[]>(0, 1),
    refusal: fc.constantFrom(0, 1, 2),
    isProved: fc.boolean(),
    subject: fc.string({ unit: fc.constantFrom('W', '_', '0'), maxLength: 70 }),
  });
  const requests = fc.array(written, { maxLength: 3 * (MOST.proved + MOST.unproved), size: 'max' });
  await fc.assert(
    fc.asyncProperty(requests, async (sent) => {
      const { log, write } = openLog();
      const honest = sent.filter(({ merchant, isProved }) => merchant !== 'stranger' || !isProved);
      for (const one of honest) write(one);
      await new Promise((resolve) => void setImmediate(resolve));
      expect(log.read('stranger', false)).toEqual([]);
      for (const merchant of ['m1', 'm2']) {
        const own = honest.filter((one) => one.merchant === merchant).toReversed();
        const of = (isProved: boolean) => own.filter((one) => one.isProved === isProved).slice(0, isProved ? MOST.proved : MOST.unproved);
        const lines = [...of(true), ...of(false)].map(({ id, operation, refusal, isProved, subject }) => ({
          at: '2026-11-21T15:00:00.000Z',
          operation: OPERATIONS[operation]?.name,
          refusal: [null, 'no', 'never'][refusal],
          code: ['0000', '0001', '0002'][refusal],
          status: 200,
          milliseconds: 1.23,
          requestId: id.slice(0, 64),
          proof: isProved ? 'checksum' : 'none',
          subject: subject === '' || subject.length > 64 ? null : { kind: operation === 1 ? 'cashout' : 'order', id: subject },
        }));
        expect(log.read(merchant, false)).toEqual(lines);
        expect(log.read(merchant, true)).toEqual(lines.filter(({ refusal }) => refusal !== null));
      }
    }),
    { numRuns: 30 },
  );
});

test('of more merchants than it has place for it forgets those that ask least', () => {
  const { log, write } = openLog();
  const ask = (number: number): void =>
    write({ merchant: `m${number}`, id: `r${number}`, operation: 0, refusal: 0, isProved: true, subject: 'A' });
  for (let number = 0; number < 3 * MOST_MERCHANTS; number++) {
    ask(number);
    ask(0);
  }
  const known = Array.from({ length: 3 * MOST_MERCHANTS }, (_, number) => number).filter(
    (number) => log.read(`m${number}`, false).length > 0,
  );
  expect(known).toHaveLength(MOST_MERCHANTS);
  expect(known).toContain(0);
  expect(known).toContain(3 * MOST_MERCHANTS - 1);
  for (const number of known)
    expect(new Set(log.read(`m${number}`, false).map(({ requestId }) => requestId))).toEqual(new Set([`r${number}`]));
});
