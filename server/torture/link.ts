import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/** The network between one of our servers and home, or between all of them and a cell. */
export type Link = {
  readonly url: string;
  /** Resets every connection, and refuses new ones until heal(). */
  cut(): void;
  /** Lets nothing through and resets nothing, as a network that drops packets does. */
  silence(): void;
  /** Keeps everything back for this time, in both directions. */
  slow(ms: number): void;
  heal(): void;
  close(): Promise<void>;
};

/** What of a message goes through at once while the network is slow. */
const SLOW_BYTES = 4_096;
const SILENT_POLL_MS = 5;

/** Opens a network of our own in front of each server of the database. */
export async function openLink(urls: readonly string[]): Promise<Link> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const now: { state: 'whole' | 'cut' | 'silent'; slowMs: number } = { state: 'whole', slowMs: 0 };

  const carry = async (from: Socket, to: Socket): Promise<void> => {
    for await (const chunk of from) {
      let rest = chunk as Buffer;
      while (rest.length > 0) {
        const part = now.slowMs > 0 ? rest.subarray(0, SLOW_BYTES) : rest;
        if (now.slowMs > 0) await delay(now.slowMs);
        while (now.state === 'silent') await delay(SILENT_POLL_MS);
        if (!to.write(part)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
        rest = rest.subarray(part.length);
      }
    }
  };

  const carryTo = ({ host, port }: Client) =>
    createServer({ noDelay: true }, (client) => {
      client.on('error', () => undefined);
      if (now.state === 'cut') return void client.resetAndDestroy();
      const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect({ port, host, noDelay: true });
      upstream.on('error', () => undefined);
      const pair = [client, upstream] as const;
      pairs.add(pair);
      const end = (): void => {
        pairs.delete(pair);
        for (const one of pair) one.destroy();
      };
      carry(client, upstream).then(end, end);
      carry(upstream, client).then(end, end);
    });
  const targets = urls.map((url) => new Client({ connectionString: url }));
  const servers = targets.map((target) => carryTo(target).listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { user, password, database } = targets[0] as Client;
  const [options = ''] = /\?.*$/.exec(urls[0] ?? '') ?? [];
  const who = [user ?? '', ...(password ? [password] : [])].map(encodeURIComponent).join(':');
  const reset = (): void => pairs.forEach(([client]) => client.resetAndDestroy());
  return {
    url: `postgres://${who}@${ports.join(',')}/${database}${options}`,
    cut: () => {
      now.state = 'cut';
      reset();
    },
    silence: () => void (now.state = 'silent'),
    slow: (ms) => void (now.slowMs = ms),
    heal: () => {
      now.state = 'whole';
      now.slowMs = 0;
    },
    close: async () => {
      now.state = 'whole';
      reset();
      for (const server of servers) server.close();
      await Promise.all(servers.map((server) => once(server, 'close')));
    },
  };
}
