import { appendFileSync, cpSync, lchownSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@caudal/embedded-postgres';
import { Client } from 'pg';
import { createLog } from '../kit/log.ts';
import { makeDataDirectory, removeDataDirectory } from './data-directory.ts';

/** Two real servers: the second one follows the first. */
export type ReplicatedPostgres = {
  /** Names both servers. Its user owns the database. */
  readonly url: string;
  readonly servers: readonly [first: EmbeddedPostgres, second: EmbeddedPostgres];
  /** Runs a statement on one of the servers. */
  ask(at: 0 | 1, text: string): Promise<readonly Record<string, unknown>[]>;
  stop(): Promise<void>;
};

const log = createLog('silent');
const NAME = 'replica';
const start = (dataDir: string): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ name: NAME, dataDir, command: 'a test', log });
const socketOf = (postgres: EmbeddedPostgres): string => new Client({ connectionString: postgres.ownerUrl }).host;

/** Starts a primary and a standby that streams from it. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const directories = [makeDataDirectory(), makeDataDirectory()] as const;
  const made = await start(directories[0]);
  await made.stop();
  const [first, second] = directories.map((directory) => join(directory, 'postgres')) as [string, string];
  const primary = realpathSync(first);
  cpSync(primary, second, { recursive: true, preserveTimestamps: true });
  const { uid, gid } = statSync(primary);
  const one = await start(directories[0]);
  appendFileSync(join(second, 'postgresql.auto.conf'), `primary_conninfo = 'host=${socketOf(one)} user=${NAME}'\n`);
  writeFileSync(join(second, 'standby.signal'), '');
  if (process.getuid?.() === 0)
    for (const name of ['', ...readdirSync(second, { recursive: true, encoding: 'utf8' })]) lchownSync(join(second, name), uid, gid);
  const two = await start(directories[1]);
  const ask: ReplicatedPostgres['ask'] = async (at, text) => {
    const client = new Client({ connectionString: [one, two][at]?.ownerUrl });
    await client.connect();
    try {
      return (await client.query(text)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  return {
    url: `postgres://${NAME}@${[one, two].map((postgres) => encodeURIComponent(socketOf(postgres))).join(',')}/${NAME}`,
    servers: [one, two],
    ask,
    stop: async () => {
      await two.stop();
      await one.stop();
      for (const directory of directories) removeDataDirectory(directory);
    },
  };
}
