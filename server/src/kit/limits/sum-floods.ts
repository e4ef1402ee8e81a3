import type { LogFn } from 'pino';

/** How often one line is written within a minute. Beyond it is counted. */
const MOST_TIMES = 10;
const SUM_MS = 60_000;
/** Different lines that are counted at the same time. Beyond, lines with the same text are one. */
const MOST_LINES = 1_000;
/** Fields that differ in every line. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['requestId', 'seconds']);

type Line = { times: number; repeat: () => void };
type Write = (this: unknown, args: Parameters<LogFn>, method: LogFn, level: number) => void;

/**
 * Writes a line that comes again and again ten times a minute. At the end of the minute one line says how often it came.
 * Lines are the same where level, text, error and fields are, except those of one request.
 */
export function sumFloods(leastLevel: number, sumMs = SUM_MS): Write {
  const lines = new Map<string, Line>();
  return function write(args, method, level) {
    const [fields, text] = args as unknown as [object, string | undefined];
    if (level < leastLevel || typeof fields !== 'object') return method.apply(this, args);
    const key = lines.size < MOST_LINES ? `${level} ${text} ${describe(fields)}` : `${level} ${text}`;
    let line = lines.get(key);
    if (line === undefined) {
      const made: Line = { times: 0, repeat: () => undefined };
      setTimeout(() => {
        lines.delete(key);
        if (made.times > MOST_TIMES) made.repeat();
      }, sumMs).unref();
      lines.set(key, (line = made));
    }
    if (++line.times <= MOST_TIMES) return method.apply(this, args);
    const { times } = line;
    line.repeat = () => method.apply(this, [{ ...fields, times }, `${text}; ${times} times in the last minute`] as never);
  };
}

function describe(fields: object): string {
  return Object.entries(fields)
    .filter(([name]) => !OWN_FIELDS.has(name))
    .map(([name, value]) => `${name} ${value instanceof Error ? `${value.name} ${value.message}` : String(value)}`)
    .join(' ');
}
