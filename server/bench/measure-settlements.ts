import { setTimeout as delay } from 'node:timers/promises';
import type { Sizes } from './bench-data.ts';
import { describeSlice, updateSlice, type Slice } from './in-turn.ts';
import { loadCollected, makeDue, type Collected } from './load-collected.ts';
import { MANY, update } from './measure-updates.ts';
import { WARM_UP_SECONDS, type Bench, type Figure } from './measurement.ts';
import { ask } from './postgres.ts';
import { runCommand, verify } from './server.ts';

/** Orders are updated meanwhile. */
export const SETTLED: Sizes = { orders: 100_000, cashouts: 1_000, cashoutsOfOne: 100 };

/** 1,000,000 entries of `collected`, which are 4,000,000 of the ledger. */
const COLLECTED: Collected = { merchants: 1_000, payments: 1_000 };

const MOST_SECONDS = 60;
const LOOK_AGAIN_MS = 100;
const QUIET_SLICES = 3;
/** What one command approves at most. */
const APPROVED_AT_ONCE = 100;

type Settled = { readonly draftSeconds: number; readonly seconds: number };
type Round = { readonly settled: Settled; readonly quiet: readonly Slice[]; readonly busy: readonly Slice[] };

/**
 * N1 to N6: merchants fall due, the job of the server drafts their settlements, and commands approve them; alone, and while orders are
 * updated. Each round has merchants of its own. Slices without settlements are before it and after it.
 */
export async function measureSettlements(bench: Bench, rounds: number, isSmall: boolean): Promise<Figure[]> {
  const { database, say } = bench;
  const collected = { ...COLLECTED, merchants: isSmall ? COLLECTED.merchants / 10 : COLLECTED.merchants };
  say('settlements alone');
  await loadCollected(database, collected, 'alone', say);
  const alone = await settle(bench, collected, 'alone');
  say('warming up');
  await update({ ...bench, say: () => undefined }, MANY, 64, WARM_UP_SECONDS / 2);
  const all: Round[] = [];
  for (let number = 1; number <= rounds; number++) {
    const name = `round-${number}`;
    await loadCollected(database, collected, name, say);
    all.push(await measureRound(bench, collected, name));
  }
  verify(database);
  return toFigures(collected, alone, all);
}

async function measureRound(bench: Bench, collected: Collected, name: string): Promise<Round> {
  const { say } = bench;
  const quiet: Slice[] = [];
  const measureQuiet = async (): Promise<void> => {
    for (let slice = 0; slice < QUIET_SLICES; slice++) quiet.push(await updateSlice(bench));
    say(`without settlements: ${describeSlice(quiet.at(-1) as Slice)}`);
  };
  await measureQuiet();
  const busy: Slice[] = [];
  const over = new AbortController();
  const updating = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const slice = await updateSlice(bench);
      // One in which the last was approved is of neither side.
      if (!over.signal.aborted) busy.push(slice);
    }
  };
  let updates: Promise<void> | undefined;
  const settled = await settle(bench, collected, name, () => {
    updates = updating();
  }).finally(() => over.abort());
  await updates;
  say(`with settlements: ${describeSlice(busy.at(-1) as Slice)}`);
  await measureQuiet();
  return { settled, quiet, busy };
}

/** Lets the merchants of a round fall due, and approves what is drafted. Gives the time from when the first run began. */
async function settle(
  { database, say }: Bench,
  { merchants }: Collected,
  name: string,
  onBegun: () => void = () => undefined,
): Promise<Settled> {
  const { url } = database;
  const since = new Date();
  await makeDue(database, name);
  const begun = async (): Promise<Date | undefined> =>
    (await ask<{ at: Temporal.Instant | null }>(url, `select min(made_at) as at from settlements where made_at >= $1`, [since]))[0]
      ?.at as never;
  let begunAt: Date | undefined;
  while ((begunAt = (await begun()) ?? undefined) === undefined) await delay(LOOK_AGAIN_MS);
  onBegun();
  const seconds = (): number => (Date.now() - Number(new Date(String(begunAt)))) / 1_000;
  const drafts = (): Promise<{ id: string }[]> => ask(url, `select settlement_id::text as id from settlements where state = 'draft'`);
  let found: { id: string }[];
  while ((found = await drafts()).length < merchants) await delay(LOOK_AGAIN_MS);
  const draftSeconds = seconds();
  for (let first = 0; first < found.length; first += APPROVED_AT_ONCE)
    await runCommand(database, ['settlements', 'approve', ...found.slice(first, first + APPROVED_AT_ONCE).map(({ id }) => id)]);
  const settled = { draftSeconds, seconds: seconds() };
  say(`${merchants} drafts after ${settled.draftSeconds.toFixed(1)} s, approved after ${settled.seconds.toFixed(1)} s`);
  return settled;
}

function toFigures({ merchants, payments }: Collected, alone: Settled, rounds: readonly Round[]): Figure[] {
  const quiet = rounds.flatMap((round) => round.quiet);
  const busy = rounds.flatMap((round) => round.busy);
  const compared = (pick: (slice: Slice) => number) => ({
    ours: busy.map(pick),
    against: { what: 'without settlements', values: quiet.map(pick) },
  });
  const what = `${merchants.toLocaleString('en')} settlements of ${(merchants * payments).toLocaleString('en')} entries`;
  const target = { atMost: MOST_SECONDS };
  return [
    { name: 'N1', what: `${what}, drafted and approved`, unit: 's', ours: [alone.seconds], target },
    { name: 'N2', what: 'of these, until all are drafted', unit: 's', ours: [alone.draftSeconds] },
    { name: 'N3', what: 'N1 while orders are updated', unit: 's', ours: rounds.map(({ settled }) => settled.seconds) },
    {
      name: 'N4',
      what: 'updates meanwhile, 64 connections',
      unit: '/s',
      ...compared(({ perSecond }) => perSecond),
      target: { atLeast: 0.95 },
    },
    { name: 'N5', what: 'p99 of these', unit: 'ms', ...compared(({ p99Ms }) => p99Ms) },
    {
      name: 'N6',
      what: 'errors, lost or doubled writes',
      unit: '',
      ours: [[...quiet, ...busy].reduce((sum, { faults }) => sum + faults, 0)],
      target: { atMost: 0 },
    },
  ];
}
