import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/**
 * What no log line may show (contract §2.7), wherever a careless caller puts it. pino's wildcards reach one level only, so each
 * name stands at the top, one and two levels down.
 */
const SECRET_NAMES = [
  'checksum',
  'fixedHash',
  'fixedHashes',
  'noticeHash',
  'secret',
  'secrets',
  'masterKey',
  'otp',
  'oneTimePassword',
  'password',
  'token',
  'email',
  'cellphone',
  'document',
  'user_di',
  'user_name',
  'authorization',
  'cookie',
  'connectionString',
  'body',
  'query',
  'url',
] as const;

/** A structured log: one JSON object a line, to the given stream (standard output by default). */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
    // An error's own enumerable fields can hold a query's values (`detail` of a database error names the row): only these are kept.
    serializers: {
      error: (error: unknown) =>
        error instanceof Error
          ? { type: error.name, message: error.message, code: (error as { code?: unknown }).code, stack: error.stack }
          : { type: typeof error },
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
