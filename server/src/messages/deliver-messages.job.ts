import { createHash, createHmac } from 'node:crypto';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { Job } from '../kit/jobs.ts';
import type { Log } from '../kit/log.ts';
import type { Sealer } from '../kit/keys/sealer.ts';
import {
  decideAfterAttempt,
  decideUnsent,
  LEASE_SECONDS,
  type AfterAttempt,
  type Channel,
  type Delivery,
  type MessageChannel,
  type NewMessage,
  type PerHour,
  type SentId,
} from './message.ts';
import { MESSAGE_PROBLEMS } from './message-problems.ts';
import { claimMessages, openMessage, recordMessageAttempts, type ClaimedRow } from './message-rows.ts';
import { admitMessages, recipientOf } from './recipient-limit.ts';
import { renderMessage, type MessageSurroundings } from './render-message.ts';

type DeliveryDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealer: Sealer;
  /** True: the content of ended messages stays readable, for the inbox of a sandbox. */
  readonly keepsContent: boolean;
  readonly perHour: PerHour;
  readonly surroundings: MessageSurroundings;
  /** Called for each message that its recipient's limit stops, for metrics. */
  readonly onOverLimit: (channel: Channel) => void;
};

/** Messages sent at the same time. Mail servers and SMS centres commonly allow one client about ten. */
const PORTION = 10;

/** An error of ours. */
const FAULT = { outcome: 'later', problem: MESSAGE_PROBLEMS.fault } as const;
/** Another attempt reads the same number. */
const BAD_NUMBER = { outcome: 'never', problem: MESSAGE_PROBLEMS.badNumber } as const;
const OVER_LIMIT = { outcome: 'never', problem: MESSAGE_PROBLEMS.overLimit } as const;

/** A claimed message that is ready to be sent, or what became of it without that. */
type Prepared = { readonly row: ClaimedRow } & ({ readonly message: NewMessage } | { readonly unsent: Delivery });

/**
 * Makes the job that sends what is due on one channel: it claims, counts for the recipients, commits, calls out, records.
 * When a server dies between the call and the record, the message arrives twice. It is never lost.
 * Shape: `sender` undefined: the setting was removed, and what still waits is given up when its time is over.
 */
export function deliverMessages(deps: DeliveryDeps, channel: Channel, sender: MessageChannel | undefined): Job {
  const { db, clock, keepsContent } = deps;
  return {
    name: `messages.deliver-${channel}`,
    step: async () => {
      const now = clock.now();
      const rows = await claimMessages(db, channel, now, now.add({ seconds: LEASE_SECONDS }), PORTION);
      if (rows.length === 0) return false;
      const prepared = await stopOverLimit(
        deps,
        channel,
        rows.map((row) => prepare(deps, row)),
      );
      const deliveries = await Promise.all(prepared.map((one) => attempt(deps, one, sender)));
      const attempts = rows.map((row, index) => ({
        row,
        after: decideAfterAttempt(row, deliveries[index] as Delivery, clock.now(), chanceOf(row)),
      }));
      await recordMessageAttempts(db, attempts, keepsContent);
      for (const { row, after } of attempts) if (after.state !== 'sent') report(deps, row, after);
      return rows.length === PORTION;
    },
  };
}

function prepare({ clock, log, sealer }: DeliveryDeps, row: ClaimedRow): Prepared {
  const unsent = decideUnsent(row, clock.now());
  if (unsent !== undefined) return { row, unsent };
  try {
    return { row, message: openMessage(sealer, row) as NewMessage };
  } catch (error) {
    return { row, unsent: fault(log, row, error) };
  }
}

/** A message counts for its recipient before its first attempt. One whose server died before the record counts again. */
async function stopOverLimit(deps: DeliveryDeps, channel: Channel, prepared: readonly Prepared[]): Promise<readonly Prepared[]> {
  const { db, clock, sealer, perHour } = deps;
  const most = perHour[channel];
  const first = prepared.filter((one) => 'message' in one && (one.row.problem === null || one.row.problem === FAULT.problem));
  if (most === undefined || first.length === 0) return prepared;
  const recipients = first.flatMap((one) => ('message' in one ? [recipientOf(one.message, sealer.keyOf(one.row.sealed))] : []));
  const mayGo = await db.transaction((tx) => admitMessages(tx, recipients, most, clock.now()));
  const stopped = new Set(first.filter((_, index) => mayGo[index] !== true));
  return prepared.map((one) => (stopped.has(one) ? { row: one.row, unsent: OVER_LIMIT } : one));
}

async function attempt(
  { log, sealer, surroundings }: DeliveryDeps,
  prepared: Prepared,
  sender: MessageChannel | undefined,
): Promise<Delivery> {
  if ('unsent' in prepared) return prepared.unsent;
  if (sender === undefined) return { outcome: 'later', problem: MESSAGE_PROBLEMS.noChannel };
  const { row, message } = prepared;
  try {
    const rendered = await renderMessage(message, surroundings);
    return rendered === undefined ? BAD_NUMBER : await sender.send(rendered, sentId(sealer.keyOf(row.sealed), row), message.at);
  } catch (error) {
    return fault(log, row, error);
  }
}

/** An error of ours in one message does not delay the others. */
function fault(log: Log, row: ClaimedRow, error: unknown): Delivery {
  log.error({ error, messageId: row.messageId.toString() }, 'a message could not be made');
  return FAULT;
}

/** The same in all attempts, also when the key changes between them. */
function sentId(key: Buffer, { channel, messageId }: ClaimedRow): SentId {
  const use = channel === 'mail' ? 'message-id' : 'idempotency-key';
  return { number: messageId, text: createHmac('sha256', key).update(`${use}/${messageId}`).digest('base64url').slice(0, 22) };
}

function report({ log, onOverLimit }: DeliveryDeps, row: ClaimedRow, { state, problem }: AfterAttempt): void {
  const { merchantId, kind, channel, messageId, attempts } = row;
  if (problem === OVER_LIMIT.problem) {
    onOverLimit(channel);
    // Without the id of the message: the log sums up lines that are the same.
    return log.warn({ merchantId, kind }, 'a message was given up: its recipient had as many as an hour allows');
  }
  const fields = { merchantId, kind, messageId: messageId.toString(), attempts, problem };
  if (state === 'pending') log.info(fields, 'a message could not be sent; it is tried again');
  else if (problem !== MESSAGE_PROBLEMS.superseded) log.warn(fields, 'a message was given up');
}

/** In [0, 1): different for each message and attempt, and the same when a history is replayed. */
function chanceOf({ messageId, attempts }: ClaimedRow): number {
  return createHash('sha256').update(`${messageId}/${attempts}`).digest().readUInt32BE(0) / 2 ** 32;
}
