import { Client } from 'pg';
import { prepareSchema } from '../main/migrations.ts';
import { withDatabase, withUser } from './names.ts';

/** The nodes of a cluster. `holder`: of those, the worker that holds the tables of the run. */
export type CitusNodes = { readonly all: readonly string[]; readonly holder: string };

/** The schema of the tables, as `public` cannot be distributed. */
const SCHEMA = 'caudal';
/** Plans for any values are refused for writes of several rows: PostgreSQL may plan those of a cell for their values. */
const OPTIONS = `?options=${encodeURIComponent('-c plan_cache_mode=auto')}`;
const IN_SCHEMA = `?options=${encodeURIComponent(`-c search_path=${SCHEMA}`)}`;

type ServiceUser = { readonly name: string; readonly password: string };

/**
 * Makes a database on all nodes of a cluster, and in it a schema that is distributed as a whole: one worker holds all its tables. Each
 * test file gets a copy of all of them, which the nodes know as their own.
 * Shape: a database of the coordinator in which the cluster is set up, as its superuser → the nodes' connection strings.
 * Effects: creates the user that serves on all nodes. Afterwards nobody can connect to the template, not even Citus itself: a database
 * in use is not copied.
 */
export async function makeCitusTemplate(url: string, template: string, { name, password }: ServiceUser): Promise<CitusNodes> {
  const user = new URL(url).username;
  const known = await query<{ node: string; isCoordinator: boolean }>(
    url,
    `select 'postgres://${user}@' || nodename || ':' || nodeport || '/postgres' as node, groupid = 0 as "isCoordinator"
       from pg_dist_node order by groupid`,
  );
  const all = known.map(({ node }) => node);
  const coordinator = known.find(({ isCoordinator }) => isCoordinator)!.node;
  const on = (node: string): string => withDatabase(node, template);
  for (const node of all) {
    await query(node, `create database ${template}`);
    await query(on(node), 'create extension citus');
    // A role is made on the node alone, with the extension or without.
    await query(node, `create role ${name} login password '${password}'`);
  }
  for (const node of all) {
    const { hostname, port } = new URL(node);
    const add = node === coordinator ? 'citus_set_coordinator_host' : 'citus_add_node';
    await query(on(coordinator), `select ${add}('${hostname}', ${port})`);
  }
  const prepare = (node: string): Promise<unknown> =>
    prepareSchema({ ownerUrl: `${on(node)}${IN_SCHEMA}`, url: withUser(`${on(node)}${IN_SCHEMA}`, name, password) });
  await query(on(coordinator), `create schema ${SCHEMA}`);
  await prepare(coordinator);
  await query(on(coordinator), `select citus_schema_distribute('${SCHEMA}')`);
  const [held] = await query<{ node: string }>(
    on(coordinator),
    `select 'postgres://${user}@' || nodename || ':' || nodeport || '/postgres' as node
       from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
      where logicalrelid = '${SCHEMA}.merchants'::regclass`,
  );
  // Rights on tables have come along, those on sequences have not.
  await prepare(held!.node);
  // The first migration said where the list of changes begins, in transactions of the coordinator. Those of the worker have other numbers.
  await query(
    `${on(held!.node)}${IN_SCHEMA}`,
    `update change_readers set position = pg_current_snapshot(), cluster = (select system_identifier::text from pg_control_system())`,
  );
  for (const node of all) {
    await query(node, `alter database ${template} allow_connections false`);
    await query(node, `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${template}'`);
  }
  return { all, holder: `${held!.node}${OPTIONS}` };
}

/** Copies the template on all nodes. */
export async function copyOnNodes({ all }: CitusNodes, template: string, name: string): Promise<void> {
  await Promise.all(
    all.map(async (node) => {
      await query(node, `create database ${name} template ${template} strategy file_copy`);
      await query(node, `alter database ${name} set search_path = ${SCHEMA}`);
    }),
  );
}

/** Drops a database on all nodes. */
export async function dropOnNodes({ all }: CitusNodes, name: string): Promise<void> {
  await Promise.all(all.map((node) => query(node, `drop database if exists ${name} with (force)`)));
}

/** Drops a role on all nodes. */
export async function dropRoleOnNodes({ all }: CitusNodes, name: string): Promise<void> {
  for (const node of all) await query(node, `drop role if exists ${name}`);
}

async function query<Row>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}
