import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { connectClient, splitServers } from '../../src/kit/db.ts';
import type { Pair } from './pair.ts';

const run = promisify(execFile);

/**
 * A cluster of somebody's own, with a manager that fails over by itself. `command` is called with a word:
 * `SIGKILL` and `SIGSTOP` harm the primary, `switch` asks for an orderly change. `whole` repairs, and waits for a synchronous standby.
 */
export function openManaged(url: string, command: string): Pair {
  const call = async (word: string): Promise<void> => void (await run(command, [word]));
  return {
    url,
    urls: splitServers(url) ?? [],
    whole: () => call('whole'),
    signalPrimary: call,
    wakePrimary: () => call('SIGCONT'),
    holdStandby: () => Promise.reject(new Error('only a pair of our own has a standby that is held')),
    stopPrimary: () => call('switch'),
    failOver: async () => undefined,
    askUnguarded: async (text, values) => {
      await call('whole');
      const client = await connectClient({ connectionString: url, options: '-c session_replication_role=replica' });
      try {
        return (await client.query(text, [...values])).rows as unknown[];
      } finally {
        await client.end();
      }
    },
    close: async () => undefined,
  };
}
