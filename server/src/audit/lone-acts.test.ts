import { expect, test } from 'vitest';
import type { DoneAct } from '../kit/changes/act.ts';
import type { Db, Statement, Value } from '../kit/db.ts';
import { testClock } from '../testing/test-caudal.ts';
import { openLoneActs } from './lone-acts.ts';

type Recorded = { readonly operation: string; readonly source: string; given: unknown };

/** Lone acts over a database that keeps what it gets, and fails while `isAway`. */
function opened() {
  const clock = testClock();
  const recorded: Recorded[] = [];
  const detailed = new Map<string, Recorded>();
  const state = { isAway: false };
  const db = {
    transaction: async (work: (tx: { send(asked: Statement, values: readonly Value[]): void }) => Promise<unknown>) => {
      if (state.isAway) throw new Error('away');
      return work({
        send: ({ name }, values) => {
          if (name === 'audit.record_acts') {
            const [sources, operations, hashes] = [values[4], values[6], values[10]] as [string[], string[], (Buffer | null)[]];
            for (const [place, operation] of operations.entries()) {
              const act: Recorded = { operation, source: sources[place] as string, given: undefined };
              recorded.push(act);
              detailed.set(`${hashes[place]?.toString('hex')}`, act);
            }
            return;
          }
          const [hashes, contents] = [values[1], values[3]] as [Buffer[], string[]];
          for (const [place, hash] of hashes.entries())
            (detailed.get(hash.toString('hex')) as Recorded).given = (JSON.parse(`${contents[place]}`) as { given?: unknown }).given;
        },
      });
    },
  } as unknown as Db;
  return { clock, recorded, state, ...openLoneActs(db, clock) };
}

const stranger = (source: string): DoneAct => ({
  actor: { kind: 'nobody', id: '', name: 'nobody' },
  source,
  requestId: 'r',
  operation: 'signIn',
  merchantId: null,
  target: null,
  at: testClock().now(),
  outcome: 'refused:sign_in_refused',
});

test('strangers have 50 acts of one network and 300 in all; later one act counts the others', async () => {
  const { clock, recorded, record, job } = opened();
  await job.step();
  for (let sent = 0; sent < 70; sent++) await record(stranger('203.0.113.7'));
  expect(recorded.length).toBe(50);
  for (let sent = 0; sent < 10_000; sent++) await record(stranger(`2001:db8:${(sent % 5_000).toString(16)}::1`));
  expect(recorded.length).toBe(280);
  clock.advance({ minutes: 1 });
  await job.step();
  expect(recorded.slice(280)).toEqual([
    { operation: 'moreActs', source: 'several', given: { times: 9790, acts: { 'signIn refused:sign_in_refused': 9790 } } },
  ]);
  clock.advance({ minutes: 10 });
  await job.step();
  await record(stranger('203.0.113.7'));
  expect(recorded.length).toBe(282);
});

test('what is counted is kept while the database is away, and written at the end', async () => {
  const { clock, recorded, state, record, job, close } = opened();
  for (let sent = 0; sent < 60; sent++) await record(stranger('203.0.113.7'));
  state.isAway = true;
  clock.advance({ minutes: 1 });
  await expect(job.step()).rejects.toThrow('away');
  state.isAway = false;
  await close();
  expect(recorded.slice(50)).toEqual([
    { operation: 'moreActs', source: '203.0.113.7', given: { times: 10, acts: { 'signIn refused:sign_in_refused': 10 } } },
  ]);
});
