import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { connectionConfig } from './db.ts';
import type { Log } from './log.ts';

export type Listener = {
  /** True while every message that was sent until a second ago has certainly arrived. */
  readonly isConnected: () => boolean;
  close(): Promise<void>;
};

export type ListenOptions = {
  readonly url: string;
  readonly channel: string;
  readonly log: Log;
  readonly onMessage: (payload: string) => void;
  /** Called when messages may have been missed: the connection was lost, or is there again. */
  readonly onGap: () => void;
};

/** How long after a lost connection the next attempt is made. */
const RECONNECT_MS = 500;
/**
 * A network that drops packets reports nothing for hours: the connection counts as hearing for this long after the database was last
 * asked over it and answered. Messages and answers keep their order, so an answer proves that no earlier message is missing.
 */
const PROVEN_MS = 1_000;
const PROVE_EVERY_MS = 300;
/** A database that takes longer is overloaded or gone; only then the connection is given up, because connecting again is more work. */
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Hears NOTIFY messages of one channel on a connection of its own, and connects again by itself for as long as it takes.
 * Resolves after the first attempt, successful or not.
 */
export async function listen({ url, channel, log, onMessage, onGap }: ListenOptions): Promise<Listener> {
  const closing = new AbortController();
  let client: Client | undefined;
  let provenUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new Client(connectionConfig(url, ANSWER_TIMEOUT_MS));
    client = next;
    let heard = false;
    const lost = (error?: unknown): void => {
      if (client !== next) return;
      client = undefined;
      provenUntil = 0;
      if (heard && !closing.signal.aborted) log.warn({ error, channel }, 'lost the connection that hears changes; connecting again');
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
      lost(error);
    }
  }

  async function prove(current: Client): Promise<void> {
    for (;;) {
      await delay(PROVE_EVERY_MS, undefined, { signal: closing.signal });
      const askedAt = performance.now();
      await current.query('select 1');
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

/** A connection that is broken already has nothing to end. */
async function end(client: Client): Promise<void> {
  await client.end().catch(() => undefined);
}
