import { pino, type DestinationStream, type Logger } from 'pino';

import { sumFloods } from './limits/sum-floods.ts';

export type Log = Logger;
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Names of fields whose values no log line may show, at any depth (contract §2.7). */
const SECRET_NAMES: ReadonlySet<string> = new Set(
  [
    'checksum fixedHash fixedHashes noticeHash noticeHashes signingSecret signingSecrets secret secrets key keys masterKey masterKeys otp oneTimePassword password token',
    'authorization cookie connectionString databaseUrl',
    'email cellphone document userDocument userName user_di user_name',
    'headers url query params body values',
  ].flatMap((names) => names.split(' ')),
);
const CENSOR = '[redacted]';
/** Deeper than any of our own lines. A deeper value is left out. */
const MAX_DEPTH = 5;

/**
 * Opens a structured log: one JSON object a line, to the given stream (standard output by default).
 * A warning or an error that comes again and again is summed up.
 * Effects: replaces the value of a field with a secret's name. Shortens errors to fields that never hold a customer's data.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      // pino's own redaction takes a list of paths, which would have to name every depth.
      log: (fields: object) => censorFields(fields, 1),
    },
    hooks: { logMethod: sumFloods(pino.levels.values['warn'] as number) },
    // Fastify calls this field `err`.
    serializers: { error: describeError, err: describeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

function censorFields(fields: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, SECRET_NAMES.has(name) ? CENSOR : censor(value, depth)]));
}

function censor(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth > MAX_DEPTH || ArrayBuffer.isView(value)) return CENSOR;
  if (Array.isArray(value)) return value.map((one) => censor(one, depth + 1));
  const isPlain = Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null;
  return isPlain ? censorFields(value, depth + 1) : value;
}

/** Keeps only fields without values of a query. Others can hold them: `detail` of a database error names the row. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  return { type: error.name, message: error.message, code: (error as { code?: unknown }).code, stack: error.stack };
}
