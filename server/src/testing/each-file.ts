import { beforeEach, inject, type RunnerTask } from 'vitest';
import { reasonNotOnCitus } from './not-on-citus.ts';
import { restartDraws } from './seed.ts';

// Runs before each test file.
restartDraws();

const titleOf = ({ name, suite }: Pick<RunnerTask, 'name' | 'suite'>): string => (suite === undefined ? name : `${titleOf(suite)} ${name}`);

if (inject('testServer').citus !== null)
  beforeEach(({ task, skip }) => {
    const reason = reasonNotOnCitus(task.file.filepath, titleOf(task));
    if (reason !== undefined) skip(`on Citus: ${reason}`);
  });
