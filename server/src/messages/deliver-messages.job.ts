import { createHash, createHmac } from 'node:crypto';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { Job } from '../kit/jobs.ts';
import type { Log } from '../kit/log.ts';
import type { Sealer } from '../kit/keys/sealer.ts';
import {
  decideAfterAttempt,
  decideUnsent,
  type AfterAttempt,
  type Channel,
  type Delivery,
  type MessageChannel,
  type NewMessage,
  type SentId,
} from './message.ts';
import { claimMessages, openMessage, recordAttempts, type ClaimedRow } from './message-rows.ts';
import { renderMessage } from './render-message.ts';

type DeliveryDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealer: Sealer;
  /** True: the content of ended messages stays readable, for the inbox of a sandbox. */
  readonly keepsContent: boolean;
};

/** Messages sent at the same time. Mail servers and SMS centres commonly allow one client about ten. */
const PORTION = 10;
/** Longer than all time-outs of an attempt together. Until then no other server attempts the same message. */
const LEASE_SECONDS = 120;

/**
 * Makes the job that sends what is due on one channel: it claims, commits, calls out, records.
 * When a server dies between the call and the record, the message arrives twice. It is never lost.
 * Shape: `sender` undefined: the setting was removed, and what still waits is given up when its time is over.
 */
export function deliverMessages(deps: DeliveryDeps, channel: Channel, sender: MessageChannel | undefined): Job {
  const { db, clock, log, keepsContent } = deps;
  return {
    name: `messages.deliver-${channel}`,
    step: async () => {
      const now = clock.now();
      const rows = await claimMessages(db, channel, now, now.add({ seconds: LEASE_SECONDS }), PORTION);
      if (rows.length === 0) return false;
      const deliveries = await Promise.all(rows.map((row) => attempt(deps, row, sender)));
      const attempts = rows.map((row, index) => ({
        row,
        after: decideAfterAttempt(row, deliveries[index] as Delivery, clock.now(), chanceOf(row)),
      }));
      await recordAttempts(db, attempts, keepsContent);
      for (const { row, after } of attempts) if (after.state !== 'sent') report(log, row, after);
      return rows.length === PORTION;
    },
  };
}

async function attempt({ clock, log, sealer }: DeliveryDeps, row: ClaimedRow, sender: MessageChannel | undefined): Promise<Delivery> {
  const unsent = decideUnsent(row, clock.now());
  if (unsent !== undefined) return unsent;
  if (sender === undefined) return { outcome: 'later', problem: 'no channel' };
  try {
    const message = openMessage(sealer, row) as NewMessage;
    return await sender.send(renderMessage(message), sentId(sealer.keyOf(row.sealed), row), message.at);
  } catch (error) {
    // An error of ours in one message does not delay the others.
    log.error({ error, messageId: row.messageId.toString() }, 'a message could not be made');
    return { outcome: 'later', problem: 'fault' };
  }
}

/** The same in all attempts, also when the key changes between them. */
function sentId(key: Buffer, { channel, messageId }: ClaimedRow): SentId {
  const use = channel === 'mail' ? 'message-id' : 'idempotency-key';
  return { number: messageId, text: createHmac('sha256', key).update(`${use}/${messageId}`).digest('base64url').slice(0, 22) };
}

function report(log: Log, row: ClaimedRow, { state, problem }: AfterAttempt): void {
  const { merchantId, kind, messageId, attempts } = row;
  const fields = { merchantId, kind, messageId: messageId.toString(), attempts, problem };
  if (state === 'pending') log.info(fields, 'a message could not be sent; it is tried again');
  else if (problem !== 'superseded') log.warn(fields, 'a message was given up');
}

/** In [0, 1): different for each message and attempt, and the same when a history is replayed. */
function chanceOf({ messageId, attempts }: ClaimedRow): number {
  return createHash('sha256').update(`${messageId}/${attempts}`).digest().readUInt32BE(0) / 2 ** 32;
}
