import { requireNodes, type CellUrls, type NodeAnswer } from '../cells/index.ts';
import { connectClient, connectionConfig, userOf } from '../kit/db.ts';

/** Whether the database has Citus, and whether it has given our schema to one of its nodes. */
const ASK = `select to_regclass('pg_catalog.pg_dist_schema') is not null as "isCluster"`;
const IS_DISTRIBUTED = `select exists (select from pg_catalog.pg_dist_schema where schemaid = current_schema()::regnamespace) as "isDistributed"`;

/**
 * Gives each function of our schema the schema as its search path. While the cluster moves the schema, a connection to the node that had it
 * has its statements carried out on the other node. There the triggers run in a session that knows nothing of our search path.
 */
const BIND_FUNCTIONS = `do $$ declare
  own record;
begin
  for own in select oid::regprocedure as name from pg_proc
              where pronamespace = current_schema()::regnamespace and not coalesce(proconfig::text like '%search_path=%', false) loop
    execute format('alter function %s set search_path = %I, pg_temp', own.name, current_schema());
  end loop;
end $$`;

/**
 * Rights on sequences stay on the node where they were given, and each node numbers by its own. A worker gives them where it does not
 * try to tell the others.
 */
const GRANT_SEQUENCES = `select success, result from run_command_on_workers(format(
  'do $do$ begin
     set local citus.enable_ddl_propagation = off;
     execute %L;
   end $do$',
  format('grant usage, select on all sequences in schema %I to %I', current_schema(), $1::text)))`;

/**
 * Has a Citus cluster hold the schema of a cell on one of its nodes, and keeps it fit for that after each migration.
 * Shape: the connection strings of its users, the owner's at the coordinator; whether a schema that no node holds is given to one.
 * A database without Citus stays as it is.
 */
export async function keepDistributed(
  { url, ownerUrl }: CellUrls,
  { distributes = false }: { readonly distributes?: boolean } = {},
): Promise<void> {
  const client = await connectClient(connectionConfig(ownerUrl, null));
  try {
    const ask = async (text: string): Promise<Record<string, boolean>> => (await client.query<Record<string, boolean>>(text)).rows[0] ?? {};
    if ((await ask(ASK))['isCluster'] !== true) return;
    const isDistributed = (await ask(IS_DISTRIBUTED))['isDistributed'] === true;
    if (!isDistributed && !distributes) return;
    if (!isDistributed) await client.query('select citus_schema_distribute(current_schema()::regnamespace)');
    await client.query(BIND_FUNCTIONS);
    requireNodes((await client.query<NodeAnswer>(GRANT_SEQUENCES, [userOf(url)])).rows, !distributes);
  } finally {
    await client.end();
  }
}
