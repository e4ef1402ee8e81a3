import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connection } from '../kit/command-line.ts';
import { capturePrinted } from '../testing/captured.ts';
import { openMessageTables, orderMail, passwordSms, type MessageTables } from '../testing/message-room.ts';
import { startSmppPeer, type SmppPeer } from '../testing/smpp-peer.ts';
import { startSmtpPeer, type SmtpPeer } from '../testing/smtp-peer.ts';
import { parseSmsUrl, parseSmtpUrl } from './channel-settings.ts';
import { messageCommands, type MessageSettings } from './messages.cli.ts';

let tables: MessageTables;
let mailPeer: SmtpPeer;
let smsPeer: SmppPeer;
const printed = capturePrinted();

beforeAll(async () => {
  [tables, mailPeer, smsPeer] = await Promise.all([openMessageTables(), startSmtpPeer(), startSmppPeer()]);
});
afterAll(async () => {
  await tables.reset();
  await Promise.all([tables.close(), mailPeer.close(), smsPeer.close()]);
});

const NOTHING_SET: MessageSettings = { mode: 'sandbox', mail: undefined, sms: undefined };

function settings(): MessageSettings {
  const smtp = parseSmtpUrl(`smtp://127.0.0.1:${mailPeer.port}`)!;
  const from = { name: '', address: 'pagos@caudal.test' };
  return { mode: 'production', mail: { ...smtp, from }, sms: parseSmsUrl(`smpp://me:pass@127.0.0.1:${smsPeer.port}`, false) };
}

async function run(words: string, current: MessageSettings): Promise<void> {
  const program = new Command().exitOverride();
  const connection: Pick<Connection, 'db' | 'clock' | 'close'> = { db: tables.db, clock: tables.clock, close: async () => undefined };
  messageCommands(
    program,
    async () => connection as Connection,
    async () => current,
  );
  await program.parseAsync(['messages', ...words.split(' ')], { from: 'user' });
}

test('messages list counts what waits and what failed, without personal data', async () => {
  await run('list --failed', NOTHING_SET);
  expect(printed.stdout()).toBe('No failed messages.\n');
  const room = tables.room({ mail: `smtp://127.0.0.1:${mailPeer.port}`, sms: `smpp://me:pass@127.0.0.1:${smsPeer.port}` });
  const now = tables.clock.now();
  mailPeer.refuse.recipients.push('550 5.1.1 ana@example.com is nobody here');
  await room.store(orderMail(now));
  await room.runJobs();
  await room.store(orderMail(now), passwordSms(now));
  await room.runJobs();

  printed.clear();
  await run('list', NOTHING_SET);
  expect(
    printed
      .stdout()
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/)),
  ).toEqual([
    ['CHANNEL', 'KIND', 'STATE', 'MESSAGES', 'NEWEST (UTC)', 'PROBLEM'],
    ['mail', 'order_created', 'given_up', '1', '2026-11-21 15:00:00', 'EENVELOPE 550 5.1.1'],
    ['mail', 'order_created', 'sent', '1', '2026-11-21 15:00:00'],
    ['sms', 'one_time_password', 'sent', '1', '2026-11-21 15:00:00'],
    [''],
  ]);
  printed.clear();
  await run('list --failed --json', NOTHING_SET);
  expect(JSON.parse(printed.stdout())).toMatchObject([{ channel: 'mail', state: 'given_up', messages: 1, problem: 'EENVELOPE 550 5.1.1' }]);
});

test('messages test-mail and test-sms send by the settings and say what became of it', async () => {
  await run('test-mail ana@example.com', settings());
  await run('test-sms +573001234567', settings());
  expect(printed.stdout()).toBe('The mail was taken by the server.\nThe SMS was taken by the server.\n');
  expect(mailPeer.received.at(-1)?.recipients).toEqual(['ana@example.com']);
  expect(smsPeer.submitted.at(-1)).toMatchObject({ destination_addr: '573001234567' });

  mailPeer.refuse.recipients.push('451 4.3.0 busy');
  await expect(run('test-mail ana@example.com', settings())).rejects.toThrow('The mail was not taken: EENVELOPE 451 4.3.0.');
  smsPeer.bindAnswers.push(0x0e);
  await expect(run('test-sms 573001234567', settings())).rejects.toThrow('The SMS was not taken: bind 0x0000000e.');
  await expect(run('test-mail ana@example.com', NOTHING_SET)).rejects.toThrow('CAUDAL_SMTP_URL is not set.');
  await expect(run('test-sms 573001234567', NOTHING_SET)).rejects.toThrow('CAUDAL_SMS_URL is not set.');
});
