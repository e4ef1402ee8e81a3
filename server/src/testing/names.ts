/** Databases with this prefix are test runs' own: `caudal_test_<run>_<rest>`. */
export const TEST_DATABASE_PREFIX = 'caudal_test_';

/** The user that serves in a test run. It owns nothing. */
export const serviceUserOf = (runId: string): string => `${TEST_DATABASE_PREFIX}${runId}_service`;

/** The same database, another user. Shape: connection string, user, password → connection string. */
export function withUser(url: string, user: string, password: string): string {
  return url.replace(/^(\w+:\/\/)(?:[^@/?]*@)?/, `$1${user}:${password}@`);
}

/** The same database, a schema of it. Shape: connection string, schema name → connection string. */
export function withSchema(url: string, schema: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}options=-c%20search_path%3D${schema}`;
}

/** The same server, another database. Shape: connection string, database name → connection string. */
export function withDatabase(url: string, database: string): string {
  return url.replace(/^(\w+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${database}`);
}
