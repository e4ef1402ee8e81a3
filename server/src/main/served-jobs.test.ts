import { expect, test } from 'vitest';
import { checksumOf } from '../testing/checksum-of.ts';
import { startChildServer } from '../testing/child-server.ts';
import { withinSeconds } from '../testing/deadlines.ts';
import { seededBytes } from '../testing/seed.ts';
import { createTestDatabase } from '../testing/test-database.ts';

type Json = Readonly<Record<string, unknown>>;

test('a server writes by itself, within a second, that orders and cashouts ran out of time', async () => {
  const database = await createTestDatabase();
  const server = startChildServer({ DATABASE_URL: database.url, CAUDAL_MASTER_KEY: seededBytes(32).toString('hex') });
  const origin = await server.origin;
  const fixedHash = /fixed hash (\w+)/.exec(server.stdout())?.[1] ?? '';
  const signed = (...values: string[]): string => checksumOf(values, fixedHash);
  const send = async (method: string, path: string, body?: object): Promise<{ answer: Json; version: string | null }> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(origin + path, { method, ...sent });
    const answer = (await response.json()) as Json;
    expect(answer['CODE'] ?? answer['code'], path).toBe('0000');
    return { answer, version: response.headers.get('etag') };
  };
  const clock = async (body?: object): Promise<Temporal.Instant> => {
    const { answer } = await send(body === undefined ? 'GET' : 'POST', '/sandbox/v1/clock', body);
    return Temporal.Instant.from((answer['data'] as { now: string }).now);
  };

  const today = (await clock()).toZonedDateTimeISO('America/Bogota').toPlainDate();
  const order = { email: 'ana@example.com', country: '343', order: 'DUE', money: 'COP', amount: '100' };
  const expiration = today.toString().split('-').toReversed().join('/');
  await send('POST', '/api/v3/porders', { merchant: 'demo', ...order, expiration, checksum: signed(...Object.values(order)) });
  const cashout = { merchant: 'demo', operation: 'DUE', amount: '100', currency: 'COP', document: '1' };
  await send('POST', '/cashout/v1/operation', { ...cashout, expire: today.toString(), checksum: signed(...Object.values(cashout)) });

  const tomorrow = today.add({ days: 1 });
  await clock({ now: tomorrow.toZonedDateTime('America/Bogota').toInstant().toString() });
  const written = async (): Promise<unknown> => [
    // What is shown goes by the clock, the version and the day of the update by what is written.
    (await send('GET', `/api/v3/porders/DUE?merchant=demo&checksum=${signed('DUE', 'demo')}`)).version,
    (await send('GET', `/cashout/v1/operation/demo/DUE?document=1&checksum=${signed('demo', 'DUE', '1')}`)).answer['data'],
  ];
  const update = tomorrow.toString().replaceAll('-', '');
  await withinSeconds(1, async () => expect(await written()).toMatchObject(['"2"', { status: 'VENCIDA', update }]));
  await server.stop();
  await database.drop();
});
