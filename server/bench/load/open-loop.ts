// Sends the mixed load of the soak at a fixed rate, whether or not answers come. Waiting for a free connection is measured too.
// node open-loop.ts SETTINGS (JSON). Prints a JSON line per minute, and one for the whole run at the end.
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { mixedRequest, requestMaker, todayText, type Kind, type Prepared } from '../requests.ts';
import { TIME_ZONE } from '../bench-data.ts';
import { connect, type Connection } from './connection.ts';
import type { OpenLoopSettings, OpenLoopReport } from './open-loop-report.ts';

const { database, origins, run, perSecond, minutes, connections } = JSON.parse(process.argv[2] as string) as OpenLoopSettings;
const make = requestMaker(database, run);

/** Latencies in microseconds, by kind. */
class Tally {
  readonly #histograms = new Map<Kind, RecordableHistogram>();
  failed = 0;
  slow = 0;
  writesAnswered = 0;
  complaint = '';

  note({ kind }: Prepared, milliseconds: number, complaint: string | undefined): void {
    let histogram = this.#histograms.get(kind);
    if (histogram === undefined) this.#histograms.set(kind, (histogram = createHistogram({ figures: 3 })));
    histogram.record(Math.max(1, Math.round(milliseconds * 1000)));
    if (milliseconds > 1000) this.slow++;
    if (complaint !== undefined) {
      this.failed++;
      this.complaint ||= complaint;
    } else if (kind !== 'list cashouts') this.writesAnswered++;
  }

  report(): OpenLoopReport {
    const kinds = [...this.#histograms].map(([kind, histogram]) => {
      const at = (share: number): number => histogram.percentile(share) / 1000;
      return { kind, count: histogram.count, p50Ms: at(50), p95Ms: at(95), p99Ms: at(99), maxMs: histogram.max / 1000 };
    });
    return { kinds, failed: this.failed, slow: this.slow, writesAnswered: this.writesAnswered, complaint: this.complaint };
  }
}

type Due = { readonly prepared: Prepared; readonly dueAt: number };
const waiting: Due[] = [];
const idle: Connection[] = [];
const whole = new Tally();
let minute = new Tally();
let inFlight = 0;

function pump(): void {
  while (waiting.length > 0 && idle.length > 0) {
    const { prepared, dueAt } = waiting.shift() as Due;
    const connection = idle.shift() as Connection;
    inFlight++;
    connection.send(prepared, (complaint) => {
      const milliseconds = performance.now() - dueAt;
      whole.note(prepared, milliseconds, complaint);
      minute.note(prepared, milliseconds, complaint);
      inFlight--;
      idle.push(connection);
      pump();
    });
  }
}

const say = (line: OpenLoopReport): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const MINUTE_MS = 60_000;

for (let count = 0; count < connections; count++) idle.push(await connect(origins[count % origins.length] as string));
const startedAt = performance.now();
let sent = 0;
let minutesDone = 0;
while (minutesDone < minutes) {
  const elapsedMs = performance.now() - startedAt;
  const today = todayText(TIME_ZONE);
  for (const due = Math.floor((elapsedMs * perSecond) / 1000); sent < due; sent++) {
    waiting.push({ prepared: mixedRequest(make, sent, database, today), dueAt: startedAt + (sent * 1000) / perSecond });
  }
  pump();
  if (elapsedMs >= (minutesDone + 1) * MINUTE_MS) {
    say(minute.report());
    minute = new Tally();
    minutesDone++;
  }
  await delay(1);
}
while (waiting.length + inFlight > 0) await delay(1);
say(whole.report());
for (const connection of idle) connection.close();
