import { commandStep, distinct, explain, follow, sweepStep, textInOrder, type Step } from './explain.ts';
import type { ModelAct } from './model/acts.ts';
import type { CollectedEntry } from './model/collected.ts';
import type { ModelRow } from './model/review-rows.ts';
import { toText, type Answer, type CellState, type Rules, type Money, type Seen } from './model/model.ts';
import type { RefundCommand } from './model/refund-cashouts.ts';
import type { SettlementCommand } from './model/settlement-state.ts';
import type { Random } from './random.ts';
import type { Server } from './servers.ts';

export type AnyCommand = RefundCommand | SettlementCommand;

/** A command to be sent to a server. */
export type PlannedCommand = { readonly command: AnyCommand; readonly send: (server: Server) => Promise<Seen> };

/** What a kind of cell consists of: its rules, its commands, and how they are sent. */
export type Play<State extends CellState, Command extends AnyCommand> = {
  readonly rules: Rules<State, Command>;
  readonly start: State;
  /** Its orders or cashouts, by the names that the rules' sweep uses. */
  readonly keys: readonly string[];
  /** The subjects of the cell's notices: `merchant subject`. */
  readonly subjects: readonly string[];
  /** Makes a command that is valid, or nearly, in a state. `again`: commands that may be repeated. */
  readonly propose: (random: Random, state: State, now: number, again: readonly Command[]) => Command;
  /** Commands that read everything, or all that an instant may have changed. */
  readonly reads: (now: number) => readonly Command[];
  /** Further reads after a race, and where the merchants' own reads show nothing. */
  readonly readsOfRace: readonly Command[];
  /** Whether a merchant of the cell is disabled: it is answered nothing. */
  readonly isHidden: () => boolean;
  readonly send: (server: Server, command: Command) => Promise<Seen>;
  readonly rows: (state: State) => readonly ModelRow[];
  /** What it has posted on `collected`. */
  readonly collected: (state: State) => readonly CollectedEntry[];
};

/** No order of the commands explains what was seen. */
export class Contradiction extends Error {
  override readonly name = 'Contradiction';
}

/** Orders or cashouts that affect each other and nothing else. Each cell is played and explained alone. */
export type Cell = {
  readonly name: string;
  readonly subjects: readonly string[];
  /** Makes the commands of a round. They race. */
  plan(random: Random, now: number, count: number): readonly PlannedCommand[];
  /** The reads that follow the round. */
  reads(): readonly PlannedCommand[];
  /** Explains the round. Throws Contradiction. `swept`: the sweep ran during the commands, and once more after them. */
  conclude(now: number, swept: boolean): void;
  /** Notes that everything that is due was swept. */
  settle(now: number): void;
  nextDue(): number;
  money(): Money;
  rows(): readonly ModelRow[];
  /** What it has posted on `collected`. */
  collected(): readonly CollectedEntry[];
  /** Whether so many lost answers leave open what was done that the states which may be true would soon be too many. */
  isUnclear(): boolean;
  /** What it is made of, by a state that may be the true one. */
  state(): CellState;
  /** Compares the notices since the last call with those received, by subject. Throws Contradiction. */
  compareNotices(received: (subject: string) => readonly Answer[]): void;
  /** Compares the acts of its requests since the last call with the audit log, by the ids of the requests. Throws Contradiction. */
  compareActs(recorded: (request: string) => readonly ModelAct[]): void;
};

/** The key of a command is in flight: in the merchants' API, and in the management API. */
const IN_FLIGHT = new Set(['0909', 'key_in_flight']);
/** A repeated command is younger than this: keys are kept for 30 days (contract §7.3). */
const AGAIN_MS = 29 * 24 * 3_600_000;
/** How many past commands may be repeated. */
const PAST = 16;
const LOG_LINES = 60;
/** States that may be true at once: a lost look-up leaves open whether its try was counted. */
const MOST_BELIEFS = 256;
/** Four more commands with lost answers are followed. */
const UNCLEAR_BELIEFS = MOST_BELIEFS / 2 ** 4;

type Sent<Command> = { readonly command: Command; readonly at: number; seen: Seen };

export function openCell<State extends CellState, Command extends AnyCommand>(name: string, play: Play<State, Command>): Cell {
  const { rules, keys, subjects } = play;
  const log = openCommandLog(name);
  let beliefs: readonly State[] = [play.start];
  let round: Sent<Command>[] = [];
  let reads: Sent<Command>[] = [];
  let past: Sent<Command>[] = [];
  const requests = openRequests(name.replace(' ', '-'));

  const sentAt = (at: number, command: Command): Sent<Command> => ({ command: requests.numbered(command), at, seen: undefined });
  const plannedOf = (sent: Sent<Command>): PlannedCommand => ({
    command: sent.command,
    send: async (server) => {
      sent.seen = await play.send(server, sent.command);
      if (sent.seen === undefined) requests.lost(sent.command);
      log.add(server.name, sent);
      return sent.seen;
    },
  });
  function conclude(now: number, swept: boolean): void {
    // The key was in flight, so the command was refused without effect (contract §7.3).
    const decided = round.filter(({ seen }) => !IN_FLIGHT.has(seen?.['code'] ?? ''));
    const sweeps = swept ? keys.map((key) => sweepStep(rules, key, now)) : [];
    const explained = explain(beliefs, [...stepsOf(rules, decided, now), ...sweeps]);
    if (explained.length === 0) log.fail('no order of these commands gives these answers', beliefs);
    const after = withoutCovered(follow(swept ? sweptAll(rules, explained, now) : explained, stepsOf(rules, reads, now)), requests.isLost);
    if (after.length === 0) {
      log.fail(`no order of these commands gives what was read afterwards: one led to\n${explained.map(toText).join('\n')}`, beliefs);
    }
    const problem = problemOf(rules, after);
    if (problem !== undefined) log.fail(problem, beliefs);
    beliefs = after;
    round = [];
    reads = [];
  }

  /** Keeps the states that fit what was written elsewhere, which is compared once. */
  const keepFitting = (fits: (state: State) => boolean, problem: () => string, compared: Partial<CellState>): void => {
    const fitting = beliefs.filter(fits);
    if (fitting.length === 0) log.fail(problem(), beliefs);
    beliefs = distinct(fitting.map((state) => ({ ...state, ...compared })));
  };

  return {
    name,
    subjects,
    plan: (random, now, count) => {
      const again = past.filter(({ at }) => now - at < AGAIN_MS).map(({ command }) => command);
      const state = beliefs[0] as State;
      round = Array.from({ length: count }, () => sentAt(now, play.propose(random, state, now, again)));
      past = [...past, ...round].slice(-PAST);
      reads = [...play.reads(now), ...(count > 1 || play.isHidden() ? play.readsOfRace : [])].map((command) => sentAt(now, command));
      return round.map(plannedOf);
    },
    reads: () => reads.map(plannedOf),
    conclude,
    settle: (now) => void (beliefs = sweptAll(rules, beliefs, now)),
    nextDue: () => Math.min(...beliefs.map(rules.nextDue)),
    money: () => rules.money(beliefs[0] as State),
    rows: () => play.rows(beliefs[0] as State),
    collected: () => play.collected(beliefs[0] as State),
    isUnclear: () => beliefs.length > UNCLEAR_BELIEFS,
    state: () => beliefs[0] as State,
    compareNotices: (received) => {
      const problem = (): string => `its notices are not those that were received: ${toText(subjects.map(received))}`;
      keepFitting(({ notices }) => subjects.every((subject) => isReceived(subject, notices, received(subject))), problem, { notices: [] });
    },
    compareActs: (recorded) => {
      const written = requests.take().map(({ request, isLost }) => ({ request, isLost, found: recorded(request) }));
      const problem = (): string =>
        `its acts are not those of the audit log:\n${written.map(({ request, found }) => `  ${request} ${toText(found)}`).join('\n')}`;
      keepFitting(({ acts }) => written.every((one) => isWritten(acts[one.request], one)), problem, { acts: {} });
    },
  };
}

/** Why states that may all be true are of no use. */
function problemOf<State extends CellState, Command>(rules: Rules<State, Command>, states: readonly State[]): string | undefined {
  if (states.length > MOST_BELIEFS) return `${states.length} states may be the true one`;
  const isOne = new Set(states.map((state) => moneyText(rules.money(state)))).size === 1;
  return isOne ? undefined : 'the possible states differ in what the ledger holds';
}

const stepsOf = <State extends CellState, Command>(
  rules: Rules<State, Command>,
  sent: readonly Sent<Command>[],
  now: number,
): Step<State>[] => sent.map(({ command, seen }) => commandStep(rules, command, seen, now));

const sweptAll = <State extends CellState, Command>(
  rules: Rules<State, Command>,
  states: readonly State[],
  now: number,
): readonly State[] => distinct(states.map((state) => allSwept(rules, state, now)));

/** What one sweep does may be due for another: of a cashout that has expired its refund is. */
function allSwept<State extends CellState, Command>(rules: Rules<State, Command>, state: State, now: number): State {
  const due = rules.due(state, now);
  return due.length === 0
    ? state
    : allSwept(
        rules,
        due.reduce((next, key) => rules.sweep(next, key, now), state),
        now,
      );
}

const isReceived = (subject: string, notices: CellState['notices'], received: readonly Answer[]): boolean => {
  const expected = notices.filter((notice) => `${notice.merchantId} ${notice.subject}` === subject);
  return toText(expected.map(({ body }) => body)) === toText(received);
};

/** Numbers the requests of actors of a cell, and keeps the numbers until they are taken. */
function openRequests(prefix: string) {
  let taken: string[] = [];
  let lost = new Set<string>();
  let count = 0;
  return {
    /** A request of an actor gets its own id, also where it is sent again. */
    numbered: <Command extends AnyCommand>(command: Command): Command => {
      if (!('by' in command) || command.by === undefined) return command;
      const request = `${prefix}-${++count}`;
      taken.push(request);
      return { ...command, by: { ...command.by, request } };
    },
    /** Its answer was lost. */
    lost: (command: AnyCommand): void => {
      if ('by' in command && command.by !== undefined) lost.add(command.by.request);
    },
    isLost: (request: string): boolean => lost.has(request),
    take: (): readonly { readonly request: string; readonly isLost: boolean }[] => {
      const all = taken.map((request) => ({ request, isLost: lost.has(request) }));
      taken = [];
      lost = new Set();
      return all;
    },
  };
}

/** True where the audit log has exactly the act of a request, or none where it must have none. The order of fields means nothing. */
export function isRecorded(expected: ModelAct | undefined, found: readonly ModelAct[]): boolean {
  const [act, ...more] = found.filter(({ outcome }) => outcome !== 'refused:key_in_flight');
  if (act === undefined || expected === undefined) return act === expected;
  return more.length === 0 && distinct([act, expected]).length === 1;
}

/** As isRecorded. A refusal is recorded once it was decided. A server that dies in between answers nothing, and leaves no act. */
const isWritten = (expected: ModelAct | undefined, { isLost, found }: { readonly isLost: boolean; readonly found: readonly ModelAct[] }) =>
  isRecorded(expected, found) || (isLost && found.length === 0 && expected !== undefined && isRefused(expected.outcome));

/**
 * Drops each state that another one covers: they differ in acts of refused requests with lost answers, and the other one has those of this
 * one, and more. What the audit log has fits the other one wherever it fits this one (isWritten).
 */
function withoutCovered<State extends CellState>(states: readonly State[], isLost: (request: string) => boolean): readonly State[] {
  const openActs = ({ acts }: CellState) => Object.entries(acts).filter(([request, { outcome }]) => isLost(request) && isRefused(outcome));
  const besides = (state: State): string => {
    const open = new Set(openActs(state).map(([request]) => request));
    return textInOrder({ ...state, acts: Object.entries(state.acts).filter(([request]) => !open.has(request)) });
  };
  return [...Map.groupBy(states, besides).values()].flatMap((alike) => {
    const texts = alike.map((state) => new Set(openActs(state).map(textInOrder)));
    return alike.filter(
      (_, one) => !texts.some((more, other) => other !== one && more.size > texts[one]!.size && texts[one]!.isSubsetOf(more)),
    );
  });
}

const isRefused = (outcome: string): boolean => outcome.startsWith('refused:');

const moneyText = (money: Money): string =>
  [...money]
    .filter(([, amountMinor]) => amountMinor !== 0n)
    .map(([account, amountMinor]) => `${account} ${amountMinor}`)
    .toSorted((one, other) => (one < other ? -1 : 1))
    .join();

/** Fields that a report leaves out. */
const NOT_REPORTED = new Set([
  'EMAIL',
  'CREATION_DATE',
  'NOTIFICATION_RESPONSE',
  'sms',
  'cellphone',
  'transactionCost',
  'Comercio',
  'merchant',
]);
/** Of what a list shows, only these. */
const LISTED = /^items[.][0-9]+[.](?!settlement$|hold$|state$)/;
const brief = (seen: Answer): string =>
  Object.entries(seen)
    .filter(([name, value]) => value !== '' && value !== 'null' && value !== '200' && !NOT_REPORTED.has(name) && !LISTED.test(name))
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

/** Keeps the last commands of a cell and their answers for a report. */
function openCommandLog(name: string) {
  let lines: string[] = [];
  return {
    add: (server: string, { at, command, seen }: Sent<unknown>): void => {
      const answer = seen === undefined ? 'lost' : brief(seen);
      lines = [...lines, `  ${new Date(at).toISOString()} ${server}: ${toText(command)} → ${answer}`].slice(-LOG_LINES);
    },
    fail: (problem: string, before: readonly CellState[]): never => {
      const view = before.map(toText).join('\n  or ');
      throw new Contradiction(`${name}: ${problem}\nThe model, before: ${view}\nWhat was sent:\n${lines.join('\n')}`);
    },
  };
}
