import { BinariesUnavailable, EmbeddedPostgresFailure } from '@caudal/embedded-postgres';
import { UnknownCell } from '../cells/index.ts';
import { CommandRefused } from '../kit/command-line.ts';
import { explainCertificate } from '../kit/checks/explain-certificate.ts';
import { classify, refusedSettings, SessionsShared, Unavailable } from '../kit/db.ts';
import { SchemaMismatch } from '../kit/migrate.ts';
import { SealedFileUnreadable } from '../kit/files/sealed-stream.ts';
import { SecretUnreadable } from '../kit/secrets.ts';
import { ConfigFaults } from './config.ts';
import { WrongMode } from './database-mode.ts';
import { MasterKeyFault } from './keys/master-key-file.ts';

/** The address is in use, is not one of this machine, or may not be used. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';
}

/** The messages of these say what to fix. */
const KNOWN = [
  CannotListen,
  CommandRefused,
  ConfigFaults,
  EmbeddedPostgresFailure,
  SchemaMismatch,
  MasterKeyFault,
  SealedFileUnreadable,
  SecretUnreadable,
  SessionsShared,
  UnknownCell,
  WrongMode,
];

/** One line for each fault that a person can fix, the same from server and command. Undefined: a fault of our code. */
export function explainFault(error: unknown): string | undefined {
  if (error instanceof BinariesUnavailable) return `${error.message} Set DATABASE_URL to a PostgreSQL 15 or newer.`;
  return KNOWN.some((kind) => error instanceof kind) ? (error as Error).message : explainDatabaseFault(error);
}

/** SQLSTATE classes 28 (login), 3D (no such database), 42501 (not permitted): DATABASE_URL is wrong. */
const WRONG_DATABASE = /^(28...|3D...|42501)$/;

/** What the driver says of a server that has no TLS, where the connection string demands it. */
const NO_TLS = 'The server does not support SSL connections';

/** True where the database offers no TLS that proves it here. Waiting does not change that. */
export const isWrongTls = (error: unknown): boolean => isWrongCertificate(error) || (error as Error).message.includes(NO_TLS);

const isWrongCertificate = (error: unknown): boolean => explainCertificate(error, DATABASE) !== undefined;

const DATABASE = { whose: 'the database', nameIt: 'name the database in DATABASE_URL as its certificate does' };

/** The driver's errors, down to the system's reason. A host with several addresses fails with several reasons. */
function explainDatabaseFault(error: unknown): string | undefined {
  const { code, path } = error as { code?: unknown; path?: unknown };
  if (typeof path === 'string') return (error as Error).message; // A file, not the database.
  const shared = refusedSettings(error);
  if (shared !== undefined) return shared.message;
  const fault = classify(error);
  if (!(fault instanceof Unavailable) && !(typeof code === 'string' && WRONG_DATABASE.test(code))) return undefined;
  const certificate = explainCertificate(fault, DATABASE);
  if (certificate !== undefined) return certificate;
  if (isWrongTls(fault)) return 'The database offers no TLS, and DATABASE_URL demands it: turn it on there (ssl = on, with a certificate).';
  const reason = fault.cause ?? fault;
  const reasons = reason instanceof AggregateError ? reason.errors : [reason];
  return `The database cannot be used: ${reasons.map((one) => (one as Error).message).join('; ')}`;
}
