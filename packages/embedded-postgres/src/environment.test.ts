import { readFileSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
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

function descendantsOf(processId: number): string[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === processId);
  return children.flatMap((child) => [child, ...descendantsOf(Number(child))]);
}

describe.runIf(process.platform === 'linux')('the environment of every child', () => {
  test('has the search path and nothing else of ours', async () => {
    vi.stubEnv('APP_MASTER_KEY', 'not for children');
    vi.stubEnv('NODE_OPTIONS', '--no-warnings');
    const { ownerUrl: url } = await directory.start();
    const [seen] = await ask(url, `select encode(pg_read_binary_file('/proc/self/environ'), 'escape')`);
    expect(seen).not.toContain('not for children');
    const children = descendantsOf(process.pid);
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
