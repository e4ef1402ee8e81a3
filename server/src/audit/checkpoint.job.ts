import { appendFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Db } from '../kit/db.ts';
import type { Job } from '../kit/jobs.ts';
import type { Log } from '../kit/log.ts';
import { checkpointLine, toCheckpoint } from './chain-file.ts';
import { readLastLink } from './link-acts.job.ts';
import type { ChainSigner } from './sign.ts';

/** Where checkpoints go: a file that is appended to, or an address that gets them by POST. */
export type CheckpointPlace = { readonly file: string } | { readonly url: string };

/** Reads the place of a setting. Undefined: it is not a place. */
export function parseCheckpointPlace(text: string): CheckpointPlace | undefined {
  if (isAbsolute(text)) return { file: text };
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? { url: url.href } : undefined;
}

/** The place of the chain of a cell beside home: a file beside that of home, or the address with the name of the cell. */
export function checkpointPlaceOf(cell: string, place: CheckpointPlace): CheckpointPlace {
  if ('file' in place) return { file: `${place.file}.${cell}` };
  const url = new URL(place.url);
  url.searchParams.set('cell', cell);
  return { url: url.href };
}

const EVERY_MS = 600_000;
const SEND_TIMEOUT_MS = 10_000;

type Deps = { readonly db: Db; readonly signer: ChainSigner; readonly now: () => Temporal.Instant; readonly log: Log };

/**
 * Writes the last link of the chain elsewhere, at most every ten minutes and where there is a new one.
 * Effects: each server does. A place that does not take a checkpoint is logged and gets the next one.
 */
export function checkpointJob({ db, signer, now, log }: Deps, to: CheckpointPlace, elapsedMs = () => performance.now()): Job {
  let written = 0n;
  let nextMs = -Infinity;
  return {
    name: 'audit.checkpoint',
    step: async () => {
      if (elapsedMs() < nextMs) return false;
      const last = await readLastLink(db);
      if (last === undefined || last.place <= written) return false;
      nextMs = elapsedMs() + EVERY_MS;
      try {
        await put(to, checkpointLine(toCheckpoint(signer, last, now())));
        written = last.place;
      } catch (error) {
        log.error({ error }, 'a checkpoint of the audit log could not be written');
      }
      return false;
    },
  };
}

async function put(to: CheckpointPlace, line: string): Promise<void> {
  if ('file' in to) return appendFile(to.file, line);
  const signal = AbortSignal.timeout(SEND_TIMEOUT_MS);
  const answer = await fetch(to.url, {
    method: 'POST',
    body: line,
    headers: { 'content-type': 'application/json' },
    redirect: 'error',
    signal,
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the address of checkpoints answered ${answer.status}`);
}
