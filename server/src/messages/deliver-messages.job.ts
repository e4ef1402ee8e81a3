import { createHash } from 'node:crypto';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { Job } from '../kit/jobs.ts';
import type { Log } from '../kit/log.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import type { MessageChannel } from './channel.ts';
import { decideAfterTry, uselessness, type Channel, type Delivery, type NewMessage } from './message.ts';
import { claimMessages, openMessage, recordTries, type ClaimedRow } from './message-rows.ts';
import { renderMessage } from './render-message.ts';

type Delivering = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly keys: MasterKeys;
  /** Content stays readable when a message is over: for the inbox of a sandbox. */
  readonly keepsContent: boolean;
};

/** Sent side by side: mail servers and SMS centres commonly allow one client about ten things under way. */
const PORTION = 10;
/** Longer than a try can take, all its time-outs together: until then nobody else tries the same message. */
const LEASE_SECONDS = 120;

/**
 * The job that sends what is due on one channel: claims, commits, calls out, records. A message may arrive twice when a server dies
 * between the last two; it never gets lost.
 * Shape: without a channel, as after a setting was taken away, what still waits is given up when its time is over.
 */
export function deliverMessages(delivering: Delivering, channel: Channel, sender: MessageChannel | undefined): Job {
  const { db, clock, log, keepsContent } = delivering;
  return {
    name: `messages.deliver-${channel}`,
    step: async () => {
      const now = clock.now();
      const rows = await claimMessages(db, channel, now, now.add({ seconds: LEASE_SECONDS }), PORTION);
      if (rows.length === 0) return false;
      const deliveries = await Promise.all(rows.map((row) => tryOne(delivering, row, sender)));
      const tries = rows.map((row, index) => ({
        row,
        after: decideAfterTry(row, deliveries[index] as Delivery, clock.now(), jitterOf(row)),
      }));
      await recordTries(db, tries, keepsContent);
      for (const { row, after } of tries) if (after.state !== 'sent') tell(log, row, after);
      return rows.length === PORTION;
    },
  };
}

async function tryOne({ clock, log, keys }: Delivering, row: ClaimedRow, sender: MessageChannel | undefined): Promise<Delivery> {
  const useless = uselessness(row, clock.now());
  if (useless !== undefined) return useless;
  if (sender === undefined) return { outcome: 'later', problem: 'no channel' };
  try {
    const message = openMessage(keys, row) as NewMessage;
    return await sender.send(renderMessage(message), row.messageId, message.at);
  } catch (error) {
    // A fault of ours in one message holds up no other.
    log.error({ error, messageId: row.messageId.toString() }, 'a message could not be made');
    return { outcome: 'later', problem: 'fault' };
  }
}

function tell(log: Log, row: ClaimedRow, { state, problem }: { readonly state: string; readonly problem: string | null }): void {
  const { merchantId, kind, messageId, attempts } = row;
  const fields = { merchantId, kind, messageId: messageId.toString(), attempts, problem };
  if (state === 'pending') log.info(fields, 'a message could not be sent; it is tried again');
  else if (problem !== 'superseded') log.warn(fields, 'a message was given up');
}

/** From 0 up to 1, different for each message and try, and the same whenever a history is replayed. */
function jitterOf({ messageId, attempts }: ClaimedRow): number {
  return createHash('sha256').update(`${messageId}/${attempts}`).digest().readUInt32BE(0) / 2 ** 32;
}
