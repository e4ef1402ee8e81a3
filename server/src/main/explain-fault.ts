import { BinariesUnavailable, EmbeddedPostgresFailure } from '@caudal/embedded-postgres';
import { CommandRefused } from '../kit/command-line.ts';
import { classify, Unavailable } from '../kit/db.ts';
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
  WrongMode,
];

/** One line for each fault that a person can fix, the same from server and command. Undefined: a fault of our code. */
export function explainFault(error: unknown): string | undefined {
  if (error instanceof BinariesUnavailable) return `${error.message} Set DATABASE_URL to a PostgreSQL 15 or newer.`;
  return KNOWN.some((kind) => error instanceof kind) ? (error as Error).message : explainDatabaseFault(error);
}

/** SQLSTATE classes 28 (login), 3D (no such database), 42501 (not permitted): DATABASE_URL is wrong. */
const WRONG_DATABASE = /^(28...|3D...|42501)$/;

/** Node's codes for a certificate that is not trusted here, or is not of that host. */
const WRONG_CERTIFICATE = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/;

/** What the driver says of a server that has no TLS, where the connection string demands it. */
const NO_TLS = 'The server does not support SSL connections';

/** True where the database offers no TLS that proves it here. Waiting does not change that. */
export const isWrongTls = (error: unknown): boolean => isWrongCertificate(error) || (error as Error).message.includes(NO_TLS);

function isWrongCertificate(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? error) as { code?: unknown };
  return typeof code === 'string' && WRONG_CERTIFICATE.test(code);
}

/** Each has its own remedy. An authority of your own repairs only the last one. */
function explainCertificate(fault: Error): string {
  const { code } = (fault.cause ?? fault) as { code?: unknown };
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return 'The certificate of the database has ended, or has not begun: renew it there, or set the clock of this machine right.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'The certificate of the database is of another host: name the database in DATABASE_URL as its certificate does.';
  return 'The certificate of the database is not trusted here. NODE_EXTRA_CA_CERTS=FILE adds your own certificate authority. It is read at the start.';
}

/** The driver's errors, down to the system's reason. A host with several addresses fails with several reasons. */
function explainDatabaseFault(error: unknown): string | undefined {
  const { code, path } = error as { code?: unknown; path?: unknown };
  if (typeof path === 'string') return (error as Error).message; // A file, not the database.
  const fault = classify(error);
  if (!(fault instanceof Unavailable) && !(typeof code === 'string' && WRONG_DATABASE.test(code))) return undefined;
  if (isWrongCertificate(fault)) return explainCertificate(fault);
  if (isWrongTls(fault)) return 'The database offers no TLS, and DATABASE_URL demands it: turn it on there (ssl = on, with a certificate).';
  const reason = fault.cause ?? fault;
  const reasons = reason instanceof AggregateError ? reason.errors : [reason];
  return `The database cannot be used: ${reasons.map((one) => (one as Error).message).join('; ')}`;
}
