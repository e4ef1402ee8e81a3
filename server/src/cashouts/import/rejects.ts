import { open, rm, type FileHandle } from 'node:fs/promises';
import type { Rejects } from './import-cashouts.ts';

const BUFFER_UNITS = 64 * 1024;

/** Rejects that are kept in a file; `discard` is for an import that failed and so skipped nothing. */
export type RejectsFile = Rejects & { discard(): Promise<void> };

/**
 * Keeps rejected rows in a file of NDJSON: line, field, rule and the line's text where there is one. It holds personal data and is
 * readable by its owner only.
 * Effects: a file of that name is removed; a new one is made by the first row, and is on the disk when `close` is done.
 */
export async function openRejects(path: string): Promise<RejectsFile> {
  await rm(path, { force: true });
  let handle: FileHandle | undefined;
  let buffered = '';
  const flush = async (): Promise<void> => {
    handle ??= await open(path, 'wx', 0o600);
    await handle.write(buffered);
    buffered = '';
  };
  return {
    write: async ({ line, field, rule }, text) => {
      buffered += `${JSON.stringify({ line, field, rule, text })}\n`;
      if (buffered.length >= BUFFER_UNITS) await flush();
    },
    close: async () => {
      if (buffered !== '') await flush();
      await handle?.sync();
      await handle?.close();
      handle = undefined;
    },
    discard: async () => {
      await handle?.close();
      await rm(path, { force: true });
    },
  };
}
