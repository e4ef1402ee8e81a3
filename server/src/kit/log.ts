import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** What no log line may show (contract §2.7), at whatever depth a careless caller puts it. */
const SECRET_NAMES: ReadonlySet<string> = new Set(
  [
    'checksum fixedHash fixedHashes noticeHash signingSecret signingSecrets secret secrets key keys masterKey masterKeys otp oneTimePassword password token',
    'authorization cookie connectionString databaseUrl',
    'email cellphone document userDocument userName user_di user_name',
    'headers url query params body values',
  ].flatMap((names) => names.split(' ')),
);
const CENSOR = '[redacted]';
/** Deeper than any line of ours; what lies below is left out. */
const MAX_DEPTH = 5;

/**
 * A structured log: one JSON object a line, to the given stream (standard output by default).
 * Fields with a secret's name are censored, errors shortened to what is certainly not a customer's.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      // pino's own redaction is a list of paths: it knows each depth only where that is written out.
      log: (fields: object) => censorFields(fields, 1),
    },
    // The framework writes its own few lines with `err`.
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

/** An error's own enumerable fields can hold a query's values (`detail` of a database error names the row): only these are kept. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  return { type: error.name, message: error.message, code: (error as { code?: unknown }).code, stack: error.stack };
}
