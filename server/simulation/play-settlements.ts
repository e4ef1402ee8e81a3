import type { Play } from './cell.ts';
import { scheduleOf } from './settlement-terms.ts';
import { CONSOLE, drawActor } from './draw-actor.ts';
import type { By } from './model/actors.ts';
import {
  approvalEntries,
  ownEntries,
  type ModelSettlement,
  type SettlementCell,
  type SettlementCommand,
} from './model/settlement-state.ts';
import {
  dayFrom,
  freeAt,
  lookedToAt,
  OF_CELLS,
  settlementRules,
  stopOfSettlement,
  type SettlementWorld,
} from './model/settlement-model.ts';
import { merchantOf } from './model/model.ts';
import type { Random } from './random.ts';
import { sendSettlement } from './send-settlements.ts';
import type { Callers } from './send-commands.ts';

/** No settlement has this number. */
const NOBODYS_ID = '999999999';
/** Commands change only these, the newest: a list shows no more than a page. */
const YOUNG = 12;
/** The share of commands about any settlement, which may not be in the state for it. */
const ANY = 0.2;

/** The share of commands of the token that may do everything, so that races are decided by money and states. */
const MOSTLY = 0.7;

type Parts = {
  readonly world: SettlementWorld;
  /** What `collected` holds. */
  readonly collectedMinor: () => bigint;
  /** Numbers holds and moves. */
  readonly count: () => number;
};

type Unsent = SettlementCommand extends infer One ? (One extends SettlementCommand ? Omit<One, 'by'> : never) : never;
type StepDo = Extract<SettlementCommand, { readonly settlement: string }>['do'];

/** What mostly comes next, with what may race with it. */
const NEXT: Readonly<Record<ModelSettlement['state'], readonly (readonly [weight: number, StepDo])[]>> = {
  draft: [
    [6, 'approve settlement'],
    [3, 'cancel settlement'],
    [0.3, 'send settlement'],
  ],
  approved: [
    [5, 'send settlement'],
    [0.5, 'return settlement'],
    [0.5, 'cancel settlement'],
    [0.5, 'approve settlement'],
  ],
  sent: [
    [4, 'pay settlement'],
    [3, 'return settlement'],
    [0.5, 'send settlement'],
  ],
  paid: [
    [1.5, 'return settlement'],
    [1, 'pay settlement'],
  ],
  returned: [
    [1, 'pay settlement'],
    [1, 'return settlement'],
  ],
  cancelled: [
    [1, 'approve settlement'],
    [1, 'cancel settlement'],
  ],
};

function stepping({ world: { pair } }: Parts, random: Random, { settlements }: SettlementCell): Unsent {
  const young = settlements.slice(-YOUNG).filter(({ id }) => id !== null);
  const open = young.filter(({ state }) => state !== 'returned' && state !== 'cancelled' && state !== 'paid');
  const any = young.length === 0 || random.chance(0.05) ? undefined : random.pick(young);
  const one = random.chance(ANY) ? any : (open.at(-1) ?? any);
  const next = random.chance(ANY) ? random.pick(['draft', 'approved', 'sent'] as const) : (one?.state ?? 'draft');
  const what = random.weighted(NEXT[next]);
  const settlement = one?.id ?? NOBODYS_ID;
  if (what !== 'pay settlement') return { do: what, ...pair, settlement };
  return { do: what, ...pair, settlement, bankReference: random.chance(0.9) ? `B-${settlement}` : `C-${settlement}` };
}

function propose(
  parts: Parts,
  random: Random,
  cell: SettlementCell,
  now: number,
  again: readonly SettlementCommand[],
): SettlementCommand | Unsent {
  const { world, collectedMinor, count } = parts;
  const { pair, merchants } = world;
  const { timeZone } = merchantOf(merchants, pair.merchantId);
  // Without a key a hold is placed once more, under the same reason.
  const repeatable = again.filter((one) => one.do !== 'place hold' || one.key !== undefined);
  if (repeatable.length > 0 && random.chance(0.1)) return random.pick(repeatable);
  const has = collectedMinor();
  const some = (): bigint => {
    const part = has > 0n && random.chance(0.8) ? random.pick([1n, has / 7n, has / 2n + 1n, has]) : BigInt(1 + random.below(2_000_000));
    return part > 0n ? part : 1n;
  };
  const isHeld = cell.holds.filter(({ id, releasedAt }) => id !== null && releasedAt === null);
  const run = (): Unsent => {
    // What is taken until today leaves the schedule nothing.
    const isDaily = scheduleOf(pair).period === 'daily';
    const days = random.weighted([
      [isDaily ? 0.5 : 5, 0],
      [isDaily ? 0.5 : 2, undefined],
      [isDaily ? 7 : 1, -2],
      [0.5, 1],
    ]);
    return { do: 'run settlement', ...pair, until: days === undefined ? undefined : dayFrom(now, timeZone, days) };
  };
  const place = (): Unsent => {
    const number = count();
    const days = random.chance(0.5) ? undefined : 1 + random.below(9);
    return {
      do: 'place hold',
      ...pair,
      amountMinor: some(),
      reason: `Hold ${number}`,
      releaseOn: days === undefined ? undefined : dayFrom(now, timeZone, days),
      key: random.chance(0.5) ? `hold-${number}` : undefined,
    };
  };
  const release = (): Unsent => ({
    do: 'release hold',
    ...pair,
    hold: isHeld.length === 0 ? (cell.holds.find(({ id }) => id !== null)?.id ?? NOBODYS_ID) : (random.pick(isHeld).id ?? NOBODYS_ID),
  });
  const move = (): Unsent => ({ do: 'move to fund', ...pair, amountMinor: some(), reference: `${OF_CELLS}${count()}` });
  const hasOpen = cell.settlements.slice(-YOUNG).some(({ state }) => state === 'draft' || state === 'approved' || state === 'sent');
  const hasFree = freeAt(world, cell, now).reduce((sum, { amountMinor }) => sum + amountMinor, 0n) > 0n;
  return random.weighted<() => Unsent>([
    [hasFree ? (hasOpen ? 3 : 6) : 0.5, run],
    [hasOpen ? 6 : 0.8, () => stepping(parts, random, cell)],
    [0.7, place],
    [isHeld.length === 0 ? 0.1 : 1, release],
    [0.8, move],
  ])();
}

/** All settlements, holds and moves to the fund of a merchant in a currency. */
export function playSettlements(callers: Callers, parts: Parts, startedAt: number): Play<SettlementCell, SettlementCommand> {
  const { world } = parts;
  const { pair, merchants, actors } = world;
  const { timeZone } = merchantOf(merchants, pair.merchantId);
  return {
    rules: settlementRules(world),
    start: { settlements: [], holds: [], moves: [], lookedTo: lookedToAt(startedAt, timeZone), kept: {}, notices: [], acts: {} },
    keys: ['drafts', 'holds'],
    subjects: [],
    propose: (random, ...situation) => {
      const drawn = propose(parts, random, ...situation);
      if ('by' in drawn) return drawn;
      if (random.chance(MOSTLY)) return { ...drawn, by: CONSOLE };
      const by = drawActor(actors, random, (actor, one: By) => stopOfSettlement(actors, { ...drawn, by: one }, actor.provedAt));
      return { ...drawn, by };
    },
    reads: (at) => [
      { do: 'list settlements', ...pair, by: CONSOLE },
      { do: 'list holds', ...pair, by: CONSOLE },
      { do: 'list moves to fund', ...pair, by: CONSOLE, at },
    ],
    readsOfRace: [],
    isHidden: () => false,
    send: (server, command) => sendSettlement(callers, server, command),
    rows: ({ settlements }) =>
      settlements.map(({ id, state, netMinor, entries }) => ({
        list: 'settlements',
        merchantId: pair.merchantId,
        id: String(id),
        state,
        version: entries.length,
        currency: pair.currency,
        amountMinor: netMinor,
        counted: [],
      })),
    collected: (cell) => [...ownEntries(pair, cell), ...approvalEntries(pair, cell)],
  };
}
