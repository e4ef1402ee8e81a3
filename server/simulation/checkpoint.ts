import { setTimeout as delay } from 'node:timers/promises';
import type { Finding } from '../src/kit/checks/finding.ts';
import { cashoutChecks } from '../src/cashouts/index.ts';
import { withSnapshot } from '../src/kit/snapshot.ts';
import { ledgerChecks } from '../src/ledger/index.ts';
import { figureChecks } from '../src/figures/index.ts';
import { noticeChecks, readNoticeGauges } from '../src/notices/index.ts';
import { CLAIM_CHECKS } from '../src/main/cells/claim-checks.ts';
import { orderChecks } from '../src/orders/index.ts';
import { settlementChecks } from '../src/settlements/index.ts';
import { Contradiction } from './cell.ts';
import type { CellState } from './model/model.ts';
import type { OrderCell } from './model/order-state.ts';
import { review } from './management/review.ts';
import { reviewSettlements } from './management/review-settlements.ts';
import { advance, settleAll, sweepAll } from './round.ts';
import type { Simulation } from './simulation.ts';

/** Longer than the longest pause before a paused endpoint is tried again. */
const STEP_MS = 16 * 60 * 1_000;
/** Two and a half days: no notice waits longer for a receiver that takes everything. */
const MOST_STEPS = 225;

const CHECKS = [...ledgerChecks, ...orderChecks, ...cashoutChecks, ...noticeChecks, ...figureChecks, ...settlementChecks];

/** Throws: Contradiction where a check has found something. */
function mind(promise: string, finding: Finding | undefined): void {
  if (finding !== undefined) throw new Contradiction(`not true: ${promise}. ${finding.merchantId} ${finding.id} ${finding.problem}`);
}

/** Counts refunds that a fund bears, and what became of those that had a cashout. */
export function countRefunds(counts: Map<string, number>, state: CellState): void {
  const add = (name: string, times: number): void => void counts.set(name, (counts.get(name) ?? 0) + times);
  for (const { history, payments } of Object.values((state as Partial<OrderCell>).orders ?? {})) {
    const refunds = payments.flatMap((payment) => payment.refunds);
    add('refund borne by a fund', refunds.filter(({ takenFrom }) => takenFrom === 'fund').length);
    add('refund collected', refunds.filter(({ state: became, refundedBy }) => became === 'paid' && refundedBy === 'cashout').length);
    add('refund reopened', history.filter(({ operation }) => operation === 'REEMBOLSO_REABIERTO').length);
  }
}

/**
 * Lets the receiver take every notice until none waits. Then compares the notices and all balances with the model, and runs the
 * checks of `verify`.
 * Throws: Contradiction.
 */
export async function checkpoint(simulation: Simulation): Promise<void> {
  const { receiver, books, controls, controlOf, urls, clock, playing, resting, acts, tally } = simulation;
  receiver.takeAll(true);
  for (let step = 0; ; step++) {
    await sweepAll(simulation.servers);
    settleAll(simulation, clock.now().epochMilliseconds);
    await deliverAll(simulation);
    const gauges = await Promise.all(controls.all.map(([, db]) => readNoticeGauges(db)));
    const waiting = gauges.reduce((sum, { caudal_notices_waiting: one }) => sum + (one ?? 0), 0);
    if (waiting === 0) break;
    if (step === MOST_STEPS) throw new Contradiction(`${waiting} notices wait for a receiver that takes everything`);
    await advance(simulation, STEP_MS);
  }
  receiver.takeAll(false);
  await reviewSettlements(simulation);

  const received = receiver.collect();
  const cells = [...[...playing].map(({ cell }) => cell), ...resting];
  const claimed = new Set(cells.flatMap(({ subjects }) => subjects));
  for (const [subject, bodies] of received) {
    tally.notices += bodies.length;
    if (!claimed.has(subject)) throw new Contradiction(`a notice of an unknown subject: ${subject} ${JSON.stringify(bodies)}`);
  }
  for (const cell of cells) cell.compareNotices((subject) => received.get(subject) ?? []);
  if (!simulation.weather.hasCells) await review(simulation, [...simulation.finished, ...cells.flatMap((cell) => cell.rows())]);
  const recorded = await acts.collect();
  for (const cell of cells) cell.compareActs((request) => recorded.take(request));
  recorded.compareRest();
  for (const cell of resting) {
    if (cell.nextDue() < Infinity) continue;
    resting.delete(cell);
    countRefunds(tally.answers, cell.state());
    simulation.finished.push(...cell.rows());
  }

  await books.compare(controlOf);
  for (const one of urls)
    await withSnapshot(one, async (snapshot) => {
      for (const { promise, run } of CHECKS) mind(promise, (await run(snapshot, clock.now())).finding);
    });
  for (const { promise, run } of CLAIM_CHECKS) mind(promise, (await run(controls)).finding);
  tally.calls = receiver.arrivals();
  tally.checkpoints++;
  simulation.movedMs = 0;
}

/** Delivers on all servers until nothing is in flight or due. */
async function deliverAll({ servers }: Simulation): Promise<void> {
  await Promise.all(
    servers.map(async ({ service }) => {
      for (const { name, step } of service.jobs) {
        if (!name.startsWith('notices.')) continue;
        for (let failures = 0; ;) {
          try {
            if (!(await step())) break;
          } catch (error) {
            // The first statements after a cut meet broken connections.
            if (++failures > 20) throw error;
            await delay(2);
          }
        }
      }
    }),
  );
}
