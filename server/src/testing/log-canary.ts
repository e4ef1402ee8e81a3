import { appendFileSync } from 'node:fs';
import { inject } from 'vitest';

/**
 * What no log line of a test run may hold (contract §2.7). Every secret that a test makes has one of these forms.
 * Secrets and checksums are hexadecimal digits, and no other field is as long. Names and numbers of people are those that tests use.
 */
const FORMS: readonly (readonly [what: string, form: RegExp])[] = [
  ['a secret or a checksum', /[0-9a-f]{32,}/i],
  ['a master key', /[A-Za-z0-9+/]{43}=/],
  ['a signed token', /eyJ[\w-]+\.[\w-]+\.[\w-]+/],
  ['an e-mail address', /[\w.+-]+@(?:[\w-]+\.)*(?:example|invalid|test)(?:\.\w+)?\b/],
  ['a document or phone number', /\b(?:10203040\d{0,2}|300\d{7})\b/],
  ['a one-time password', /\botp\W{1,4}\d{4}/i],
  ['a query string', /\?(?:\w+=[^\s"]*&)*(?:merchant|checksum|document|token|start)=/],
  ['a connection string with a password', /\b(?:postgres(?:ql)?|smtps?|smpps?):\/\/[^:@/\s"]+:[^@/\s"]+@/],
];

/** Chosen by the caller, or a number of seconds: of these any digits may be. */
const HARMLESS = /"(?:requestId|reqId)":"[^"]*"|"seconds":[0-9.e-]+/g;
/** Shorter ones are found by their form only: any four digits are somewhere. */
const MIN_DIGITS = 6;

/**
 * Searches a log for what it must not hold.
 * Shape: whole log, one-time passwords that were given out → one line for each fault, with the log's line.
 */
export function findSecrets(log: string, oneTimePasswords: readonly string[]): string[] {
  const given = oneTimePasswords.filter(({ length }) => length >= MIN_DIGITS);
  const anyOf = given.length === 0 ? undefined : new RegExp(`\\b(?:${given.join('|')})\\b`);
  const forms = anyOf === undefined ? FORMS : [...FORMS, ['a one-time password', anyOf] as const];
  return log.split('\n').flatMap((line) => {
    const rest = line.replace(HARMLESS, '');
    return forms.filter(([, form]) => form.test(rest)).map(([what]) => `${what}: ${line.slice(0, 500)}`);
  });
}

/** Adds to the log of the test run, in which secrets are searched for at its end. */
export function addToRunLog(text: string): void {
  appendFileSync(inject('testServer').logFile, text);
}

/** Keeps the one-time password of an answer, so that it can be searched for. */
export function keepOneTimePassword(answer: unknown): void {
  const [, password] = typeof answer === 'string' ? (/"otp":"(\d+)"/.exec(answer) ?? []) : [];
  if (password !== undefined) appendFileSync(inject('testServer').oneTimePasswordFile, `${password}\n`);
}
