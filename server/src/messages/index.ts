import type { Clock } from '../kit/clock.ts';
import type { Db, Tx } from '../kit/db.ts';
import type { Job } from '../kit/jobs.ts';
import type { Log } from '../kit/log.ts';
import { ringOf } from '../kit/secrets.ts';
import type { MailSettings, SmsSettings } from './channel-settings.ts';
import { deliverMessages } from './deliver-messages.job.ts';
import { listMessages, type ListedMessage } from './list-messages.ts';
import { openMailChannel } from './mail-channel.ts';
import { channelOf, type Channel, type NewMessage } from './message.ts';
import { insertMessages, type MessageFilter } from './message-rows.ts';
import { pruneMessages } from './prune-messages.job.ts';
import { openSmsChannel } from './sms-channel.ts';

export {
  MAIL_FROM_RULE,
  parseMailFrom,
  parseSmsUrl,
  parseSmtpUrl,
  SMS_URL_RULE,
  SMTP_URL_RULE,
  type MailSettings,
  type SmsSettings,
} from './channel-settings.ts';
export type { ListedMessage } from './list-messages.ts';
export type { MessageFilter } from './message-rows.ts';
export type { Channel, NewMessage, OneTimePasswordSms, OrderMail } from './message.ts';
export { messageCommands } from './messages.cli.ts';

export type MessageRoom = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** The service secret under which messages are sealed, 32 bytes. */
  readonly key: Buffer;
  /** Undefined: no mail is sent. */
  readonly mail: MailSettings | undefined;
  /** Undefined: no SMS is sent. */
  readonly sms: SmsSettings | undefined;
  /** A sandbox keeps every message readable for its inbox, also where it has no channel to send it. */
  readonly isSandbox: boolean;
};

export type Messages = {
  /** Whether messages of a channel are written at all: always in a sandbox, else where there is something to send them by. */
  readonly writes: Readonly<Record<Channel, boolean>>;
  /** Writes messages in the transaction of what they tell; those of a channel that is not there are left out. One statement, or none. */
  write(tx: Tx, messages: readonly NewMessage[]): void;
  /** For the inbox of the sandbox: newest first, with what each message says while that is kept. */
  list(filter: MessageFilter): Promise<readonly ListedMessage[]>;
  readonly jobs: readonly Job[];
  close(): Promise<void>;
};

/** Opens the room. Nothing is connected before the first message leaves. */
export function openMessages({ db, clock, log, key, mail, sms, isSandbox }: MessageRoom): Messages {
  const keys = ringOf(key);
  const writes = { mail: isSandbox || mail !== undefined, sms: isSandbox || sms !== undefined };
  const mailChannel = mail && openMailChannel(mail, { key, isSandbox });
  const smsChannel = sms && openSmsChannel(sms, { key, log });
  const stateOf = (channel: Channel): 'pending' | 'kept' => ((channel === 'mail' ? mail : sms) === undefined ? 'kept' : 'pending');
  const delivery = { db, clock, log, keys, keepsContent: isSandbox };
  return {
    writes,
    write: (tx, messages) => {
      const written = messages.filter(({ kind }) => writes[channelOf(kind)]);
      if (written.length > 0) insertMessages(tx, keys, written, stateOf);
    },
    list: (filter) => listMessages(db, keys, filter),
    jobs: [deliverMessages(delivery, 'mail', mailChannel), deliverMessages(delivery, 'sms', smsChannel), pruneMessages({ db, clock })],
    close: async () => {
      await Promise.all([mailChannel?.close(), smsChannel?.close()]);
    },
  };
}
