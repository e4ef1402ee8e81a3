import { Client } from 'pg';
import { connectionConfig } from './db.ts';
import type { Log } from './log.ts';

export type Listener = { readonly isConnected: () => boolean; close(): Promise<void> };

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
 * Hears NOTIFY messages of one channel on a connection of its own, and connects again by itself for as long as it takes.
 * Resolves after the first attempt, successful or not.
 */
export async function listen({ url, channel, log, onMessage, onGap }: ListenOptions): Promise<Listener> {
  let client: Client | undefined;
  let connected = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new Client(connectionConfig(url, null));
    client = next;
    const lost = (error?: Error): void => {
      if (client !== next) return;
      client = undefined;
      if (connected && !closed) log.warn({ error, channel }, 'lost the connection that hears changes; connecting again');
      connected = false;
      onGap();
      next.end().catch(() => undefined);
      if (!closed) timer = setTimeout(() => void connect(), RECONNECT_MS);
    };
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', ({ payload }) => onMessage(payload ?? ''));
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      connected = true;
      onGap();
    } catch (error) {
      lost(error as Error);
    }
  }

  await connect();
  return {
    isConnected: () => connected,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
