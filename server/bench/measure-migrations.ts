import { randomInt } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { migrate, type AppliedMigration } from '../src/kit/migrate.ts';
import { MIGRATIONS } from '../src/main/migrations.ts';
import type { BenchDatabase, Sizes } from './bench-data.ts';
import { importCheckout } from './compare.ts';
import { connect } from './load/connection.ts';
import { newRun, type Figure } from './measurement.ts';
import { dropBenchDatabase } from './setup.ts';
import { requestMaker } from './requests.ts';
import { checkWrites, type WriteFaults } from './written.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CONNECTIONS = 16;
/** Of so many requests one makes an order. The others change one. */
const CREATED = 5;
const MOST_PAUSE_MS = 1_000;
/** A refused request is sent again so much later. */
const AGAIN_MS = 10;

/** A request from the first time that it was sent until it was done. */
type Wait = { readonly from: number; readonly until: number };
type Migrated = AppliedMigration & { readonly pauseMs: number };
type UnderLoad = WriteFaults & {
  readonly beforeMs: number;
  readonly applied: readonly Migrated[];
  readonly answered: number;
  /** The first refusal. */
  readonly complaint: string | undefined;
};

/**
 * Migrates a database while a server of the earlier release changes and makes orders on it.
 * Shape: → the longest that a request took before, and during each migration; refused ones are sent again, and their time counts.
 * A wait belongs to the migration in which its middle is, the last one's after it.
 */
export async function migrateUnderLoad(
  database: BenchDatabase,
  origin: string,
  directory: string,
  seconds: number,
  say: (line: string) => void,
): Promise<UnderLoad> {
  const run = newRun();
  const load = await startLoad(database, origin, run);
  await delay(seconds * 1_000);
  const ends: { readonly at: number; readonly applied: AppliedMigration }[] = [];
  const startedAt = performance.now();
  try {
    await migrate(database.url, directory, undefined, {
      onApplied: (applied) => {
        ends.push({ at: performance.now(), applied });
        say(`${applied.version} ${applied.title}: ${(applied.milliseconds / 1_000).toFixed(1)} s`);
      },
    });
    await delay(seconds * 1_000);
  } finally {
    await load.stop();
  }
  const longest = (from: number, until: number): number =>
    load.waits.reduce((most, wait) => {
      const middle = (wait.from + wait.until) / 2;
      return middle >= from && middle < until ? Math.max(most, wait.until - wait.from) : most;
    }, 0);
  const applied = ends.map(({ applied: one }, index) => ({
    ...one,
    pauseMs: longest(ends[index - 1]?.at ?? startedAt, index === ends.length - 1 ? Infinity : (ends[index]?.at ?? 0)),
  }));
  const { answered, complaint } = load.seen();
  return { ...(await checkWrites(database.url, run, answered)), answered, complaint, beforeMs: longest(0, startedAt), applied };
}

async function startLoad(database: BenchDatabase, origin: string, run: string) {
  const make = requestMaker(database, run);
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(origin)));
  const waits: Wait[] = [];
  let number = 0;
  let answered = 0;
  let first: string | undefined;
  const over = new AbortController();
  const loops = connections.map(async (connection) => {
    while (!over.signal.aborted) {
      const creates = number % CREATED === 0;
      const from = performance.now();
      for (;;) {
        number++;
        const request = creates ? make.createOrder(number) : make.updateOrder(number, 1 + randomInt(database.sizes.orders));
        const complaint = await new Promise<string | undefined>((resolve) => connection.send(request, resolve));
        if (complaint === undefined) answered++;
        else first ??= complaint;
        if (complaint === undefined || over.signal.aborted) break;
        await delay(AGAIN_MS);
      }
      waits.push({ from, until: performance.now() });
    }
    connection.close();
  });
  return {
    waits,
    seen: () => ({ answered, complaint: first }),
    stop: async () => {
      over.abort();
      await Promise.all(loops);
    },
  };
}

type Measuring = {
  /** The server of the database, and the name of the one to make there. */
  readonly url: string;
  readonly name: string;
  readonly sizes: Sizes;
  /** The first migration that the earlier release lacks. */
  readonly from: number;
  readonly seconds: number;
  readonly say: (line: string) => void;
};

/**
 * One figure for each migration: the longest that a request waits while it runs.
 * Effects: the code of the earlier release loads the data and serves it.
 */
export async function measureMigrations({ url, name, sizes, from, seconds, say }: Measuring): Promise<Figure[]> {
  const earlier = takeEarlierRelease(from);
  try {
    const { openBenchDatabase, startServer } = await importCheckout(earlier);
    await dropBenchDatabase(url, name);
    const database = await openBenchDatabase(url, name, sizes, say);
    const server = await startServer(database);
    let measured: UnderLoad;
    try {
      measured = await migrateUnderLoad(database, server.origin, MIGRATIONS, seconds, say);
    } finally {
      await server.stop();
    }
    const { beforeMs, applied, lost, doubled, answered, complaint } = measured;
    say(`${answered} requests were answered; the first refusal: ${complaint ?? 'none'}`);
    return [
      { name: 'U', what: 'longest wait before', unit: 'ms', ours: [beforeMs] },
      ...applied.map(figureOf),
      { name: 'U', what: 'lost or doubled writes', unit: '', ours: [lost + doubled], target: { atMost: 0 } },
    ];
  } finally {
    rmSync(earlier, { recursive: true });
  }
}

const figureOf = ({ version, title, milliseconds, blocked, pauseMs }: Migrated): Figure => ({
  name: `U${version}`,
  what: `${title}, ${(milliseconds / 1_000).toFixed(1)} s${blocked.length === 0 ? '' : `; writes wait for ${blocked.join(', ')}`}`,
  unit: 'ms',
  ours: [pauseMs],
  target: { atMost: MOST_PAUSE_MS },
});

/** The first migration that the release before this one lacks, as the newest one names that release. Else the newest one. */
export function firstNewMigration(): number {
  const newest = readdirSync(MIGRATIONS).toSorted().at(-1) as string;
  const [, release] = /^-- Releases from (\d{4}) on work with it\.$/m.exec(readFileSync(join(MIGRATIONS, newest), 'utf8')) ?? [];
  return release === undefined ? Number(newest.slice(0, 4)) : Number(release) + 1;
}

/** The files of before a migration, as git has them, with the packages of this checkout. */
function takeEarlierRelease(migration: number): string {
  if (migration === 1) throw new Error('There is one migration: no earlier release serves while it runs.');
  const git = (...words: string[]): Buffer => execFileSync('git', words, { cwd: ROOT, maxBuffer: 2 ** 30 });
  const path = `server/migrations/${String(migration).padStart(4, '0')}-*.sql`;
  const commit = git('log', '--diff-filter=A', '--format=%H', '-1', '--', path).toString().trim();
  if (commit === '') throw new Error(`git has no commit that added ${path}`);
  const directory = mkdtempSync(join(tmpdir(), 'caudal-bench-earlier-'));
  execFileSync('tar', ['-x', '-C', directory], { input: git('archive', `${commit}^`) });
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  return directory;
}
