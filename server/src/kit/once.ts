import type { HttpRequest } from './http.ts';
import type { Db, Tx } from './db.ts';
import type { Refusal } from './outcome.ts';

/** A whole answer, as it can be given again. */
export type Answer = { readonly status: number; readonly etag: string | null; readonly body: string };

/** An answer that is settled: kept in this very transaction, or found from the first time. */
export type SettledAnswer = { readonly answer: Answer; readonly isReplay: boolean };

export type KeyRefusal = 'key_in_flight' | 'key_reused';

export const MAX_KEY = 255;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** The Idempotency-Key of a request: visible ASCII characters. Undefined where there is none, and a rule that it breaks. */
export function readKey({ headers }: Pick<HttpRequest, 'headers'>): string | undefined | { readonly breaks: 'shape' | 'length' } {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !VISIBLE_ASCII.test(key)) return { breaks: 'shape' };
  return key.length > MAX_KEY ? { breaks: 'length' } : key;
}

/** What is kept of a request and its answer. */
export type Kept = { readonly fingerprint: Buffer; readonly sealed: Buffer };

/** A request with an Idempotency-Key, on its way through the operation's transaction. */
export type Once<Outcome> = {
  /** Whose key it is: a merchant's id, or an actor as `user:7`. No merchant's id has a colon. */
  readonly owner: string;
  readonly operation: string;
  readonly key: string;
  readonly render: (outcome: Outcome) => Answer;
  /** The answer that a repeated request gets: without what is shown once. */
  readonly renderKept: (outcome: Outcome) => Answer;
  readonly seal: (answer: Answer) => Kept & { readonly keptAt: Temporal.Instant };
  readonly recall: (kept: Kept) => SettledAnswer | Refusal<'key_reused'>;
};

/** Makes what carries a transaction out once from that of its operation. `toOutcome` makes the operation's outcome of what was decided. */
export const onceOf = <Decided, Outcome>(
  once: Once<Outcome> | undefined,
  toOutcome: (decided: Decided) => Outcome,
): Once<Decided> | undefined =>
  once && {
    ...once,
    render: (decided) => once.render(toOutcome(decided)),
    renderKept: (decided) => once.renderKept(toOutcome(decided)),
  };

/** Carries out one command in a transaction of its own, once where its request has an Idempotency-Key. */
export type RunAloneOnce = <Outcome>(
  db: Pick<Db, 'transaction'>,
  once: Once<Outcome> | undefined,
  run: (tx: Tx) => Promise<Outcome>,
) => Promise<Outcome | SettledAnswer | Refusal<'key_reused'>>;

/** What an operation's command holds so that it can run once; undefined: the request has no key. */
export type Keyed<Outcome> = { readonly once?: Once<Outcome> | undefined };

/** A request whose sender is proved. The same key of another operation is another key. */
export type ProvedRequest = {
  readonly request: HttpRequest;
  readonly owner: string;
  readonly operation: string;
  readonly key: string | undefined;
};

/**
 * Answers a request, and a repeated one with its first answer.
 * Shape: `execute` runs the operation with `once` in its command. `render` makes the answer of its outcome, and `renderKept` what
 * repeated requests get.
 * Refuses, through `render`: key_in_flight (this server is carrying out the same key), key_reused (the key came with other content).
 * What throws is not kept: the same key may try again.
 * Source: contract §7.3.
 */
export type AnswerOnce = <Outcome extends object>(
  proved: ProvedRequest,
  render: (outcome: Outcome | Refusal<KeyRefusal>) => Answer,
  execute: (once: Once<Outcome> | undefined) => Promise<Outcome | SettledAnswer | Refusal<'key_reused'>>,
  renderKept: (outcome: Outcome | Refusal<KeyRefusal>) => Answer,
) => Promise<SettledAnswer>;
