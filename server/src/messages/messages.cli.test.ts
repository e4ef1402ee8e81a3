import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { capturePrinted, runCommand } from '../testing/captured.ts';
import { openMessageTables, orderMail, passwordSms, type MessageTables } from '../testing/message-room.ts';
import { OWN_CERTIFICATE } from '../testing/own-certificate.ts';
import { startSmppPeer, type SmppPeer } from '../testing/smpp-peer.ts';
import { startSmtpPeer, type SmtpPeer } from '../testing/smtp-peer.ts';
import { testKeys } from '../testing/test-caudal.ts';
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

const run = (words: string, current: MessageSettings): Promise<void> =>
  runCommand(
    { url: '', db: tables.db, keys: testKeys(), clock: tables.clock },
    (program, connect) => messageCommands(program, connect, async () => current),
    'messages',
    ...words.split(' '),
  );

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
  await expect(run('test-sms 573001234567', settings())).rejects.toThrow(
    'The SMS was not taken: bind 0x0000000e. The server refuses this login: see the user and the password of the setting.',
  );
  await expect(run('test-mail ana@example.com', NOTHING_SET)).rejects.toThrow('CAUDAL_SMTP_URL is not set.');
  await expect(run('test-sms 573001234567', NOTHING_SET)).rejects.toThrow('CAUDAL_SMS_URL is not set.');
});

test('messages test-sms sends nothing where the number is none', async () => {
  const before = smsPeer.submitted.length;
  for (const number of ['hello', '+', '300123', '5730012345671234'])
    await expect(run(`test-sms ${number}`, settings())).rejects.toThrow('A number has 8 to 15 digits');
  expect(smsPeer.submitted).toHaveLength(before);
});

test.each([
  [
    'smtps://0.0.0.0:PORT',
    /^The mail was not taken: ESOCKET DEPTH_ZERO_SELF_SIGNED_CERT\. The certificate of the server is not trusted here\./,
  ],
  ['smtps://127.0.0.1:1', /^The mail was not taken: ESOCKET ECONNREFUSED\. Nothing listens there/],
  ['smtps://127.0.0.1:PLAIN', /^The mail was not taken: ESOCKET ERR_SSL_\w+\. The port speaks no TLS from the first byte/],
])('messages test-mail by %s says why the connection failed', async (url, says) => {
  const sealed = createServer(OWN_CERTIFICATE);
  onTestFinished(() => void sealed.close());
  await once(sealed.listen(0, '127.0.0.1'), 'listening');
  const { port } = sealed.address() as AddressInfo;
  const smtp = parseSmtpUrl(url.replace('PORT', String(port)).replace('PLAIN', String(mailPeer.port)))!;
  const mail = { ...smtp, from: { name: '', address: 'pagos@caudal.test' } };
  await expect(run('test-mail ana@example.com', { ...settings(), mail })).rejects.toThrow(says);
});
