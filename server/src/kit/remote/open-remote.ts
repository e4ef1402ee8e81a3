import { setTimeout as delay } from 'node:timers/promises';
import { Type, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { CommandRefused, endIncomplete, ServiceRefused } from '../command-line.ts';
import { oneLine } from '../one-line.ts';
import type { AskedParts, Remote } from './remote.ts';
import { PROBLEM, refusedBy } from './refused-by.ts';
import { readSentEvents, type SentEvent } from './sent-events.ts';

const PATIENCE_SECONDS = 10;
/** The most items of a page. */
const MAX_PAGE = 200;
const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/;

/**
 * Makes the client of the service at a URL, by an access token.
 * Throws: CommandRefused for a URL that would show the token to others, and without a token.
 */
export function openRemote(url: string, token: string | undefined): Remote {
  const base = readBase(url);
  // A header that cannot be sent would be named in an error, with the token.
  if (token === undefined || !/^[\x21-\x7e]{1,500}$/.test(token))
    throw new CommandRefused('--url needs an access token in CAUDAL_TOKEN. "tokens create" makes one.', 2);
  const ask = async (route: string, parts: AskedParts, schema?: TSchema): Promise<unknown> => {
    const answer = await send(addressOf(base, route, parts), route, token, parts);
    const body = readJson(answer.text);
    if (!answer.isOk) throw refusalOf(answer, body, base);
    if (schema === undefined) return undefined;
    if (!Value.Check(schema, body)) throw new CommandRefused(`${base} runs an incompatible version of Caudal.`);
    return body;
  };
  return {
    url: base,
    download: ({ route }, parts, sink) =>
      download({ address: addressOf(base, route, parts), method: methodOf(route), token, base, parts }, sink),
    call: async (operation, parts = {}) => (await ask(operation.route, parts, operation.shows)) as never,
    follow: ({ route }, parts, signal) => follow({ address: addressOf(base, route, parts), token, base, parts }, signal),
    list: async ({ route, shows = Type.Unknown() as never }, limit, { path = {}, query = {} } = {}, isLast = () => false) => {
      const page = Type.Object({ items: Type.Array(shows), next: Type.Union([Type.String(), Type.Null()]) });
      const items: never[] = [];
      let cursor: string | undefined;
      do {
        const rows = Math.min(MAX_PAGE, limit - items.length);
        const read = (await ask(route, { path, query: { ...query, limit: rows, cursor } }, page)) as {
          items: never[];
          next: string | null;
        };
        items.push(...read.items);
        cursor = read.items.some(isLast) ? undefined : (read.next ?? undefined);
      } while (cursor !== undefined && items.length < limit);
      return { items, isMore: cursor !== undefined };
    },
  };
}

/** The URL without a slash at its end. */
function readBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || !(url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))))
    throw new CommandRefused(
      '--url takes the https address of a service, such as https://caudal.example.com; http on this machine alone.',
      2,
    );
  return url.href.replace(/\/$/, '');
}

function addressOf(base: string, route: string, { path = {}, query = {} }: AskedParts): URL {
  const way = route.slice(route.indexOf(' ') + 1).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const address = new URL(`${base}${way}`);
  // A URL drops the names "." and "..": it would be another operation.
  if (address.href !== `${base}${way}`) throw new ServiceRefused('not_found', 'Not found.', 1);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, String(value));
  return address;
}

type Answer = { readonly isOk: boolean; readonly status: number; readonly retryAfter: string | null; readonly text: string };

/** The service did not answer, or the connection broke. */
export class Unreachable extends CommandRefused {}

const unreachable = (origin: string, error: unknown, { patienceSeconds = PATIENCE_SECONDS }: AskedParts, fate = ''): Unreachable =>
  new Unreachable(`${origin} cannot be asked: ${reasonOf(error as Error, patienceSeconds)}.${fate}`);

async function toAnswer(response: Response): Promise<Answer> {
  const missing = response.headers.get('caudal-missing-cells');
  if (missing !== null) endIncomplete([oneLine(missing)]);
  return { isOk: response.ok, status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
}

const methodOf = (route: string): string => route.slice(0, route.indexOf(' '));
const contentOf = (body: object | undefined): string | null => (body === undefined ? null : JSON.stringify(body));
const headersOf = (token: string, body: object | undefined) => ({
  authorization: `Bearer ${token}`,
  ...(body !== undefined && { 'content-type': 'application/json' }),
});

/** Sends a request. The certificate is checked as Node does. A redirection is not followed: it could take the token elsewhere. */
async function send(address: URL, route: string, token: string, parts: AskedParts): Promise<Answer> {
  const { body, ifMatch, patienceSeconds = PATIENCE_SECONDS } = parts;
  const method = methodOf(route);
  const headers = { ...headersOf(token, body), accept: 'application/json', ...(ifMatch !== undefined && { 'if-match': ifMatch }) };
  const signal = AbortSignal.timeout(patienceSeconds * 1_000);
  try {
    return await toAnswer(await fetch(address, { method, headers, body: contentOf(body), redirect: 'manual', signal }));
  } catch (error) {
    const fate = method === 'GET' ? '' : ' What became of the command is not known: look before you repeat it.';
    throw unreachable(address.origin, error, parts, fate);
  }
}

/** Pauses before a broken download goes on. Bytes that arrive begin them again. */
const PAUSES_MS = [100, 500, 1_000, 2_000, 4_000, 8_000, 8_000];

/** A service sends a heartbeat every 15 seconds. A connection that is silent for longer is broken, though nobody said so. */
const SILENCE_SECONDS = 40;

/** Ends a request whose service is silent for longer, while it is waited for. What is done with the bytes may take as long as it likes. */
function openPatience(seconds: number): {
  readonly signal: AbortSignal;
  readonly wait: <T>(work: () => Promise<T>) => Promise<T>;
  readonly end: () => void;
} {
  const silence = new AbortController();
  return {
    signal: silence.signal,
    wait: async (work) => {
      const timer = setTimeout(() => silence.abort(new DOMException('', 'TimeoutError')), seconds * 1_000);
      return work().finally(() => clearTimeout(timer));
    },
    end: () => silence.abort(),
  };
}

type Following = Pick<Download, 'address' | 'token' | 'base' | 'parts'>;

/** Hears a stream of events. */
async function* follow({ address, token, base, parts }: Following, signal: AbortSignal): AsyncGenerator<SentEvent> {
  const patience = openPatience(SILENCE_SECONDS);
  const { lastEventId } = parts;
  const headers = { ...headersOf(token, undefined), ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
  const orUnreachable = (error: unknown): never => {
    throw unreachable(address.origin, error, { patienceSeconds: SILENCE_SECONDS });
  };
  const either = AbortSignal.any([signal, patience.signal]);
  const orFail = <T>(work: () => Promise<T>): Promise<T> => patience.wait(work).catch(orUnreachable);
  try {
    const response = await orFail(() => fetch(address, { headers, redirect: 'manual', signal: either }));
    if (!response.ok) {
      const answer = await orFail(() => toAnswer(response));
      throw refusalOf(answer, readJson(answer.text), base);
    }
    yield* readSentEvents(textOf(response.body as ReadableStream<Uint8Array>, orFail));
  } finally {
    patience.end();
  }
  throw new Unreachable(`${address.origin} has ended the stream.`);
}

async function* textOf(body: ReadableStream<Uint8Array>, orFail: <T>(work: () => Promise<T>) => Promise<T>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await orFail(() => reader.read());
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

type Sink = (bytes: Uint8Array) => Promise<void>;

type Download = {
  readonly address: URL;
  readonly method: string;
  readonly token: string;
  readonly base: string;
  readonly parts: AskedParts;
};

/** What is not read by GET is asked for once: a repeated request would be another one. */
async function download(asked: Download, sink: Sink): Promise<number> {
  const taken = { bytes: 0, etag: undefined as string | undefined };
  for (let tries = 0; ;) {
    const before = taken.bytes;
    try {
      await downloadRest(asked, taken, sink);
      return taken.bytes;
    } catch (error) {
      if (taken.bytes > before) tries = 0;
      const pauseMs = PAUSES_MS[tries++];
      if (!(error instanceof Unreachable) || pauseMs === undefined || asked.method !== 'GET') throw error;
      await delay(pauseMs);
    }
  }
}

/** Asks for what was not taken yet, and hands it on. A server that is silent for long has broken the connection. */
async function downloadRest(
  { address, method, token, base, parts }: Download,
  taken: { bytes: number; etag: string | undefined },
  sink: Sink,
): Promise<void> {
  const { body, patienceSeconds = PATIENCE_SECONDS } = parts;
  const patience = openPatience(patienceSeconds);
  const orUnreachable = (error: unknown): never => {
    throw unreachable(address.origin, error, parts);
  };
  const orFail = <T>(work: () => Promise<T>): Promise<T> => patience.wait(work).catch(orUnreachable);
  const rest = { range: `bytes=${taken.bytes}-`, ...(taken.etag !== undefined && { 'if-range': taken.etag }) };
  const headers = { ...headersOf(token, body), ...(taken.bytes > 0 && rest) };
  try {
    const { signal } = patience;
    const response = await orFail(() => fetch(address, { method, headers, body: contentOf(body), redirect: 'manual', signal }));
    if (!response.ok) {
      const answer = await orFail(() => toAnswer(response));
      throw refusalOf(answer, readJson(answer.text), base);
    }
    if (taken.bytes > 0 && response.status !== 206) throw new CommandRefused(`${base} has another file now than a moment ago.`);
    taken.etag = response.headers.get('etag') ?? undefined;
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    for (;;) {
      const { done, value } = await orFail(() => reader.read());
      if (done) return;
      await sink(value);
      taken.bytes += value.length;
    }
  } finally {
    patience.end();
  }
}

function reasonOf(error: Error, patienceSeconds: number): string {
  if (error.name === 'TimeoutError') return `it has not answered within ${patienceSeconds} seconds`;
  const { code, message } = (error.cause ?? error) as { readonly code?: string; readonly message: string };
  return oneLine(message === '' ? (code ?? error.message) : message).replace(/\.$/, '');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Makes the line of a refusal. */
function refusalOf({ status, retryAfter }: Answer, body: unknown, base: string): CommandRefused {
  if (!Value.Check(PROBLEM, body)) {
    const what = status >= 300 && status < 400 ? 'sends requests elsewhere, and commands do not follow' : 'does not answer as Caudal does';
    return new CommandRefused(`${base} ${what}: status ${status}.`);
  }
  const again = retryAfter !== null && /^[0-9]{1,6}$/.test(retryAfter) ? [`try again after ${retryAfter} s`] : [];
  return refusedBy(body, status, again);
}
