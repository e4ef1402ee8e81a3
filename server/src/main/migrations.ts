import { fileURLToPath } from 'node:url';

/** The directory of the schema's migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
