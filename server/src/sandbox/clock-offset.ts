import { refuse, type Refusal } from '../kit/outcome.ts';

/** How to move the sandbox's clock. Days, months and years of a duration are those of UTC's calendar. */
export type ClockWish = { readonly now: Temporal.Instant } | { readonly advance: Temporal.Duration };

export type ClockRefusal = 'clock_would_go_back' | 'clock_too_far_ahead';

/** The clock never goes back, so a typing error cannot be undone: this limits it. */
const MOST_YEARS_AHEAD = 10;

/**
 * Decides how far the sandbox's clock runs ahead of the machine's.
 * Shape: the machine's instant, the offset until now, and the wish → the new offset in milliseconds.
 * Refuses: clock_would_go_back; clock_too_far_ahead, more than ten years ahead of the machine's.
 */
export function decideOffset(machineNow: Temporal.Instant, offsetMs: number, wish: ClockWish): number | Refusal<ClockRefusal> {
  const now = machineNow.add({ milliseconds: offsetMs });
  const wanted = 'now' in wish ? wish.now : addDuration(now, wish.advance);
  if (wanted === undefined) return refuse('clock_too_far_ahead');
  const wantedMs = wanted.epochMilliseconds - machineNow.epochMilliseconds;
  if (wantedMs < offsetMs) return refuse('clock_would_go_back');
  const last = machineNow.toZonedDateTimeISO('UTC').add({ years: MOST_YEARS_AHEAD }).toInstant();
  return Temporal.Instant.compare(wanted, last) > 0 ? refuse('clock_too_far_ahead') : wantedMs;
}

/** Undefined: outside the range of Temporal. */
function addDuration(now: Temporal.Instant, duration: Temporal.Duration): Temporal.Instant | undefined {
  try {
    return now.toZonedDateTimeISO('UTC').add(duration).toInstant();
  } catch {
    return undefined;
  }
}
