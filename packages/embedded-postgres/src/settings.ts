import { totalmem } from 'node:os';

const MEBIBYTE = 2 ** 20;
/**
 * shared_buffers, the table pages that PostgreSQL keeps in its own memory. It gets an eighth of all memory: other programs need the rest.
 * When the rows that change do not fit, it reads and writes their pages again and again.
 * Measured with a million rows: 256 MB, 108 µs an update; 1 GB, 51 µs.
 */
const SHARED_MEBIBYTES = { least: 128, most: 1024, share: 1 / 8 } as const;

function sharedMebibytes(): number {
  const { least, most, share } = SHARED_MEBIBYTES;
  // Without a limit it is 0 or beyond the machine's memory.
  const allowed = process.constrainedMemory();
  const bytes = allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
  return Math.min(most, Math.max(least, Math.floor((bytes * share) / MEBIBYTE)));
}

/** Who may connect: whoever can reach the socket, which is in a private directory. */
export const ACCESS = `local all all trust
local replication all trust
`;

const NOT_DURABLE = `fsync = off
synchronous_commit = off
full_page_writes = off
`;

/**
 * The settings file of a cluster, written at each start: an upgrade can change it. PostgreSQL reads postgresql.auto.conf later, so ALTER
 * SYSTEM wins.
 * Shape: durable false turns off every flush to disk; the file that says who may connect → text of the file.
 */
export function settings(durable: boolean, access: string): string {
  return `# Written at each start. Use ALTER SYSTEM for settings of your own.
hba_file = '${access.replaceAll("'", "''")}'
max_connections = 100
shared_buffers = ${sharedMebibytes()}MB
max_wal_size = 2GB
# A reader of the log that stopped must not fill the disk.
max_slot_wal_keep_size = 8GB
# Compressing whole pages took longer than writing them: 3.1 ms for a transaction of 32 updates, 1.8 without.
wal_compression = off
# Compiling a short statement costs more than it saves.
jit = off
log_checkpoints = off
log_min_messages = warning
# A statement or a row in the log could hold a secret or personal data.
log_min_error_statement = panic
log_error_verbosity = terse
log_line_prefix = '%m [%p] '
log_timezone = 'UTC'
timezone = 'UTC'
lc_messages = 'C'
lc_monetary = 'C'
lc_numeric = 'C'
lc_time = 'C'
${durable ? '' : NOT_DURABLE}`;
}
