import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { statement } from '../kit/db.ts';
import { openMessageTables, orderMail, type MessageTables } from '../testing/message-room.ts';
import { SMTP_LOGIN, startSmtpPeer, type SmtpPeer } from '../testing/smtp-peer.ts';

const HOLD_TEN = statement('test.hold_messages', `update messages set attempts = 1, due_at = $1 where subject_id like 'B-_'`);

let tables: MessageTables;
let peer: SmtpPeer;
const peers: SmtpPeer[] = [];

beforeAll(async () => {
  tables = await openMessageTables();
});
afterEach(async () => {
  await tables.reset();
  for (const one of peers.splice(0)) await one.close();
});
afterAll(() => tables.close());

async function startPeer(...options: Parameters<typeof startSmtpPeer>): Promise<string> {
  peer = await startSmtpPeer(...options);
  peers.push(peer);
  return `smtp://127.0.0.1:${peer.port}`;
}

const headerOf = (name: string, index = 0): string | undefined =>
  peer.received[index]?.parsed.headers.find(({ key }) => key === name)?.value;
const spaces = (text: string | undefined): string => (text ?? '').replace(/\s+/g, ' ');

describe('a mail', () => {
  test('reaches the payer of an order, encrypted and by login, in text and HTML that load nothing', async () => {
    await startPeer({ login: true });
    const { user, password } = SMTP_LOGIN;
    const room = tables.room({ mail: `smtp://${user}:${encodeURIComponent(password)}@127.0.0.1:${peer.port}` });
    await room.store(orderMail(tables.clock.now()));
    await room.runJobs();

    expect(peer.received).toHaveLength(1);
    const { parsed, from, recipients, wasEncrypted, user: asUser, raw } = peer.received[0]!;
    expect({ from, recipients, wasEncrypted, asUser }).toEqual({
      from: 'pagos@caudal.test',
      recipients: ['ana@example.com'],
      wasEncrypted: true,
      asUser: user,
    });
    expect(parsed.from).toMatchObject({ name: 'Pagos, S.A.', address: 'pagos@caudal.test' });
    expect(parsed.to).toEqual([{ name: '', address: 'ana@example.com' }]);
    expect(spaces(parsed.subject)).toBe('Café Ñandú: su referencia para pagar $ 45.000');
    expect(parsed.date).toBe('2026-11-21T15:00:00.000Z');
    expect([headerOf('auto-submitted'), headerOf('content-language'), headerOf('x-mailer')]).toEqual(['auto-generated', 'es', undefined]);
    expect(raw).toMatch(/^Content-Type: multipart\/alternative/m);
    for (const form of [parsed.text, parsed.html]) {
      expect(spaces(form)).toContain('Café Ñandú le envía los datos para pagar $ 45.000.');
      expect(form).toContain('Plan mensual');
      expect(form).toContain('21 de diciembre de 2026');
      expect(form?.match(/https?:[^\s"]*/g)).toEqual(['https://pay.example/checkout?token=a.b.c']);
    }
    expect(parsed.text).toContain('Referencia de pago: 813832289025');
    expect(parsed.html).toMatch(/font-size:30px[^>]*>(<span[^>]*>\d{3}<\/span>){4}</);
    expect(parsed.html).toMatch(/^<!doctype html>\s<html lang="es">/);
    expect(parsed.html).not.toMatch(/<(img|link|script|style|iframe)|src=|url\(/);
  });

  test.each([
    ['en', 'order_created', 'your reference to pay $45,000', /December 21, 2026/],
    ['pt', 'order_created', 'sua referência para pagar $ 45.000', /21 de dezembro de 2026/],
    ['es', 'order_paid', 'recibimos su pago de $ 45.000', /21.*2026.* 10:00 a\. m\./],
    ['en', 'order_paid', 'we received your payment of $45,000', /Nov.* 21, 2026.* 10:00 AM/],
    ['pt', 'order_paid', 'recebemos seu pagamento de $ 45.000', /21 de nov.* de 2026.* 10:00/],
  ] as const)('speaks the language of the order: %s, %s', async (language, kind, subject, day) => {
    const room = tables.room({ mail: await startPeer() });
    await room.store(
      orderMail(tables.clock.now(), {
        language,
        kind,
        merchantName: 'Café Ñandú S.A.',
        ...(kind === 'order_paid' ? { checkoutUrl: null } : {}),
      }),
    );
    await room.runJobs();
    const { parsed } = peer.received[0]!;
    expect(spaces(parsed.subject)).toBe(`Café Ñandú S.A.: ${subject}`);
    for (const form of [parsed.text, parsed.html]) {
      expect(spaces(form)).toMatch(day);
      expect(spaces(form)).toContain('Café Ñandú S.A.');
      expect(form).not.toContain('..');
    }
    expect(/https?:/.test(parsed.text ?? '')).toBe(kind === 'order_created');
  });

  test('stays one mail to one recipient, whatever names and addresses hold', async () => {
    const room = tables.room({ mail: await startPeer() });
    const merchantName = 'Tienda\r\nBcc: eva@example.com\r\n\r\n<b>\u202egift';
    const now = tables.clock.now();
    await room.store(
      orderMail(now, { merchantName, description: '<img src="https://elsewhere.example/a.gif">' }),
      ...['eva,ana@example.com', 'eva;ana@example.com', '<eva@example.com', '"eva"@example.com'].map((to) => orderMail(now, { to })),
    );
    await room.runJobs();
    expect((await tables.stored()).map(({ problem }) => problem)).toEqual([null, 'address', 'address', 'address', 'address']);
    expect(peer.received).toHaveLength(1);
    const { parsed, recipients, raw } = peer.received[0]!;
    expect(recipients).toEqual(['ana@example.com']);
    expect(parsed.bcc).toBeUndefined();
    expect(raw).not.toMatch(/^Bcc:/im);
    expect(spaces(parsed.subject)).toBe('Tienda Bcc: eva@example.com <b> gift: su referencia para pagar $ 45.000');
    expect(parsed.html).not.toMatch(/<b>|<img/);
  });
});

test.each(['=?utf-8?Q?=E2=80=AEtfig?=', 'Tienda =?utf-8?B?PGI+?=', '=?x?= =?utf-8?Q?a?='])(
  'a name %s is no code in a subject',
  async (merchantName) => {
    const room = tables.room({ mail: await startPeer() });
    await room.store(orderMail(tables.clock.now(), { merchantName }));
    await room.runJobs();
    expect(spaces(peer.received[0]?.parsed.subject)).toBe(`${merchantName}: su referencia para pagar $ 45.000`);
  },
);

describe('delivery', () => {
  test('tries again what a busy server put off, not before its pause is over, as the same mail', async () => {
    const room = tables.room({ mail: await startPeer() });
    peer.refuse.mails.push('451 4.3.0 busy');
    await room.store(orderMail(tables.clock.now()));
    await room.runJobs();
    const [waiting] = await tables.stored();
    expect(waiting).toMatchObject({ state: 'pending', attempts: 1, problem: 'EMESSAGE 451 4.3.0' });
    const pause = waiting!.dueAt.since(tables.clock.now()).total('seconds');
    expect(pause).toBeGreaterThanOrEqual(15);
    expect(pause).toBeLessThanOrEqual(30);

    tables.clock.advance({ seconds: 14 });
    await room.runJobs();
    expect(peer.received).toHaveLength(1);
    tables.clock.advance({ seconds: 16 });
    await room.runJobs();
    expect(peer.received).toHaveLength(2);
    expect(await tables.stored()).toMatchObject([{ state: 'sent', attempts: 2, problem: null, sealed: null }]);
    expect(headerOf('message-id', 1)).toBe(headerOf('message-id', 0));
    expect(headerOf('message-id')).toMatch(/^<[\w-]{22}@caudal\.test>$/);
  });

  test('gives up at once what is refused for good, and keeps nothing of the recipient', async () => {
    const room = tables.room({ mail: await startPeer() });
    peer.refuse.recipients.push('550 5.1.1 ana@example.com is nobody here');
    await room.store(orderMail(tables.clock.now()));
    await room.runJobs();
    const [given] = await tables.stored();
    expect(given).toMatchObject({ state: 'given_up', attempts: 1, problem: 'EENVELOPE 550 5.1.1', sealed: null });
    expect(`${given!.whole}${tables.log.join('')}`).not.toMatch(/ana|Plan mensual|813832289025/);
    expect(tables.log.join('')).toContain('a message was given up');
    await room.runJobs();
    expect(peer.received).toEqual([]);
  });

  test('takes a wrong login for a fault of the settings, which passes', async () => {
    await startPeer({ login: true });
    const room = tables.room({ mail: `smtp://caudal:wrong@127.0.0.1:${peer.port}` });
    await room.store(orderMail(tables.clock.now()));
    await room.runJobs();
    expect(await tables.stored()).toMatchObject([{ state: 'pending', problem: 'EAUTH 535 5.7.8' }]);
  });

  test('is tried for three days while the server is away, and then no more', async () => {
    const url = await startPeer();
    await peers.pop()!.close();
    const room = tables.room({ mail: url });
    await room.store(orderMail(tables.clock.now()));
    const until = tables.clock.now().add({ hours: 72 });
    for (;;) {
      await room.runJobs();
      const [message] = await tables.stored();
      if (message!.state !== 'pending') break;
      expect(message!.sealed?.includes('ana@example.com')).toBe(false);
      tables.clock.set(message!.dueAt.toString());
    }
    expect(tables.clock.now().equals(until)).toBe(true);
    const [given] = await tables.stored();
    expect(given).toMatchObject({ state: 'given_up', problem: 'ESOCKET ECONNREFUSED', sealed: null });
    // 30 s doubled up to an hour, then every half to whole hour.
    expect(given!.attempts).toBeGreaterThan(80);
    expect(given!.attempts).toBeLessThan(130);
  });

  test.each([{}, { hideSTARTTLS: true }])('demands TLS with a valid certificate of another machine: %o', async (offers) => {
    await startPeer(offers);
    // An address of this machine that does not look like one.
    const room = tables.room({ mail: `smtp://0.0.0.0:${peer.port}` });
    await room.store(orderMail(tables.clock.now()));
    await room.runJobs();
    expect(await tables.stored()).toMatchObject([{ state: 'pending', problem: expect.stringMatching(/^E(TLS|SOCKET)/) as unknown }]);
    expect(peer.received).toEqual([]);
  });

  test('by several servers at once sends each mail once; what a dead one held is sent when its lease is over', async () => {
    const url = await startPeer();
    const rooms = [tables.room({ mail: url }), tables.room({ mail: url }), tables.room({ mail: url })];
    const now = tables.clock.now();
    await rooms[0]!.store(
      ...Array.from({ length: 45 }, (_, index) => orderMail(now, { orderId: `B-${index}`, reference: `${1000 + index}` })),
    );
    // Another server claims ten, without a wait for others or a delay of others. Then it dies.
    await tables.db.transaction(async (tx) => {
      await tx.query(HOLD_TEN, [now.add({ seconds: 120 })]);
      await Promise.all(rooms.map((room) => room.runJobs()));
    });
    expect(peer.received).toHaveLength(35);
    tables.clock.advance({ seconds: 120 });
    await Promise.all(rooms.map((room) => room.runJobs()));
    const references = peer.received.map(({ parsed }) => /pago: (\d+)/.exec(parsed.text ?? '')?.[1]);
    expect(references).toHaveLength(45);
    expect(new Set(references)).toEqual(new Set(Array.from({ length: 45 }, (_, index) => `${1000 + index}`)));
  });
});

describe('what is kept', () => {
  test('a sandbox without a mail server keeps every mail for its inbox; production writes none', async () => {
    const sandbox = tables.room({ mode: 'sandbox' });
    expect(sandbox.writes).toEqual({ mail: true, sms: true });
    await sandbox.store(
      orderMail(tables.clock.now()),
      orderMail(tables.clock.now(), { orderId: 'A-1002', kind: 'order_paid', checkoutUrl: null }),
    );
    await sandbox.runJobs();
    const listed = await sandbox.list({ limit: 10 });
    expect(listed).toMatchObject([
      { subjectId: 'A-1002', kind: 'order_paid', state: 'kept', content: { to: 'ana@example.com' } },
      { subjectId: 'A-1001', kind: 'order_created', state: 'kept', channel: 'mail', merchantId: 'shop' },
    ]);
    expect(listed[1]!.content?.mail?.html).toContain('https://pay.example/checkout?token=a.b.c');
    expect(await sandbox.list({ limit: 10, merchantId: 'shop', subjectId: 'A-1001' })).toHaveLength(1);
    await tables.reset();

    const production = tables.room();
    expect(production.writes).toEqual({ mail: false, sms: false });
    await production.store(orderMail(tables.clock.now()));
    expect(await tables.stored()).toEqual([]);
  });

  test('a sandbox with a mail server sends, and still shows what it sent; rows go after 30 days', async () => {
    const room = tables.room({ mail: await startPeer(), mode: 'sandbox' });
    await room.store(orderMail(tables.clock.now()));
    await room.runJobs();
    expect(peer.received).toHaveLength(1);
    expect(await room.list({ limit: 10 })).toMatchObject([{ state: 'sent', content: { to: 'ana@example.com' } }]);
    tables.clock.advance({ days: 30 });
    await room.runJobs();
    expect(await tables.stored()).toHaveLength(1);
    tables.clock.advance({ minutes: 11 });
    await room.runJobs();
    expect(await tables.stored()).toEqual([]);
  });

  test('lies sealed until it is sent', async () => {
    const room = tables.room({ mail: await startPeer() });
    await room.store(orderMail(tables.clock.now()));
    const [waiting] = await tables.stored();
    expect(Buffer.from(waiting!.sealed!).toString('latin1') + waiting!.whole).not.toMatch(/ana|example|Plan|813832289025|a\.b\.c/);
  });
});
