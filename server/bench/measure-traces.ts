import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { MANY, update, type Updated } from './measure-updates.ts';
import { WARM_UP_SECONDS, type Bench, type Figure } from './measurement.ts';
import type { Server } from './server.ts';

/** Spans wait five seconds at most for others. After that none of the side before is left. */
const SENT_MS = 5_500;

/**
 * T1 and T2: updates of a server that traces one request in a hundred. In turn the same process traces none.
 * Two processes would differ by more than this: the engine compiles the same code otherwise in each.
 * Shape: starts a server, with the address of a receiver of traces, that a signal turns.
 */
export async function measureTraces(
  bench: Omit<Bench, 'servers'>,
  pairs: number,
  start: (receiver: string) => Promise<Server>,
): Promise<Figure[]> {
  // It reads what it is sent, and nothing more: here it shares the machine.
  let received = 0;
  const receiver = createServer((request, response) => void (received++, request.resume().once('end', () => response.end('{}'))));
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const server = await start(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}`);
  const runs: { traced: Updated[]; without: Updated[] } = { traced: [], without: [] };
  const sides = ['traced', 'without'] as const;
  let side: keyof typeof runs = 'traced';
  try {
    await update({ ...bench, servers: [server], seconds: WARM_UP_SECONDS }, MANY, 64);
    for (let pair = 1; pair <= pairs; pair++)
      for (const next of pair % 2 === 1 ? sides : sides.toReversed()) {
        if (next !== side) server.signal('SIGUSR2');
        side = next;
        await delay(SENT_MS);
        const before = received;
        runs[side].push(await update({ ...bench, servers: [server] }, MANY, 64));
        bench.say(`${side}: the receiver took ${received - before} portions of spans`);
      }
  } finally {
    await server.stop();
    receiver.close();
    receiver.closeAllConnections();
  }
  const ratios = (pick: (run: Updated) => number): number[] => runs.traced.map((run, at) => pick(run) / pick(runs.without[at] as Updated));
  const processor = ratios(({ processorUs }) => processorUs);
  return [
    { name: 'T1', what: 'rate of updates, traced ÷ not', unit: '', ours: ratios(({ perSecond }) => perSecond), target: { atLeast: 0.97 } },
    { name: 'T2', what: 'Node’s processor time of an update, traced ÷ not', unit: '', ours: processor, target: { atMost: 1.03 } },
  ];
}
