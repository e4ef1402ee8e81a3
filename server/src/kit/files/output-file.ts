import { once } from 'node:events';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';

/** Where the bytes of an export go. */
export type Output = {
  write(bytes: Buffer): Promise<void>;
  /** Everything is written: the file gets its name. */
  keep(): Promise<void>;
  /** Something failed: nothing is left. */
  discard(): Promise<void>;
};

/** A file holds personal data: only its owner reads it. */
const OWNER_ONLY = 0o600;

/** The name of a file that is not whole yet. */
export const partOf = (path: string): string => `${path}.part`;

/**
 * Writes a file under the name `PATH.part`, and renames it once it is whole and on the disk.
 * So a file of that name is whole, also after a full disk or a killed process.
 */
export async function openOutputFile(path: string): Promise<Output> {
  const part = partOf(path);
  await rm(part, { force: true });
  const file = await open(part, 'wx', OWNER_ONLY);
  return {
    write: async (bytes) => file.writeFile(bytes),
    keep: async () => {
      await file.sync();
      await file.close();
      await rename(part, path);
      const directory = await open(dirname(path));
      await directory.sync().catch(() => undefined); // Some file systems have no such operation.
      await directory.close();
    },
    discard: async () => {
      await file.close().catch(() => undefined);
      await rm(part, { force: true });
    },
  };
}

/** Writes to a stream, as fast as its reader reads. What a reader has cannot be taken back: its last line says whether it is whole. */
export function outputTo(stream: Writable): Output {
  let failure: Error | undefined;
  stream.on('error', (error) => (failure = error));
  return {
    write: async (bytes) => {
      if (failure !== undefined) throw failure;
      if (!stream.write(bytes)) await once(stream, 'drain');
    },
    keep: async () => undefined,
    discard: async () => undefined,
  };
}
