import { pauseAfter, type Pauses } from '../kit/backoff.ts';
import type { Language } from '../kit/language.ts';
import type { Country } from '../merchants/index.ts';
import { MESSAGE_PROBLEMS } from './message-problems.ts';

/** What a message of a merchant contains: the merchant and the amount, for a reader of this language and country. */
type MessageFacts = {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly language: Language;
  readonly country: Country;
  readonly amountMinor: bigint;
  readonly currency: string;
  /** When the event happened. */
  readonly at: Temporal.Instant;
};

/** Mail to the payer of an order. */
export type OrderMail = MessageFacts & {
  readonly kind: 'order_created' | 'order_paid';
  readonly orderId: string;
  /** The payer's e-mail address. */
  readonly to: string;
  readonly description: string | null;
  readonly reference: string;
  /** The last day on which it can be paid. Null: the order never expires. */
  readonly expiresOn: Temporal.PlainDate | null;
  /** With its token. Null: the order is paid. */
  readonly checkoutUrl: string | null;
};

/** SMS to the end user who collects a cashout. */
export type OneTimePasswordSms = MessageFacts & {
  readonly kind: 'one_time_password';
  readonly operationId: string;
  /** The cellphone as the merchant gave it, with or without a calling code. */
  readonly to: string;
  readonly otp: string;
  /** The last day on which it can be collected. */
  readonly expiresOn: Temporal.PlainDate;
  /** When a short password ends, where that is before the day does. */
  readonly endsAt: Temporal.Instant | null;
};

/** Mail to a user of the service. It is about no merchant. */
type ToUser = {
  readonly userId: string;
  readonly to: string;
  readonly language: Language;
  readonly at: Temporal.Instant;
};

/** Mail with a one-time link: an invitation, or a new password. */
export type UserLink = ToUser & {
  readonly kind: 'user_link';
  readonly purpose: 'enrol' | 'password';
  /** The e-mail of the user who invites. Undefined: a program did, or somebody asked for a new password. */
  readonly invitedBy: string | undefined;
  readonly url: string;
  /** Until when the link works. */
  readonly endsAt: Temporal.Instant;
};

/** Mail that says what changed in a user's account. */
export type UserAlert = ToUser & {
  readonly kind: 'user_alert';
  readonly event:
    | 'password_changed'
    | 'codes_changed'
    | 'recovery_code_used'
    | 'passkey_added'
    | 'passkey_removed'
    | 'account_reset'
    | 'invited_elsewhere';
};

export type UserMail = UserLink | UserAlert;

export type NewMessage = OrderMail | OneTimePasswordSms | UserMail;

export type MessageKind = NewMessage['kind'];

/** How messages are sent. Each kind has one channel. */
export type Channel = 'mail' | 'sms';

/** The most messages of a channel to one recipient within an hour. Undefined: no limit. */
export type PerHour = Readonly<Record<Channel, number | undefined>>;

export const MESSAGE_STATES = ['pending', 'sent', 'given_up', 'kept'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** The channel of a kind of message. */
export function channelOf(kind: MessageKind): Channel {
  return kind === 'one_time_password' ? 'sms' : 'mail';
}

/** True for a mail to a user of the service. */
export const isToUser = (message: NewMessage): message is UserMail => message.kind === 'user_link' || message.kind === 'user_alert';

/** What a message is about: the merchant, and its id of an order or a cashout. Of a mail to a user: no merchant, and the user's id. */
export function subjectOfMessage(message: NewMessage): { readonly merchantId: string; readonly subjectId: string } {
  if (isToUser(message)) return { merchantId: '', subjectId: message.userId };
  const { merchantId } = message;
  return { merchantId, subjectId: message.kind === 'one_time_password' ? message.operationId : message.orderId };
}

/** Mail is retried for three days: a mail server may be away that long. */
const MAIL_HOURS = 72;
/** A later password only confuses: an end user who waited has asked for a new one. */
const SMS_MINUTES = 10;

/** The instant after which a message is given up. */
export function giveUpTime(channel: Channel, createdAt: Temporal.Instant): Temporal.Instant {
  return createdAt.add(channel === 'mail' ? { hours: MAIL_HOURS } : { minutes: SMS_MINUTES });
}

/** Longer than all time-outs of an attempt together. Until then no other server attempts the same message. */
export const LEASE_SECONDS = 120;

/** The pauses between attempts. */
const PAUSES: Readonly<Record<Channel, Pauses>> = {
  mail: { firstSeconds: 30, longestSeconds: 3_600 },
  sms: { firstSeconds: 5, longestSeconds: 60 },
};

/** A message as the recipient reads it. */
export type RenderedMessage = {
  readonly to: string;
  readonly text: string;
  /** The one-time password of an SMS. */
  readonly otp?: string;
  /** Mail has a subject and a second form of its text. */
  readonly mail: { readonly subject: string; readonly html: string; readonly language: string } | undefined;
};

/** The result of an attempt: taken, refused for now, or refused for good. `problem` consists of codes only. */
export type Delivery = { readonly outcome: 'sent' } | { readonly outcome: 'later' | 'never'; readonly problem: string };

/** A message's number here, and the text that names it elsewhere, which reveals no number. */
export type SentId = { readonly number: bigint; readonly text: string };

/** Sends the messages of one channel. */
export type MessageChannel = {
  /**
   * Makes one attempt. `id` is the same in all attempts, so that the other side can recognize a repetition.
   * Never throws for what the other side does: that is a Delivery.
   */
  send(message: RenderedMessage, id: SentId, at: Temporal.Instant): Promise<Delivery>;
  close(): Promise<void>;
};

/** A message that a server has claimed for one attempt. */
export type ClaimedMessage = {
  readonly channel: Channel;
  /** This attempt included. */
  readonly attempts: number;
  readonly givesUpAt: Temporal.Instant;
  /** Of the attempt before, if any. */
  readonly problem: string | null;
  /** True: a newer password of the same cashout was written. */
  readonly isSuperseded: boolean;
};

/** Decides whether a message is not sent at all any more. Mail is still sent after the service itself was away for days. */
export function decideUnsent(
  { channel, givesUpAt: until, problem, isSuperseded }: ClaimedMessage,
  now: Temporal.Instant,
): Delivery | undefined {
  if (isSuperseded) return { outcome: 'never', problem: MESSAGE_PROBLEMS.superseded };
  if (channel === 'sms' && Temporal.Instant.compare(now, until) >= 0)
    return { outcome: 'never', problem: problem ?? MESSAGE_PROBLEMS.tooLate };
  return undefined;
}

/** The state of a message after an attempt. */
export type AfterAttempt = {
  readonly state: 'pending' | 'sent' | 'given_up';
  readonly problem: string | null;
  readonly dueAt: Temporal.Instant;
  readonly endedAt: Temporal.Instant | null;
};

/**
 * Decides the state of a message after an attempt. The last attempt is at the instant at which the message is given up.
 * Shape: chance in [0, 1).
 */
export function decideAfterAttempt(claimed: ClaimedMessage, delivery: Delivery, now: Temporal.Instant, chance: number): AfterAttempt {
  if (delivery.outcome === 'sent') return { state: 'sent', problem: null, dueAt: now, endedAt: now };
  const { problem } = delivery;
  if (delivery.outcome === 'never' || Temporal.Instant.compare(now, claimed.givesUpAt) >= 0)
    return { state: 'given_up', problem, dueAt: now, endedAt: now };
  const next = now.add(pauseAfter(claimed.attempts, PAUSES[claimed.channel], chance));
  const dueAt = Temporal.Instant.compare(next, claimed.givesUpAt) < 0 ? next : claimed.givesUpAt;
  return { state: 'pending', problem, dueAt, endedAt: null };
}
