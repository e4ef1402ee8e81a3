import { afterEach, describe, expect, test, vi } from 'vitest';
import { Caudal, type Settings } from '../src/index.ts';
import { refusalOf } from './failing.ts';

const SHOP: Settings = { url: 'https://pay.example', merchant: 'demo', fixedHash: 'c0ffee' };

afterEach(() => void vi.restoreAllMocks());

/** Answers as a service that is away. */
const away = (after: string) => () => Promise.resolve(new Response('', { status: 503, headers: { 'retry-after': after } }));

describe('a request that fails', () => {
  test('is not sent again before a long Retry-After', async () => {
    const rest = new Date(Date.now() + 3_600_000).toUTCString();
    const closed = new Caudal({
      ...SHOP,
      fetch: () => Promise.resolve(new Response('', { status: 503, headers: { 'retry-after': rest } })),
    });
    const error = await refusalOf(closed.balance());
    expect(error).toMatchObject({ code: 'unreadable', status: 503 });
    expect(error.retryAfter).toBeGreaterThan(3_500);
  });

  test('waits for Retry-After, and for pauses that grow and are drawn', async () => {
    const paused: number[] = [];
    const { setTimeout } = globalThis;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number) => {
      // Others of this process have timers too, and the time-out of a try is none of its pauses.
      const isPause = ms < 20_000 && new Error('who asks').stack?.includes('/sdk/src/') === true;
      if (isPause) paused.push(ms);
      return setTimeout(run, isPause ? 0 : ms);
    }) as never);
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    await refusalOf(new Caudal({ ...SHOP, retries: 7, fetch: away('0') }).balance());
    await refusalOf(new Caudal({ ...SHOP, retries: 1, fetch: away('7') }).balance());
    expect(paused).toEqual([125, 250, 500, 1_000, 2_000, 4_000, 4_000, 7_125]);
  });

  test('ends at its time-out, and at once where it is aborted', async () => {
    const settings: Settings = {
      ...SHOP,
      retries: 1,
      fetch: (_, init) => new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))),
    };
    const silent = new Caudal(settings);
    const hasty = new Caudal({ ...settings, timeoutMs: 5 });
    expect(await refusalOf(hasty.balance())).toMatchObject({ code: 'timed_out', text: 'no answer within 5 ms' });
    expect(await refusalOf(silent.balance({ timeoutMs: 5 }))).toMatchObject({ code: 'timed_out', status: 0, reasons: ['timed_out'] });
    const stop = new AbortController();
    const waiting = silent.balance({ signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(silent.balance({ signal: stop.signal })).rejects.toThrow('enough');
  });
});
