import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureLog } from '../testing/captured.ts';
import { eventually, SOON_MS, within } from '../testing/deadlines.ts';
import { sendRaw, type RawAnswer } from '../testing/raw-http.ts';
import { Unavailable } from './db.ts';
import { createHttpServer, sendJson, type HttpServer } from './http.ts';
import { isLong } from '../testing/lanes.ts';

const answered: [route: string, method: string, status: number][] = [];
/** Requests to /waiting that ran. */
let ran = 0;
const { log, lines } = captureLog();
let app: HttpServer;
let port: number;

const FAULT_ENVELOPES = [
  { prefix: '/first/', renderFault: ({ code, text }: { code: string; text: string }) => ({ code, text, data: [] }) },
  { prefix: '/', renderFault: ({ code, text }: { code: string; text: string }) => ({ CODE: code, DESC: text, DATA: {} }) },
] as const;

const echo = (body: unknown) => ({ body: body === undefined ? null : (body as Buffer).toString('latin1') });

beforeAll(async () => {
  app = createHttpServer({
    log,
    faultEnvelopes: FAULT_ENVELOPES,
    onAnswer: (route, method, status) => void answered.push([route, method, status]),
  });
  app.get('/things/:id', (request, reply) => sendJson(reply, { id: (request.params as { id: string }).id, ...echo(request.body) }));
  app.patch('/things', (request, reply) => sendJson(reply, echo(request.body)));
  app.delete('/things/:id', (request, reply) => sendJson(reply, echo(request.body)));
  app.post('/first/things', (_request, reply) => sendJson(reply, '{"as":"text"}', 200));
  app.patch('/waiting', async (_request, reply) => {
    ran++;
    await new Promise(setImmediate); // By now what came in the same packet was read and found broken.
    return sendJson(reply, { waited: true });
  });
  app.get('/first/away', async () => {
    throw new Unavailable('database: select secret_column from secret_table');
  });
  app.get('/broken', async () => {
    throw new TypeError('the secret inside');
  });
  app.get('/first/thrown', async () => {
    throw Object.assign(new Error('duplicate key (secret)'), { code: '23505', detail: 'Key (email)=(ana@example.com)' });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});

afterAll(() => app.close());

const HOST = 'host: localhost\r\n';
const send = async (text: string): Promise<RawAnswer> => {
  const { answers, socket } = await sendRaw(port, text);
  socket.destroy();
  expect(answers).toHaveLength(1);
  return answers[0]!;
};

/** What every answer has, whatever became of the request (contract §2.1, §2.6, §2.7). */
function expectOurs(answer: { status: number; headers: ReadonlyMap<string, string>; body: string }): void {
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
  expect(answer.status < 300 || answer.status > 399, 'never a redirect').toBe(true);
  expect(answer.body).not.toMatch(/secret|FST_|HPE_|TypeError|"(statusCode|error|message|stack)"|\bat .*:\d+:\d+/);
  expect(() => JSON.parse(answer.body) as unknown).not.toThrow();
}

describe('what is not a business answer has its own status and our envelope', () => {
  const faults: [what: string, request: string, status: number, code: string][] = [
    ['an unknown route', `GET /nothing HTTP/1.1\r\n${HOST}\r\n`, 404, '0940'],
    ['two slashes where one belongs', `GET //things HTTP/1.1\r\n${HOST}\r\n`, 404, '0940'],
    ['an unknown route of the prototype', `GET /__proto__/constructor HTTP/1.1\r\n${HOST}\r\n`, 404, '0940'],
    ['an unknown route with a body', `POST /nothing HTTP/1.1\r\n${HOST}content-length: 2\r\n\r\n{}`, 404, '0940'],
    ['a path with broken percent-encoding', `GET /things/%zz HTTP/1.1\r\n${HOST}\r\n`, 404, '0940'],
    ['a path whose percent-encoding is no UTF-8', `GET /things/%ff HTTP/1.1\r\n${HOST}\r\n`, 404, '0940'],
    ['OPTIONS of everything', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 404, '0940'],
    ['a wrong method', `PUT /things HTTP/1.1\r\n${HOST}content-length: 0\r\n\r\n`, 405, '0940'],
    ['a wrong method that few know', `PROPFIND /things HTTP/1.1\r\n${HOST}\r\n`, 405, '0940'],
    ['a wrong method with a body and no type', `QUERY /things HTTP/1.1\r\n${HOST}content-length: 2\r\n\r\n{}`, 405, '0940'],
    ['a body over 256 KiB', `PATCH /things HTTP/1.1\r\n${HOST}content-length: 262145\r\n\r\n${' '.repeat(262145)}`, 413, '0913'],
    ['a body over 256 KiB by its header alone', `PATCH /things HTTP/1.1\r\n${HOST}content-length: 262145\r\n\r\n`, 413, '0913'],
    [
      'a body over 256 KiB in chunks',
      `PATCH /things HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\n\r\n40001\r\n${' '.repeat(262145)}\r\n0\r\n\r\n`,
      413,
      '0913',
    ],
    ['an address over 8 KiB', `GET /things/1?q=${'a'.repeat(8192)} HTTP/1.1\r\n${HOST}\r\n`, 413, '0913'],
    ['headers that are too large', `GET /things/1 HTTP/1.1\r\n${HOST}x: ${'a'.repeat(30_000)}\r\n\r\n`, 431, '0913'],
    ['no HTTP at all', 'hello\r\n\r\n', 400, '0011'],
    ['HTTP/2 unasked', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, '0011'],
    ['a method that nobody knows', `FOO /things HTTP/1.1\r\n${HOST}\r\n`, 400, '0011'],
    ['no host', 'GET /things/1 HTTP/1.1\r\n\r\n', 400, '0011'],
    ['two hosts', `GET /things/1 HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`, 400, '0011'],
    ['a length that is no number', `PATCH /things HTTP/1.1\r\n${HOST}content-length: ten\r\n\r\n`, 400, '0011'],
    ['two lengths', `PATCH /things HTTP/1.1\r\n${HOST}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `, 400, '0011'],
    [
      'a length and chunks',
      `PATCH /things HTTP/1.1\r\n${HOST}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      '0011',
    ],
    ['chunks that are none', `PATCH /things HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`, 400, '0011'],
    ['an encoding that is unknown', `PATCH /things HTTP/1.1\r\n${HOST}transfer-encoding: gzip\r\n\r\n`, 400, '0011'],
    ['a tunnel', `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`, 400, '0011'],
    ['an error that nobody expected', `GET /broken HTTP/1.1\r\n${HOST}\r\n`, 500, '0950'],
  ];
  test.each(faults)('%s', async (_what, request, status, code) => {
    const answer = await send(request);
    expectOurs(answer);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ CODE: code, DESC: expect.stringMatching(/./), DATA: {} });
  });

  test('in the envelope of the paths that it belongs to', async () => {
    expect(JSON.parse((await send(`GET /first/nothing HTTP/1.1\r\n${HOST}\r\n`)).body)).toMatchObject({ code: '0940', data: [] });
    expect(JSON.parse((await send(`GET /first/things HTTP/1.1\r\n${HOST}\r\n`)).body)).toMatchObject({ code: '0940', data: [] });
    expect(JSON.parse((await send(`GET /first/thrown HTTP/1.1\r\n${HOST}\r\n`)).body)).toMatchObject({ code: '0950', data: [] });
    expect(JSON.parse((await send(`GET /first/%ff HTTP/1.1\r\n${HOST}\r\n`)).body)).toMatchObject({ code: '0940', data: [] });
  });

  test('405 names the methods that the path has', async () => {
    expect((await send(`PUT /things/1 HTTP/1.1\r\n${HOST}\r\n`)).headers.get('allow')).toBe('DELETE, GET, HEAD');
    expect((await send(`OPTIONS /things/ HTTP/1.1\r\n${HOST}\r\n`)).headers.get('allow')).toBe('PATCH');
  });

  test('503 says when to come again, and the log says why', async () => {
    const answer = await send(`GET /first/away HTTP/1.1\r\n${HOST}x-request-id: away-1\r\n\r\n`);
    expectOurs(answer);
    expect(answer).toMatchObject({ status: 503 });
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
    expect(JSON.parse(answer.body)).toMatchObject({ code: '0953', data: [] });
    expect(lines.join('')).toMatch(/"level":"warn".*"requestId":"away-1".*"msg":"cannot serve now"/);
  });

  test('500 shows nothing of the error, and the log keeps it without the values of its row', async () => {
    await send(`GET /first/thrown HTTP/1.1\r\n${HOST}x-request-id: thrown-1\r\n\r\n`);
    const line = lines.find((one) => one.includes('"thrown-1"') && one.includes('request failed'));
    expect(line).toMatch(/"level":"error".*duplicate key/);
    expect(line).not.toContain('ana@example.com');
  });

  test.runIf(isLong)('a sender that does not finish gets 408, and its connection is closed', async () => {
    const slow = [`PATCH /things HTTP/1.1\r\n${HOST}content-length: 10\r\n\r\n{`, `PATCH /things HTTP/1.1\r\n${HOST}content-le`, ''].map(
      async (text) => {
        const { answers, socket } = await sendRaw(port, text);
        if (!socket.closed) await within(SOON_MS, 'the end of the connection', once(socket, 'close'));
        return answers;
      },
    );
    for (const answers of await Promise.all(slow)) {
      expect(answers).toHaveLength(1);
      expectOurs(answers[0]!);
      expect(answers[0]).toMatchObject({ status: 408 });
    }
  });
});

describe('requests of odd clients are served', () => {
  test.each([
    ['no Content-Type', ''],
    ['the type of a form', 'content-type: application/x-www-form-urlencoded\r\n'],
    ['a malformed type', 'content-type: ;;/json;; charset\r\n'],
    ['an empty type', 'content-type:\r\n'],
    ['two types', 'content-type: application/json\r\ncontent-type: text/xml\r\n'],
    ['an unknown charset', 'content-type: application/json; charset=klingon\r\n'],
    ['an expectation', 'expect: 100-continue\r\n'],
    ['an expectation that nobody knows', 'expect: the-unexpected\r\n'],
    ['the wish for another protocol', 'connection: upgrade\r\nupgrade: websocket\r\n'],
    ['an encoding of the body that we do not decode', 'content-encoding: gzip\r\n'],
    ['an X-Request-Id that is none', 'x-request-id: <script>\r\n'],
  ])('with %s', async (_what, header) => {
    const answer = await send(`PATCH /things HTTP/1.1\r\n${HOST}${header}content-length: 3\r\n\r\n\x7b\xff\x7d`);
    expectOurs(answer);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({ body: '{\u00ff}' });
  });

  test.each([
    ['HTTP/1.0 without a host', 'GET /things/1 HTTP/1.0\r\n\r\n', null],
    ['a whole address in the request line', `GET http://localhost/things/1 HTTP/1.1\r\n${HOST}\r\n`, null],
    ['a slash at the end', `GET /things/1/ HTTP/1.1\r\n${HOST}\r\n`, null],
    ['a body of a GET, which is not read', `GET /things/1 HTTP/1.1\r\n${HOST}content-length: 2\r\n\r\n[]`, null],
    ['a body of a DELETE', `DELETE /things/1 HTTP/1.1\r\n${HOST}content-length: 2\r\n\r\n[]`, '[]'],
    ['a type and no body', `DELETE /things/1 HTTP/1.1\r\n${HOST}content-type: application/json\r\n\r\n`, null],
    ['an empty body', `PATCH /things HTTP/1.1\r\n${HOST}content-type: application/json\r\ncontent-length: 0\r\n\r\n`, null],
    ['a body in chunks', `PATCH /things HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, '{}'],
  ])('with %s', async (_what, request, body) => {
    const answer = await send(request);
    expectOurs(answer);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ body });
  });

  test('with a body and an address of exactly the greatest size', async () => {
    expect(await send(`PATCH /things HTTP/1.1\r\n${HOST}content-length: 262144\r\n\r\n${'x'.repeat(262144)}`)).toMatchObject({
      status: 200,
    });
    const address = `/things/1?${'a'.repeat(8192 - 10)}`;
    expect(await send(`GET ${address} HTTP/1.1\r\n${HOST}\r\n`)).toMatchObject({ status: 200 });
  });

  test('HEAD works where GET does, with its headers and without a body', async () => {
    const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => fetch(`http://127.0.0.1:${port}/things/1`, { method })));
    expect(head!.status).toBe(200);
    expect(head!.headers.get('content-length')).toBe(get!.headers.get('content-length'));
    expect(await head!.text()).toBe('');
    expect((await fetch(`http://127.0.0.1:${port}/nothing`, { method: 'HEAD' })).status).toBe(404);
  });

  test.each([
    ['by its length', `content-length: 1000000\r\n\r\n${' '.repeat(1_000_000)}`],
    ['in chunks', `transfer-encoding: chunked\r\n\r\nf4240\r\n${' '.repeat(1_000_000)}\r\n0\r\n\r\n`],
  ])('and a body that is far too large %s is refused with 413 and read to its end', async (_how, rest) => {
    const { answers, socket } = await sendRaw(port, `PATCH /things HTTP/1.1\r\n${HOST}${rest}GET /things/1 HTTP/1.1\r\n${HOST}\r\n`, 2);
    socket.destroy();
    expect(answers.map(({ status }) => status)).toEqual([413, 200]);
  });
});

describe('request ids', () => {
  test.each(['a', 'a'.repeat(128), 'A-1_2.3'])("the caller's own comes back: %s", async (id) => {
    expect((await send(`GET /things/1 HTTP/1.1\r\n${HOST}x-request-id: ${id}\r\n\r\n`)).headers.get('x-request-id')).toBe(id);
  });

  test.each(['', 'a'.repeat(129), 'a b', 'a;b', 'ñ'])('another one than "%s", which is none', async (id) => {
    const given = (await send(`GET /things/1 HTTP/1.1\r\n${HOST}x-request-id: ${id}\r\n\r\n`)).headers.get('x-request-id');
    expect(given).toMatch(/^[a-z0-9-]+$/);
    expect(given).not.toBe(id);
  });

  test('of ours are never given twice', async () => {
    const { answers, socket } = await sendRaw(port, `GET /things/1 HTTP/1.1\r\n${HOST}\r\n`.repeat(50), 50);
    socket.destroy();
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(50);
  });
});

describe('a connection', () => {
  test('that breaks after a whole request still brings its answer, and then says what was broken', async () => {
    const { answers } = await sendRaw(port, `PATCH /waiting HTTP/1.1\r\n${HOST}content-length: 2\r\n\r\n{}BROKEN\r\n\r\n`, 2);
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    for (const answer of answers) expectOurs(answer);
  });

  test('that is broken is closed, even when the other side keeps it open', async () => {
    const { socket } = await sendRaw(port, 'hello\r\n\r\n');
    socket.pause();
    await eventually(4_000, async () => {
      const open = await new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
      expect(open).toBe(0);
    });
    socket.destroy();
  });

  test('carries many requests, answered in their order', async () => {
    const requests = Array.from({ length: 20 }, (_, index) => `GET /things/${index} HTTP/1.1\r\n${HOST}\r\n`).join('');
    const { answers, socket } = await sendRaw(port, requests, 20);
    socket.destroy();
    expect(answers.map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual(
      Array.from({ length: 20 }, (_, index) => `${index}`),
    );
  });
});

test('a connection that sends too many requests ahead of their answers is cut, and runs no more of them', async () => {
  const { answers, socket } = await sendRaw(port, `GET /things/1 HTTP/1.1\r\n${HOST}\r\n`.repeat(64), 64);
  expect(answers).toHaveLength(64);
  socket.destroy();
  [answered.length, ran] = [0, 0];
  await sendRaw(port, `PATCH /waiting HTTP/1.1\r\n${HOST}content-length: 2\r\n\r\n{}`.repeat(700), 700);
  await send(`GET /things/2 HTTP/1.1\r\n${HOST}\r\n`);
  expect(answered.length).toBeLessThanOrEqual(65);
  expect(ran).toBe(64);
});

test('a connection that waits for its answers carries more requests than it may send ahead', async () => {
  const many = `GET /things/1 HTTP/1.1\r\n${HOST}\r\n`.repeat(60);
  const { socket } = await sendRaw(port, many, 60);
  let text = '';
  const again = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (text.split('HTTP/1.1 200 ').length > 60) resolve();
    });
  });
  socket.write(many);
  await within(SOON_MS, 'sixty more answers', again);
  socket.destroy();
});

test('every answer is counted under its route, and what has none under one name', async () => {
  answered.length = 0;
  await send(`GET /things/some-id HTTP/1.1\r\n${HOST}\r\n`);
  await send(`GET /made/up/path HTTP/1.1\r\n${HOST}\r\n`);
  await send(`GET /first/away HTTP/1.1\r\n${HOST}\r\n`);
  expect(answered).toEqual([
    ['/things/:id', 'GET', 200],
    ['unknown', 'GET', 404],
    ['/first/away', 'GET', 503],
  ]);
});

test('no log line shows an address, whose query holds a checksum', async () => {
  await send(`GET /things/1?checksum=c0ffee HTTP/1.1\r\n${HOST}\r\n`);
  expect(lines.join('')).not.toContain('c0ffee');
});

test('an answer that was under way when the server closes is the last one of its connection', async () => {
  const closing = createHttpServer({ log, faultEnvelopes: FAULT_ENVELOPES });
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  closing.get('/slow', async (_request, reply) => {
    begun.resolve();
    await ended.promise;
    return sendJson(reply, { slow: true });
  });
  await closing.listen({ host: '127.0.0.1', port: 0 });
  const answer = sendRaw((closing.server.address() as AddressInfo).port, `GET /slow HTTP/1.1\r\n${HOST}\r\n`);
  await begun.promise;
  const closed = closing.close();
  await new Promise(setImmediate);
  ended.resolve();
  const { answers } = await answer;
  expect(answers.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([[200, 'close']]);
  // The client keeps the connection open, as pools of connections do.
  await within(SOON_MS, 'the end of the server', closed);
});

test('who sends request after request on an open connection loses none when the server closes', async () => {
  const closing = createHttpServer({ log, faultEnvelopes: FAULT_ENVELOPES, announceMs: 300 });
  let answered = 0;
  closing.get('/often', async (_request, reply) => {
    await new Promise(setImmediate);
    answered++;
    return sendJson(reply, {});
  });
  await closing.listen({ host: '127.0.0.1', port: 0 });
  const { port: own } = closing.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const ask = (): Promise<number> =>
    new Promise((resolve, reject) =>
      get({ host: '127.0.0.1', port: own, path: '/often', agent }, (response) =>
        response.resume().once('end', () => resolve(response.statusCode ?? 0)),
      ).once('error', reject),
    );
  const ends: string[] = [];
  const client = async (): Promise<void> => {
    for (;;) {
      const status = await ask().catch((error: Error & { code?: string }) => error.code ?? error.message);
      if (status === 200) continue;
      ends.push(String(status));
      return;
    }
  };
  const clients = Promise.all(Array.from({ length: 16 }, client));
  await eventually(SOON_MS, async () => expect(answered).toBeGreaterThan(100));
  await closing.close();
  await clients;
  // A new connection is refused; nothing that was sent went without an answer.
  expect(new Set(ends)).toEqual(new Set(['ECONNREFUSED']));
  agent.destroy();
});

test('a connection whose client does not read is cut', async () => {
  const deaf = createHttpServer({ log, faultEnvelopes: FAULT_ENVELOPES }, 300);
  deaf.get('/large', (_request, reply) => sendJson(reply, 'x'.repeat(50_000_000)));
  await deaf.listen({ host: '127.0.0.1', port: 0 });
  const client = connect((deaf.server.address() as AddressInfo).port, '127.0.0.1');
  client.pause().write(`GET /large HTTP/1.1\r\n${HOST}\r\n`);
  const connections = (): Promise<number> =>
    new Promise((resolve, reject) => deaf.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))));
  await eventually(SOON_MS, async () => expect(await connections()).toBe(1));
  await eventually(SOON_MS, async () => expect(await connections()).toBe(0));
  client.destroy();
  await deaf.close();
});

test('a caller does not choose the host: X-Forwarded-Host never counts, whoever is trusted', async () => {
  const behind = createHttpServer({ log, faultEnvelopes: FAULT_ENVELOPES, trustedProxies: ['0.0.0.0/0', '::/0'] });
  behind.get('/host', (request, reply) => sendJson(reply, { host: request.host, ip: request.ip }));
  const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-for': '"[2001:db8::7]:443"' };
  const { body } = await behind.inject({ url: '/host', authority: 'pay.example', headers });
  expect(JSON.parse(body)).toEqual({ host: 'pay.example', ip: '2001:db8::7' });
  await behind.close();
});
