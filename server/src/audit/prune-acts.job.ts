import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { inRounds, type Job } from '../kit/jobs.ts';
import type { ChainLink } from './chain.ts';
import type { ChainSigner } from './sign.ts';

/** Links of one portion: some ten milliseconds of work. */
const PORTION = 1_000;
const EVERY_SECONDS = 24 * 3600;

const OLDEST = statement(
  'audit.oldest_links',
  `select l.place, l.link_hash as hash, a.acted_at as at from act_links l join acts a using (act_id) order by l.place limit ${PORTION}`,
);
const PRUNE = statement('audit.prune_acts', 'select prune_acts($1, $2, $3, $4) as pruned');

/**
 * Deletes acts by age, once a day, from the oldest end of the chain. The first one that is younger keeps all that follow.
 * Effects: a signed stub holds the last link that was deleted. The clock is the machine's: the database refuses acts of the last year.
 */
export function pruneActs(
  { db, signer, clock }: { readonly db: Db; readonly signer: ChainSigner; readonly clock: Clock },
  keptDays: number,
): Job {
  return inRounds(clock, EVERY_SECONDS, {
    name: 'audit.prune-acts',
    patience: 'some',
    step: async () => {
      const now = clock.now();
      const before = now.subtract({ hours: 24 * keptDays });
      const oldest = await db.query<ChainLink & { at: Temporal.Instant }>(OLDEST, []);
      const younger = oldest.findIndex(({ at }) => Temporal.Instant.compare(at, before) >= 0);
      const last = oldest.at(younger === -1 ? -1 : younger - 1);
      if (last === undefined || younger === 0) return false;
      const at = now.round('microsecond');
      await db.query(PRUNE, [last.place, last.hash, at, signer.sign('stub', last, at)]);
      return younger === -1 && oldest.length === PORTION;
    },
  });
}
