import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cashoutCalls } from '../testing/cashout-calls.ts';
import { openMessageTables, orderMail, passwordSms, type MessageTables } from '../testing/message-room.ts';
import { startSmppPeer, type SmppPeer } from '../testing/smpp-peer.ts';
import { startSmtpPeer } from '../testing/smtp-peer.ts';
import { startTestCaudal } from '../testing/test-caudal.ts';
import { statement } from '../kit/db.ts';
import { parseSmsUrl } from './channel-settings.ts';
import { findCountry, type Country } from '../merchants/index.ts';
import { recipientOf } from './recipient-limit.ts';

const RECIPIENTS = statement('test.recipients', 'select to_jsonb(m)::text as whole from message_recipients m');
const PER_HOUR = { mail: 4, sms: 3 };

let peer: SmppPeer;
beforeEach(async () => {
  peer = await startSmppPeer();
});
afterEach(() => peer.close());
const smppUrl = (): string => `smpp://caudal:pass@127.0.0.1:${peer.port}`;
const numbers = (): unknown[] => peer.submitted.map((pdu) => pdu['destination_addr']);

test('who registers and cancels again and again sends one number ten SMS, also as two merchants', async () => {
  const overLimit: string[] = [];
  const service = await startTestCaudal({
    config: { sms: parseSmsUrl(smppUrl(), true) },
    onOverLimit: (channel) => overLimit.push(channel),
  });
  try {
    const send = async (cellphone: string, document: string): Promise<void> => {
      const shop = cashoutCalls(service, await service.merchant());
      for (let turn = 0; turn < 10; turn++) {
        const operation = `T-${turn}`;
        const answer = await shop.register(shop.registration({ operation, document: `${document}${turn}`, sms: true, cellphone }));
        expect(answer).toMatchObject({ code: '0000', text: expect.any(String) as string });
        expect(await shop.cancel(operation, `${document}${turn}`)).toMatchObject({ code: '0000' });
      }
    };
    await send('3005550001', '70001');
    await send('+57 300 555 0001', '70002');
    await send('3005550002', '70003');
    await service.runJobs();
    const sent = Map.groupBy(numbers(), (number) => number);
    expect([...sent].map(([number, all]) => [number, all.length])).toEqual([
      ['573005550001', 10],
      ['573005550002', 10],
    ]);
    expect(overLimit).toEqual(Array.from({ length: 10 }, () => 'sms'));
  } finally {
    await service.close();
  }
});

describe('the messages to one recipient', () => {
  let tables: MessageTables;
  beforeAll(async () => {
    tables = await openMessageTables();
  });
  afterEach(() => tables.reset());
  afterAll(() => tables.close());

  const states = async (): Promise<unknown[]> => (await tables.stored()).map(({ state, problem }) => [state, problem]);
  /** Short enough for one part. */
  const sms = (operationId: string) => passwordSms(tables.clock.now(), { operationId, merchantName: 'Tienda' });

  test('are so many within any hour: what is beyond is given up, with its reason, and the log sums it up', async () => {
    const room = tables.room({ sms: smppUrl(), perHour: PER_HOUR });
    const store = (operationId: string) => room.store(sms(operationId));
    await store('W-1');
    await room.runJobs();
    tables.clock.advance({ minutes: 40 });
    for (const operationId of ['W-2', 'W-3', 'W-4']) await store(operationId);
    await room.runJobs();
    const [over, ...others] = (await tables.stored()).filter(({ state }) => state !== 'sent');
    expect(over).toMatchObject({ state: 'given_up', problem: 'recipient limit', sealed: null });
    expect([others, peer.submitted]).toMatchObject([[], { length: 3 }]);
    expect(tables.log.join('')).toContain('its recipient had as many as an hour allows');
    expect(tables.log.join('')).not.toMatch(/3001234567|480213/);
    // The first is an hour old then, and the other two are not.
    tables.clock.advance({ minutes: 21 });
    for (const operationId of ['W-5', 'W-6']) await store(operationId);
    await room.runJobs();
    expect(peer.submitted).toHaveLength(4);
  });

  test('count once, however often each is tried', async () => {
    const room = tables.room({ sms: smppUrl(), perHour: PER_HOUR });
    peer.answers.push(0x14, 0x14, 0x14);
    for (const operationId of ['W-1', 'W-2', 'W-3']) await room.store(sms(operationId));
    await room.runJobs();
    tables.clock.advance({ minutes: 1 });
    await room.runJobs();
    expect(await states()).toEqual([
      ['sent', null],
      ['sent', null],
      ['sent', null],
    ]);
  });

  test('are so many also where three servers send at the same time', async () => {
    const rooms = [1, 2, 3].map(() => tables.room({ sms: smppUrl(), perHour: PER_HOUR }));
    await rooms[0]!.store(...Array.from({ length: 45 }, (_, index) => sms(`W-${index}`)));
    await Promise.all(rooms.map((room) => room.runJobs()));
    expect(numbers()).toEqual(['573001234567', '573001234567', '573001234567']);
    expect((await tables.stored()).filter(({ problem }) => problem === 'recipient limit')).toHaveLength(42);
  });

  test('have a limit of their own for mail, and none where it is off', async () => {
    const mailPeer = await startSmtpPeer();
    try {
      const mail = `smtp://127.0.0.1:${mailPeer.port}`;
      const room = tables.room({ mail, perHour: PER_HOUR });
      const now = tables.clock.now();
      const mails = ['ana@example.com', 'ANA@Example.com', 'ana+shop@example.com'].flatMap((to, group) =>
        [1, 2, 3].map((index) => orderMail(now, { orderId: `A-${group}-${index}`, to })),
      );
      await room.store(...mails);
      await room.runJobs();
      expect(mailPeer.received).toHaveLength(4);
      const unlimited = tables.room({ mail });
      await unlimited.store(...mails);
      await unlimited.runJobs();
      expect(mailPeer.received).toHaveLength(13);
    } finally {
      // The peer waits for the connections that a room keeps.
      await tables.reset();
      await mailPeer.close();
    }
  });

  test('are counted without the address, and forgotten after an hour', async () => {
    const room = tables.room({ sms: smppUrl(), perHour: PER_HOUR });
    await room.store(passwordSms(tables.clock.now()));
    await room.runJobs();
    const [row, ...others] = await tables.db.query<{ whole: string }>(RECIPIENTS, []);
    expect(others).toEqual([]);
    const { recipient, ...rest } = JSON.parse(row?.whole ?? '{}') as Record<string, string>;
    // Digits of a hash may be those of the address by chance. So its bytes are judged, and not its digits.
    expect(recipient).toMatch(/^\\x[0-9a-f]{64}$/);
    expect(Buffer.from(recipient?.slice(2) ?? '', 'hex').toString('latin1')).not.toContain('3001234567');
    expect(JSON.stringify(rest)).not.toMatch(/300|shop|W-/);
    tables.clock.advance({ minutes: 71 });
    await room.runJobs();
    expect(await tables.db.query(RECIPIENTS, [])).toEqual([]);
  });
});

test.each([
  [['3001234567', '03001234567', '+573001234567', '0057 300-123-4567', '573001234567'], '3001234568'],
  [['ana@example.com', 'Ana@EXAMPLE.com', 'ana+1@example.com'], 'ana1@example.com'],
  [['ana@bücher.example', 'ana@xn--bcher-kva.example'], 'ana@bucher.example'],
])('the same recipient is known in every way of writing it: %j', (same, other) => {
  const key = Buffer.alloc(32, 1);
  const now = Temporal.Instant.from('2026-11-21T15:00:00Z');
  const name = (to: string): string =>
    recipientOf(to.includes('@') ? orderMail(now, { to }) : passwordSms(now, { to, country: findCountry('343') as Country }), key).toString(
      'hex',
    );
  expect(new Set(same.map(name)).size).toBe(1);
  expect(name(other)).not.toBe(name(same[0] as string));
});
