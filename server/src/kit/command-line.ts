import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import { formatLocal } from './calendar.ts';
import type { Act } from './changes/act.ts';
import type { Clock } from './clock.ts';
import { currencyExponent, formatAllDecimals } from './money.ts';
import type { Db, Tx } from './db.ts';
import { writeNumber } from './written/written-number.ts';
import { forTerminal } from './one-line.ts';
import { HOME, HOME_NAME, homeAlone, noSuchCell, type PerCell } from './per-cell.ts';
import type { MasterKeys } from './secrets.ts';
import type { Remote } from './remote/remote.ts';

/** A migrated database and what a command needs beside it. Servers may run on the same database. */
export type Connection = {
  readonly url: string;
  /** Connects as the owner of an embedded database. Undefined: it is another one. */
  readonly embeddedOwnerUrl?: string;
  /** What the command does. Its transactions record the act of a command that writes. */
  readonly db: Db;
  /** The same, for what an operation says that it is done on: the words of a command do not always name it. Undefined: the command reads. */
  readonly dbOn?: (what: Pick<Act, 'target' | 'merchantId'>) => Db;
  /** What the service does by itself, such as making a missing key. */
  readonly ownDb: Db;
  /** Who runs the command, as histories name it. */
  readonly actor: `command:${string}`;
  readonly keys: MasterKeys;
  readonly clock: Clock;
  /** Not production mode. */
  readonly isSandbox: boolean;
  /** Records the act in a transaction that the command runs by itself, with what the act says beside. Undefined: the command reads. */
  readonly recordIn?: (tx: Pick<Tx, 'send'>, given: Readonly<Record<string, unknown>>) => void;
  /** The cells of the service: this connection is that of one. Undefined: there is home alone. */
  readonly cells?: ConnectedCells;
  /** Closes it. With a refusal, it is recorded first. */
  close(failure?: unknown): Promise<void>;
};

/** The cells of a service, as a command reaches them. */
export type ConnectedCells = {
  readonly connections: PerCell<Connection>;
  /** The names of all cells, by their numbers. */
  readonly names: ReadonlyMap<number, string>;
  /** Those that cannot be used now. */
  readonly away: readonly AwayCell[];
  /** Finds the cell of a merchant. Home where there is no such merchant. */
  readonly cellOf: (merchantId: string) => Promise<number>;
};

/** A cell that cannot be used, and why. */
export type AwayCell = { readonly cell: number; readonly name: string; readonly reason: string };

/** The cells that a command reaches. A service of one database has home. */
export const reachedCells = (connection: Connection): ConnectedCells =>
  connection.cells ?? {
    connections: homeAlone(connection),
    names: new Map([[HOME, HOME_NAME]]),
    away: [],
    cellOf: async () => HOME,
  };

/** The name of a cell, or its number where the service has no such cell. */
export const nameOfCell = (connection: Connection, cell: number): string => reachedCells(connection).names.get(cell) ?? String(cell);

/** The connection of home, which has what all cells share. */
export const homeOf = (connection: Connection): Connection => reachedCells(connection).connections.home;

/** A cell as a command works on it, with its name; a service of one database has one, without a name. */
export type NamedCell = readonly [name: string | undefined, connection: Connection];

/** Each cell that can be used, home first. Effects: the command ends with 3 where one cannot be used. */
export function everyCell(connection: Connection): readonly NamedCell[] {
  const { cells } = connection;
  if (cells === undefined) return [[undefined, connection]];
  if (cells.away.length > 0) endIncomplete();
  return cells.connections.all.map(([cell, own]) => [cells.names.get(cell), own]);
}

/** Refuses what would not be whole without a cell that cannot be used. `nothing`: what is not done, such as `Nothing was exported`. */
export function requireEveryCell({ cells }: Connection, nothing: string): void {
  const away = cells?.away ?? [];
  if (away.length > 0) throw new CommandRefused(`${nothing}: ${away.map(({ name }) => name).join(', ')} cannot be used.`);
}

/**
 * Finds the connection of the cell that holds a merchant.
 * Throws: CommandRefused where that cell cannot be used.
 */
export async function ofMerchant(connection: Connection, merchantId: string): Promise<Connection> {
  const { connections, cellOf } = reachedCells(connection);
  return connections.of(await cellOf(merchantId));
}

/**
 * Finds the one cell that a command reads as a whole, in one snapshot.
 * Refuses: no name, where there are several; one that no cell has; one that cannot be used.
 */
export function cellNamed(connection: Connection, name: string | undefined, usual?: string): Connection {
  const { connections, names } = reachedCells(connection);
  const wanted = name ?? usual ?? (names.size === 1 ? HOME_NAME : undefined);
  if (wanted === undefined) throw new CommandRefused(`Name one of the cells by --cell: ${[...names.values()].join(', ')}.`, 2);
  const [cell] = [...names].find(([, one]) => one === wanted) ?? [];
  if (cell === undefined) throw new CommandRefused(noSuchCell(wanted));
  return connections.of(cell);
}

/** Done, but something is left out. */
const EXIT_INCOMPLETE = 3;

/** Ends the command with 3. `missing`: the cells that what it shows lacks, and that nobody has named yet. */
export function endIncomplete(missing: readonly (number | string)[] = []): void {
  process.exitCode ??= EXIT_INCOMPLETE;
  if (missing.length > 0) process.stderr.write(`Missing here is what these cells hold, which could not be asked: ${missing.join(', ')}.\n`);
}

/**
 * Opens a Connection. A command calls it after it has checked its arguments.
 * `service`: the running service that `--url` names; undefined without that option.
 */
export type Connect = {
  (): Promise<Connection>;
  readonly service?: () => Promise<Remote | undefined>;
  /** Carries out operations of the management API in this process, on the database. */
  readonly openHere?: OpenHere;
};

/** 1: the command could not do its work. 2: the command line is wrong for any database. 3: it did, and something is left for a person. */
export type ExitCode = 1 | 2 | 3;

/** Ends a command that cannot do its work. The message is one line for standard error. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** An operation of the management API has said no. `problem` is the name of its refusal, `members` what is wrong in it. */
export class ServiceRefused extends CommandRefused {
  readonly problem: string;
  readonly members: readonly WrongMember[];

  constructor(problem: string, message: string, exitCode: ExitCode, members: readonly WrongMember[] = []) {
    super(message, exitCode);
    this.problem = problem;
    this.members = members;
  }
}

/** A member of a request and the rule that it breaks. */
type WrongMember = { readonly name: string; readonly rule: string };

/** The option of every command that can print JSON. */
export const JSON_OPTION = ['--json', 'print JSON'] as const;

/** The option of every command that prints times in the zone of a merchant. */
export const UTC_OPTION = ['--utc', "print times in UTC, not in the merchant's zone"] as const;

/** Runs a command's work on a connection, then closes the connection, also after a failure. */
export async function withConnection<T>(connect: Connect, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connect();
  let failure: unknown;
  try {
    return await work(connection);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await connection.close(failure);
  }
}

/** Reads what a command prints: here from the database, or there from the service that `--url` names. */
export async function readFrom<T>(
  connect: Connect,
  { here, there }: { readonly here: (connection: Connection) => Promise<T>; readonly there: (service: Remote) => Promise<NoInfer<T>> },
): Promise<T> {
  const service = await connect.service?.();
  return service === undefined ? withConnection(connect, here) : there(service);
}

/** What carries out operations of the management API: a service, or this process on the database of a command. */
export type Asks = Pick<Remote, 'call' | 'download' | 'list'>;
export type Here = Asks & { close(): Promise<void> };
export type OpenHere = (connection: Connection) => Promise<Here>;

/** Carries out operations of the management API: of the service that `--url` names, or in this process. The lines of refusals are the same. */
export const askEither = <T>(connect: Connect, work: (service: Asks) => Promise<T>): Promise<T> =>
  readFrom<T>(connect, { here: (connection) => askHere(connect, connection, work), there: work });

/** Carries out operations of the management API in this process. */
export async function askHere<T>(
  { openHere }: Pick<Connect, 'openHere'>,
  connection: Connection,
  work: (here: Asks) => Promise<T>,
): Promise<T> {
  if (openHere === undefined) throw new Error('nothing carries out operations in this process');
  const here = await openHere(connection);
  try {
    return await work(here);
  } finally {
    await here.close();
  }
}

/** A name of the management API as an option: `--expires-on`. */
export const optionOf = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** An instant of a service's answer. */
export const sentInstant = (text: string | null): Temporal.Instant | null => (text === null ? null : Temporal.Instant.from(text));

export function print(text: string): void {
  process.stdout.write(text);
}

/** Prints one line of JSON. */
export function printJson(value: unknown): void {
  print(`${JSON.stringify(value)}\n`);
}

/** An instant within a text for who runs the command: the wall clock where that is, and the zone. */
export const instantText = (instant: Temporal.Instant): string => localText(instant, zoneHere());

function zoneHere(): string {
  const { timeZone }: { readonly timeZone?: string } = new Intl.DateTimeFormat().resolvedOptions();
  // Of a TZ that it does not know, ICU says one of the two.
  return timeZone === undefined || timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}

/** What a name breaks. */
export const NAME_LINE = ['--name takes 1 to 100 characters on one line.', 2] as const;

/** Reads an option that takes its value away by `none`. */
export const orNone = <Text extends string | undefined>(text: Text): Text | null => (text === 'none' ? null : text);

/** Refuses a --currency that is not a currency. Without this check its amount would be refused, for the wrong reason. */
export function requireCurrency(currency: string): void {
  if (currencyExponent(currency) === undefined)
    throw new CommandRefused('--currency takes a code of ISO 4217 in capitals, such as COP.', 2);
}

/** Most rows that one call prints. They are all in memory at once. */
export const MAX_LISTED = 10_000;

/** Reads an option that is a number of rows, 1 to MAX_LISTED. */
export function parseLimit(text: string): number {
  const limit = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LISTED) throw new InvalidArgumentError(`It takes 1 to ${MAX_LISTED}.`);
  return limit;
}

/** Reads an option that is a number of days. */
export function parseDays(text: string): number {
  if (!/^[0-9]{1,3}$/.test(text)) throw new InvalidArgumentError('It takes a whole number of days.');
  return Number(text);
}

/** Reads an option that is an instant with its offset from UTC. */
export function parseInstant(text: string): Temporal.Instant {
  try {
    return Temporal.Instant.from(text);
  } catch {
    throw new InvalidArgumentError('It takes an instant with its offset, such as 2026-11-21T00:00:00-05:00.');
  }
}

/** An amount as it is stored. A table prints all decimals of its currency. */
type StoredMoney = { readonly amountMinor: bigint; readonly currency: string };
/** An amount as it is shown, with all decimals. */
export type ShownMoney = { readonly amount: string; readonly currency: string };
/** Shows an item of a service's answer as commands print it: the currency beside the amount. */
export const withFlatAmount = <Item extends { readonly amount: ShownMoney }>({
  amount: { amount, currency },
  ...rest
}: Item): Omit<Item, 'amount'> & ShownMoney => ({ ...rest, amount, currency });

/** What a cell of a table can hold. Numbers and amounts are at the right of their column, null is an empty cell. */
export type Cell = string | number | bigint | Temporal.Instant | StoredMoney | ShownMoney | null;

/**
 * Lays out rows as a table for a person. A column is as wide as its widest cell. The heading of a column of times names the zone.
 * Shape: a heading, rows of cells, the IANA zone of the times → text.
 */
export function table(heading: readonly string[], rows: readonly (readonly Cell[])[], zone = 'UTC'): string {
  const cells = (index: number): readonly Cell[] => rows.map((row) => row[index] ?? null);
  const head = heading.map((name, index) => (cells(index).some(isInstant) ? `${name} (${zone})` : name));
  const areRight = heading.map((_, index) => cells(index).some((cell) => cell !== null && typeof cell !== 'string' && !isInstant(cell)));
  return layOut([head, ...rows.map((row) => row.map((cell) => cellText(cell, zone)))], areRight);
}

/** Lays out names and values, a line each. A time names its zone. */
export function details(lines: readonly (readonly [name: string, value: Cell])[], zone = 'UTC'): string {
  return layOut(lines.map(([name, value]) => [name, isInstant(value) ? localText(value, zone) : cellText(value, zone)]));
}

/** Lays out all of one thing: its names and values, then those of its tables that have rows. */
export const detailsAndTables = (
  lines: readonly (readonly [name: string, value: Cell])[],
  tables: readonly (readonly [heading: readonly string[], rows: readonly (readonly Cell[])[]])[],
  zone: string,
): string =>
  [details(lines, zone), ...tables.filter(([, rows]) => rows.length > 0).map(([heading, rows]) => table(heading, rows, zone))].join('\n');

/** An instant within a text for a person: the wall clock of a zone, and the zone. */
export const localText = (instant: Temporal.Instant, zone: string): string => `${formatLocal(instant, zone)} ${zone}`;

const isInstant = (cell: Cell): cell is Temporal.Instant => cell instanceof Temporal.Instant;

function cellText(cell: Cell, zone: string): string {
  if (cell === null) return '';
  if (isInstant(cell)) return formatLocal(cell, zone);
  if (typeof cell !== 'object') return forTerminal(String(cell));
  return moneyText(cell);
}

/** An amount for a person, with spaces between its thousands, as every language and every option reads it: `-1 234 567.00 COP`. */
export function moneyText(money: StoredMoney | ShownMoney): string {
  const amount = 'amount' in money ? money.amount : formatAllDecimals(money.amountMinor, money.currency);
  const digits = writeNumber(amount.replace('-', ''), { thousands: ' ', point: '.' });
  return `${amount.startsWith('-') ? '-' : ''}${digits} ${money.currency}`;
}

/** A column is at the left unless `areRight` says otherwise, with two spaces after it. */
function layOut(rows: readonly (readonly string[])[], areRight: readonly boolean[] = []): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, cell.length)));
  const padded = (cell: string, index: number): string =>
    areRight[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0);
  return rows.map((row) => `${row.map(padded).join('  ').trimEnd()}\n`).join('');
}

/** Reads a text that a command is given as a file. Refuses, in words: one that cannot be read, that is `tooLarge`, or is no UTF-8. */
export async function readTextFile(file: string, mostBytes: number, tooLarge: string): Promise<string> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(`Cannot read ${file}: ${error.code}.`, 1);
  });
  if (bytes.length > mostBytes) throw new CommandRefused(`${file} ${tooLarge}.`, 2);
  if (!isUtf8(bytes)) throw new CommandRefused(`${file} is not UTF-8: in a spreadsheet, save the file as “CSV UTF-8”.`, 2);
  return bytes.toString('utf8');
}
