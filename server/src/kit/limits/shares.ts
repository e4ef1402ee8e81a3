import { Overloaded } from '../http.ts';

/** How long work waits for its turn. */
const PATIENCE_MS = 2_000;
const LONGEST_REST_MS = 5_000;

type Shares = {
  /** Works at the same time. */
  readonly atOnce: number;
  /** Of one owner. */
  readonly perOwner: number;
  readonly patienceMs?: number;
  /** Of one owner, at most. One more is refused at once. */
  readonly mostWaiting?: number;
  /**
   * How many times as long as a work took its place rests afterwards, by how long that was: so most of the time belongs to others.
   * Absent: not at all.
   */
  readonly rests?: (tookMs: number) => number;
  /** Calls back after so many milliseconds. */
  readonly later?: (work: () => void, ms: number) => { unref(): unknown };
  readonly nowMs?: () => number;
};

type Line = { running: number; readonly waiting: (() => void)[] };

/**
 * Lets a few works run at a time. Each owner has a share of them. Who has least under way is next, then whose turn is longest ago.
 * What took long is followed by a rest.
 * Shape: returns a function that runs one work of an owner.
 * Throws: Overloaded where its turn does not come in time; whatever the work throws.
 */
export function openShares({
  atOnce,
  perOwner,
  patienceMs = PATIENCE_MS,
  rests = () => 0,
  mostWaiting = Infinity,
  later = setTimeout,
  nowMs = () => performance.now(),
}: Shares): <Result>(owner: string, work: () => Promise<Result>) => Promise<Result> {
  /** Those whose turn is longest ago come first. */
  const lines = new Map<string, Line>();
  let running = 0;

  function lineOf(owner: string): Line {
    let line = lines.get(owner);
    if (line === undefined) lines.set(owner, (line = { running: 0, waiting: [] }));
    return line;
  }

  function begin(): void {
    while (running < atOnce) {
      let next: readonly [string, Line] | undefined;
      for (const [owner, line] of lines)
        if (line.waiting.length > 0 && line.running < Math.min(perOwner, next?.[1].running ?? perOwner)) next = [owner, line];
      if (next === undefined) return;
      const [owner, line] = next;
      line.running++;
      running++;
      lines.delete(owner);
      lines.set(owner, line);
      line.waiting.shift()?.();
    }
  }

  function end(owner: string, line: Line): void {
    line.running--;
    running--;
    if (line.running + line.waiting.length === 0) lines.delete(owner);
    begin();
  }

  const inTurn = (owner: string, line: Line): Promise<void> =>
    new Promise((resolve, reject) => {
      const go = (): void => {
        clearTimeout(patience as NodeJS.Timeout);
        resolve();
      };
      const patience = later(() => {
        const at = line.waiting.indexOf(go);
        if (at < 0) return;
        line.waiting.splice(at, 1);
        if (line.running + line.waiting.length === 0) lines.delete(owner);
        reject(new Overloaded());
      }, patienceMs);
      line.waiting.push(go);
      begin();
    });

  return async (owner, work) => {
    const line = lineOf(owner);
    if (line.waiting.length >= mostWaiting) throw new Overloaded();
    await inTurn(owner, line);
    const sinceMs = nowMs();
    try {
      return await work();
    } finally {
      const tookMs = nowMs() - sinceMs;
      const restMs = Math.min(rests(tookMs) * tookMs, LONGEST_REST_MS);
      if (restMs === 0) end(owner, line);
      else later(() => end(owner, line), restMs).unref();
    }
  };
}
