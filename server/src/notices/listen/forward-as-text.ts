import { oneLine } from '../../kit/one-line.ts';
import type { Forwarded } from './forwarder.ts';

/** One line for a person: when it was written, what it says, and what its receiver made of it. */
export function printedForward({ notice, event, isAgain, to, attempt, status, problem, ms, nextAt }: Forwarded): string {
  const { id, merchant, subject, writtenAt } = notice;
  const taken = status === null ? `no answer: ${problem}` : `${status} in ${ms} ms`;
  const next = nextAt === null ? '' : `, attempt ${attempt}; next at ${inSeconds(nextAt)}`;
  const shown = [inSeconds(Temporal.Instant.from(writtenAt)), `${event}${isAgain ? ' (sent again)' : ''}`, `${subject} of ${merchant}`, id];
  return `${[...shown, ...(to === null ? [] : [`${taken}${next}`, to])].map(oneLine).join('  ')}\n`;
}

/** As logs write it: a listener's lines stand beside those of what it forwards to. */
const inSeconds = (instant: Temporal.Instant): string => instant.toString({ smallestUnit: 'second' });

/** Plain values. */
export function toForwardJson({ notice, event, nextAt, ...rest }: Forwarded): object {
  const { id, merchant, subject, amount, writtenAt } = notice;
  return { id, event, merchant, subject, ...amount, writtenAt, ...rest, nextAt: nextAt?.toString() ?? null };
}
