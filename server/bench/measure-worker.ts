import { keepDistributed } from '../src/main/distributed-schema.ts';
import { prepareSchema } from '../src/main/migrations.ts';
import { atCoordinator, placesOf } from '../src/testing/citus-places.ts';
import { openWithCells, updateCells, type Celled, type Run } from './measure-cells.ts';
import { describeRate, type Bench, type Figure } from './measurement.ts';
import { ask } from './postgres.ts';
import { dropBenchDatabase, openBenchDatabase } from './setup.ts';
import { migrate } from '../src/kit/migrate.ts';
import { MIGRATIONS } from '../src/main/migrations.ts';
import { withDatabase } from '../src/testing/names.ts';

const SIZES = { orders: 100_000, cashouts: 10_000, cashoutsOfOne: 1_000 };
const [PLAIN, DISTRIBUTED] = ['caudal_bench_worker_plain', 'caudal_bench_worker_citus'] as const;
const SCHEMA = 'caudal_bench_cell';
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 10;

/** Makes a schema on a worker of a Citus cluster. Shape: the address of its coordinator, as a user who may do everything there. */
async function openSchema(coordinatorUrl: string) {
  const withSchema = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}options=-c%20search_path%3D${SCHEMA}`;
  const at = (address: string): string => coordinatorUrl.replace(/^(\w+:\/\/(?:[^@/?]*@)?)[^/?]*/, `$1${address}`);
  await dropSchema(coordinatorUrl);
  await ask(coordinatorUrl, `create schema ${SCHEMA}`);
  const addresses = await atCoordinator(coordinatorUrl, async (client) => (await placesOf(client, SCHEMA)).map(({ address }) => address));
  const urls = { url: withSchema(at(addresses.join(','))), ownerUrl: withSchema(coordinatorUrl) };
  await prepareSchema(urls);
  await keepDistributed(urls, { distributes: true });
  return { urls, nodes: [coordinatorUrl, ...addresses.map(at)] };
}

const dropSchema = (coordinatorUrl: string): Promise<unknown> => ask(coordinatorUrl, `drop schema if exists ${SCHEMA} cascade`);

/**
 * Z12: what an update of a cell on a worker of Citus costs beside one in a database of its own, in turn. The time of all nodes is counted.
 * Shape: a server for home and the plain cell; the coordinator of a cluster on this machine.
 */
export async function measureWorker(
  serverUrl: string,
  coordinatorUrl: string,
  rounds: number,
  seconds: number,
  say: Bench['say'],
): Promise<Figure[]> {
  const plainUrl = withDatabase(serverUrl, `${PLAIN}_1`);
  const names = [PLAIN, DISTRIBUTED, `${PLAIN}_1`];
  const sides: Celled[] = [];
  try {
    for (const name of names) await dropBenchDatabase(serverUrl, name);
    await ask(serverUrl, `create database ${PLAIN}_1`);
    await migrate(plainUrl, MIGRATIONS);
    const { urls, nodes } = await openSchema(coordinatorUrl);
    sides.push(await openWithCells(await openBenchDatabase(serverUrl, PLAIN, SIZES, say), [{ url: plainUrl, ownerUrl: plainUrl }], say));
    sides.push({ ...(await openWithCells(await openBenchDatabase(serverUrl, DISTRIBUTED, SIZES, say), [urls], say)), nodes });
    const runs: Run[][] = [[], []];
    for (const side of sides) await updateCells(side, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS, of: [1] });
    for (let round = 1; round <= rounds; round++)
      for (const [index, side] of sides.entries()) {
        const run = await updateCells(side, { connections: CONNECTIONS, seconds, of: [1] });
        (runs[index] as Run[]).push(run);
        say(`round ${round}, ${index === 0 ? 'plain' : 'Citus'}: ${describeRate(run)}, ${run.workUs.toFixed(0)} µs`);
      }
    const [plain, distributed] = runs as [Run[], Run[]];
    const against = (pick: (run: Run) => number) => ({ what: 'a plain database', values: plain.map(pick) });
    return [
      {
        name: 'Z12',
        what: `processor time of an update on a worker of Citus, ${CONNECTIONS} connections`,
        unit: 'µs',
        ours: distributed.map(({ workUs }) => workUs),
        against: against(({ workUs }) => workUs),
        target: { atMost: 1.6 },
      },
      {
        name: 'Z13',
        what: 'rate of the same',
        unit: '/s',
        ours: distributed.map(({ perSecond }) => perSecond),
        against: against(({ perSecond }) => perSecond),
      },
      {
        name: 'Z14',
        what: 'errors or doubled writes, per run',
        unit: '',
        ours: runs.flat().map(({ faults }) => faults),
        target: { atMost: 0 },
      },
    ];
  } finally {
    await Promise.all(sides.map(({ server }) => server.stop()));
    for (const name of names) await dropBenchDatabase(serverUrl, name);
    await dropSchema(coordinatorUrl);
  }
}
