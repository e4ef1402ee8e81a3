import { InvalidArgumentError, type Command } from 'commander';
import {
  carryOut,
  CommandRefused,
  JSON_OPTION,
  print,
  printJson,
  readFrom,
  table,
  type Connect,
  type RefusalLines,
} from '../kit/command-line.ts';
import { refuse } from '../kit/outcome.ts';
import type { MailSettings, SmsSettings } from './channel-settings.ts';
import type { MessageChannel, Rendered } from './message.ts';

export type MessageSettings = {
  readonly mode: 'sandbox' | 'production';
  readonly mail: MailSettings | undefined;
  readonly sms: SmsSettings | undefined;
};

type ListOptions = { failed?: true; json?: true };

/** Adds `caudal messages …` to the program. */
export function messageCommands(program: Command, connect: Connect, readSettings: () => Promise<MessageSettings>): void {
  const messages = program.command('messages').description('the state of mail and SMS; send a test mail or SMS');
  messages
    .command('list')
    .description('count the messages that are kept, by state, without personal data')
    .option('--failed', 'only those that were given up, or that failed and are retried')
    .option(...JSON_OPTION)
    .action((options: ListOptions) => list(connect, options));
  messages
    .command('send-now')
    .description('send a mail or an SMS that waits now, before its next attempt is due')
    .argument('<id>', 'its id, as the console and the management API show it', parseId)
    .option(...JSON_OPTION)
    .action(async (message: string, { json }: { json?: true }) => {
      await carryOut(connect, SEND_REFUSALS, message, {
        here: async (connection) => {
          const { findWaiting, sendMessageNow } = await import('./send-message-now.ts');
          const found = await findWaiting(connection.db, BigInt(message), undefined);
          return found === undefined ? refuse('not_found') : sendMessageNow(connection, found);
        },
        there: async (service) => void (await service.call((await import('./messages.manage.ts')).sendNow, { path: { message } })),
      });
      if (json) return printJson({ id: message });
      print(`Message ${message} is sent now by a running server. "messages list --failed" shows what could not be sent.\n`);
    });
  messages
    .command('test-mail')
    .description('send a mail by CAUDAL_SMTP_URL now, and print the result')
    .argument('<address>', 'the recipient')
    .option(...JSON_OPTION)
    .action(async (to: string, { json }: { json?: true }) => {
      const { mail, mode } = await readSettings();
      if (mail === undefined) throw new CommandRefused('CAUDAL_SMTP_URL is not set.');
      const { openMailChannel } = await import('./mail-channel.ts');
      await sendTest('mail', openMailChannel(mail, { isSandbox: mode === 'sandbox' }), to, json === true);
    });
  messages
    .command('test-sms')
    .description('send an SMS by CAUDAL_SMS_URL now, and print the result')
    .argument('<number>', 'the recipient: calling code and number, such as +573001234567')
    .option(...JSON_OPTION)
    .action(async (to: string, { json }: { json?: true }) => {
      const { sms } = await readSettings();
      if (sms === undefined) throw new CommandRefused('CAUDAL_SMS_URL is not set.');
      const { mobileOfWorld } = await import('../kit/phones/mobile-number.ts');
      const number = mobileOfWorld(to);
      if (number === undefined)
        throw new CommandRefused(
          'This is no mobile number of any country. A number has 8 to 15 digits: calling code and number, such as 573001234567.',
          2,
        );
      const [{ openSmsChannel }, { createLog }] = await Promise.all([import('./sms-channel.ts'), import('../kit/log.ts')]);
      await sendTest('SMS', openSmsChannel(sms, createLog('silent')), number.slice(1), json === true);
    });
}

const SEND_REFUSALS = {
  not_found: (id) => [`No message ${id} waits to be sent.`, 1],
  message_due: (id) => [`Message ${id} is being sent, or is due within two minutes.`, 1],
} satisfies RefusalLines<'not_found' | 'message_due'>;

function parseId(text: string): string {
  if (!/^[1-9][0-9]{0,17}$/.test(text)) throw new InvalidArgumentError('It takes the id of a message, such as 17.');
  return text;
}

async function list(connect: Connect, { failed = false, json }: { failed?: boolean; json?: true }): Promise<void> {
  const counts = await readFrom(connect, {
    here: async ({ db }) => {
      const { countMessages } = await import('./message-rows.ts');
      return (await countMessages(db, failed)).map(({ messages, ...rest }) => ({ ...rest, messages: Number(messages) }));
    },
    there: async (service) => {
      const { count } = await import('./messages.manage.ts');
      const shown = await service.call(count, { query: { failed: String(failed) } });
      return shown.counts.map(({ newestAt, ...rest }) => ({ ...rest, newestAt: Temporal.Instant.from(newestAt) }));
    },
  });
  if (json) return printJson(counts);
  const rows = counts.map(({ channel, kind, state, messages, newestAt, problem }) => [channel, kind, state, messages, newestAt, problem]);
  const heading = ['CHANNEL', 'KIND', 'STATE', 'MESSAGES', 'NEWEST', 'PROBLEM'];
  print(rows.length === 0 ? `No ${failed ? 'failed ' : ''}messages.\n` : table(heading, rows));
}

const TEST_TEXT = 'Caudal can send messages.';

async function sendTest(what: string, channel: MessageChannel, to: string, isJson: boolean): Promise<void> {
  const message: Rendered = { to, text: TEST_TEXT, mail: { subject: TEST_TEXT, html: `<p>${TEST_TEXT}</p>`, language: 'en' } };
  try {
    const now = Temporal.Now.instant();
    const delivery = await channel.send(message, { number: BigInt(now.epochMilliseconds), text: crypto.randomUUID() }, now);
    if (delivery.outcome !== 'sent') {
      const { explainProblem } = await import('./explain-problem.ts');
      const says = [`The ${what} was not taken: ${delivery.problem}.`, explainProblem(delivery.problem)];
      throw new CommandRefused(says.filter((part) => part !== undefined).join(' '));
    }
    if (isJson) return printJson({ channel: what.toLowerCase(), isTaken: true });
    print(`The ${what} was taken by the server.\n`);
  } finally {
    await channel.close();
  }
}
