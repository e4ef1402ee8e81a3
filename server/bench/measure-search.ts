import { openDb } from '../src/kit/db.ts';
import type { Scope } from '../src/kit/lists/walks.ts';
import { createLog } from '../src/kit/log.ts';
import { search } from '../src/search/search.ts';
import { MERCHANTS, ORDER_EMAIL, type BenchDatabase } from './bench-data.ts';
import type { Figure } from './measurement.ts';
import { readWork } from './postgres.ts';

/** What is searched: texts that one or few rows have, that a million have, and that none has. */
const TEXTS: Readonly<Record<string, (draw: () => number) => string>> = {
  'an order id': (draw) => String(1 + Math.floor(draw() * 1_000_000)),
  'a reference': (draw) => `9${String(1 + Math.floor(draw() * 1_000_000)).padStart(11, '0')}`,
  'a cashout id': (draw) => `L${String(1 + Math.floor(draw() * 10_000_000)).padStart(9, '0')}`,
  'a document': (draw) => String(10_000_000 + Math.floor(draw() * 1_000_000)),
  'a cellphone': (draw) => `300${String(Math.floor(draw() * 10_000_000)).padStart(7, '0')}`,
  'the beginning of a document': (draw) => String(10_000 + Math.floor(draw() * 1_000)),
  'an e-mail address of every order': () => ORDER_EMAIL,
  'a beginning of every cashout id': () => 'L00',
  'a beginning of every cellphone': () => '300',
  'nothing that is stored': (draw) => `x${Math.floor(draw() * 1e9)}`,
};
const SCOPES: Readonly<Record<string, Scope>> = { everybody: 'everybody', 'one merchant': { merchantId: MERCHANTS.cashouts } };
const TOGETHER = 16;
/** As a server has. */
const CONNECTIONS = 10;
const TARGET_MS = 50;
/** Two processors then carry out sixteen at once in 40 ms. It depends little on what else the machine does. */
const TARGET_WORK_MS = 5;

/** The search that the management API runs, sixteen at a time. Gives the p99 of each kind of text and its processor time, for everybody and within one merchant. */
export async function measureSearch({ url }: BenchDatabase, seconds: number, say: (line: string) => void): Promise<Figure[]> {
  const db = openDb({ url, log: createLog('silent'), connections: CONNECTIONS, statementTimeoutMs: 5_000 });
  const figures: Figure[] = [];
  try {
    for (const [who, scope] of Object.entries(SCOPES)) {
      for (const [what, textOf] of Object.entries(TEXTS)) {
        const took: number[] = [];
        const run = async (until: number, times: number[]): Promise<void> => {
          while (performance.now() < until) {
            const began = performance.now();
            await search(db, { scope, text: textOf(Math.random), filter: {}, now: Temporal.Now.instant(), ofCashouts: true });
            times.push(performance.now() - began);
          }
        };
        const together = (forMs: number, times: number[]): Promise<unknown> =>
          Promise.all(Array.from({ length: TOGETHER }, () => run(performance.now() + forMs, times)));
        await together(500, []);
        const [own, before] = [process.cpuUsage(), await readWork(url)];
        await together((seconds * 1_000) / 5, took);
        const { user, system } = process.cpuUsage(own);
        const workMs = ((user + system) / 1e3 + ((await readWork(url)).seconds - before.seconds) * 1e3) / took.length;
        const sorted = took.toSorted((one, other) => one - other);
        const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] as number;
        say(
          `${what}, ${who}: p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms of ${took.length}, ${workMs.toFixed(1)} ms of processors each`,
        );
        figures.push({ name: 'Q1', what: `p99, ${what}, ${who}`, unit: 'ms', ours: [at(0.99)], target: { atMost: TARGET_MS } });
        figures.push({
          name: 'Q2',
          what: `processor time, ${what}, ${who}`,
          unit: 'ms',
          ours: [workMs],
          target: { atMost: TARGET_WORK_MS },
        });
      }
    }
  } finally {
    await db.close();
  }
  return figures;
}
