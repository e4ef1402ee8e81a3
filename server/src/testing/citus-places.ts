import { Client } from 'pg';

export type CitusPlace = { readonly address: string; readonly nodename: string; readonly nodeport: number; readonly isHere: boolean };

const PLACES = `select n.nodename || ':' || n.nodeport as address, n.nodename, n.nodeport,
    n.groupid = (select p.groupid from pg_dist_shard s join pg_dist_placement p using (shardid)
      where s.logicalrelid = to_regclass($1 || '.schema_migrations')) as "isHere"
  from pg_dist_node n where n.noderole = 'primary' and n.groupid > 0 order by n.nodeport`;

/** Connects to the coordinator, works, and ends the connection. */
export async function atCoordinator<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // A connection that breaks also fails its query.
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The workers of a Citus cluster, and which of them holds a schema. */
export const placesOf = async (coordinator: Pick<Client, 'query'>, schema: string): Promise<readonly CitusPlace[]> =>
  (await coordinator.query<CitusPlace>(PLACES, [schema])).rows;

/** Has the cluster move a schema to another worker, while it is written to. */
export async function moveSchema(coordinator: Pick<Client, 'query'>, schema: string): Promise<void> {
  const other = (await placesOf(coordinator, schema)).find(({ isHere }) => !isHere) as CitusPlace;
  await coordinator.query('select citus_schema_move($1::regnamespace, $2::text, $3::int)', [schema, other.nodename, other.nodeport]);
}
