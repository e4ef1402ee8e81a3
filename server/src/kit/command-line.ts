import { InvalidArgumentError } from 'commander';
import type { Clock } from './clock.ts';
import { currencyExponent } from './money.ts';
import type { Db } from './db.ts';
import type { MasterKeys } from './secrets.ts';

/** What a command works with: a migrated database, beside running servers or alone. */
export type Connection = {
  readonly url: string;
  readonly db: Db;
  readonly keys: MasterKeys;
  readonly clock: Clock;
  /** Not production mode. */
  readonly isSandbox: boolean;
  close(): Promise<void>;
};

/** Opens a Connection; called by a command once its arguments are in order. */
export type Connect = () => Promise<Connection>;

/** 1: it could not be done. 2: the command line itself is wrong, whatever the database holds. */
export type ExitCode = 1 | 2;

/** A command ends without having done its work: the message is one line for standard error. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs a command's work on a connection that is closed in any case. */
export async function withConnection<T>(connect: Connect, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connect();
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

export function print(text: string): void {
  process.stdout.write(text);
}

/** Fails where --reason is not one line, as a history can hold it. */
export function requireReason(reason: string): void {
  if (!/^\P{Cc}{1,200}$/u.test(reason) || reason.trim() === '')
    throw new CommandFailure('--reason takes 1 to 200 characters on one line.', 2);
}

/** Fails where --currency names none: whoever then blamed the amount would send people to look in the wrong place. */
export function requireCurrency(currency: string): void {
  if (currencyExponent(currency) === undefined)
    throw new CommandFailure('--currency takes a code of ISO 4217 in capitals, such as COP.', 2);
}

/** Rows that one call prints at most: they are held in memory. */
export const MAX_LISTED = 10_000;

/** Reads an option that is a number of rows, 1 to MAX_LISTED. */
export function parseLimit(text: string): number {
  const limit = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LISTED) throw new InvalidArgumentError(`It takes 1 to ${MAX_LISTED}.`);
  return limit;
}

/** Reads an option that is an instant, with its offset from UTC. */
export function parseInstant(text: string): Temporal.Instant {
  try {
    return Temporal.Instant.from(text);
  } catch {
    throw new InvalidArgumentError('It takes an instant with its offset, such as 2026-11-21T00:00:00-05:00.');
  }
}

/**
 * Lays out rows for a person: columns as wide as their widest cell, two spaces between, a line each.
 * Shape: rows of cells; the first row may be a heading.
 */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, cell.length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
