import type { Clock } from '../kit/clock.ts';
import type { Db, Tx } from '../kit/db.ts';
import type { Job } from '../kit/jobs.ts';
import type { Log } from '../kit/log.ts';
import { openSealer } from '../kit/keys/sealer.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import type { MailSettings, SmsSettings } from './channel-settings.ts';
import { deliverMessages } from './deliver-messages.job.ts';
import { openMailChannel } from './mail-channel.ts';
import { channelOf, type Channel, type NewMessage, type PerHour, type RenderedMessage } from './message.ts';
import { insertMessages, openMessage, selectMessages, type ListedMessageRow, type MessageFilter } from './message-rows.ts';
import { pruneMessages } from './prune-messages.job.ts';
import { renderMessage, type MessageSurroundings } from './render-message.ts';
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
export { MESSAGE_CHECKS } from './doctor-checks.ts';
export type { Channel, NewMessage, OneTimePasswordSms, OrderMail, PerHour, UserAlert, UserLink } from './message.ts';
export { messagesAbout } from './messages-about.ts';
export { eraseMessages, listMessagesAbout, type MessageStateRow } from './message-rows.ts';
export { messageManagement } from './messages.manage.ts';
export type { CollectedAt } from './render-message.ts';

type MessageRoom = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** The key of the service that seals messages. */
  readonly key: ServiceKey;
  /** Undefined: mail is not sent. */
  readonly mail: MailSettings | undefined;
  /** Undefined: SMS are not sent. */
  readonly sms: SmsSettings | undefined;
  /** A sandbox keeps every message readable for its inbox, also without a channel to send it. */
  readonly isSandbox: boolean;
  /** A message is deleted that many days after it was written. */
  readonly keptDays: number;
  readonly perHour: PerHour;
  readonly surroundings: MessageSurroundings;
  /** Called for each message that its recipient's limit stops, for metrics. */
  readonly onOverLimit?: (channel: Channel) => void;
};

/** A message as the inbox of a sandbox shows it. */
export type ListedMessage = Omit<ListedMessageRow, 'sealed'> & {
  /** As it would be sent now: an SMS names the networks of now. Undefined: it is erased. */
  readonly content: RenderedMessage | undefined;
};

export type Messages = {
  /** Whether messages of a channel are written at all: always in a sandbox, otherwise when the channel is set. */
  readonly writes: Readonly<Record<Channel, boolean>>;
  /** Writes messages in the transaction of their event, with one statement or none. Those of a channel that is not set are left out. */
  write(tx: Tx, messages: readonly NewMessage[]): void;
  /** For the inbox of the sandbox: the newest first, each with its content while that is kept. */
  list(filter: MessageFilter): Promise<readonly ListedMessage[]>;
  readonly jobs: readonly Job[];
  close(): Promise<void>;
};

/** Opens the room. It connects to nothing before the first message is sent. */
export function openMessages(room: MessageRoom): Messages {
  const { db, clock, log, key, mail, sms, isSandbox, keptDays, perHour, surroundings, onOverLimit = () => undefined } = room;
  const sealer = openSealer(key);
  const writes = { mail: isSandbox || mail !== undefined, sms: isSandbox || sms !== undefined };
  const mailChannel = mail && openMailChannel(mail, { isSandbox });
  const smsChannel = sms && openSmsChannel(sms, log);
  const stateOf = (channel: Channel): 'pending' | 'kept' => ((channel === 'mail' ? mail : sms) === undefined ? 'kept' : 'pending');
  const delivery = { db, clock, log, sealer, keepsContent: isSandbox, perHour, surroundings, onOverLimit };
  return {
    writes,
    write: (tx, messages) => {
      const written = messages.filter(({ kind }) => writes[channelOf(kind)]);
      if (written.length > 0) insertMessages(tx, sealer, written, stateOf);
    },
    list: async (filter) => {
      const rows = await selectMessages(db, filter);
      return Promise.all(
        rows.map(async ({ sealed, ...row }) => {
          const message = openMessage(sealer, { ...row, sealed });
          return { ...row, content: message && (await renderMessage(message, surroundings)) };
        }),
      );
    },
    jobs: [
      deliverMessages(delivery, 'mail', mailChannel),
      deliverMessages(delivery, 'sms', smsChannel),
      pruneMessages({ db, clock }, keptDays),
    ],
    close: async () => {
      await Promise.all([mailChannel?.close(), smsChannel?.close()]);
    },
  };
}
