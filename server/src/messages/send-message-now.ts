import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { LEASE_SECONDS } from './message.ts';

/** The index of what waits finds it. */
const FIND = statement(
  'messages.find_waiting',
  `select merchant_id as "merchantId", subject_id as "subjectId" from messages
    where message_id = $1 and state = 'pending' and ($2::text is null or merchant_id = $2)`,
);
/** What is due within a lease may be under way: it stays as it is, so that nobody gets a message twice. */
const DUE_NOW = statement(
  'messages.due_now',
  `update messages set due_at = $4
    where merchant_id = $1 and subject_id = $2 and message_id = $3 and state = 'pending' and due_at > $5
   returning message_id as "messageId"`,
);

/** A message that waits, and whose it is. A mail to a user is of no merchant. */
export type WaitingMessage = { readonly messageId: bigint; readonly merchantId: string; readonly subjectId: string };

/** Finds a message that waits, of one merchant or of all. */
export async function findWaiting(
  db: Pick<Db, 'query'>,
  messageId: bigint,
  merchantId: string | undefined,
): Promise<WaitingMessage | undefined> {
  const [found] = await db.query<Omit<WaitingMessage, 'messageId'>>(FIND, [messageId, merchantId ?? null]);
  return found && { ...found, messageId };
}

/**
 * Sends a message that waits now, as the server that takes it is repaired.
 * Refuses: message_due, where it is under way or due within two minutes. A message that has ended meanwhile counts as such.
 */
export async function sendMessageNow(
  { db, clock }: { readonly db: Pick<Db, 'query'>; readonly clock: Clock },
  { merchantId, subjectId, messageId }: WaitingMessage,
): Promise<undefined | Refusal<'message_due'>> {
  const now = clock.now();
  const due = await db.query(DUE_NOW, [merchantId, subjectId, messageId, now, now.add({ seconds: LEASE_SECONDS })]);
  return due.length > 0 ? undefined : refuse('message_due');
}
