import { statement, type Db } from '../src/kit/db.ts';

/** The connections of the simulation itself, which never break. */
export const CONTROL = 'caudal simulation control';

/** The address of a database, for a program of this name. */
export const named = (url: string, application: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}application_name=${encodeURIComponent(application)}`;

const END_ALL = statement(
  'simulation.end_all',
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name <> $1 and backend_type = 'client backend'`,
);
/** Ends what servers do with a database, again and again for so long: nobody reaches it. */
export async function keepAway(db: Db, ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until) await db.query(END_ALL, [CONTROL]);
}
