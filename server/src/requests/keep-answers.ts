import { Held } from '../kit/changes/engine.ts';
import { retryOnRace } from '../kit/changes/retry.ts';
import { statement, type Db, type Tx } from '../kit/db.ts';
import type { Answer, Kept, Keyed, Once, RunAloneOnce, SettledAnswer } from '../kit/once.ts';
import type { Refusal } from '../kit/outcome.ts';

const FIND = statement(
  'requests.find_kept_answers',
  `select wanted.place::int as place, fingerprint, sealed
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as wanted (merchant_id, operation, idempotency_key, place)
     join kept_answers kept on kept.merchant_id = wanted.merchant_id and kept.operation = wanted.operation
      and kept.idempotency_key = wanted.idempotency_key`,
);

/** Sorted, so that two servers wait for each other in one order. */
const KEEP = statement(
  'requests.keep_answers',
  `insert into kept_answers (merchant_id, operation, idempotency_key, fingerprint, sealed, kept_at)
   select merchant_id, operation, idempotency_key, fingerprint, sealed, kept_at
     from unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::timestamptz[])
       as k (merchant_id, operation, idempotency_key, fingerprint, sealed, kept_at)
    order by merchant_id collate "C", operation collate "C", idempotency_key collate "C"`,
);

/**
 * Runs a batch of commands so that those with an Idempotency-Key are carried out once.
 * Shape: one result for each command, in their order. It is the outcome of `run`, or the settled answer of a command with a key.
 * Refuses: key_reused, where the key came first with other content.
 * Effects: the answer is written in the transaction of what it answers. Neither is ever there without the other.
 * Of two servers with the same key one loses on the primary key. Its batch runs again one by one and finds the answer.
 * Without any key nothing is sent. With one the batch waits for one more round trip.
 * Source: contract §7.3.
 */
export async function runOnce<Command extends Keyed<Outcome>, Outcome>(
  tx: Tx,
  commands: readonly Command[],
  run: (commands: readonly Command[]) => Promise<readonly (Outcome | Held)[]>,
): Promise<readonly (Outcome | SettledAnswer | Refusal<'key_reused'> | Held)[]> {
  const keyed = commands.flatMap(({ once }) => once ?? []);
  if (keyed.length === 0) return run(commands);
  const found = await tx.query<Kept & { readonly place: number }>(FIND, keyColumns(keyed));
  const earlier = new Map(found.map(({ place, ...kept }) => [keyed[place - 1], kept] as const));

  const fresh = commands.filter(({ once }) => once === undefined || !earlier.has(once));
  const outcomes = fresh.length === 0 ? [] : await run(fresh);
  const settled: { readonly once: Once<Outcome>; readonly answer: Answer }[] = [];
  let next = 0;
  const results = commands.map(({ once }) => {
    const kept = once && earlier.get(once);
    if (kept !== undefined) return once!.recall(kept);
    const outcome = outcomes[next++] as Outcome | Held;
    if (once === undefined || outcome instanceof Held) return outcome;
    settled.push({ once, answer: once.renderKept(outcome) });
    return { answer: once.render(outcome), isReplay: false };
  });
  if (settled.length > 0) keepAnswers(tx, settled);
  return results;
}

/**
 * Carries out one command in a transaction of its own, once where its request has an Idempotency-Key.
 * Shape and refusals as of runOnce. Of two servers with one key the second loses the race for it, and finds the answer of the first.
 */
export const runAloneOnce: RunAloneOnce = <Outcome>(
  db: Pick<Db, 'transaction'>,
  once: Once<Outcome> | undefined,
  run: (tx: Tx) => Promise<Outcome>,
): Promise<Outcome | SettledAnswer | Refusal<'key_reused'>> =>
  retryOnRace(() =>
    db.transaction(async (tx) => {
      const [settled] = await runOnce<Keyed<Outcome>, Outcome>(tx, [{ once }], async () => [await run(tx)]);
      return settled as Outcome | SettledAnswer | Refusal<'key_reused'>;
    }),
  );

/** Finds the first answer to a key, where what the request names is gone by then. Undefined: no key, or its first request. */
export async function recallAnswer(
  db: Pick<Db, 'query'>,
  once: Once<never> | undefined,
): Promise<SettledAnswer | Refusal<'key_reused'> | undefined> {
  const [kept] = once === undefined ? [] : await db.query<Kept>(FIND, keyColumns([once]));
  return kept && once?.recall(kept);
}

function keepAnswers<Outcome>(tx: Tx, settled: readonly { readonly once: Once<Outcome>; readonly answer: Answer }[]): void {
  const kept = settled.map(({ once, answer }) => once.seal(answer));
  tx.send(KEEP, [
    ...keyColumns(settled.map(({ once }) => once)),
    kept.map(({ fingerprint }) => fingerprint),
    kept.map(({ sealed }) => sealed),
    kept.map(({ keptAt }) => keptAt),
  ]);
}

const keyColumns = (keyed: readonly Pick<Once<never>, 'owner' | 'operation' | 'key'>[]): readonly (readonly string[])[] => [
  keyed.map(({ owner }) => owner),
  keyed.map(({ operation }) => operation),
  keyed.map(({ key }) => key),
];
