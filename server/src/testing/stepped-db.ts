import type { Db } from '../kit/db.ts';

/** The same database. `before` runs before each statement and each transaction; what it throws keeps them from it. */
export function steppedDb(before: () => Promise<void>, db: Db): Db {
  const next = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await before();
    return work();
  };
  return {
    ...db,
    query: (...asked) => next(() => db.query(...asked)) as never,
    transaction: (work) => next(() => db.transaction(work)),
    readTogether: (work) => next(() => db.readTogether(work)),
  };
}
