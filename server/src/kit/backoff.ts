/** How long to wait after failures. The first failure gives the first pause, each further one doubles it, up to the longest. */
export type Pauses = { readonly firstSeconds: number; readonly longestSeconds: number };

/**
 * Gives the pause after a number of failures. It is spread over its second half, so that what failed together is not retried together.
 * Shape: failures from 1; chance in [0, 1).
 */
export function pauseAfter(failures: number, { firstSeconds, longestSeconds }: Pauses, chance: number): Temporal.Duration {
  const seconds = Math.min(firstSeconds * 2 ** (failures - 1), longestSeconds);
  return Temporal.Duration.from({ milliseconds: Math.round(seconds * 1_000 * (0.5 + chance / 2)) });
}
