import { textOf } from '../shell/language.ts';

/** What kind of problem an attempt to send a notice had. */
export type Cause =
  | 'down'
  | 'broken'
  | 'slow'
  | 'name'
  | 'refused'
  | 'redirect'
  | 'denied'
  | 'missing'
  | 'receiver'
  | 'unaddressed'
  | 'paused'
  | 'certificate'
  | 'handshake'
  | 'hash'
  | 'changes'
  | 'unknown'
  | 'other';

/** The texts of the service as they are, and the codes of connections by what is in them. */
const CAUSES: readonly (readonly [RegExp, Cause])[] = [
  [/^HTTP 3\d\d/, 'redirect'],
  [/^HTTP 40[13]$/, 'denied'],
  [/^HTTP 4(?:04|05|10)$/, 'missing'],
  [/^HTTP [45]\d\d$/, 'receiver'],
  [/^(?:connection refused|EHOSTUNREACH|ENETUNREACH)$/, 'down'],
  [/^the connection broke$/, 'broken'],
  [/^not sent in time: the endpoint was paused$/, 'paused'],
  [/^(?:no answer in time|no connection in time|ETIMEDOUT)$/, 'slow'],
  [/^the name does not resolve$/, 'name'],
  [/^(?:the address is not allowed|the URL is not https)$/, 'refused'],
  [/^the merchant has no notice URL$/, 'unaddressed'],
  [/^the notice hash cannot be read$/, 'hash'],
  [/^the history lacks what changed$/, 'changes'],
  [/^unknown$/, 'unknown'],
  [/^[A-Z_]*(?:CERT|CRL|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH)[A-Z_]*$/, 'certificate'],
  [/^(?:EPROTO|ERR_(?:SSL|TLS)_[A-Z_0-9]+)$/, 'handshake'],
];

/** Finds the kind of a problem, as an attempt records it. */
export const causeOf = (problem: string): Cause => CAUSES.find(([form]) => form.test(problem))?.[1] ?? 'other';

/** An answer needs no words: its status says it. */
type Worded = Exclude<Cause, 'denied' | 'missing' | 'receiver' | 'other'>;

/** A code stays beside its words: it says more to an engineer. What has no words stays as it is. */
export function problemIn(words: Readonly<Record<Worded, string>>, problem: string): string {
  const cause = causeOf(problem);
  const word = textOf(words, cause);
  if (word === undefined) return problem;
  if (cause === 'redirect') return `${problem.replace(/,.*/, '')}, ${word}`;
  return CODE.test(problem) ? `${word} (${problem})` : word;
}
const CODE = /^[A-Z_0-9]+$/;
