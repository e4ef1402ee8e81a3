import { setTimeout as delay } from 'node:timers/promises';
import type { Static } from 'typebox';
import { CommandRefused, ServiceRefused } from '../kit/command-line.ts';
import type { FileProgress } from '../kit/files/progress.ts';
import type { Remote } from '../kit/remote/remote.ts';
import type { FilterTexts } from './exported-list.ts';
import { EXPORT_ROUTES, EXPORT_SHOWN } from './exports.manage.ts';
import type { Format } from './formats.ts';
import type { Trailer } from './trailer.ts';

// How `caudal export` gets its file of a service that `--url` names.

/** The service writes an export within a second or for minutes. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const MOST_MISSED = 10;

const WHY = {
  too_large: 'it is larger than the service keeps: ask for less of the list',
  interrupted: 'the service was interrupted: try again',
} as const;

type Asked = { readonly list: string; readonly format: Format; readonly merchant: string | undefined; readonly filter: FilterTexts };
type Shown = Static<typeof EXPORT_SHOWN>;

/** Asks for an export, waits until it is written, and hands its bytes on. Shape: → its trailer. */
export async function askExport(
  service: Remote,
  asked: Asked,
  sink: (bytes: Buffer) => Promise<void>,
  onProgress: (progress: FileProgress) => void,
): Promise<Trailer> {
  const made = await service.call({ route: EXPORT_ROUTES.ask, shows: EXPORT_SHOWN }, { body: asked });
  const path = { export: made.export };
  try {
    const { rowsTotal, rowsWritten, bytes, trailer } = await untilWritten(service, made, onProgress);
    const rows = rowsTotal ?? rowsWritten;
    let taken = 0;
    const received = await service.download({ route: EXPORT_ROUTES.download }, { path }, async (part) => {
      await sink(Buffer.from(part));
      taken += part.length;
      onProgress({ stage: 'fetching', rows: Math.floor((rows * taken) / bytes), of: rows });
    });
    if (received !== bytes) throw new CommandRefused(`Nothing was exported: ${received} of ${bytes} bytes came.`);
    const { merchant, filter } = asked;
    // The service keeps the names of a filter in an order of its own.
    return { ...(trailer as Trailer), filter: { ...(merchant !== undefined && { merchant }), ...filter } };
  } finally {
    // It takes room at the service, which deletes it a day later by itself.
    await service.call({ route: EXPORT_ROUTES.remove }, { path }).catch(() => undefined);
  }
}

async function untilWritten(service: Remote, made: Shown, onProgress: (progress: FileProgress) => void): Promise<Shown> {
  let shown = made;
  let missed = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    if (shown.state === 'done') return shown;
    if (shown.state === 'failed') throw new CommandRefused(`Nothing was exported: ${WHY[shown.failure ?? 'interrupted']}.`);
    const { rowsTotal: of, rowsWritten } = shown;
    onProgress(of === null ? { stage: 'counting', rows: 0 } : { stage: 'writing', rows: Math.min(rowsWritten, of), of });
    await delay(pauseMs);
    try {
      shown = await service.call({ route: EXPORT_ROUTES.read, shows: EXPORT_SHOWN }, { path: { export: made.export } });
      missed = 0;
    } catch (error) {
      // The service writes on while it cannot be reached.
      if (error instanceof ServiceRefused || ++missed > MOST_MISSED) throw error;
    }
  }
}
