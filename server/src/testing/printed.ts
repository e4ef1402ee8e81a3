import { afterEach, beforeEach, vi } from 'vitest';
import { serviceSecret } from '../kit/secrets.ts';
import { openMessages, type Messages } from '../messages/index.ts';
import type { TestCaudal } from './test-caudal.ts';

/** Keeps what the tests of a file print from being shown; `text()` is all that was printed since the test began, or since `clear()`. */
export function keepPrinted(): { text(): string; clear(): void } {
  let printed = '';
  const clear = (): void => void (printed = '');
  beforeEach(() => {
    clear();
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  });
  afterEach(() => void vi.restoreAllMocks());
  return { text: () => printed, clear };
}

/** The outbox as a command of a sandbox without channels opens it. */
export async function openSilentOutbox({ db, clock, log, keys }: Pick<TestCaudal, 'db' | 'clock' | 'log' | 'keys'>): Promise<Messages> {
  const key = await serviceSecret(db, keys, clock, 'messages');
  return openMessages({ db, clock, log, key, mail: undefined, sms: undefined, isSandbox: true });
}
