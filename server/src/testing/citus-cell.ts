import { Client } from 'pg';
import { inject } from 'vitest';
import { keepDistributed } from '../main/distributed-schema.ts';
import { prepareSchema } from '../main/migrations.ts';
import { moveSchema, placesOf } from './citus-places.ts';
import { TEST_DATABASE_PREFIX, withSchema, withUser } from './names.ts';
import type { TestDatabase } from './test-database.ts';

/** The coordinator of a Citus cluster with two workers or more, as a user who may do everything there. Undefined: there is none. */
export const CITUS_URL = process.env['CAUDAL_TEST_CITUS_CELLS_URL'];
if (CITUS_URL === undefined) console.log('Tests of cells on Citus are skipped: CAUDAL_TEST_CITUS_CELLS_URL is not set.');

/** A schema on one of the workers, as its two users reach it: the owner at the coordinator, the one that serves at the workers. */
export type CitusCell = TestDatabase & {
  /** The address of the worker that holds it now. */
  where(): Promise<string>;
  /** Has the cluster move it to another worker, while it is written to. */
  move(): Promise<void>;
};

let made = 0;

/**
 * Makes an empty schema at the coordinator of CAUDAL_TEST_CITUS_CELLS_URL, with two users of its own, as docs/operations/cells.md says.
 * Effects: drop() removes the users too.
 */
export async function createCitusSchema(): Promise<CitusCell> {
  if (CITUS_URL === undefined) throw new Error('there is no CAUDAL_TEST_CITUS_CELLS_URL');
  // Files of several processes share the cluster.
  const schema = `${TEST_DATABASE_PREFIX}${inject('testServer').runId}_cell_${process.pid}_${++made}`;
  const { servicePassword: password } = inject('testServer');
  const [owner, service] = [`${schema}_owner`, `${schema}_service`];
  const coordinator = new Client({ connectionString: CITUS_URL });
  await coordinator.connect();
  // The coordinator makes them on every node.
  for (const user of [owner, service]) await coordinator.query(`create role ${user} login password '${password}'`);
  await coordinator.query(`create schema ${schema} authorization ${owner}`);
  const as = (user: string, url: string): string => withUser(withSchema(url, schema), user, password);
  const workers = (await placesOf(coordinator, schema)).map(({ address }) => address).join(',');
  return {
    url: as(owner, CITUS_URL),
    serviceUrl: as(service, CITUS_URL.replace(/^(\w+:\/\/(?:[^@/?]*@)?)[^/?]*/, `$1${workers}`)),
    where: async () => (await placesOf(coordinator, schema)).find(({ isHere }) => isHere)?.address ?? '',
    move: () => moveSchema(coordinator, schema),
    drop: async () => {
      await coordinator.query(`drop schema ${schema} cascade`);
      for (const user of [service, owner]) await coordinator.query(`drop role ${user}`);
      await coordinator.end();
    },
  };
}

/** Makes one that is migrated and on a worker. */
export async function createCitusCell(): Promise<CitusCell> {
  const cell = await createCitusSchema();
  const urls = { url: cell.serviceUrl, ownerUrl: cell.url };
  await prepareSchema(urls);
  await keepDistributed(urls, { distributes: true });
  return cell;
}
