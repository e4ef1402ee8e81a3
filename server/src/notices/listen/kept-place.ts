import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { CommandRefused } from '../../kit/command-line.ts';

const KEPT = Type.Object({
  /** The id of the last event that was seen. Null: none came yet. */
  place: Type.Union([Type.String({ pattern: '^[!-~]{1,200}$' }), Type.Null()]),
  /** When the newest notice was written that was seen, on the clock of the service. */
  at: Type.String({ pattern: '^[0-9T:.-]+Z$' }),
  /** Notices that were seen and are not forwarded yet. */
  pending: Type.Array(Type.String({ maxLength: 60 })),
});

/** How far a listener is, as its file keeps it. */
export type KeptPlace = Static<typeof KEPT>;

/** Reads the file of a listener. Undefined: there is none yet. Throws: CommandRefused for a file that no listener wrote. */
export function readKept(path: string): KeptPlace | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandRefused(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
  const kept = parse(text);
  if (!Value.Check(KEPT, kept) || !isInstant(kept.at))
    throw new CommandRefused(`${path} is not the file of a listener. Remove it, or name another by --position.`);
  return kept;
}

function isInstant(text: string): boolean {
  try {
    return Temporal.Instant.from(text) !== undefined;
  } catch {
    return false;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Writes the file whole or not at all. A killed listener leaves the one before. Only its owner reads it.
 * What is in its way is removed first: a link of somebody else would lead to another file.
 */
export function keep(path: string, kept: KeptPlace): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(`${path}.part`, { force: true });
    writeFileSync(`${path}.part`, JSON.stringify(kept), { mode: 0o600, flag: 'wx' });
    renameSync(`${path}.part`, path);
  } catch (error) {
    throw new CommandRefused(`${path} cannot be written: ${(error as NodeJS.ErrnoException).code}.`);
  }
}
