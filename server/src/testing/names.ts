/** Databases with this prefix are test runs' own: `caudal_test_<run>_<rest>`. */
export const TEST_DATABASE_PREFIX = 'caudal_test_';

/** The same server, another database. Shape: connection string, database name → connection string. */
export function withDatabase(url: string, database: string): string {
  return url.replace(/^(\w+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${database}`);
}
