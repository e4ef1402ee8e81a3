import type { HttpReply } from '../src/kit/http.ts';
import { openLoadGauge } from '../src/kit/limits/load-gauge.ts';
import { openLimits } from '../src/requests/limits/limits.ts';
import { runLoad, type LoadResult } from './load.ts';
import { orderOfOthers } from './measure-isolation.ts';
import { describeRate, median, newRun, originsOf, readProcessorSeconds, type Bench, type Figure } from './measurement.ts';
import { prepare, requestMaker } from './requests.ts';
import { checkWrites } from './written.ts';

const WARM_UP_SECONDS = 10;
const CALLERS = 1_000;
const ADMISSIONS = 1_000_000;
/** A million admissions of a thousand callers are far below the quota of each. */
const LOOPS = 5;
const CROWD = 2_000;
/** More than a server answers and refuses. */
const PREPARED_PER_SECOND = 25_000;

type Updated = LoadResult & { readonly faults: number; readonly processorMicroseconds: number };

/** Updates orders of all merchants. What is refused is in `failed`. */
async function update(bench: Bench, connections: number, seconds = bench.seconds): Promise<Updated> {
  const run = newRun();
  const make = requestMaker(bench.database, run);
  const requests = prepare(seconds, (number) => orderOfOthers(make, number), PREPARED_PER_SECOND);
  const before = await readProcessorSeconds(bench);
  const result = await runLoad({ origins: originsOf(bench), requests, connections, seconds, mayRepeat: false });
  const processorMicroseconds = (((await readProcessorSeconds(bench)) - before) * 1e6) / result.answered;
  const { lost, doubled } = await checkWrites(bench.database.url, run, result.answered - result.failed);
  bench.say(
    `${connections} connections: ${describeRate(result)}; ${result.failed} of ${result.answered} refused, ${lost} lost, ${doubled} doubled`,
  );
  return { ...result, faults: lost + doubled, processorMicroseconds };
}

/** L1: what a loop over the limits of callers and the gauge of the load costs. It is a part of an update's processor time. */
export async function measureLimits(bench: Bench, rounds: number): Promise<Figure[]> {
  await update(bench, 64, WARM_UP_SECONDS);
  const updates: number[] = [];
  for (let round = 0; round < rounds; round++) updates.push((await update(bench, 64)).processorMicroseconds);
  const admissions = Array.from({ length: LOOPS }, admitMany);
  bench.say(`an update takes ${median(updates).toFixed(0)} µs of Node's processor time, its limits ${median(admissions).toFixed(3)} µs`);
  const percent = updates.map((one) => (100 * median(admissions)) / one);
  return [{ name: 'L1', what: 'limits, of the processor time of an update', unit: '%', ours: percent, target: { atMost: 2 } }];
}

/** Does for each request what the service does. Shape: → microseconds of processor time for one. */
function admitMany(): number {
  const limits = openLimits({ unprovedPerSecond: 1, processes: 1, servers: 1 }, () => {});
  const gauge = openLoadGauge();
  const ids = Array.from({ length: CALLERS }, (_, index) => `merchant-${index}`);
  const reply = { headers: () => reply, request: { ip: '' } } as unknown as HttpReply;
  const before = process.cpuUsage();
  for (let count = 0; count < ADMISSIONS; count++) {
    const sinceMs = performance.now();
    if (gauge.isFull(sinceMs)) throw new Error('the gauge is full');
    const admitted = limits.admit('merchant', ids[count % CALLERS] as string, null, reply);
    gauge.enter();
    limits.leave(admitted);
    gauge.leave(sinceMs, performance.now());
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / ADMISSIONS;
}

/** S1 to S4: far more connections than can be answered in time. What is beyond is refused at once, and nobody waits long. */
export async function measureShedding(bench: Bench, rounds: number): Promise<Figure[]> {
  await update(bench, 64, WARM_UP_SECONDS);
  const usual: Updated[] = [];
  const crowd: Updated[] = [];
  for (let round = 0; round < rounds; round++) {
    usual.push(await update(bench, 64));
    crowd.push(await update(bench, CROWD));
  }
  const served = ({ answered, failed }: Updated): number => (answered - failed) / bench.seconds;
  const against = { what: '64 connections', values: usual.map(served) };
  return [
    { name: 'S1', what: `answers, ${CROWD} connections`, unit: '/s', ours: crowd.map(({ perSecond }) => perSecond) },
    { name: 'S2', what: 'p99 of these', unit: 'ms', ours: crowd.map(({ p99Ms }) => p99Ms), target: { atMost: 1_000 } },
    { name: 'S3', what: 'updates among these', unit: '/s', ours: crowd.map(served), against },
    { name: 'S4', what: 'lost or doubled writes, per run', unit: '', ours: crowd.map(({ faults }) => faults), target: { atMost: 0 } },
  ];
}
