import { configureGlobal } from 'fast-check';
import { seed } from './seed.ts';

/** Properties draw from the seed of the run. */
configureGlobal({ seed });

export * from 'fast-check';
