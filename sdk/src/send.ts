import { authenticate, bytesOf, hash, joined, keyOf, newId } from './crypto.ts';
import { CaudalError } from './errors.ts';

/** Whose requests these are, and how they are sent. */
export type Settings = {
  /** Where the service is, as `https://pay.example`. */
  readonly url: string;
  /** The id of the merchant. */
  readonly merchant: string;
  /** The merchant's secret for checksums. It is never sent. */
  readonly fixedHash: string;
  /** The merchant's secret for signatures, `whsec_…`. With it every request is signed. */
  readonly signingSecret?: string | undefined;
  /** How long one try may take; 30 seconds where absent. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent again, where that can do no harm; 4 where absent. */
  readonly retries?: number | undefined;
  /** Sends the requests instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
};

export type RequestOptions = {
  /** Gives the request up. */
  readonly signal?: AbortSignal | undefined;
  /** How long one try may take. */
  readonly timeoutMs?: number | undefined;
};
export type KeyedOptions = RequestOptions & {
  /** One for each thing to do. The service does it once. A new one is made where absent, and kept across retries. */
  readonly idempotencyKey?: string | undefined;
};
export type VersionedOptions = RequestOptions & {
  /** The version that the order must still have. */
  readonly version?: number | undefined;
};

/** What a request carries, by the names of the reference. */
type Fields = Readonly<Record<string, string | boolean | undefined>>;

/** What the client knows of an operation. */
type Described = { readonly route: string; readonly proof: readonly string[]; readonly refusals: string };

/** The data of a success, and what the headers and links add. */
export type Answer<Data> = { readonly data: Data; readonly version: number; readonly body: Readonly<Record<string, unknown>> };

export type Send = <Data>(operation: Described, fields: Fields, options?: KeyedOptions & VersionedOptions) => Promise<Answer<Data>>;

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 4;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** A service that wants a longer pause gets none: the caller decides. */
const LONGEST_RETRY_AFTER_SECONDS = 60;
/** The most that is read of an answer. A page of a hundred items has a hundredth of it. */
const MOST_CHARACTERS = 2 ** 23;
/** A timer cannot be set any later. */
const LATEST_MS = 2 ** 31 - 1;
/** Statuses of a request that may succeed when it is sent again. */
const PASSING = new Set([408, 409, 429, 500, 502, 503, 504]);

/** Opens a way to send the requests of a merchant. */
export function openSend({ url, merchant, fixedHash, signingSecret, ...settings }: Settings): Send {
  const { timeoutMs: usualTimeout = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES, fetch = globalThis.fetch } = settings;
  const base = new URL(url);
  if (!merchant || !fixedHash) throw new TypeError('merchant and fixedHash are required');
  const origin = base.href.replace(/\/+$/, '');

  return async <Data>(operation: Described, given: Fields, options: KeyedOptions & VersionedOptions = {}): Promise<Answer<Data>> => {
    const fields = { ...given, merchant };
    const request = await compose(operation, fields, fixedHash);
    const { method, body } = request;
    const address = new URL(origin + request.path);
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    if (method === 'POST') headers['idempotency-key'] = options.idempotencyKey ?? (await newId());
    if (options.version !== undefined) headers['if-match'] = `"${options.version}"`;
    const isRepeatable = method !== 'PATCH' || options.version === undefined;
    for (let attempt = 0; ; attempt++) {
      try {
        const signature = signingSecret === undefined ? {} : await sign(signingSecret, method, address, body ?? '');
        const init = {
          method,
          headers: { ...headers, ...signature },
          redirect: 'manual' as const,
          ...(body === undefined ? {} : { body }),
        };
        const { response, text } = await exchange(fetch, address, init, options.timeoutMs ?? usualTimeout, options.signal);
        return readAnswer<Data>(operation, response, text);
      } catch (error) {
        const pause = error instanceof CaudalError && attempt < retries ? pauseAfter(error, attempt, isRepeatable) : undefined;
        if (pause === undefined) throw error;
        await wait(pause, options.signal);
      }
    }
  };
}

type Composed = { readonly method: string; readonly path: string; readonly body: string | undefined };

/** Makes the checksum over the values as they are sent, and puts each field in its place. */
async function compose({ route, proof }: Described, fields: Fields, fixedHash: string): Promise<Composed> {
  const [method = '', pattern = ''] = route.split(' ');
  const checksum = await hash('SHA-512', proof.map((name) => fields[name] ?? '').join('') + fixedHash);
  const rest = new Map(Object.entries({ ...fields, checksum }).filter(([, value]) => value !== undefined));
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name) ?? '';
    // Such a part would lead to another operation.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} cannot be "${value}"`);
    rest.delete(name);
    return encodeURIComponent(value);
  });
  if (method === 'POST' || method === 'PATCH') return { method, path, body: JSON.stringify(Object.fromEntries(rest)) };
  return {
    method,
    path: `${path}?${new URLSearchParams([...rest]).toString()}`,
    body: undefined,
  };
}

/** The headers of a signature (contract §7.5). Each try has an id of its own: the service lets each in once. */
async function sign(secret: string, method: string, { pathname, search }: URL, body: string): Promise<Record<string, string>> {
  const [id, seconds] = [await newId(), Math.floor(Date.now() / 1000)];
  const content = joined(`${id}.${seconds}.${method}\n${pathname}${search}\n`, bytesOf(body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${await authenticate(keyOf(secret), content)}`,
  };
}

/** Sends a request once and reads its whole answer. */
async function exchange(
  fetch: typeof globalThis.fetch,
  address: URL,
  init: RequestInit,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly response: Response; readonly text: string }> {
  signal?.throwIfAborted();
  const given = new AbortController();
  const giveUp = (): void => given.abort();
  let isLate = false;
  const timer = setTimeout(
    () => {
      isLate = true;
      giveUp();
    },
    Math.min(timeoutMs, LATEST_MS),
  );
  signal?.addEventListener('abort', giveUp);
  try {
    const response = await fetch(address.href, { ...init, signal: given.signal });
    return { response, text: await textOf(response) };
  } catch (cause) {
    giveUp();
    signal?.throwIfAborted();
    if (cause instanceof CaudalError) throw cause;
    if (isLate) throw new CaudalError({ code: 'timed_out', text: `no answer within ${timeoutMs} ms`, cause });
    throw new CaudalError({ code: 'no_answer', text: 'the connection failed', cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Reads the text of an answer, however it was compressed, up to its bound. */
async function textOf({ body }: Response): Promise<string> {
  const [reader, decoder] = [body?.getReader(), new TextDecoder()];
  for (let text = ''; ;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    text += decoder.decode(value, { stream: !done });
    if (done) return text;
    if (text.length > MOST_CHARACTERS) throw new CaudalError({ code: 'unreadable', text: 'the answer does not end' });
  }
}

function readAnswer<Data>({ refusals }: Described, { status, headers }: Response, text: string): Answer<Data> {
  const requestId = headers.get('x-request-id') ?? undefined;
  const retryAfter = readRetryAfter(headers.get('retry-after'));
  const body = readObject(text);
  const code = body?.['CODE'] ?? body?.['code'];
  const data = body?.['DATA'] ?? body?.['data'];
  if (body === undefined || typeof code !== 'string' || (code === '0000' && Object(data) !== data))
    throw new CaudalError({ code: 'unreadable', text: `the answer with status ${status} is not Caudal's`, status, requestId, retryAfter });
  if (code !== '0000') throw new CaudalError({ code, text: String(body['DESC'] ?? body['text']), refusals, status, requestId, retryAfter });
  const version = Number(/\d+/.exec(headers.get('etag') ?? '')?.[0] ?? 0);
  return { data: data as Data, version, body };
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds, or a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0);
}

/**
 * How long to wait before the same request is sent again; undefined: not at all. Full jitter keeps clients apart.
 * Nothing was done where the service had too many requests, so any request may follow.
 */
function pauseAfter({ code, status, retryAfter = 0 }: CaudalError, attempt: number, isRepeatable: boolean): number | undefined {
  const isPassing = PASSING.has(status) || code === 'no_answer' || code === 'timed_out';
  const isAllowed = isRepeatable || status === 429;
  if (!isPassing || !isAllowed || retryAfter > LONGEST_RETRY_AFTER_SECONDS) return undefined;
  return retryAfter * 1000 + Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
