import { readFileSync, readdirSync } from 'node:fs';
import { Client } from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { NAME } from './testing/name.ts';
import { ask, useTestDirectory } from './testing/test-directory.ts';

const directory = useTestDirectory();

const ALLOWED = /^(?:PATH|PWD|OLDPWD|SHLVL|_|PG\w+|postgres: .*)$/;

afterEach(() => void vi.unstubAllEnvs());

/** What the system shows of a process; empty where it has ended since. */
function readProcess(processId: string, file: 'stat' | 'environ'): string {
  try {
    return readFileSync(`/proc/${processId}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** From the state on the fields of `stat` have no spaces. The name before them may. */
const parentOf = (processId: string): number => Number(readProcess(processId, 'stat').split(') ').at(-1)?.split(' ')[1]);

/** `others`: children that are none of ours, such as the browser of tests that ran in this process before. */
function descendantsOf(processId: number, others: readonly string[] = []): string[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === processId && !others.includes(name));
  return children.flatMap((child) => [child, ...descendantsOf(Number(child))]);
}

describe.runIf(process.platform === 'linux')('the environment of every child', () => {
  test('has the search path and nothing else of ours', async () => {
    vi.stubEnv('APP_MASTER_KEY', 'not for children');
    vi.stubEnv('NODE_OPTIONS', '--no-warnings');
    const others = descendantsOf(process.pid);
    const { ownerUrl: url } = await directory.start();
    const [seen] = await ask(url, `select encode(pg_read_binary_file('/proc/self/environ'), 'escape')`);
    expect(seen).not.toContain('not for children');
    const children = descendantsOf(process.pid, others);
    expect(children).toContain(String(directory.postmaster()));
    for (const child of children) {
      // A process that shows a title there has overwritten its variables. PostgreSQL and the shell add some of their own.
      const names = readProcess(child, 'environ')
        .split('\0')
        .filter((line) => line !== '')
        .map((line) => line.split('=')[0]);
      expect(names.filter((name) => !ALLOWED.test(name!))).toEqual([]);
    }
  });
});

describe('variables of the shell for another database', () => {
  test('reach neither the embedded one nor its clients', async () => {
    const OTHERS = {
      PGHOST: '192.0.2.1',
      PGPORT: '6000',
      PGSSLMODE: 'require',
      PGSSLNEGOTIATION: 'direct',
      PGUSER: 'other',
      PGDATABASE: 'other',
      PGOPTIONS: '-c there_is_none=1',
      PGCLIENTENCODING: 'LATIN1',
      PGREPLICATION: 'database',
      PGSERVICE: 'other',
      PGDATA: '/there/is/none',
      LC_ALL: 'tr_TR.UTF-8',
      TZ: 'America/Bogota',
    };
    for (const [name, value] of Object.entries(OTHERS)) vi.stubEnv(name, value);
    const { ownerUrl } = await directory.start();
    const { options: _ours, ...client } = new Client({ connectionString: ownerUrl }) as unknown as Record<string, unknown>;
    expect(client).toMatchObject({ port: 5432, ssl: false, user: NAME, database: NAME });
    vi.stubEnv('PGOPTIONS', undefined); // Whoever connects gives options of his own.
    expect(
      await ask(ownerUrl, `select current_setting('client_encoding'), current_setting('TimeZone'), current_setting('lc_messages')`),
    ).toEqual(['UTF8', 'UTC', 'C']);
  });

  test('a start that takes longer than three seconds says what it waits for', async () => {
    const first = await directory.start();
    await ask(first.ownerUrl, 'alter system set pre_auth_delay = 4');
    await first.stop();
    const said: string[] = [];
    await directory.start({ log: { info: () => {}, warn: (_, message) => void said.push(message), error: () => {} } });
    expect(said).toEqual([expect.stringMatching(/^waiting for PostgreSQL in .*; it says why in .*postgres\.log$/)]);
  });
});
