import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { OpenLoopReport, OpenLoopSettings } from './load/open-loop-report.ts';
import { runLoad } from './load.ts';
import { describeRate, newRun, originsOf, WARM_UP_SECONDS, type Bench } from './measurement.ts';
import { mixedRequest, prepare, requestMaker, todayText } from './requests.ts';
import { verify } from './server.ts';
import { TIME_ZONE } from './bench-data.ts';
import { checkWrites, type WriteFaults } from './written.ts';

/** A server holds less for twenty minutes than for a few seconds. */
const SHARE_OF_PEAK = 0.6;
const CONNECTIONS = 256;
const OPEN_LOOP = join(import.meta.dirname, 'load', 'open-loop.ts');

type SoakResult = OpenLoopReport &
  WriteFaults & { readonly peakPerSecond: number; readonly perSecond: number; readonly minutes: readonly string[] };

/**
 * Runs the mixed load at 60 % of the measured peak. Prints a line per minute, and verifies the data at the end.
 * The schedule is open: each request has its time, and waiting for a slow server counts.
 */
export async function soak(bench: Bench, minutes: number): Promise<SoakResult> {
  const { database, say } = bench;
  say('warming up');
  await runClosed(bench, WARM_UP_SECONDS);
  const peak = await runClosed(bench, bench.seconds);
  say(`the peak of the mixed load: ${describeRate(peak)}`);
  const perSecond = Math.round(peak.perSecond * SHARE_OF_PEAK);
  const run = newRun();
  const settings: OpenLoopSettings = { database, origins: originsOf(bench), run, perSecond, minutes, connections: CONNECTIONS };
  const lines: string[] = [];
  let last: OpenLoopReport | undefined;
  for await (const report of reportsOf(settings)) {
    if (lines.length < minutes) {
      const line = `minute ${lines.length + 1}: ${describe(report)}; ${await describeServers(bench)}`;
      console.log(line);
      lines.push(line);
    } else last = report;
  }
  if (last === undefined) throw new Error('the load generator ended before its time');
  const faults = await checkWrites(database.url, run, last.writesAnswered);
  printWhole(last, faults, perSecond);
  verify(database);
  return { ...last, ...faults, peakPerSecond: peak.perSecond, perSecond, minutes: lines };
}

/** Sends the mixed load as fast as it is answered. */
function runClosed(bench: Bench, seconds: number) {
  const { database } = bench;
  const make = requestMaker(database, newRun());
  const today = todayText(TIME_ZONE);
  const requests = prepare(seconds, (number) => mixedRequest(make, number, database, today));
  return runLoad({ origins: originsOf(bench), requests, connections: CONNECTIONS, seconds, mayRepeat: false });
}

async function* reportsOf(settings: OpenLoopSettings): AsyncGenerator<OpenLoopReport> {
  const child = spawn(process.execPath, [OPEN_LOOP, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line) as OpenLoopReport;
}

function describe({ kinds, failed, slow, complaint }: OpenLoopReport): string {
  const count = kinds.reduce((total, kind) => total + kind.count, 0);
  const worst = (pick: (kind: (typeof kinds)[number]) => number): string => Math.max(...kinds.map(pick)).toFixed(1);
  return (
    `${count} answers, worst kind p50 ${worst(({ p50Ms }) => p50Ms)} p95 ${worst(({ p95Ms }) => p95Ms)} p99 ${worst(({ p99Ms }) => p99Ms)} ` +
    `max ${worst(({ maxMs }) => maxMs)} ms, ${slow} above 1 s, ${failed} failed${complaint === '' ? '' : ` (${complaint})`}`
  );
}

/** The event-loop delay covers the time since the last call: one minute. */
async function describeServers({ servers }: Bench): Promise<string> {
  const all = await Promise.all(servers.map((server) => server.readMetrics()));
  return all
    .map((metrics) => {
      const milliseconds = (name: string): string => ((metrics[`nodejs_eventloop_lag_${name}_seconds`] ?? NaN) * 1000).toFixed(1);
      const megabytes = ((metrics['process_resident_memory_bytes'] ?? NaN) / 1e6).toFixed(0);
      return `memory ${megabytes} MB, event-loop delay p99 ${milliseconds('p99')} max ${milliseconds('max')} ms`;
    })
    .join('; ');
}

function printWhole({ kinds, slow, failed }: OpenLoopReport, { lost, doubled }: WriteFaults, perSecond: number): void {
  console.table(
    Object.fromEntries(
      kinds.map(({ kind, count, ...times }) => [
        kind,
        { count, ...Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, Number(ms.toFixed(2))])) },
      ]),
    ),
  );
  const count = kinds.reduce((total, kind) => total + kind.count, 0);
  console.log(
    `${count} answers at ${perSecond}/s; above 1 s: ${((slow / count) * 100).toFixed(4)} %; failed: ${failed}; writes lost: ${lost}, doubled: ${doubled}`,
  );
}
