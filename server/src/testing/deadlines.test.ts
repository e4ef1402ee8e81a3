import { expect, test } from 'vitest';
import { eventually, within, withinSeconds } from './deadlines.ts';

const never = new Promise<never>(() => undefined);

test('a wait gives the value that came before its deadline, or the failure', async () => {
  expect(await within(1_000, 'a value', Promise.resolve(7))).toBe(7);
  await expect(within(1_000, 'a value', Promise.reject(new Error('gone')))).rejects.toThrow('gone');
});

test('a wait past its deadline fails with what it waited for', async () => {
  await expect(within(20, 'the end of the server', never)).rejects.toThrow('not within 20 ms: the end of the server');
});

test('a check is tried until it holds, or until its deadline: then its last failure is thrown', async () => {
  let tries = 0;
  const check = (): number => {
    if (++tries < 3) throw new Error(`try ${tries}`);
    return tries;
  };
  expect(await eventually(1_000, check)).toBe(3);
  tries = 0;
  expect(await withinSeconds(1, check)).toBe(3);
  await expect(withinSeconds(0.03, () => Promise.reject(new Error('still not')))).rejects.toThrow('still not');
  await expect(eventually(30, () => Promise.reject(new Error('still not')))).rejects.toThrow('still not');
});
