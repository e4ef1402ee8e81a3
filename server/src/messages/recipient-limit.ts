import { createHmac } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { statement, type Tx } from '../kit/db.ts';
import { mobileNumber } from '../kit/phones/mobile-number.ts';
import { channelOf, type NewMessage } from './message.ts';

const WINDOW_HOURS = 1;

/** Locks the row of each recipient until commit, in the order of the key. What left the window is dropped. */
const HOLD = statement(
  'messages.hold_recipients',
  `insert into message_recipients as kept (recipient, sent_at, last_at)
   select distinct recipient, '{}'::timestamptz[], $2::timestamptz from unnest($1::bytea[]) as k (recipient) order by recipient
   on conflict (recipient) do update
     set sent_at = array(select at from unnest(kept.sent_at) as at where excluded.last_at - at < interval '${WINDOW_HOURS} hours')
   returning recipient, cardinality(sent_at) as sent`,
);

const COUNT_SENT = statement(
  'messages.count_recipients',
  `update message_recipients m set sent_at = m.sent_at || array_fill($3::timestamptz, array[k.more]), last_at = $3
     from unnest($1::bytea[], $2::integer[]) as k (recipient, more) where m.recipient = k.recipient`,
);

const FORGET = statement(
  'messages.forget_recipients',
  `delete from message_recipients where recipient in (
     select recipient from message_recipients where last_at <= $1 order by last_at limit $2 for update skip locked)
   returning 1`,
);

/** Names who gets a message, whatever the way its address is written. It reveals nothing without the key. */
export function recipientOf(message: NewMessage, key: Buffer): Buffer {
  const to = message.kind === 'one_time_password' ? (mobileNumber(message.to, message.country.region) ?? message.to) : mailbox(message.to);
  return createHmac('sha256', key)
    .update(`recipient/${channelOf(message.kind)}/${to}`)
    .digest();
}

/** Mail servers commonly ignore case, and deliver `ana+shop@…` to `ana@…`. */
function mailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).trim();
  const name = address.slice(0, Math.max(at, 0)).trim().toLowerCase().normalize('NFC');
  return `${name.replace(/(?<=.)\+.*$/s, '')}@${domainToASCII(domain) || domain.toLowerCase()}`;
}

/**
 * Decides which messages may go, and counts them.
 * Shape: the recipient of each; `most` to one of them within an hour → whether each may go. Of one recipient the first ones may.
 * Effects: locks the recipients until commit, so that servers that send at the same time count together.
 */
export async function admitMessages(
  tx: Tx,
  recipients: readonly Buffer[],
  most: number,
  now: Temporal.Instant,
): Promise<readonly boolean[]> {
  const rows = await tx.query<{ recipient: Buffer; sent: number }>(HOLD, [recipients, now]);
  const counts = new Map(rows.map(({ recipient, sent }) => [recipient.toString('hex'), { recipient, sent, more: 0 }]));
  const admitted = recipients.map((recipient) => {
    const count = counts.get(recipient.toString('hex'));
    if (count === undefined || count.sent + count.more >= most) return false;
    count.more += 1;
    return true;
  });
  const counted = [...counts.values()].filter(({ more }) => more > 0);
  if (counted.length > 0) tx.send(COUNT_SENT, [counted.map(({ recipient }) => recipient), counted.map(({ more }) => more), now]);
  return admitted;
}

/** Forgets some recipients who got nothing for an hour. Shape: → how many. */
export async function forgetRecipients(db: Pick<Tx, 'query'>, now: Temporal.Instant, limit: number): Promise<number> {
  return (await db.query(FORGET, [windowStart(now), limit])).length;
}

const windowStart = (now: Temporal.Instant): Temporal.Instant => now.subtract({ hours: WINDOW_HOURS });
