import { DatabaseError } from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Acted, DoneAct } from './act.ts';
import type { Db, Tx } from '../db.ts';
import { refuse, type Refusal } from '../outcome.ts';
import { openEngine, type Change, type Hold } from './engine.ts';

type Command = { readonly merchantId: string; readonly add: number };
type Outcome = { readonly sum: number; readonly event?: { readonly changes?: Record<string, readonly [unknown, unknown]> } };

/** What happened in all transactions, in order. */
let log: string[];
/** The sum that is stored, and what load throws instead, one for each call. */
let stored: number;
let failures: Error[];
let hour: number;
let heldBy: (commands: readonly Command[], hold: Hold) => void;

const clock = { now: () => Temporal.Instant.from(`2026-11-21T${String(hour).padStart(2, '0')}:00:00Z`) };
const db: Db = {
  transaction: (work) => work({ wroteNothing: () => log.push('nothing written') } as unknown as Tx),
  query: () => Promise.reject(new Error('not asked')),
  readTogether: () => Promise.reject(new Error('not asked')),
  close: async () => undefined,
};

/** Adds to a sum: a negative number is refused, and zero changes nothing. */
const addition: Change<Command, { sum: number }, Outcome, Refusal<'negative'>> = {
  keysOf: ({ merchantId }) => [merchantId],
  ownerOf: ({ merchantId }) => merchantId,
  load: async (_tx, commands, hold) => {
    log.push(`load ${commands.map(({ add }) => add).join(' ')}`);
    hour = 12;
    await new Promise(setImmediate);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    heldBy(commands, hold);
    return { sum: stored };
  },
  decide: ({ sum }, { add }, { now, index }) => {
    log.push(`decide ${index} at ${now.toString()}`);
    if (add < 0) return refuse('negative');
    return add === 0 ? { sum } : { sum: sum + add, event: { changes: { sum: [sum, sum + add] } } };
  },
  note: (world, { outcome }) => {
    world.sum = outcome.sum;
  },
  save: (_tx, { sum }, changes) => {
    log.push(`save ${changes.map(({ command }) => command.add).join(' ')}`);
    stored = sum;
  },
};
const of = (add: number, merchantId = 'shop'): Command => ({ merchantId, add });

beforeEach(() => {
  log = [];
  stored = 0;
  failures = [];
  hour = 10;
  heldBy = () => undefined;
});

describe('a batched change', () => {
  test('is loaded, decided and saved once for all commands that come together', async () => {
    const add = openEngine({ db, clock }).batched(addition);
    expect(await Promise.all([of(1), of(2, 'other'), of(3)].map(add))).toMatchObject([{ sum: 1 }, { sum: 3 }, { sum: 6 }]);
    expect(log.filter((line) => !line.startsWith('decide'))).toEqual(['load 1 2 3', 'save 1 2 3']);
  });

  test('is decided as of the instant at which the locks were held', async () => {
    await openEngine({ db, clock }).batched(addition)(of(1));
    expect(log).toEqual(['load 1', 'decide 0 at 2026-11-21T12:00:00Z', 'save 1']);
  });

  test('tries a command again whose row another transaction holds, and carries out the others meanwhile', async () => {
    let tries = 0;
    heldBy = (commands, hold) =>
      commands.forEach(({ merchantId }, index) => merchantId === 'held' && ++tries < 4 && hold(index, merchantId));
    const add = openEngine({ db, clock }).batched(addition);
    expect(await Promise.all([of(1), of(2, 'held'), of(3)].map(add))).toMatchObject([{ sum: 1 }, { sum: 6 }, { sum: 4 }]);
    expect(log.filter((line) => /^(load|save|nothing)/.test(line))).toEqual([
      'load 1 2 3',
      'save 1 3',
      'load 2',
      'nothing written',
      'load 2',
      'nothing written',
      'load 2',
      'save 2',
    ]);
  });

  test('saves neither refusals nor outcomes without an event', async () => {
    const add = openEngine({ db, clock }).batched(addition);
    expect(await Promise.all([of(-1), of(0), of(5)].map(add))).toMatchObject([{ refusal: 'negative' }, { sum: 0 }, { sum: 5 }]);
    expect(log.at(-1)).toBe('save 5');
    log = [];
    await Promise.all([of(-1), of(0)].map(add));
    expect(log.filter((line) => line.startsWith('save'))).toEqual([]);
  });

  test('records the acts of the commands that carry one and are done, with what changed, and nothing for the others', async () => {
    const recorded: (readonly DoneAct[])[] = [];
    const add = openEngine({ db, clock, recordActs: (_tx, acts) => void recorded.push(acts) }).batched(addition);
    const act = { actor: { kind: 'user', id: '7', name: 'ana' }, source: '192.0.2.7', requestId: 'r', operation: 'add' } as const;
    const acted = (add: number): Command & Acted => ({ ...of(add), act: { ...act, merchantId: 'shop', target: `sum ${add}` } });
    heldBy = ([one], hold) => stored === 0 && one?.add === 4 && hold(0, 'shop');
    await Promise.all([acted(4), of(1), acted(-2), acted(0), acted(3)].map(add));
    expect(recorded.map((acts) => acts.map(({ target, outcome, details }) => [target, outcome, details?.changes]))).toEqual([
      [
        ['sum 0', 'done', undefined],
        ['sum 3', 'done', { sum: [1, 4] }],
      ],
      [['sum 4', 'done', { sum: [4, 8] }]],
    ]);
    await Promise.all([of(1), of(-1)].map(add));
    expect(recorded).toHaveLength(2);
  });

  test('can be wrapped: only the commands that the wrapper lets through are carried out', async () => {
    const add = openEngine({ db, clock }).batched(addition, {
      around: async (_tx, commands, run) => {
        const outcomes = [...(await run(commands.filter(({ add }) => add !== 2)))];
        return commands.map((command) => (command.add === 2 ? 'known' : outcomes.shift()));
      },
    });
    expect(await Promise.all([of(1), of(2), of(3)].map(add))).toMatchObject([{ sum: 1 }, 'known', { sum: 4 }]);
    expect(log[0]).toBe('load 1 3');
  });

  test('records refusals where the operation does so', async () => {
    const change = {
      ...addition,
      saveRefused: (_tx: Tx, refusals: readonly { readonly command: Command }[]) => void log.push(`refused ${refusals.length}`),
    };
    await openEngine({ db, clock }).batched(change)(of(-1));
    expect(log.at(-1)).toBe('refused 1');
  });
});

describe('a change that runs alone', () => {
  test('has a transaction for each command, four of them at the same time', async () => {
    const add = openEngine({ db, clock }).alone(addition);
    await Promise.all([1, 2, 3, 4, 5].map((one) => add(of(one, `shop ${one}`))));
    expect(log.slice(0, 4)).toEqual(['load 1', 'load 2', 'load 3', 'load 4']);
    expect(log.indexOf('load 5')).toBeGreaterThan(4);
  });

  test('is tried again while another transaction holds its row', async () => {
    let tries = 0;
    heldBy = (_commands, hold) => void (++tries < 3 && hold(0, 'shop'));
    expect(await openEngine({ db, clock }).alone(addition)(of(1))).toMatchObject({ sum: 1 });
    expect(log.filter((line) => line.startsWith('load'))).toHaveLength(3);
  });

  test('runs again when it lost a race', async () => {
    failures = [Object.assign(new DatabaseError('lost', 0, 'error'), { code: '40P01' })];
    expect(await openEngine({ db, clock }).alone(addition)(of(1))).toMatchObject({ sum: 1 });
    expect(log.filter((line) => line.startsWith('load'))).toEqual(['load 1', 'load 1']);
  });
});

test('requests are counted from their arrival to their answer, and each batch is heard of once', async () => {
  const heard: number[] = [];
  const watched = openEngine({ db, clock, onBatch: (requests) => void heard.push(requests) });
  const add = watched.batched(addition);
  const sums = Promise.all([add(of(1)), add(of(2))]);
  expect(watched.load()).toEqual({ waiting: 2, written: 0 });
  while (log.length === 0) await new Promise(setImmediate);
  expect(watched.load()).toEqual({ waiting: 0, written: 2 });
  await sums;
  await new Promise(setImmediate);
  expect([watched.load(), heard]).toEqual([{ waiting: 0, written: 0 }, [2]]);
});
