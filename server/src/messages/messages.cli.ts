import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { columns, CommandRefused, instantText, print, printJson, withConnection, type Connect } from '../kit/command-line.ts';
import { createLog } from '../kit/log.ts';
import type { MailSettings, SmsSettings } from './channel-settings.ts';
import { openMailChannel } from './mail-channel.ts';
import type { MessageChannel, Rendered } from './message.ts';
import { countMessages } from './message-rows.ts';
import { openSmsChannel } from './sms-channel.ts';

export type MessageSettings = {
  readonly mode: 'sandbox' | 'production';
  readonly mail: MailSettings | undefined;
  readonly sms: SmsSettings | undefined;
};

type ListOptions = { failed?: true; json?: true };

/** Adds `caudal messages …` to the program. */
export function messageCommands(program: Command, connect: Connect, readSettings: () => MessageSettings): void {
  const messages = program.command('messages').description('the state of mail and SMS; send a test mail or SMS');
  messages
    .command('list')
    .description('count the messages that are kept, by state, without personal data')
    .option('--failed', 'only those that were given up, or that failed and are retried')
    .option('--json', 'print JSON, one object per line')
    .action((options: ListOptions) => list(connect, options));
  messages
    .command('test-mail')
    .description('send a mail by CAUDAL_SMTP_URL now, and print the result')
    .argument('<address>', 'the recipient')
    .action((to: string) => {
      const { mail, mode } = readSettings();
      if (mail === undefined) throw new CommandRefused('CAUDAL_SMTP_URL is not set.');
      return sendTest('mail', openMailChannel(mail, { isSandbox: mode === 'sandbox' }), to);
    });
  messages
    .command('test-sms')
    .description('send an SMS by CAUDAL_SMS_URL now, and print the result')
    .argument('<number>', 'the recipient: calling code and number, such as 573001234567')
    .action((to: string) => {
      const { sms } = readSettings();
      if (sms === undefined) throw new CommandRefused('CAUDAL_SMS_URL is not set.');
      return sendTest('SMS', openSmsChannel(sms, createLog('silent')), to.replace(/[^0-9]/g, ''));
    });
}

async function list(connect: Connect, { failed = false, json }: { failed?: boolean; json?: true }): Promise<void> {
  await withConnection(connect, async ({ db }) => {
    const counts = await countMessages(db, failed);
    if (json) {
      for (const { messages, ...rest } of counts) printJson({ ...rest, messages: Number(messages) });
      return;
    }
    const heading = ['CHANNEL', 'KIND', 'STATE', 'MESSAGES', 'NEWEST', 'PROBLEM'];
    const rows = counts.map(({ channel, kind, state, messages, newestAt, problem }) => [
      channel,
      kind,
      state,
      messages.toString(),
      instantText(newestAt),
      problem ?? '',
    ]);
    print(rows.length === 0 ? `No ${failed ? 'failed ' : ''}messages.\n` : columns([heading, ...rows]));
  });
}

const TEST_TEXT = 'Caudal can send messages.';

async function sendTest(what: string, channel: MessageChannel, to: string): Promise<void> {
  const message: Rendered = { to, text: TEST_TEXT, mail: { subject: TEST_TEXT, html: `<p>${TEST_TEXT}</p>`, language: 'en' } };
  try {
    const now = Temporal.Now.instant();
    const delivery = await channel.send(message, { number: BigInt(now.epochMilliseconds), text: randomUUID() }, now);
    if (delivery.outcome !== 'sent') throw new CommandRefused(`The ${what} was not taken: ${delivery.problem}.`);
    print(`The ${what} was taken by the server.\n`);
  } finally {
    await channel.close();
  }
}
