import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import smpp from 'smpp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findCountry, type Country } from '../merchants/index.ts';
import * as fc from '../testing/fast-check.ts';
import { openMessageTables, passwordSms, type MessageTables } from '../testing/message-room.ts';
import { startSmppPeer, type SmppPeer } from '../testing/smpp-peer.ts';
import { smsParts } from './sms-parts.ts';

const GSM_TEXT = 'Tienda: su clave para cobrar COP 45.000 es 480213. Vence el 21 de dic de 2026. No la comparta con nadie.';

let tables: MessageTables;
let peer: SmppPeer;

beforeAll(async () => {
  tables = await openMessageTables();
});
beforeEach(async () => {
  peer = await startSmppPeer();
});
afterEach(async () => {
  await tables.reset();
  await peer.close();
});
afterAll(() => tables.close());

const smppUrl = (): string => `smpp://caudal:p%40ss@127.0.0.1:${peer.port}?source=CAUDAL`;

/** What a phone shows of the parts that an SMS centre was given. */
function shown(): string {
  return peer.submitted.map((pdu) => (pdu['short_message'] as { message: string }).message).join('');
}

describe('through an SMS centre', () => {
  test('binds by login and hands over the password, in the alphabet of SMS', async () => {
    const room = tables.room({ sms: smppUrl() });
    expect(room.writes).toEqual({ mail: false, sms: true });
    await room.store(passwordSms(tables.clock.now(), { merchantName: 'Tienda' }));
    await room.runJobs();
    expect(peer.binds).toMatchObject([{ system_id: 'caudal', password: 'p@ss' }]);
    expect(peer.submitted).toMatchObject([
      { source_addr: 'CAUDAL', source_addr_ton: 5, destination_addr: '573001234567', dest_addr_ton: 1, data_coding: 0, esm_class: 0 },
    ]);
    expect(shown()).toBe(GSM_TEXT);
    expect(await tables.stored()).toMatchObject([{ state: 'sent', sealed: null }]);
    expect(tables.log.join('')).not.toMatch(/480213|3001234567|p@ss|p%40ss/);
  });

  test('sends a name that the alphabet lacks in UCS-2, in parts that a phone joins', async () => {
    const room = tables.room({ sms: smppUrl() });
    await room.store(passwordSms(tables.clock.now(), { merchantName: 'Café Ñandú 🦤', language: 'pt' }));
    await room.runJobs();
    expect(peer.submitted.map((pdu) => [pdu['data_coding'], pdu['esm_class']])).toEqual([
      [8, 0x40],
      [8, 0x40],
    ]);
    expect(shown()).toBe('Café Ñandú 🦤: sua senha para sacar COP 45.000 é 480213. Vence em 21 de dez. de 2026. Nunca a compartilhe.');
  });

  test.each([
    [['Giros'], 'Cobre en Giros.'],
    [['Ágora', 'Súper Giros', 'Onda'], 'Cobre en Agora, Super Giros u Onda.'],
    [['Red Uno de Giros', 'Red Dos de Giros y Pagos', 'Tres'], 'Cobre en Red Uno de Giros, Tres u otro punto.'],
    [['x'.repeat(100)], `Cobre en ${'x'.repeat(30)}.`],
  ])('says where to collect: %j', async (networks, where) => {
    const room = tables.room({ sms: smppUrl(), networks });
    await room.store(passwordSms(tables.clock.now(), { merchantName: 'Tienda' }));
    await room.runJobs();
    expect(shown()).toBe(GSM_TEXT.replace(' Vence', ` ${where} Vence`));
    expect(peer.submitted.map((pdu) => pdu['data_coding'])).toEqual([0]);
  });

  test('binds again after the centre has restarted, and sends again what was under way', async () => {
    const room = tables.room({ sms: smppUrl() });
    const now = tables.clock.now();
    await room.store(...['W-1', 'W-2', 'W-3'].map((operationId) => passwordSms(now, { operationId })));
    await room.runJobs();
    expect(peer.binds).toHaveLength(1);
    await peer.dropAll();

    peer.answers.push('drop');
    await room.store(passwordSms(now, { operationId: 'W-4' }));
    await room.runJobs();
    expect((await tables.stored()).at(-1)).toMatchObject({ state: 'pending', attempts: 1, problem: 'closed' });
    tables.clock.advance({ seconds: 7 });
    await room.runJobs();
    expect((await tables.stored()).at(-1)).toMatchObject({ state: 'sent', attempts: 2 });
    expect(peer.binds).toHaveLength(3);
  });

  test('gives up at once where the number is refused, and tries again where the centre is busy or does not let us in', async () => {
    const room = tables.room({ sms: smppUrl() });
    const now = tables.clock.now();
    peer.bindAnswers.push(0x0d);
    await room.store(passwordSms(now));
    await room.runJobs();
    expect(await tables.stored()).toMatchObject([{ state: 'pending', problem: 'bind 0x0000000d' }]);
    peer.answers.push(0x58, 0x0b);
    for (const problem of ['submit 0x00000058', 'submit 0x0000000b']) {
      tables.clock.advance({ seconds: 13 });
      await room.runJobs();
      expect(await tables.stored()).toMatchObject([{ problem }]);
    }
    expect(await tables.stored()).toMatchObject([{ state: 'given_up', attempts: 3, sealed: null }]);
  });

  test.each([
    ['045 55 1234 5678', '484', '525512345678'],
    ['11 15 1234 5678', '032', '5491112345678'],
    ['0300 123 4567', '343', '573001234567'],
    ['+51 987 654 321', '343', '51987654321'],
  ])('dials %s of %s as %s, as from abroad', async (to, country, dialled) => {
    const room = tables.room({ sms: smppUrl() });
    await room.store(passwordSms(tables.clock.now(), { to, country: findCountry(country) as Country, merchantName: 'Tienda' }));
    await room.runJobs();
    expect(peer.submitted.map((pdu) => pdu['destination_addr'])).toEqual([dialled]);
  });

  test('gives up a message whose number no SMS can reach, and calls nobody', async () => {
    const room = tables.room({ sms: smppUrl() });
    for (const to of ['6015550000', '+999 300 555 0000', '12'])
      await room.store(passwordSms(tables.clock.now(), { to, operationId: `W-${to.length}` }));
    await room.runJobs();
    expect((await tables.stored()).map(({ state, problem }) => [state, problem])).toEqual([
      ['given_up', 'number'],
      ['given_up', 'number'],
      ['given_up', 'number'],
    ]);
    expect(peer.submitted).toEqual([]);
  });

  test('a password is not sent later than ten minutes after it was made, nor after a newer one', async () => {
    const room = tables.room({ sms: smppUrl() });
    const now = tables.clock.now();
    await room.store(passwordSms(now, { otp: '111111' }));
    await room.store(passwordSms(now, { otp: '222222' }), passwordSms(now, { operationId: 'W-2' }));
    peer.answers.push(0x14, 0x14);
    await room.runJobs();
    expect((await tables.stored()).map(({ state, problem }) => [state, problem])).toEqual([
      ['given_up', 'superseded'],
      ['pending', 'submit 0x00000014'],
      ['pending', 'submit 0x00000014'],
    ]);
    tables.clock.advance({ minutes: 10 });
    await room.runJobs();
    expect((await tables.stored()).map(({ state }) => state)).toEqual(['given_up', 'given_up', 'given_up']);
    expect(peer.submitted).toHaveLength(2);
    expect(shown()).not.toContain('111111');
  });
});

describe('through an HTTP gateway', () => {
  const requests: { readonly method: string | undefined; readonly headers: IncomingHttpHeaders; readonly body: unknown }[] = [];
  const answers: (number | 'none')[] = [];
  let gateway: Server;
  beforeAll(async () => {
    gateway = createServer((request, response) => {
      void (async () => {
        requests.push({ method: request.method, headers: request.headers, body: JSON.parse(await textOf(request)) });
        const answer = answers.shift() ?? 202;
        if (answer !== 'none') response.writeHead(answer, { location: '/elsewhere' }).end('3001234567 taken');
      })();
    });
    await new Promise<void>((resolve) => void gateway.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => gateway.close(resolve)));

  test('posts the number and the text with its token, and the same key when it tries again', async () => {
    const room = tables.room({ sms: `http://tok%2Fen@127.0.0.1:${(gateway.address() as AddressInfo).port}/send?from=caudal` });
    answers.push(503, 302);
    await room.store(passwordSms(tables.clock.now(), { merchantName: 'Tienda' }));
    for (const problem of ['HTTP 503', 'HTTP 302', null]) {
      await room.runJobs();
      expect(await tables.stored()).toMatchObject([{ problem }]);
      tables.clock.advance({ seconds: 13 });
    }
    expect(requests).toHaveLength(3);
    expect(requests[0]).toMatchObject({
      method: 'POST',
      headers: { authorization: 'Bearer tok/en', 'content-type': 'application/json' },
      body: { to: '+573001234567', text: GSM_TEXT },
    });
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);

    answers.push(422);
    await room.store(passwordSms(tables.clock.now(), { operationId: 'W-2' }));
    await room.runJobs();
    expect((await tables.stored())[1]).toMatchObject({ state: 'given_up', problem: 'HTTP 422' });
    expect(tables.log.join('')).not.toMatch(/tok|3001234567/);
  });

  test('says that the gateway did not answer in time, and tries again', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50));
    const room = tables.room({ sms: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` });
    answers.push('none');
    await room.store(passwordSms(tables.clock.now(), { merchantName: 'Tienda' }));
    await room.runJobs();
    expect(limit).toHaveBeenCalledWith(20_000);
    limit.mockRestore();
    expect(await tables.stored()).toMatchObject([{ state: 'pending', problem: 'timeout' }]);
  });
});

describe('an SMS', () => {
  test('fits its parts and joins to the same text, whatever it holds', () => {
    const gsm = fc.string({
      unit: fc.constantFrom('a', '9', ' ', '@', '£', 'ñ', 'é', '€', '[', '~', '\\', '|', '^', '{'),
      maxLength: 500,
      size: 'max',
    });
    const any = fc.string({ unit: 'binary', maxLength: 300, size: 'max' });
    fc.assert(
      fc.property(fc.oneof(gsm, any), fc.integer({ min: 0, max: 255 }), (text, reference) => {
        const { dataCoding, isJoined, parts } = smsParts(text, reference);
        const octets = dataCoding === 8 ? 140 : isJoined ? 159 : 160;
        expect(parts.every(({ length }) => length <= octets)).toBe(true);
        expect(isJoined).toBe(parts.length > 1);
        const bodies = parts.map((part, index) => {
          if (!isJoined) return part;
          expect([...part.subarray(0, 6)]).toEqual([5, 0, 3, reference, parts.length, index + 1]);
          return part.subarray(6);
        });
        // Each part can be read by itself: no character is cut in two.
        const texts = bodies.map((body) =>
          dataCoding === 8 ? Buffer.from(body).swap16().toString('utf16le') : smpp.encodings.ASCII.decode(body),
        );
        expect(texts.join('')).toBe(text);
        expect(texts.every((one) => one.isWellFormed())).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
