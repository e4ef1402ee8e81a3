import { ask } from './postgres.ts';

/** What is wrong with the writes of a run: both are 0 when nothing is. */
export type WriteFaults = { readonly lost: number; readonly doubled: number };

/**
 * Looks for the writes of a run in the histories. Each answered request must have written one row under its id.
 * Shape: prefix of the run's request ids, number of answered writes → requests without a row, and further rows.
 */
export async function checkWrites(url: string, run: string, answered: number): Promise<WriteFaults> {
  const [found] = await ask<{ rows: bigint; requests: bigint }>(
    url,
    `select count(*) as rows, count(distinct request_id) as requests
       from (select request_id from order_history where starts_with(request_id, $1)
             union all select request_id from cashout_history where starts_with(request_id, $1)) as written`,
    [`${run}-`],
  );
  const { rows, requests } = found as { rows: bigint; requests: bigint };
  return { lost: Math.max(0, answered - Number(requests)), doubled: Number(rows - requests) };
}
