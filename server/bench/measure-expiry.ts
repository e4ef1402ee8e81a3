import { setTimeout as delay } from 'node:timers/promises';
import type { Due } from './load-due.ts';
import { MANY, update, type Updated } from './measure-updates.ts';
import type { Bench, Figure } from './measurement.ts';
import { ask } from './postgres.ts';
import { verify } from './server.ts';
import type { BenchDatabase } from './bench-data.ts';

const CONNECTIONS = 64;
const RUNS_AFTER = 3;
const LOOK_AGAIN_MS = 500;

/** Seconds since the servers served until nothing was due any more. */
type Swept = { readonly orders: number; readonly cashouts: number };

/**
 * E1 to E6: the sweep expires what fell due while no server ran; meanwhile other orders are updated.
 * Shape: the servers have just been started on the due data. The run in which the sweep ends counts for neither side.
 */
export async function measureExpiry(bench: Bench, due: Due): Promise<Figure[]> {
  const { database, say } = bench;
  const sweeping = new AbortController();
  const loadUntilSwept = async (): Promise<Updated[]> => {
    const runs: Updated[] = [];
    while (!sweeping.signal.aborted) runs.push(await update(bench, MANY, CONNECTIONS));
    return runs;
  };
  const [swept, during] = await Promise.all([watchSweep(bench).finally(() => sweeping.abort()), loadUntilSwept()]);
  const sweepFaults = await countSweepFaults(database, due);
  say('the same load, with nothing due any more');
  const after: Updated[] = [];
  for (let run = 0; run < RUNS_AFTER; run++) after.push(await update(bench, MANY, CONNECTIONS));
  verify(database);

  const whole = during.length > 1 ? during.slice(0, -1) : during;
  const compared = (pick: (run: Updated) => number) => ({
    ours: whole.map(pick),
    against: { what: 'once all is swept', values: after.map(pick) },
  });
  const faults = [...during, ...after].reduce((total, run) => total + run.faults, sweepFaults);
  return [
    { name: 'E1', what: `until ${due.orders.toLocaleString('en')} due orders have expired`, unit: 's', ours: [swept.orders] },
    { name: 'E2', what: `until ${due.cashouts.toLocaleString('en')} due cashouts have`, unit: 's', ours: [swept.cashouts] },
    { name: 'E3', what: 'updates meanwhile, 64 connections', unit: '/s', ...compared(({ perSecond }) => perSecond) },
    { name: 'E4', what: 'p50 of these', unit: 'ms', ...compared(({ p50Ms }) => p50Ms) },
    { name: 'E5', what: 'p99 of these', unit: 'ms', ...compared(({ p99Ms }) => p99Ms) },
    { name: 'E6', what: 'errors, lost or doubled writes', unit: '', ours: [faults], target: { atMost: 0 } },
  ];
}

const off = (count: bigint, wanted: number): number => Math.abs(Number(count) - wanted);

async function watchSweep({ database, say }: Bench): Promise<Swept> {
  const startedAt = performance.now();
  const until = async (table: 'orders' | 'cashouts'): Promise<number> => {
    // Uses the index of due rows, so that looking does not slow the sweep.
    const oldest = `select expires_at from ${table} where state = 'pending' and expires_at <= now() order by expires_at limit 1`;
    while ((await ask(database.url, oldest)).length > 0) await delay(LOOK_AGAIN_MS);
    const seconds = (performance.now() - startedAt) / 1_000;
    say(`no ${table} are due any more after ${seconds.toFixed(1)} s`);
    return seconds;
  };
  const [orders, cashouts] = await Promise.all([until('orders'), until('cashouts')]);
  return { orders, cashouts };
}

/** Counts what is missing or doubled: the history row and the notice of each, and the reserved money. `verify` checks the rest. */
async function countSweepFaults({ url }: BenchDatabase, due: Due): Promise<number> {
  const [found] = await ask<Record<'orders' | 'orderNotices' | 'cashouts' | 'cashoutNotices' | 'unreleased', bigint>>(
    url,
    `select (select count(*) from order_history where event = 'order.expired') as orders,
            (select count(*) from notices where kind = 'order' and status = 'cancelled') as "orderNotices",
            (select count(*) from cashout_history join cashouts using (merchant_id, operation_id)
              where event = 'cashout.expired' and reserved_minor > 0) as cashouts,
            (select count(*) from notices join cashouts on cashouts.merchant_id = notices.merchant_id and operation_id = subject_id
              where kind = 'cashout' and status = 'expired' and reserved_minor > 0) as "cashoutNotices",
            (select count(*) from ledger_balances where account = 'reserved' and balance_minor <> 0) as unreleased`,
  );
  const { orders, orderNotices, cashouts, cashoutNotices, unreleased } = found as NonNullable<typeof found>;
  return (
    off(orders, due.orders) +
    off(orderNotices, due.orders) +
    off(cashouts, due.cashouts) +
    off(cashoutNotices, due.cashouts) +
    Number(unreleased)
  );
}
