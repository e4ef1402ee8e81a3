import { statement } from '../kit/db.ts';
import type { Snapshot } from '../kit/snapshot.ts';

const POSTED = statement(
  'audit.posted_acts',
  `select a.merchant_id as "merchantId", a.acted_at as at, d.content
     from acts a join act_details d using (act_id)
    where a.outcome = 'done' and a.merchant_id is not null and (d.content is null or d.content like '%"posted":[null,%')`,
);
/** Acts go by age, and leave a stub. */
const KEPT_SINCE = statement('audit.acts_kept_since', 'select min(acted_at) as since from acts where exists (select from act_stubs)');

type PostedAct = { readonly merchantId: string; readonly text: string };
type ErasedAct = { readonly merchantId: string; readonly at: Temporal.Instant };
type Content = { readonly changes?: { readonly posted?: readonly [null, string] } };

/**
 * Reads what acts say that they posted in the ledger by hand.
 * Shape: → the texts, the acts whose details were erased, and since when acts are kept; undefined: none was ever deleted.
 */
export async function readPosted(snapshot: Snapshot): Promise<{
  readonly since: Temporal.Instant | undefined;
  readonly posted: readonly PostedAct[];
  readonly erased: readonly ErasedAct[];
}> {
  const posted: PostedAct[] = [];
  const erased: ErasedAct[] = [];
  for await (const { merchantId, at, content } of snapshot.rows<ErasedAct & { readonly content: string | null }>(POSTED, [])) {
    const text = content === null ? undefined : (JSON.parse(content) as Content).changes?.posted?.[1];
    if (content === null) erased.push({ merchantId, at });
    else if (text !== undefined) posted.push({ merchantId, text });
  }
  let since: Temporal.Instant | undefined;
  for await (const row of snapshot.rows<{ readonly since: Temporal.Instant | null }>(KEPT_SINCE, [])) since = row.since ?? undefined;
  return { since, posted, erased };
}
