import type { Language } from '../kit/language.ts';
import type { Country } from '../merchants/index.ts';

/** What every message tells: whose it is, and how much, in the reader's language and in the way of the reader's country. */
type MessageFacts = {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly language: Language;
  readonly country: Country;
  readonly amountMinor: bigint;
  readonly currency: string;
  /** When what it tells happened. */
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
  /** The last day on which it can be paid; null for an order that never expires. */
  readonly expiresOn: Temporal.PlainDate | null;
  /** With its token. Null once paid. */
  readonly checkoutUrl: string | null;
};

/** SMS to the person who collects a cashout. */
export type OneTimePasswordSms = MessageFacts & {
  readonly kind: 'one_time_password';
  readonly operationId: string;
  /** The cellphone as the merchant gave it: digits, with or without the country's calling code. */
  readonly to: string;
  readonly otp: string;
  /** The last day on which it can be collected. */
  readonly expiresOn: Temporal.PlainDate;
};

export type NewMessage = OrderMail | OneTimePasswordSms;

export type MessageKind = NewMessage['kind'];

/** The ways on which messages leave; each kind has one. */
export type Channel = 'mail' | 'sms';

export type MessageState = 'pending' | 'sent' | 'given_up' | 'kept';

/** The way of a kind of message. */
export function channelOf(kind: MessageKind): Channel {
  return kind === 'one_time_password' ? 'sms' : 'mail';
}

/** The merchant's id of what a message is about. */
export function subjectOf(message: NewMessage): string {
  return message.kind === 'one_time_password' ? message.operationId : message.orderId;
}

/** For three days mail is worth retrying: so long may a mail server be away without anyone noticing a gap. */
const MAIL_HOURS = 72;
/** A password that comes later than this only confuses: whoever waited has asked for a new one. */
const SMS_MINUTES = 10;

/** The instant after which a message is given up. */
export function givesUpAt(channel: Channel, createdAt: Temporal.Instant): Temporal.Instant {
  return createdAt.add(channel === 'mail' ? { hours: MAIL_HOURS } : { minutes: SMS_MINUTES });
}

/** First and longest pause between two tries; each doubles the one before. */
const PAUSES_SECONDS = { mail: { first: 30, longest: 3_600 }, sms: { first: 5, longest: 60 } } as const;

/** The pause before the next try, between three and five quarters of the doubled one: what failed together does not come back together. */
function pauseMs(channel: Channel, attempts: number, jitter: number): number {
  const { first, longest } = PAUSES_SECONDS[channel];
  const seconds = Math.min(first * 2 ** (attempts - 1), longest);
  return Math.round(seconds * 1_000 * (0.75 + jitter / 2));
}

/** What the other side made of a try: took it, refused it for now, refused it for good. `problem` is made of codes only. */
export type Delivery = { readonly outcome: 'sent' } | { readonly outcome: 'later' | 'never'; readonly problem: string };

/** A message of which a server has taken hold for one try. */
export type Tried = {
  readonly channel: Channel;
  /** This try included. */
  readonly attempts: number;
  readonly givesUpAt: Temporal.Instant;
  /** Of the try before, if any. */
  readonly problem: string | null;
  /** A newer password of the same cashout is on its way, or has arrived. */
  readonly isSuperseded: boolean;
};

/** Whether a message should not be tried any more, and why; mail is worth a try even when the service itself was away for days. */
export function uselessness({ channel, givesUpAt: until, problem, isSuperseded }: Tried, now: Temporal.Instant): Delivery | undefined {
  if (isSuperseded) return { outcome: 'never', problem: 'superseded' };
  if (channel === 'sms' && Temporal.Instant.compare(now, until) >= 0) return { outcome: 'never', problem: problem ?? 'too late' };
  return undefined;
}

/** What becomes of a message after a try. */
export type AfterTry = {
  readonly state: 'pending' | 'sent' | 'given_up';
  readonly problem: string | null;
  readonly dueAt: Temporal.Instant;
  readonly endedAt: Temporal.Instant | null;
};

/**
 * Decides what becomes of a message after a try. The last one falls on the instant at which it is given up.
 * Shape: jitter from 0 up to 1.
 */
export function decideAfterTry(tried: Tried, delivery: Delivery, now: Temporal.Instant, jitter: number): AfterTry {
  if (delivery.outcome === 'sent') return { state: 'sent', problem: null, dueAt: now, endedAt: now };
  const { problem } = delivery;
  if (delivery.outcome === 'never' || Temporal.Instant.compare(now, tried.givesUpAt) >= 0)
    return { state: 'given_up', problem, dueAt: now, endedAt: now };
  const next = now.add({ milliseconds: pauseMs(tried.channel, tried.attempts, jitter) });
  const dueAt = Temporal.Instant.compare(next, tried.givesUpAt) < 0 ? next : tried.givesUpAt;
  return { state: 'pending', problem, dueAt, endedAt: null };
}
