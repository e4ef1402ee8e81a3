import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Tracer, Work } from '../../kit/traces/tracer.ts';
import { captureLog } from '../../testing/captured.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { serveForTest } from '../../testing/child-server.ts';
import { holdRows } from '../../testing/held-rows.ts';
import { answering, startNoticeReceiver } from '../../testing/notice-receiver.ts';
import { orderCalls } from '../../testing/order-calls.ts';
import { startCaudalForTest } from '../../testing/test-caudal.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { receiveTraces, type ReceivedSpan, type TraceReceiver } from '../../testing/trace-receiver.ts';
import { tokenOf } from '../../testing/user-calls.ts';
import { openTracer, type OpenTracer } from './open-tracer.ts';
import type { TraceSettings } from './trace-settings.ts';

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const TRACEPARENT = { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` };

const A = (): Work => ({ name: 'a' });
const from = (traceparent: string | string[]) => (): Work => ({ name: 'a', traceparent });

/** All that spans may say. A new one is a decision: what a span says leaves the service. */
const ALLOWED = new Set([
  'caudal.batch.size',
  'caudal.code',
  'caudal.notice.attempts',
  'caudal.operation',
  'db.system.name',
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
]);

type Traced = {
  readonly tracer: OpenTracer;
  readonly receiver: TraceReceiver;
  readonly logged: readonly string[];
  readonly dropped: () => number;
};

/** A tracer that records everything and sends it at once, unless the test says otherwise. */
async function traced(settings: Partial<TraceSettings> = {}): Promise<Traced> {
  const receiver = await receiveTraces();
  const { log, lines: logged } = captureLog('info');
  let dropped = 0;
  const tracer = openTracer({
    settings: { url: `${receiver.endpoint}/v1/traces`, headers: {}, serviceName: 'caudal', ratio: 1, followsCaller: false, ...settings },
    log,
    chance: () => 0.5,
    onDropped: (spans) => void (dropped += spans),
    pauseMs: 10,
  });
  onTestFinished(() => tracer.close());
  return { tracer, receiver, logged, dropped: () => dropped };
}

/** Waits until the spans of some requests have arrived. */
const arrived = (receiver: TraceReceiver, name: string, count = 1): Promise<readonly ReceivedSpan[]> =>
  eventually(SOON_MS, () => {
    const found = receiver.spans.filter((span) => span.name === name);
    expect(found).toHaveLength(count);
    return found;
  });

test('the spans of a trace have one clock, finer than a millisecond', async () => {
  const { tracer, receiver } = await traced();
  const root = tracer.begin('server', () => ({ name: 'whole' }));
  for (let index = 0; index < 200; index++) root?.child(`part ${index}`, 'internal').end();
  root?.end();
  const [whole] = await arrived(receiver, 'whole');
  const times = receiver.spans
    .filter(({ parentSpanId }) => parentSpanId === whole!.spanId)
    .toSorted((one, other) => Number(one.name.slice(5)) - Number(other.name.slice(5)))
    .flatMap(({ startTimeUnixNano, endTimeUnixNano }) => [BigInt(startTimeUnixNano), BigInt(endTimeUnixNano)]);
  expect(times).toHaveLength(400);
  const all = [BigInt(whole!.startTimeUnixNano), ...times, BigInt(whole!.endTimeUnixNano)];
  expect(all).toEqual(all.toSorted((one, other) => Number(one - other)));
  expect(all.filter((nanoseconds) => nanoseconds % 1_000_000n !== 0n).length, 'not whole milliseconds').toBeGreaterThan(200);
});

test('a request is recorded with its batch and its statements, in the trace of its caller, without a value of it', async () => {
  const { tracer, receiver } = await traced();
  const caudal = await startCaudalForTest({ tracer });
  const shop = await caudal.merchant();
  const orders = orderCalls(caudal, shop);
  await orders.create({ order: 'SECRET-1', email: 'person@example.com', description: 'SECRET-2' }, TRACEPARENT);
  await orders.update({ order: 'SECRET-1', amount: '0' });
  const [created] = await arrived(receiver, 'POST /api/v3/porders');
  await arrived(receiver, 'PATCH /api/v3/porders');
  expect(created).toMatchObject({
    traceId: CALLER.traceId,
    parentSpanId: CALLER.spanId,
    kind: 2,
    service: 'caudal',
    facts: {
      'http.request.method': 'POST',
      'http.route': '/api/v3/porders',
      'http.response.status_code': 200,
      'caudal.operation': 'createOrder',
    },
  });
  const inTrace = receiver.spans.filter(({ traceId }) => traceId === CALLER.traceId);
  const batch = inTrace.find(({ name }) => name === 'batch');
  expect(batch).toMatchObject({ parentSpanId: created!.spanId, kind: 1, facts: { 'caudal.batch.size': 1 } });
  const statements = inTrace.filter(({ parentSpanId }) => parentSpanId === batch!.spanId);
  // Those of one round trip are one span.
  expect(statements.map(({ name }) => name)).toEqual([expect.stringMatching(/^begin \+ orders\./), expect.stringMatching(/ \+ commit$/)]);
  for (const { kind, facts } of statements) expect({ kind, facts }).toEqual({ kind: 3, facts: { 'db.system.name': 'postgresql' } });
  for (const one of [batch!, ...statements]) {
    expect(BigInt(one.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(created!.startTimeUnixNano));
    expect(BigInt(one.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(one.startTimeUnixNano));
    expect(BigInt(one.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(created!.endTimeUnixNano));
  }

  const refused = receiver.spans.find(({ name }) => name === 'PATCH /api/v3/porders');
  expect(refused!.facts['caudal.code']).toMatch(/^\d{4}$/);
  const said = new Set(receiver.spans.flatMap(({ facts }) => Object.keys(facts)));
  expect([...said].filter((name) => !ALLOWED.has(name))).toEqual([]);
  const all = receiver.requests.map(({ body }) => body).join('\n');
  for (const value of ['SECRET', 'person@example.com', shop.merchantId, shop.fixedHash]) expect(all).not.toContain(value);
});

test('a request of the management API and one to nowhere are recorded by what is declared, not by their address', async () => {
  const { tracer, receiver } = await traced();
  const caudal = await startCaudalForTest({ tracer });
  await caudal.app.inject('/manage/v1/merchants/SECRET-3?limit=SECRET-4');
  await caudal.app.inject('/SECRET-5');
  const [management] = await arrived(receiver, 'GET /manage/v1/merchants/:merchant');
  expect(management!.facts).toMatchObject({ 'http.response.status_code': 401, 'http.route': '/manage/v1/merchants/:merchant' });
  const [nowhere] = await arrived(receiver, 'GET');
  expect(nowhere!.facts).toEqual({ 'http.request.method': 'GET', 'http.response.status_code': 404 });
  expect(receiver.requests.map(({ body }) => body).join('')).not.toContain('SECRET');
});

test('a batch is part of the first of its requests that is recorded, and is linked to the others', async () => {
  const { tracer, receiver } = await traced();
  const caudal = await startCaudalForTest({ tracer });
  const orders = orderCalls(caudal, await caudal.merchant());
  await Promise.all([1, 2, 3].map((number) => orders.create({ order: `A-${number}` })));
  const requests = await arrived(receiver, 'POST /api/v3/porders', 3);
  const [batch] = await arrived(receiver, 'batch');
  expect(batch!.facts['caudal.batch.size']).toBe(3);
  const others = requests.filter(({ spanId }) => spanId !== batch!.parentSpanId);
  expect(others).toHaveLength(2);
  expect(batch!.links.toSorted()).toEqual(others.map(({ spanId }) => spanId).toSorted());
  for (const { links } of others) expect(links).toEqual([batch!.spanId]);
});

test('a request whose caller went away is recorded as aborted at once, and what it asked for is done', async () => {
  const { tracer, receiver } = await traced();
  let begun = 0;
  const counting: Tracer = { ...tracer, begin: (...work) => (begun++, tracer.begin(...work)) };
  const caudal = await startCaudalForTest({ tracer: counting });
  const orders = orderCalls(caudal, await caudal.merchant());
  await orders.create({ order: 'A-1' });
  await arrived(receiver, 'batch');
  const release = await holdRows(caudal.url, `select from orders where order_id = 'A-1' for update`, []);
  const body = JSON.stringify(orders.signed({ order: 'A-1', amount: '46000' }));
  const update = `PATCH /api/v3/porders HTTP/1.1\r\nhost: caudal\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  await caudal.app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((caudal.app.server.address() as AddressInfo).port, '127.0.0.1');
  // Two on one connection: the second one cannot be answered before the first.
  socket.write(update + update);
  await eventually(SOON_MS, () => expect(begun).toBe(3));
  const tried = await eventually(SOON_MS, () => {
    const batches = receiver.spans.filter(({ name }) => name === 'batch');
    expect(batches.length).toBeGreaterThan(1);
    return batches.length;
  });
  expect(receiver.spans.map(({ name }) => name)).not.toContain('PATCH /api/v3/porders');
  socket.destroy();
  for (const { status, facts } of await arrived(receiver, 'PATCH /api/v3/porders', 2)) {
    expect(status).toEqual({ code: 2 });
    expect(facts).toEqual({
      'http.request.method': 'PATCH',
      'http.route': '/api/v3/porders',
      'caudal.operation': 'updateOrder',
      'error.type': 'aborted',
    });
  }
  await release();
  await eventually(SOON_MS, async () => expect((await orders.query('A-1')).etag).toBe('"2"'));
  await eventually(SOON_MS, () => expect(receiver.spans.filter(({ name }) => name === 'batch').length).toBeGreaterThan(tried));
  expect(receiver.spans.filter(({ name }) => name === 'PATCH /api/v3/porders')).toHaveLength(2);
});

test('a stream of events that its listener ends is no fault', async () => {
  const { tracer, receiver } = await traced();
  const caudal = await startCaudalForTest({ tracer });
  const authorization = await tokenOf(caudal, ['orders:read']);
  const address = `${await caudal.app.listen({ host: '127.0.0.1', port: 0 })}/manage/v1/events`;
  const cut = new AbortController();
  const stream = await fetch(address, { headers: { authorization }, signal: cut.signal });
  expect(stream.status).toBe(200);
  cut.abort();
  const [span] = await arrived(receiver, 'GET /manage/v1/events');
  expect(span).toMatchObject({ status: { code: 0 }, facts: { 'http.response.status_code': 200 } });
  expect(span!.facts).not.toHaveProperty(['error.type']);
});

test('a call of a notice is recorded, with the status of its receiver', async () => {
  const { tracer, receiver } = await traced();
  const caudal = await startCaudalForTest({ tracer });
  const merchant = await startNoticeReceiver();
  onTestFinished(() => merchant.close());
  merchant.answer(answering(503, 'SECRET'));
  const orders = orderCalls(caudal, await caudal.merchant({ noticeUrl: merchant.url }));
  await orders.create({ order: 'A-1', reference: '7001' });
  await caudal.app.inject({ method: 'POST', url: '/sandbox/v1/payments', payload: JSON.stringify({ reference: '7001' }) });
  await caudal.runJobs();
  const [notice] = await arrived(receiver, 'notice');
  expect(notice).toMatchObject({ kind: 3, status: { code: 2 }, facts: { 'http.response.status_code': 503, 'caudal.notice.attempts': 1 } });
  expect(notice!.parentSpanId ?? '').toBe('');
});

test('a caller does not decide what is recorded, unless the operator lets it', async () => {
  const alone = await traced({ ratio: 0.4 });
  expect(alone.tracer.begin('server', from(TRACEPARENT.traceparent))).toBeUndefined();
  const usual = await traced({ ratio: 0.6 });
  expect(usual.tracer.begin('server', from(`00-${CALLER.traceId}-${CALLER.spanId}-00`))).toBeDefined();
  const following = (await traced({ ratio: 0.4, followsCaller: true })).tracer;
  expect(following.begin('server', from(TRACEPARENT.traceparent))).toBeDefined();
  expect(following.begin('server', from(`00-${CALLER.traceId}-${CALLER.spanId}-00`))).toBeUndefined();
  for (const broken of ['', 'x', `00-${'0'.repeat(32)}-${CALLER.spanId}-01`, `${TRACEPARENT.traceparent}, x`, ['a', 'b']])
    expect(following.begin('server', from(broken))).toBeUndefined();
});

test('a receiver that does not answer delays no request, and what waits for it is bounded and counted', async () => {
  const { tracer, receiver, dropped, logged } = await traced();
  receiver.answer(() => undefined);
  const caudal = await startCaudalForTest({ tracer });
  const orders = orderCalls(caudal, await caudal.merchant());
  expect((await orders.create({ order: 'A-1' })).code).toBe('0000');
  await eventually(SOON_MS, () => expect(receiver.requests.length).toBeGreaterThan(0));
  // More than may wait. It takes what is left of the queue, and the rest is dropped at once.
  for (let index = 0; index < 3_000; index++) tracer.begin('internal', A)!.end();
  expect(dropped()).toBeGreaterThan(900);
  expect((await orders.create({ order: 'A-2' })).code).toBe('0000');
  expect(logged.join('')).toContain('they are dropped');
  const since = performance.now();
  await tracer.close();
  expect(performance.now() - since).toBeLessThan(2_000 + SOON_MS);
});

test('a receiver that refuses fails no request; the log says so once, and when it is over', async () => {
  const { tracer, receiver, dropped, logged } = await traced();
  receiver.answer((response) => void response.writeHead(500).end('SECRET'));
  const caudal = await startCaudalForTest({ tracer });
  const orders = orderCalls(caudal, await caudal.merchant());
  expect((await orders.create({ order: 'A-1' })).code).toBe('0000');
  await eventually(SOON_MS, () => expect(dropped()).toBeGreaterThan(0));
  expect((await orders.create({ order: 'A-2' })).code).toBe('0000');
  const before = receiver.requests.length;
  await eventually(SOON_MS, () => expect(receiver.requests.length).toBeGreaterThan(before));
  receiver.answer((response) => void response.writeHead(200).end('{}'));
  await eventually(SOON_MS, async () => {
    tracer.begin('internal', A)!.end();
    expect(logged.join('')).toContain('takes spans again');
  });
  expect(logged).toHaveLength(2);
  expect(logged.join('')).not.toContain('SECRET');
});

test('a service with the variables of OpenTelemetry sends its traces, at its end too', async () => {
  const receiver = await receiveTraces();
  const database = await createTestDatabase();
  const server = serveForTest({
    DATABASE_URL: database.url,
    // A sandbox would trace a month of its demo merchant.
    CAUDAL_MODE: 'production',
    CAUDAL_MASTER_KEY: '0'.repeat(64),
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20s3cret-token',
    OTEL_SERVICE_NAME: 'shop-payments',
    OTEL_TRACES_SAMPLER: 'always_on',
  });
  await fetch(`${await server.origin}/api/v3/porders?token=SECRET`, { method: 'POST', body: '{"merchant":"demo"}' });
  await server.stop();
  const span = receiver.spans.find(({ name }) => name === 'POST /api/v3/porders');
  expect(span).toMatchObject({ service: 'shop-payments', facts: { 'http.route': '/api/v3/porders' } });
  expect(receiver.requests[0]).toMatchObject({ path: '/v1/traces', headers: { authorization: 'Bearer s3cret-token' } });
  expect(receiver.requests.map(({ body }) => body).join('')).not.toContain('SECRET');
  expect(server.stderr()).not.toContain('s3cret-token');
});
