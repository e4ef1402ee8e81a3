import { setTimeout as delay } from 'node:timers/promises';
import { connectionConfig } from './db.ts';
import { CONFIRM } from './db/confirm.ts';
import { ServerClient } from './db/servers.ts';
import type { Log } from './log.ts';

type Listener = {
  /** True while every message that was sent up to a second ago has arrived for certain. */
  readonly isConnected: () => boolean;
  close(): Promise<void>;
};

type ListenOptions = {
  readonly url: string;
  readonly channel: string;
  /** The name of its connection. Absent: that of all connections. */
  readonly name?: string;
  readonly log: Log;
  readonly onMessage: (payload: string) => void;
  /** Called when messages may be missing: when the connection is lost, and when it is back. */
  readonly onGap: () => void;
};

/** How long after a lost connection the next attempt begins. */
const RECONNECT_MS = 500;
/**
 * How long an answer of the database proves that the connection works. A network that drops packets reports nothing for hours.
 * Messages and answers keep their order, so an answer also proves that no earlier message is missing.
 */
const PROVEN_MS = 1_000;
const PROVE_EVERY_MS = 300;
/** How long another process may go on at the node that had a schema: it looks each second, and ends what it has begun. */
const OTHERS_NOTICE_MS = 10_000;
/** A database that takes longer is overloaded or gone. Only then the connection is given up: connecting again is more work. */
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Hears NOTIFY messages of one channel on a connection of its own. It connects again by itself until it is closed.
 * Resolves after the first attempt, successful or not.
 */
export async function listen({ url, channel, name, log, onMessage, onGap }: ListenOptions): Promise<Listener> {
  const closing = new AbortController();
  let client: ServerClient | undefined;
  let provenUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new ServerClient({
      ...connectionConfig(url, ANSWER_TIMEOUT_MS),
      ...(name === undefined ? {} : { application_name: name }),
    });
    client = next;
    let heard = false;
    const lost = (error?: Error): void => {
      if (client !== next) return;
      client = undefined;
      provenUntil = 0;
      if (heard && !closing.signal.aborted)
        log.warn({ reason: error?.message, channel }, 'lost the connection that hears changes; connecting again');
      if (heard) onGap();
      void end(next);
      if (!closing.signal.aborted) timer = setTimeout(() => void connect(), RECONNECT_MS);
    };
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', ({ payload }) => onMessage(payload ?? ''));
    try {
      await next.connect();
      const askedAt = performance.now();
      await next.query(`listen ${channel}`);
      heard = true;
      onGap();
      provenUntil = askedAt + PROVEN_MS;
      void prove(next).catch(lost);
    } catch (error) {
      lost(error as Error);
    }
  }

  async function prove(current: ServerClient): Promise<void> {
    for (;;) {
      await delay(PROVE_EVERY_MS, undefined, { signal: closing.signal });
      const askedAt = performance.now();
      await current.query(current.isOneOfSeveral ? CONFIRM.text : 'select 1');
      // Messages of our schema are sent on the node that holds it.
      if (current.isLeft) {
        // Another process may still send its messages from this node, until it has noticed too.
        void delay(OTHERS_NOTICE_MS, undefined, { ref: false, signal: closing.signal }).then(onGap, () => undefined);
        throw new Error('the schema is on another node');
      }
      if (client !== current) return;
      provenUntil = askedAt + PROVEN_MS;
    }
  }

  await connect();
  return {
    isConnected: () => performance.now() < provenUntil,
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      if (client !== undefined) await end(client);
    },
  };
}

/** Ends a connection. One that is broken has nothing to end. */
async function end(client: ServerClient): Promise<void> {
  await client.end().catch(() => undefined);
}
