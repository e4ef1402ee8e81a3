import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MANY, update, type Updated } from './measure-updates.ts';
import { WARM_UP_SECONDS, type Bench, type Figure } from './measurement.ts';
import type { Server } from './server.ts';

/**
 * T1 to T3: updates of a server that traces one request in a hundred, and of one that traces none. They take turns on the same data.
 * Shape: starts a server, with the address of a receiver of traces or without one.
 */
export async function measureTraces(
  bench: Omit<Bench, 'servers'>,
  pairs: number,
  start: (receiver: string | undefined) => Promise<Server>,
): Promise<Figure[]> {
  // It reads what it is sent, and nothing more: here it shares the machine.
  const receiver = createServer((request, response) => void request.resume().once('end', () => response.end('{}')));
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const sides = await Promise.all([undefined, address].map(async (to) => ({ server: await start(to), runs: [] as Updated[] })));
  try {
    for (const { server } of sides) await update({ ...bench, servers: [server], seconds: WARM_UP_SECONDS }, MANY, 64);
    for (let pair = 1; pair <= pairs; pair++)
      for (const { server, runs } of pair % 2 === 1 ? sides : sides.toReversed())
        runs.push(await update({ ...bench, servers: [server] }, MANY, 64));
  } finally {
    await Promise.all(sides.map(({ server }) => server.stop()));
    receiver.close();
    receiver.closeAllConnections();
  }
  const [without = [], traced = []] = sides.map(({ runs }) => runs);
  const ratios = (pick: (run: Updated) => number): number[] => traced.map((run, index) => pick(run) / pick(without[index] as Updated));
  return [
    { name: 'T1', what: 'rate of updates, traced ÷ not', unit: '', ours: ratios(({ perSecond }) => perSecond), target: { atLeast: 0.97 } },
    { name: 'T2', what: 'Node’s processor time of an update, traced ÷ not', unit: '', ours: ratios(({ processorUs }) => processorUs) },
    { name: 'T3', what: 'peak memory, traced ÷ not', unit: '', ours: ratios(({ peakMegabytes }) => peakMegabytes) },
  ];
}
