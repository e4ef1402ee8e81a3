import { expect, test, vi } from 'vitest';
import { spawnTied } from './tied-process.ts';

/** Runs a Node program that writes to its standard error once it handles signals. */
async function startProgram(program: string): Promise<ReturnType<typeof spawnTied>> {
  const child = spawnTied(
    [process.execPath, '-e', `${program}; setInterval(() => {}, 1000); console.error('ready')`],
    { env: {} },
    () => {},
  );
  await vi.waitFor(() => expect(child.lastOutput()).toContain('ready'), { timeout: 10_000 });
  return child;
}

test('a program is asked again to end when it ignored the first time', async () => {
  const child = await startProgram(`let asked = 0; process.on('SIGINT', () => ++asked === 2 && process.exit(3))`);
  child.stop();
  expect(await child.exited).toBe(3);
  expect(child.hasExited()).toBe(true);
});

test('a program that ends by itself gives its exit status', async () => {
  const child = await startProgram(`setTimeout(() => process.exit(5), 50)`);
  expect(await child.exited).toBe(5);
});
