import { refuse, type Refusal } from '../kit/outcome.ts';

/** What a developer asks of the sandbox's clock. A duration of days, months or years is one of UTC's calendar. */
export type ClockWish = { readonly now: Temporal.Instant } | { readonly advance: Temporal.Duration };

export type ClockRefusal = 'clock_would_go_back' | 'clock_too_far_ahead';

/** A slip of the keyboard cannot be taken back, because the clock never goes back: this is as far as it goes. */
const MOST_YEARS_AHEAD = 10;

/**
 * Decides how far the sandbox's clock runs ahead of the machine's.
 * Shape: the machine's instant, the offset until now and the wish → the new offset in milliseconds.
 * Refuses: clock_would_go_back; clock_too_far_ahead, more than ten years before the machine's.
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

/** Undefined: beyond what any calendar holds. */
function addDuration(now: Temporal.Instant, duration: Temporal.Duration): Temporal.Instant | undefined {
  try {
    return now.toZonedDateTimeISO('UTC').add(duration).toInstant();
  } catch {
    return undefined;
  }
}
