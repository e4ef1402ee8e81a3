import { restartDraws } from './seed.ts';

// Runs before each test file.
restartDraws();
