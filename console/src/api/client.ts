import { ROUTES, type Operations } from './generated/operations.ts';
import { Problem, readProblem } from './problem.ts';

export type OperationName = keyof Operations;
type Nothing = Readonly<Record<string, never>>;

/** What an operation is called with. */
export type CallInput<Name extends OperationName> = {
  readonly query?: Partial<Operations[Name]['query']>;
  /** The `ETag` that was read: the write is refused where it has changed. */
  readonly ifMatch?: string;
  /** The Idempotency-Key of a write, made when its form opened: the write is carried out once. */
  readonly key?: string;
  readonly signal?: AbortSignal;
} & (Operations[Name]['path'] extends Nothing ? { readonly path?: undefined } : { readonly path: Operations[Name]['path'] }) &
  (Operations[Name]['body'] extends undefined ? { readonly body?: undefined } : { readonly body: Operations[Name]['body'] });

/** An answer, the version of what it shows, and the cells whose records it lacks, by name. */
export type Answer<Name extends OperationName> = {
  readonly body: Operations[Name]['answer'];
  readonly etag: string | undefined;
  readonly missing: string | undefined;
};

/** One item of an operation that lists. */
export type ItemOf<Name extends OperationName> = Operations[Name]['answer'] extends { readonly items: readonly (infer Item)[] }
  ? Item
  : never;

type Scalar = string | number | boolean;
type Texts = Readonly<Record<string, Scalar | readonly Scalar[] | undefined>>;

/** The address of an operation. Lists are written with commas, and what is absent is left out. */
export function addressOf(name: OperationName, path: Texts = {}, query: Texts = {}): string {
  const [, route = ''] = ROUTES[name].route.split(' ');
  const address = route.replace(/\{(\w+)\}/g, (_all, part: string) => encodeURIComponent(String(path[part])));
  const search = new URLSearchParams();
  for (const [parameter, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(parameter, Array.isArray(value) ? value.join(',') : String(value));
  return search.size === 0 ? address : `${address}?${search.toString()}`;
}

/**
 * Calls an operation of the management API.
 * Throws: a `Problem` for a refusal, and where no answer comes.
 */
export async function call<Name extends OperationName>(name: Name, input: CallInput<Name>): Promise<Answer<Name>> {
  const { path, query, body, ifMatch, key, signal } = input as CallInput<Name> & { readonly path?: Texts; readonly body?: object };
  const [method = 'GET'] = ROUTES[name].route.split(' ');
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (ifMatch !== undefined) headers.set('if-match', ifMatch);
  if (key !== undefined && 'isKeyed' in ROUTES[name]) headers.set('idempotency-key', key);
  const answer = await send(addressOf(name, path, query as Texts), {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!answer.ok) throw await readProblem(answer);
  const etag = answer.headers.get('etag') ?? undefined;
  const missing = answer.headers.get('caudal-missing-cells') ?? undefined;
  if ('streams' in ROUTES[name]) return { body: await answer.blob(), etag, missing };
  const text = await answer.text();
  return { body: (text === '' ? undefined : JSON.parse(text)) as Operations[Name]['answer'], etag, missing };
}

/** What was asked for before the console runs, by address. Each answer is taken once, and none is kept for long. */
const early = new Map<string, Promise<Response>>();
const KEPT_EARLY_MS = 10_000;

/** Asks for what a page is going to read. What fails here is asked for again where it is shown. */
export function askEarly(name: OperationName, path: Texts = {}): void {
  const address = addressOf(name, path);
  early.set(address, fetch(address, { headers: { accept: 'application/json' }, credentials: 'same-origin' }));
  early.get(address)?.catch(() => early.delete(address));
  setTimeout(() => early.delete(address), KEPT_EARLY_MS);
}

async function send(address: string, request: RequestInit): Promise<Response> {
  const asked = request.method === 'GET' ? early.get(address) : undefined;
  early.delete(address);
  try {
    return await (asked ?? fetch(address, { ...request, credentials: 'same-origin' }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Problem('offline', 0);
  }
}
