import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { atCoordinator, moveSchema, placesOf } from '../../src/testing/citus-places.ts';
import { withSchema } from '../../src/testing/names.ts';
import { askOnce, askUnguarded, startTorturedDatabase, type StagedCell } from '../database.ts';
import type { Cells } from './faults.ts';
import { CELLS_BESIDE_HOME } from './start-cells.ts';

/** A cell that is a schema on a worker of a Citus cluster. */
type CitusCell = StagedCell & {
  /** The address of the worker that holds it. */
  where(): Promise<string>;
  /** Has the cluster move it to another worker. */
  move(): Promise<void>;
};

export type CitusCells = Cells<CitusCell> & {
  readonly coordinator: string;
  /** Kills a node of the cluster by its address. */
  kill(address: string): Promise<void>;
};

const run = promisify(execFile);

/**
 * Makes two cells in a cluster of somebody's own, on different workers, beside a home of our own. `command` is called with `kill` and the
 * address of a node, as the cluster names it; with `whole`, it starts what was killed, and waits until every node answers.
 */
export async function startCitusCells(coordinatorUrl: string, command: string): Promise<CitusCells> {
  const call = async (...words: readonly string[]): Promise<void> => void (await run(command, [...words]));
  await call('whole');
  const home = await startTorturedDatabase(false);
  const name = `caudal_torture_${randomBytes(4).toString('hex')}`;
  const cells: CitusCell[] = [];
  for (let cell = 1; cell <= CELLS_BESIDE_HOME; cell++) cells.push(await openCell(coordinatorUrl, `${name}_${cell}`));
  return {
    ...home,
    cells,
    coordinator: new URL(coordinatorUrl).host,
    kill: (address) => call('kill', address),
    whole: () => call('whole'),
    close: async () => {
      await home.close();
      await call('whole');
      for (const cell of cells) await cell.close();
    },
  };
}

/** Makes an empty schema. The connection string of its owner leads to the coordinator, those of the user that serves to the workers. */
async function openCell(coordinatorUrl: string, schema: string): Promise<CitusCell> {
  const ask = <T>(work: Parameters<typeof atCoordinator<T>>[1]): Promise<T> => atCoordinator(coordinatorUrl, work);
  const at = (host: string): string => Object.assign(new URL(coordinatorUrl), { host }).href;
  const workers = await ask((client) => placesOf(client, schema));
  const where = async (): Promise<string> => (await ask((client) => placesOf(client, schema))).find(({ isHere }) => isHere)?.address ?? '';
  await askOnce(coordinatorUrl, `create schema ${schema}`);
  return {
    url: withSchema(coordinatorUrl, schema),
    urls: workers.map(({ address }) => withSchema(at(address), schema)),
    where,
    move: () => ask((client) => moveSchema(client, schema)),
    askUnguarded: async (text, values) => askUnguarded(at(await where()), text, values, `-c search_path=${schema}`),
    close: async () => void (await askOnce(coordinatorUrl, `drop schema ${schema} cascade`)),
  };
}
