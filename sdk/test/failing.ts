import { expect, vi } from 'vitest';
import { Caudal, CaudalError, type Settings } from '../src/index.ts';

/** How the service, or what is in front of it, fails a request. */
const ANSWERS = {
  busy: () => Promise.resolve(new Response('{"CODE":"0929","DESC":"","DATA":{}}', { status: 429, headers: { 'retry-after': '0' } })),
  away: () => Promise.resolve(new Response('{"code":"0953","text":"","data":[]}', { status: 503, headers: { 'retry-after': '0' } })),
  proxy: () => Promise.resolve(new Response('<html>Bad gateway</html>', { status: 502 })),
  cut: () => Promise.reject(new TypeError('fetch failed')),
  /** The request is carried out, and the connection breaks in the middle of the answer. */
  lost: async (...request: Parameters<typeof fetch>) => {
    const text = await (await fetch(...request)).text();
    const broken = new ReadableStream({
      start: (stream) => (stream.enqueue(new TextEncoder().encode(text.slice(0, 20))), stream.error(new Error('cut'))),
    });
    return new Response(broken);
  },
} satisfies Record<string, typeof fetch>;
export type Failure = keyof typeof ANSWERS;

/** A client whose requests fail as `next` says, with no pauses. It counts the keys that it sends. */
export function failing(settings: Settings, next: () => Failure | undefined) {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const keys: (string | null)[] = [];
  const client = new Caudal({
    ...settings,
    fetch: (target, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      const failure = next();
      return failure === undefined ? fetch(target, init) : ANSWERS[failure](target, init);
    },
  });
  return { client, keys };
}

export const FAILURES = Object.keys(ANSWERS) as readonly Failure[];

/** What a call was refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<CaudalError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CaudalError);
  return error as CaudalError;
}
