import { ask } from './postgres.ts';

/** What is wrong with the writes of a run; zeros are right. */
export type WriteFaults = { readonly lost: number; readonly doubled: number };

/**
 * Looks for the writes of a run in the histories: each answered request has written exactly one row under its own request id.
 * Shape: the beginning of the run's request ids, how many writes were answered → those without a row, and the rows beyond one.
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
