/** How far work on a file is. `of`: how many rows there will be, where that is known. */
export type FileProgress = {
  readonly stage: 'reading' | 'sorting' | 'storing' | 'comparing' | 'finishing' | 'counting' | 'writing' | 'fetching';
  readonly rows: number;
  readonly of?: number;
};

export type ProgressOptions = {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** The file's size; undefined where it is not known. */
  readonly totalBytes: number | undefined;
  /** Milliseconds that never go back. */
  readonly nowMs: () => number;
};

export type Progress = { bytes(count: number): void; report(progress: FileProgress): void; end(): void };

const REDRAW_MS = 100;
const BAR_CELLS = 24;

const DOING: Readonly<Record<FileProgress['stage'], string>> = {
  reading: 'Reading',
  sorting: 'Sorting',
  storing: 'Storing',
  comparing: 'Comparing',
  finishing: 'Finishing',
  counting: 'Counting',
  writing: 'Writing',
  fetching: 'Fetching',
};

/** Stages in which the number of rows grows. */
const MOVING: ReadonlySet<FileProgress['stage']> = new Set(['reading', 'storing', 'writing', 'fetching']);

/**
 * Shows how far work on a file is. A terminal gets a bar that is drawn again and again, other outputs a line per stage.
 * Reading is measured in bytes, storing and writing in rows; the other stages have no known end.
 */
export function createProgress({ write, isTerminal, totalBytes, nowMs }: ProgressOptions): Progress {
  let bytes = 0;
  let stage: FileProgress['stage'] | undefined;
  let stageStartMs = 0;
  let drawnMs = -Infinity;

  const done = ({ stage, rows, of }: FileProgress): number | undefined => {
    if (stage === 'reading') return totalBytes === undefined || totalBytes === 0 ? undefined : Math.min(1, bytes / totalBytes);
    return of === undefined || of === 0 ? undefined : rows / of;
  };

  return {
    bytes: (count) => void (bytes += count),
    report: (progress) => {
      const now = nowMs();
      const isNew = progress.stage !== stage;
      if (isNew) {
        stage = progress.stage;
        stageStartMs = now;
      }
      if (!isTerminal) {
        if (isNew)
          write(`${DOING[progress.stage]}${isUncounted(progress.stage) ? '' : ` ${formatCount(progress.of ?? progress.rows)} rows`} …\n`);
      } else if (isNew || now - drawnMs >= REDRAW_MS) {
        drawnMs = now;
        write(`\r\u001B[K${draw(progress, done(progress), now - stageStartMs)}`);
      }
    },
    end: () => {
      if (isTerminal && stage !== undefined) write('\r\u001B[K');
    },
  };
}

/** While a file or a list is read first, nobody knows its rows yet. */
const isUncounted = (stage: FileProgress['stage']): boolean => stage === 'reading' || stage === 'counting';

function draw({ stage, rows, of }: FileProgress, done: number | undefined, elapsedMs: number): string {
  const bar =
    done === undefined ? '' : `[${'#'.repeat(Math.round(done * BAR_CELLS)).padEnd(BAR_CELLS, '.')}] ${Math.floor(done * 100)} %  `;
  const pace = MOVING.has(stage) && elapsedMs >= REDRAW_MS ? `  ${formatCount(Math.round((rows / elapsedMs) * 1000))} rows/s` : '';
  return `${DOING[stage].padEnd(9)} ${bar}${formatCount(rows)}${of === undefined ? '' : ` of ${formatCount(of)}`} rows${pace}`;
}

/** 1234567 → 1,234,567. */
export function formatCount(rows: number): string {
  return rows.toLocaleString('en');
}
