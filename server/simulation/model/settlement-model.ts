import { formatAllDecimals } from '../../src/kit/money.ts';
import { doneAct, refusedAct, type ModelAct } from './acts.ts';
import { actorOf, inActs, problemAnswer, stopOf, type Actors, type Demand } from './actors.ts';
import type { CollectedEntry, Pair } from './collected.ts';
import { day, endOf, instantText, keyed, merchantOf, once, sumUp, today, type Answer } from './model.ts';
import type { Merchants, Outcome, Rules, Seen } from './model.ts';
import { dueAt, lastDayOf, lastDueDay, nextDueDay, startOf, type Holidays, type ModelSchedule } from './settlement-days.ts';
import { linesOf, type ModelRule } from './settlement-lines.ts';
import {
  moneyOfSettlements,
  ownEntries,
  type ModelHold,
  type ModelSettlement,
  type SettlementCell,
  type SettlementCommand,
} from './settlement-state.ts';

/** What a cell of settlements goes by. */
export type SettlementWorld = {
  readonly pair: Pair;
  readonly merchants: Merchants;
  readonly actors: Actors;
  readonly schedule: ModelSchedule;
  readonly holidays: Holidays;
  /** Of the currency: general ones, and the merchant's own. */
  readonly rules: readonly ModelRule[];
  /** What others than the cell have posted on `collected` of the merchant, up to this round. */
  readonly collected: () => readonly CollectedEntry[];
};

const OPERATIONS: Readonly<Record<SettlementCommand['do'], string>> = {
  'run settlement': 'runSettlement',
  'approve settlement': 'approveSettlements',
  'cancel settlement': 'cancelSettlement',
  'send settlement': 'sendSettlement',
  'pay settlement': 'paySettlement',
  'return settlement': 'returnSettlement',
  'place hold': 'placeHold',
  'release hold': 'releaseHold',
  'move to fund': 'moveToFund',
  'list settlements': 'listSettlements',
  'list holds': 'listHolds',
  'list moves to fund': 'listEntries',
};

export const SETTLEMENT_REASON = 'Simulated';
/** References of moves begin so. */
export const OF_CELLS = 'settling-';
/** The list shows so many, the newest. */
export const LISTED = 100;

/** Why an actor is stopped before anything is looked at. */
export const stopOfSettlement = (actors: Actors, { by, do: what, merchantId }: SettlementCommand, now: number) => {
  const demand: Demand = what.startsWith('list')
    ? { permission: 'ledger:read', merchantId }
    : what === 'move to fund'
      ? { permission: 'funds:write', merchantId, isSensitive: true }
      : { permission: 'settlements:write', merchantId, isOfService: true, isSensitive: true };
  return stopOf(actorOf(actors, by), demand, now);
};

type Result = { readonly state: SettlementCell; readonly answer: Answer; readonly act?: ModelAct | undefined };

/** The rules of settlements and holds. Source: server/src/settlements/README.md, decisions 0078 and 0079. */
export function settlementRules(world: SettlementWorld): Rules<SettlementCell, SettlementCommand> {
  const { pair, merchants, actors, schedule, holidays } = world;
  const { timeZone } = merchantOf(merchants, pair.merchantId);

  function apply(cell: SettlementCell, command: SettlementCommand, now: number, seen: Seen): readonly Outcome<SettlementCell>[] {
    const stop = stopOfSettlement(actors, command, now);
    if (stop !== undefined) return [{ state: cell, answer: problemAnswer(stop) }];
    const decide = (): readonly Outcome<SettlementCell>[] => carryOut(world, cell, command, now, seen).map((one) => withAct(command, one));
    if (command.do !== 'place hold') return decide();
    const { key, by, ...body } = command;
    return once(cell, keyed(by.name, key, body), decide, (state) => learnHold(state, command.reason, seen));
  }

  return {
    apply,
    due: (cell, now) => [
      ...(lastDueDay(schedule, holidays, { after: cell.lookedTo, now, timeZone }) === undefined ? [] : ['drafts']),
      ...(cell.holds.some((one) => isDueHold(one, today(now, timeZone).toString())) ? ['holds'] : []),
    ],
    sweep: (cell, key, now) => (key === 'drafts' ? draftDue(world, cell, now) : releaseDue(cell, now, timeZone)),
    nextDue: ({ lookedTo, holds }) => {
      const due = nextDueDay(schedule, holidays, lookedTo);
      const releases = holds.flatMap(({ releaseOn, releasedAt }) =>
        releaseOn === null || releasedAt !== null ? [] : [startOf(releaseOn, timeZone)],
      );
      return Math.min(due === undefined ? Infinity : dueAt(due, timeZone), ...releases);
    },
    money: (cell) =>
      sumUp(moneyOfSettlements(pair, cell).map(([account, minor]) => [`${pair.merchantId} ${account} ${pair.currency}`, minor] as const)),
  };
}

const withAct = ({ by }: SettlementCommand, { state, answer, act }: Result): Outcome<SettlementCell> => ({
  answer,
  state: act === undefined ? state : { ...state, acts: { ...state.acts, [by.request]: act } },
});

const moneyText = (minor: bigint, currency: string) => ({ amount: formatAllDecimals(minor, currency), currency });

function carryOut(world: SettlementWorld, cell: SettlementCell, command: SettlementCommand, now: number, seen: Seen): readonly Result[] {
  switch (command.do) {
    case 'run settlement':
      return [run(world, cell, command, now, seen)];
    case 'place hold':
      return placeHold(world, cell, command, now, seen);
    case 'release hold':
      return [releaseHold(world, cell, command, now)];
    case 'move to fund':
      return move(world, cell, command, now);
    case 'list settlements':
      return listed(world, cell, seen);
    case 'list holds':
      return [listedHolds(cell, seen)];
    case 'list moves to fund':
      return [listedMoves(cell, command.at, seen)];
    default:
      return step(world, cell, command, now);
  }
}

const actorIn = ({ actors }: SettlementWorld, { by }: SettlementCommand): string => inActs(actorOf(actors, by));

function refuse(world: SettlementWorld, cell: SettlementCell, command: SettlementCommand, name: string, target: string): Result {
  const { merchantId } = command;
  const act = refusedAct(actorIn(world, command), { operation: OPERATIONS[command.do], merchantId, target }, name);
  return { state: cell, answer: { code: name }, act };
}

const refuseUnknown = (world: SettlementWorld, state: SettlementCell, command: SettlementCommand): Result => ({
  state,
  answer: { code: 'not_found' },
  act: refusedAct(actorIn(world, command), { operation: OPERATIONS[command.do], merchantId: null, target: null }, 'not_found'),
});

/** What was posted before an instant and is in no settlement. */
export function freeAt({ pair, collected }: SettlementWorld, cell: SettlementCell, before: number): readonly CollectedEntry[] {
  const taken = new Set(cell.settlements.flatMap(({ state, entries }) => (state === 'cancelled' ? [] : entries)));
  return [...collected(), ...ownEntries(pair, cell)].filter(({ key, at }) => at < before && !taken.has(key));
}

/** What is free and was posted before an instant becomes a draft. A text: why not. */
function draftOf(
  world: SettlementWorld,
  cell: SettlementCell,
  { cutoffAt, dueOn }: { readonly cutoffAt: number; readonly dueOn: string | null },
  now: number,
): ModelSettlement | 'nothing_to_settle' | 'deductions_too_large' {
  const { pair, merchants, schedule, rules } = world;
  const { timeZone } = merchantOf(merchants, pair.merchantId);
  const settledOn = today(now, timeZone).toString();
  const entries = freeAt(world, cell, cutoffAt);
  const grossMinor = entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  if (grossMinor <= 0n) return 'nothing_to_settle';
  const lines = linesOf(rules, schedule, { entries, settledOn, timeZone });
  const netMinor = lines.reduce((left, { amountMinor, taxMinor }) => left - amountMinor - taxMinor, grossMinor);
  if (netMinor <= 0n) return 'deductions_too_large';
  return {
    id: null,
    state: 'draft',
    entries: entries.map(({ key }) => key).toSorted(),
    grossMinor,
    netMinor,
    lines,
    settledOn,
    dueOn,
    cutoffAt,
    madeAt: now,
    approvedAt: null,
    sentAt: null,
    paidAt: null,
    bankReference: null,
    returnedAt: null,
    cancelledAt: null,
  };
}

type Run = SettlementCommand & { readonly do: 'run settlement' };

function run(world: SettlementWorld, cell: SettlementCell, command: Run, now: number, seen: Seen): Result {
  const { merchantId, currency, until } = command;
  const { timeZone } = merchantOf(world.merchants, merchantId);
  const target = `merchant ${merchantId}`;
  const day0 = today(now, timeZone);
  const last = until ?? day0.subtract({ days: 1 }).toString();
  if (last > day0.toString()) return refuse(world, cell, command, 'day_to_come', target);
  const made = draftOf(world, cell, { cutoffAt: Math.min(endOf(last, timeZone), now), dueOn: null }, now);
  if (typeof made === 'string') return refuse(world, cell, command, made, target);
  const settlement = { ...made, id: seen?.['settlement'] ?? null };
  const given = { currency, ...(until === undefined ? {} : { until }) };
  const lines = settlement.lines.flatMap((line, index) => [
    [`lines.${index}.kind`, line.kind],
    [`lines.${index}.name`, line.name],
    [`lines.${index}.base`, line.base],
    [`lines.${index}.of.amount`, formatAllDecimals(line.baseMinor, currency)],
    [`lines.${index}.amount.amount`, formatAllDecimals(line.amountMinor, currency)],
    [`lines.${index}.tax.amount`, formatAllDecimals(line.taxMinor, currency)],
    [`lines.${index}.releaseOn`, String(line.releaseOn)],
  ]);
  return {
    state: { ...cell, settlements: [...cell.settlements, settlement] },
    answer: {
      code: '0000',
      ...shown(world.pair, settlement),
      ...Object.fromEntries(lines),
      [`lines.${settlement.lines.length}.kind`]: ABSENT,
    },
    act: doneAct(actorIn(world, command), { operation: 'runSettlement', merchantId, target, given }, {}, {}),
  };
}

/** No such member is seen. */
const ABSENT = undefined as never;
const timeText = (at: number | null): string => (at === null ? 'null' : instantText(at));

const shown = ({ merchantId, currency }: Pair, one: ModelSettlement): Answer => ({
  merchant: merchantId,
  ...(one.id === null ? {} : { settlement: one.id }),
  state: one.state,
  entries: String(one.entries.length),
  'gross.amount': formatAllDecimals(one.grossMinor, currency),
  'gross.currency': currency,
  'net.amount': formatAllDecimals(one.netMinor, currency),
  settledOn: one.settledOn,
  dueOn: String(one.dueOn),
  cutoffAt: instantText(one.cutoffAt),
  madeAt: instantText(one.madeAt),
  approvedAt: timeText(one.approvedAt),
  sentAt: timeText(one.sentAt),
  file: 'null',
  paidAt: timeText(one.paidAt),
  bankReference: String(one.bankReference),
  returnedAt: timeText(one.returnedAt),
  problem: one.returnedAt === null ? 'null' : SETTLEMENT_REASON,
  cancelledAt: timeText(one.cancelledAt),
});

type StepCommand = SettlementCommand & {
  readonly do: 'approve settlement' | 'cancel settlement' | 'send settlement' | 'pay settlement' | 'return settlement';
};

/** What a step makes of a settlement: a new one, the same one, or the name of a refusal. */
function decideStep(one: ModelSettlement, command: StepCommand, now: number): ModelSettlement | string {
  const { state } = one;
  const hasEnded = state === 'cancelled' || state === 'returned';
  switch (command.do) {
    case 'approve settlement':
      if (one.approvedAt !== null) return one;
      return hasEnded ? 'settlement_ended' : { ...one, state: 'approved', approvedAt: now };
    case 'cancel settlement':
      if (one.cancelledAt !== null) return one;
      if (hasEnded) return 'settlement_ended';
      return state === 'draft' ? { ...one, state: 'cancelled', cancelledAt: now } : 'settlement_approved';
    case 'send settlement':
      if (one.sentAt !== null) return one;
      if (hasEnded) return 'settlement_ended';
      return state === 'approved' ? { ...one, state: 'sent', sentAt: now } : 'settlement_not_approved';
    case 'pay settlement':
      if (one.paidAt !== null) return one.bankReference === command.bankReference ? one : 'settlement_paid_otherwise';
      if (hasEnded) return 'settlement_ended';
      return state === 'sent' ? { ...one, state: 'paid', paidAt: now, bankReference: command.bankReference } : 'settlement_not_sent';
    case 'return settlement':
      if (one.returnedAt !== null) return one;
      if (hasEnded) return 'settlement_ended';
      return state === 'draft' ? 'settlement_not_approved' : { ...one, state: 'returned', returnedAt: now };
  }
}

function step(world: SettlementWorld, cell: SettlementCell, command: StepCommand, now: number): readonly Result[] {
  const { pair, merchants } = world;
  const { merchantId, do: what, settlement: id } = command;
  const target = `settlement ${id}`;
  const isApproval = what === 'approve settlement';
  const place = cell.settlements.findIndex((one) => one.id === id);
  const before = cell.settlements[place];
  const no = (name: string): Result => refuse(world, cell, command, name, target);
  // The request for an approval names no merchant.
  if (before === undefined) return [isApproval ? refuseUnknown(world, cell, command) : no('not_found')];
  const after = decideStep(before, command, now);
  if (typeof after === 'string') return [no(after)];
  const { isFrozen, isDisabled } = merchantOf(merchants, merchantId);
  if (isApproval && after !== before && (isFrozen || isDisabled)) return [no('merchant_frozen')];
  const results = isApproval
    ? { 'results.0.settlement': id, 'results.0.merchant': merchantId, 'results.0.state': after.state }
    : shown(pair, after);
  const isRepeated = { [isApproval ? 'results.0.isRepeated' : 'isRepeated']: String(after === before) };
  const answer: Answer = { code: '0000', ...results, ...isRepeated };
  if (after === before) return [{ state: cell, answer }];
  const reason = what === 'cancel settlement' || what === 'return settlement' ? { reason: SETTLEMENT_REASON } : {};
  const act = doneAct(
    actorIn(world, command),
    { operation: OPERATIONS[what], merchantId, target, ...reason },
    { state: before.state },
    { state: after.state },
  );
  const state = {
    ...cell,
    settlements: cell.settlements.with(place, after),
    ...(isApproval ? { holds: withReserves(cell.holds, after, place, now) } : {}),
  };
  const done: Result = { state, answer, act };
  // What is collected is of the orders too: nothing here knows whether it covers it.
  return isApproval ? [done, no('collected_too_small')] : [done];
}

const byReason = (one: ModelHold, other: ModelHold): number => (one.reason < other.reason ? -1 : 1);

function withReserves(holds: readonly ModelHold[], { lines }: ModelSettlement, place: number, now: number): readonly ModelHold[] {
  const reserves = lines.filter(({ kind }) => kind === 'reserve');
  const held = reserves.map(({ amountMinor, releaseOn }) => ({
    reason: `reserve of ${place}`,
    id: null,
    amountMinor,
    reserveOf: place,
    releaseOn,
    heldAt: now,
    releasedAt: null,
  }));
  return [...holds, ...held].toSorted(byReason);
}

type PlaceHold = SettlementCommand & { readonly do: 'place hold' };

function placeHold(world: SettlementWorld, cell: SettlementCell, command: PlaceHold, now: number, seen: Seen): readonly Result[] {
  const { merchantId, currency, amountMinor, reason, releaseOn } = command;
  const target = `merchant ${merchantId}`;
  // Without a key the same request holds as much once more: the plays then give it another reason.
  const id = seen?.['hold'] ?? null;
  const hold: ModelHold = { reason, id, amountMinor, reserveOf: null, releaseOn: releaseOn ?? null, heldAt: now, releasedAt: null };
  const money = moneyText(amountMinor, currency);
  const given = {
    'amount.amount': money.amount,
    'amount.currency': currency,
    ...(releaseOn === undefined ? {} : { releaseOn }),
  };
  return [
    {
      state: { ...cell, holds: [...cell.holds, hold].toSorted(byReason) },
      answer: { code: '0000', ...shownHold(hold, merchantId, currency), isRepeated: 'false' },
      act: doneAct(actorIn(world, command), { operation: 'placeHold', merchantId, target, reason, given }, {}, {}),
    },
    refuse(world, cell, command, 'collected_too_small', target),
  ];
}

const shownHold = (hold: ModelHold, merchantId: string, currency: string): Answer => ({
  merchant: merchantId,
  ...(hold.id === null ? {} : { hold: hold.id }),
  'amount.amount': formatAllDecimals(hold.amountMinor, currency),
  reason: hold.reserveOf === null ? hold.reason : 'reserve',
  releaseOn: String(hold.releaseOn),
  heldAt: instantText(hold.heldAt),
  releasedAt: timeText(hold.releasedAt),
});

const learnHold = (cell: SettlementCell, reason: string, seen: Seen): SettlementCell => ({
  ...cell,
  holds: cell.holds.map((one) => (one.reason === reason && one.id === null ? { ...one, id: seen?.['hold'] ?? null } : one)),
});

type ReleaseHold = SettlementCommand & { readonly do: 'release hold' };

function releaseHold(world: SettlementWorld, cell: SettlementCell, command: ReleaseHold, now: number): Result {
  const { merchantId, currency, hold: id } = command;
  const target = `hold ${id}`;
  const hold = cell.holds.find((one) => one.id === id);
  if (hold === undefined) return refuse(world, cell, command, 'not_found', target);
  const released = hold.releasedAt === null ? { ...hold, releasedAt: now } : hold;
  const answer = { code: '0000', ...shownHold(released, merchantId, currency), isRepeated: String(released === hold) };
  if (released === hold) return { state: cell, answer };
  const parts = { operation: 'releaseHold', merchantId, target, reason: SETTLEMENT_REASON };
  return {
    state: { ...cell, holds: cell.holds.map((one) => (one === hold ? released : one)) },
    answer,
    act: doneAct(actorIn(world, command), parts, {}, {}),
  };
}

const isDueHold = ({ releaseOn, releasedAt }: ModelHold, on: string): boolean =>
  releasedAt === null && releaseOn !== null && releaseOn <= on;

function releaseDue(cell: SettlementCell, now: number, timeZone: string): SettlementCell {
  const on = today(now, timeZone).toString();
  return { ...cell, holds: cell.holds.map((one) => (isDueHold(one, on) ? { ...one, releasedAt: now } : one)) };
}

/** Of several due days the last one has all. One whose payout is too small, or that has nothing, has no settlement. */
function draftDue(world: SettlementWorld, cell: SettlementCell, now: number): SettlementCell {
  const { pair, merchants, schedule, holidays } = world;
  const { timeZone } = merchantOf(merchants, pair.merchantId);
  const due = lastDueDay(schedule, holidays, { after: cell.lookedTo, now, timeZone });
  if (due === undefined) return cell;
  const looked = { ...cell, lookedTo: due };
  const made = draftOf(world, cell, { cutoffAt: endOf(lastDayOf(schedule, holidays, due), timeZone), dueOn: due }, now);
  return typeof made === 'string' || made.netMinor < schedule.minimumMinor
    ? looked
    : { ...looked, settlements: [...cell.settlements, made] };
}

type Move = SettlementCommand & { readonly do: 'move to fund' };

function move(world: SettlementWorld, cell: SettlementCell, command: Move, now: number): readonly Result[] {
  const { merchantId, currency, amountMinor, reference } = command;
  const target = `merchant ${merchantId}`;
  const { isFrozen, isDisabled } = merchantOf(world.merchants, merchantId);
  const no = (name: string): Result => refuse(world, cell, command, name, target);
  if (isFrozen || isDisabled) return [no('merchant_frozen')];
  const answer = { code: '0000', transaction: `to-fund/${reference}` };
  if (cell.moves.some((one) => one.reference === reference)) return [{ state: cell, answer: { ...answer, isRepeated: 'true' } }];
  const money = moneyText(amountMinor, currency);
  const given = { 'amount.amount': money.amount, 'amount.currency': currency, reference };
  const moved = { reference, amountMinor, at: now };
  return [
    {
      state: { ...cell, moves: [...cell.moves, moved].toSorted((one, other) => (one.reference < other.reference ? -1 : 1)) },
      answer: { ...answer, isRepeated: 'false' },
      act: doneAct(actorIn(world, command), { operation: 'moveToFund', merchantId, target, given }, {}, {}),
    },
    no('collected_too_small'),
  ];
}

const numberOf = (id: string | null): bigint => BigInt(id ?? 0);

/** The newest ones. What the cell does not know yet takes the numbers that are new to it, in any order. */
function listed({ pair }: SettlementWorld, cell: SettlementCell, seen: Seen): readonly Result[] {
  const known = new Set(cell.settlements.map(({ id }) => id));
  const places = cell.settlements.flatMap(({ id }, place) => (id === null ? [place] : []));
  const found = Array.from({ length: LISTED }, (_, index) => seen?.[`items.${index}.settlement`]).filter((id) => id !== undefined);
  const news = found.filter((id) => !known.has(id));
  const ways = news.length === places.length ? orders(news) : [[]];
  return ways.map((ids) => {
    const settlements = cell.settlements.map((one, place) => ({ ...one, id: one.id ?? ids[places.indexOf(place)] ?? null }));
    const newest = settlements
      .toSorted((one, other) => other.madeAt - one.madeAt || Number(numberOf(other.id) - numberOf(one.id)))
      .slice(0, LISTED);
    const items = newest.flatMap((one, index) => Object.entries(shown(pair, one)).map(([name, text]) => [`items.${index}.${name}`, text]));
    return {
      state: places.length === 0 ? cell : { ...cell, settlements },
      answer: { code: '0000', ...Object.fromEntries(items), [`items.${newest.length}.merchant`]: ABSENT },
    };
  });
}

function orders(all: readonly string[]): readonly (readonly string[])[] {
  if (all.length < 2) return [all];
  return all.flatMap((one) => orders(all.filter((other) => other !== one)).map((rest) => [one, ...rest]));
}

/** What is held now. Its order is not looked at: each is found by what it is. */
function listedHolds(cell: SettlementCell, seen: Seen): Result {
  const held = cell.holds.filter(({ releasedAt }) => releasedAt === null);
  const items = Array.from({ length: held.length }, (_, index) => ({
    hold: seen?.[`items.${index}.hold`] ?? '',
    reason: seen?.[`items.${index}.reason`],
    settlement: seen?.[`items.${index}.settlement`],
  }));
  const idOf = ({ reason, reserveOf }: ModelHold): string | null =>
    items.find((item) =>
      reserveOf === null ? item.reason === reason : item.reason === 'reserve' && item.settlement === cell.settlements[reserveOf]?.id,
    )?.hold ?? null;
  const isNews = held.some(({ id }) => id === null);
  const state = isNews
    ? { ...cell, holds: cell.holds.map((one) => (one.releasedAt === null && one.id === null ? { ...one, id: idOf(one) } : one)) }
    : cell;
  const ids = state.holds.flatMap(({ id, releasedAt }) => (releasedAt === null ? [id] : []));
  const isSame = toKey(ids) === toKey(items.map(({ hold }) => hold)) && seen?.[`items.${held.length}.hold`] === undefined;
  return { state, answer: isSame ? { code: '0000' } : { code: `holds ${toKey(ids)}` } };
}

/** The order of those of one instant is not looked at. */
function listedMoves(state: SettlementCell, from: number, seen: Seen): Result {
  const expected = toKey(state.moves.flatMap(({ reference, at }) => (at >= from ? [`to-fund/${reference}`] : [])));
  const found = Object.entries(seen ?? {}).flatMap(([name, text]) => (name.endsWith('.transaction') ? [text] : []));
  return { state, answer: { code: toKey(found) === expected ? '0000' : `moves ${expected}` } };
}

const toKey = (ids: readonly (string | null)[]): string => ids.map(String).toSorted().join(' ');

/** The day on which a schedule that is set at an instant was looked at last. */
export const lookedToAt = (now: number, timeZone: string): string => today(now, timeZone).subtract({ days: 1 }).toString();
/** A day so many days from now. */
export const dayFrom = (now: number, timeZone: string, days: number): string =>
  day(today(now, timeZone).toString()).add({ days }).toString();
