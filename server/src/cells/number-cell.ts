import { statement, Unavailable, type Db, type Statement } from '../kit/db.ts';
import { firstIdOf } from '../kit/per-cell.ts';

const SEQUENCES = statement(
  'cells.undrawn_sequences',
  `select format('%I.%I', schemaname, sequencename) as name, sequencename as "ownName" from pg_sequences
    where schemaname = current_schema() and last_value is null order by 1`,
);
const SET = statement('cells.set_sequence', 'select setval($1::regclass, $2, false)');

const IS_CLUSTER = statement('cells.is_cluster', `select to_regproc('run_command_on_workers') is not null as "isCluster"`);
/**
 * On each node of a Citus cluster, which numbers by itself above its own number. It is not declared: a database without Citus could not
 * prepare it.
 */
const numberNodes = (firstId: bigint): Statement => ({
  name: 'cells.number_nodes',
  text: `select success, result from run_command_on_workers(replace($$
    select count(setval(format('%I.%I', schemaname, sequencename)::regclass, min_value - 1 + ${firstId}, false)) from pg_sequences
     where schemaname = <schema> and coalesce(last_value, 0) < min_value - 1 + ${firstId}$$, '<schema>', quote_literal(current_schema())))`,
});

/**
 * Lets the database of a cell number all that it draws from the first id of the cell on. What was drawn already stays.
 * Shape: connects as the owner, of a cluster to its coordinator; the number of the cell; whether a node that is away has
 * been told already.
 * Throws: Unavailable.
 */
export async function numberCell(owner: Pick<Db, 'query'>, cell: number, mayBeAway = true): Promise<void> {
  const first = firstIdOf(cell);
  for (const { name, ownName } of await owner.query<{ name: string; ownName: string }>(SEQUENCES, [])) {
    // Not from pg_sequences: that does not show what a sequence was set to that nobody has drawn from yet.
    const text = `select last_value as last from ${name}`;
    const [{ last } = { last: 0n }] = await owner.query<{ last: bigint }>({ name: `cells.read.${ownName}`, text }, []);
    if (last < first) await owner.query(SET, [name, first]);
  }
  const [cluster] = await owner.query<{ isCluster: boolean }>(IS_CLUSTER, []);
  if (cluster?.isCluster !== true) return;
  requireNodes(await owner.query<NodeAnswer>(numberNodes(first), []), mayBeAway);
}

/** What a node of a cluster answered to its coordinator. */
export type NodeAnswer = { readonly success: boolean; readonly result: string };

const IS_AWAY = /^failed to connect/;

/**
 * Demands that the nodes of a cluster did what they were told. One that is away holds nothing now, and was told when the cell was made and
 * after each migration: the cluster migrates nothing without it.
 * Shape: the answers; whether one that is away has been told already.
 * Throws: Unavailable.
 */
export function requireNodes(answers: readonly NodeAnswer[], mayBeAway = true): void {
  const failed = answers.find(({ success, result }) => !success && !(mayBeAway && IS_AWAY.test(result)));
  if (failed !== undefined) throw new Unavailable(`a node of the cluster: ${failed.result}`);
}
