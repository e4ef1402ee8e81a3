import { InvalidArgumentError, Option } from 'commander';
import { CommandRefused } from '../command-line.ts';
import { readBy } from '../remote/client-commands.ts';
import { DEFAULT_LIMITS, MAX_LIMIT, type RequestLimits } from './request-limits.ts';

export type LimitOptions = { perSecond?: number; burst?: number; concurrent?: number; default?: true };

/** The options with which a command sets limits of requests. */
export const LIMIT_OPTIONS: readonly Option[] = [
  readBy('--per-second <requests>', 'requests a second', parseNumber),
  readBy('--burst <requests>', 'requests at once after a pause (default: two seconds of --per-second)', parseNumber),
  readBy('--concurrent <requests>', `requests at the same time (default: ${DEFAULT_LIMITS.concurrent})`, parseNumber),
  new Option('--default', 'the limits that everyone has'),
];

function parseNumber(text: string): number {
  const number = /^[0-9]{1,7}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MAX_LIMIT) throw new InvalidArgumentError(`It takes 1 to ${MAX_LIMIT}.`);
  return number;
}

/** Reads the limits that options set; null: the defaults. Throws: CommandRefused where they set none, or contradict each other. */
export function limitsOf({ perSecond, burst, concurrent, default: isDefault }: LimitOptions): RequestLimits | null {
  const isGiven = perSecond !== undefined || burst !== undefined || concurrent !== undefined;
  if (isGiven === (isDefault === true)) throw new CommandRefused('Give --per-second, --burst or --concurrent; or --default alone.', 2);
  if (!isGiven) return null;
  return {
    perSecond: perSecond ?? DEFAULT_LIMITS.perSecond,
    burst: burst ?? 2 * (perSecond ?? DEFAULT_LIMITS.perSecond),
    concurrent: concurrent ?? DEFAULT_LIMITS.concurrent,
  };
}

/** Limits as one cell of a table. */
export const limitsText = (limits: RequestLimits | null): string =>
  limits === null ? 'default' : `${limits.perSecond}/s, burst ${limits.burst}, ${limits.concurrent} at a time`;
