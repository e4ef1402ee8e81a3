import { DatabaseError } from 'pg';
import { Unavailable } from '../outcome.ts';

export { Unavailable } from '../outcome.ts';

/** No connection could be made. The pool logs that once for all who need one. */
export class DatabaseAway extends Unavailable {}

/** A statement waited too long for a row that another transaction holds. Other work may go on. */
export class LockTimeout extends Unavailable {}

/** A statement took too long. Other work may go on. */
export class StatementTimeout extends Unavailable {}

/** A statement was not answered at all. The database may still be at it. */
export class Unanswered extends Unavailable {}

/** The server is full or takes no writes, but it answers. */
export class TakesNoWrites extends Unavailable {}

/** True where the connection may be gone. A statement that waited or ran too long was cancelled alone: once rolled back, its connection goes on. */
export const isConnectionLost = (fault: unknown): boolean =>
  fault instanceof Unavailable && !(fault instanceof LockTimeout) && !(fault instanceof StatementTimeout);

/** SQLSTATE classes and codes of a database that cannot serve now. The same statement may succeed later. */
const UNAVAILABLE_STATES = /^(08|53|57P0[1-5]|57014|58|25006|55P03|25P0[3-4])/;
/** What a node of a Citus cluster says, as an internal error, where another node that it uses went away. */
const NODE_AWAY = /^failure on connection marked as essential/;
/** SQLSTATE codes of a disk that is full, and of a transaction or a server that is read-only. */
const NO_WRITES_STATES = new Set(['53100', '25006']);
/** SQLSTATE codes of a lost race. */
const RETRYABLE_STATES = new Set(['40001', '40P01', '23505']);

const sqlState = (error: unknown): string | undefined => (error instanceof DatabaseError ? error.code : undefined);

/** A lost race that the database did not see, because somebody else won it in another database. The same work may succeed when run again. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
}

/** True for a lost race: unique key, deadlock, serialization, or another database. The same work may succeed when run again. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof LostRace) return true;
  const state = sqlState(error);
  return state !== undefined && RETRYABLE_STATES.has(state);
}

const kindOf = (state: string): typeof Unavailable =>
  state === '55P03' ? LockTimeout : state === '57014' ? StatementTimeout : NO_WRITES_STATES.has(state) ? TakesNoWrites : Unavailable;

/** Turns an error of the driver into Unavailable where the database is away. Any other error stays as it is. */
export function classify(error: unknown, doing: 'connecting' | 'querying' = 'querying'): Error {
  if (error instanceof Unavailable) return error;
  const state = sqlState(error);
  if (state !== undefined) {
    const isAway =
      doing === 'connecting' || UNAVAILABLE_STATES.test(state) || (state === 'XX000' && NODE_AWAY.test((error as Error).message));
    const Kind = doing === 'connecting' ? DatabaseAway : kindOf(state);
    return isAway ? new Kind(`database: ${(error as Error).message}`, { cause: error }) : (error as Error);
  }
  // The driver reports lost sockets and time-outs as plain errors or system errors, never as DatabaseError.
  const code = (error as { code?: unknown }).code;
  const message = error instanceof Error ? error.message : String(error);
  const isLost =
    doing === 'connecting' ||
    typeof code === 'string' ||
    /^(Connection terminated|Query read timeout|timeout ex(ceeded|pired)|Client (was closed|has encountered)|Cannot use a pool)/i.test(
      message,
    );
  const Kind = doing === 'connecting' ? DatabaseAway : message.startsWith('Query read timeout') ? Unanswered : Unavailable;
  return isLost ? new Kind(`database: ${message}`, { cause: error }) : error instanceof Error ? error : new Error(message);
}
