/** What kind of problem an attempt had: each has its own text that says what helps. */
export type Cause =
  | 'down'
  | 'slow'
  | 'name'
  | 'refused'
  | 'redirect'
  | 'denied'
  | 'missing'
  | 'receiver'
  | 'unaddressed'
  | 'paused'
  | 'tls'
  | 'other';

const CAUSES: readonly (readonly [RegExp, Cause])[] = [
  [/^HTTP 3\d\d/, 'redirect'],
  [/^HTTP 40[13]/, 'denied'],
  [/^HTTP 4(?:04|05|10)/, 'missing'],
  [/^HTTP [45]\d\d/, 'receiver'],
  [/connection refused|the connection broke/, 'down'],
  [/in time: the endpoint was paused/, 'paused'],
  [/in time/, 'slow'],
  [/does not resolve/, 'name'],
  [/not allowed|not https/, 'refused'],
  [/no notice URL/, 'unaddressed'],
  [/CERT|TLS|SSL|SELF_SIGNED/, 'tls'],
];

/** Finds the kind of a problem, as an attempt records it. */
export const causeOf = (problem: string): Cause => CAUSES.find(([form]) => form.test(problem))?.[1] ?? 'other';
