import type { Clock } from '../kit/clock.ts';
import { openDb, type Db } from '../kit/db.ts';
import { inRounds, type Job } from '../kit/jobs.ts';
import type { Log } from '../kit/log.ts';
import { countAgain, countNew } from './count-figures.ts';

const EVERY_SECONDS = 2;

/** Makes the job that counts what was reported. After an upgrade, and in a restored database, it counts everything once. */
export const countFigures = ({
  db,
  url,
  clock,
  log,
}: {
  readonly db: Db;
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
}): Job =>
  inRounds(clock, EVERY_SECONDS, {
    name: 'figures.count',
    step: async () => {
      const taken = await countNew(db, clock);
      if (taken === 'lost') {
        log.info({}, 'counting all figures again');
        const patient = openDb({ url, log, connections: 1, statementTimeoutMs: null });
        try {
          await countAgain({ db: patient, url, clock });
        } finally {
          await patient.close();
        }
      }
      return taken === 'more';
    },
  });
