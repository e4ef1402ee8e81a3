import { setTimeout as delay } from 'node:timers/promises';
import { cashoutChecks } from '../src/cashouts/index.ts';
import { withSnapshot } from '../src/kit/snapshot.ts';
import { ledgerChecks } from '../src/ledger/index.ts';
import { noticeChecks, readNoticeGauges } from '../src/notices/index.ts';
import { orderChecks } from '../src/orders/index.ts';
import { Contradiction } from './cell.ts';
import { advance, settleAll, sweepAll } from './round.ts';
import type { Stage } from './stage.ts';

/** More than the longest pause before a paused endpoint is tried again. */
const STEP_MS = 16 * 60 * 1_000;
/** Two days and a half: no notice waits so long for a receiver that takes everything. */
const MOST_STEPS = 225;

const CHECKS = [...ledgerChecks, ...orderChecks, ...cashoutChecks, ...noticeChecks];

/**
 * Lets the receivers take everything until nothing waits, and compares: the notices with the model's, all balances, and what is stored with
 * what it follows from.
 * Throws: Contradiction.
 */
export async function checkpoint(stage: Stage): Promise<void> {
  const { receiver, books, control, url, clock, playing, resting, tally } = stage;
  receiver.takeAll(true);
  for (let step = 0; ; step++) {
    await sweepAll(stage.servers);
    settleAll(stage, clock.now().epochMilliseconds);
    await deliverAll(stage);
    const { caudal_notices_waiting: waiting } = await readNoticeGauges(control);
    if (waiting === 0) break;
    if (step === MOST_STEPS) throw new Contradiction(`${waiting} notices wait for a receiver that takes everything`);
    await advance(stage, STEP_MS);
  }
  receiver.takeAll(false);

  const received = receiver.collect();
  const cells = [...[...playing].map(({ cell }) => cell), ...resting];
  const claimed = new Set(cells.flatMap(({ subjects }) => subjects));
  for (const [subject, bodies] of received) {
    tally.notices += bodies.length;
    if (!claimed.has(subject)) throw new Contradiction(`a notice of nothing that is played: ${subject} ${JSON.stringify(bodies)}`);
  }
  for (const cell of cells) cell.compareNotices((subject) => received.get(subject) ?? []);
  for (const cell of resting) if (cell.nextDue() === Infinity) resting.delete(cell);

  await books.compare(control);
  await withSnapshot(url, async (snapshot) => {
    for (const { promise, run } of CHECKS) {
      const { finding } = await run(snapshot, clock.now());
      if (finding !== undefined) throw new Contradiction(`not true: ${promise}. ${finding.merchantId} ${finding.id} ${finding.problem}`);
    }
  });
  tally.calls = receiver.arrivals();
  tally.checkpoints++;
  stage.movedMs = 0;
}

/** Delivers on all servers until nothing is under way or due. */
async function deliverAll({ servers }: Stage): Promise<void> {
  await Promise.all(
    servers.map(async ({ service }) => {
      for (const { name, step } of service.jobs) {
        if (!name.startsWith('notices.')) continue;
        for (let failures = 0; ;) {
          try {
            if (!(await step())) break;
          } catch (error) {
            // The first statements after a cut find dead connections.
            if (++failures > 20) throw error;
            await delay(2);
          }
        }
      }
    }),
  );
}
