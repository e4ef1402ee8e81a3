import { InvalidArgumentError, Option, type Command } from 'commander';
import { CommandRefused, JSON_OPTION, print, printJson, sentInstant, table, type Cell, type Connect } from '../kit/command-line.ts';
import { argument, askCommand } from '../kit/remote/client-commands.ts';
import type { MailSettings, SmsSettings } from './channel-settings.ts';
import type { MessageChannel, RenderedMessage } from './message.ts';

export type MessageSettings = {
  readonly mode: 'sandbox' | 'production';
  readonly mail: MailSettings | undefined;
  readonly sms: SmsSettings | undefined;
};

const operations = () => import('./messages.manage.ts');

/** Adds `caudal messages …` to the program. */
export function messageCommands(program: Command, connect: Connect, readSettings: () => Promise<MessageSettings>): void {
  const messages = program.command('messages').description('the state of mail and SMS; send a test mail or SMS');
  askCommand(messages, connect, {
    name: 'list',
    about: 'count the messages that are kept, by state, without personal data',
    options: [new Option('--failed', 'only those that were given up, or that failed and are retried')],
    operation: async () => (await operations()).messageCounts,
    parts: ({ failed = false }: { readonly failed?: boolean }) => ({ query: { failed } }),
    json: ({ counts }) => counts,
    text: ({ counts }, { failed }) => {
      if (counts.length === 0) return `No ${failed ? 'failed ' : ''}messages.\n`;
      const rows = counts.map(({ channel, kind, state, messages: count, newestAt, problem }): Cell[] => [
        channel,
        kind,
        state,
        count,
        sentInstant(newestAt),
        problem,
      ]);
      return table(['CHANNEL', 'KIND', 'STATE', 'MESSAGES', 'NEWEST', 'PROBLEM'], rows);
    },
  });
  askCommand(messages, connect, {
    name: 'send-now',
    about: 'send a mail or an SMS that waits now, before its next attempt is due',
    args: [argument('<id>', 'its id, as the console and the management API show it', parseId)],
    operation: async () => (await operations()).messageRedelivery,
    parts: ({ id }: { readonly id: string }) => ({ path: { message: id } }),
    json: (_done, { id }) => ({ id }),
    text: (_done, { id }) => `Message ${id} is sent now by a running server. "messages list --failed" shows what could not be sent.\n`,
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
          'This is not a mobile number of any country. A number has 8 to 15 digits: calling code and number, such as 573001234567.',
          2,
        );
      const [{ openSmsChannel }, { createLog }] = await Promise.all([import('./sms-channel.ts'), import('../kit/log.ts')]);
      await sendTest('SMS', openSmsChannel(sms, createLog('silent')), number.slice(1), json === true);
    });
}

function parseId(text: string): string {
  if (!/^[1-9][0-9]{0,17}$/.test(text)) throw new InvalidArgumentError('It takes the id of a message, such as 17.');
  return text;
}

const TEST_TEXT = 'Caudal can send messages.';

async function sendTest(what: string, channel: MessageChannel, to: string, isJson: boolean): Promise<void> {
  const message: RenderedMessage = { to, text: TEST_TEXT, mail: { subject: TEST_TEXT, html: `<p>${TEST_TEXT}</p>`, language: 'en' } };
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
