// What the rest of the service uses of kit/db/.
export { connectionConfig, describeDatabase, isDatabaseUrl, loginsOf, mayBeReadOnTheWay, serversIn, userOf } from './db/connection.ts';
export {
  classify,
  DatabaseAway,
  isConnectionLost,
  isRetryable,
  LockTimeout,
  LostRace,
  StatementTimeout,
  Unavailable,
} from './db/faults.ts';
export { inLane, JOBS, VIEWS } from './db/lanes.ts';
export { newest } from './db/newest.ts';
export { openDb, type Connections, type Db } from './db/open-db.ts';
export { columnsOf, storedTime, toParameter, type Value } from './db/parameters.ts';
export { storedDay, storedSharedInstant } from './db/parsers.ts';
export { refusedSettings, requireSessions, SessionsShared } from './db/require-sessions.ts';
export { connectClient, splitServers } from './db/servers.ts';
export { declaredStatements, statement, turnStatement, type Statement } from './db/statement.ts';
export type { Tx } from './db/transaction.ts';
export { isWriteStatement } from './db/writes.ts';
