import { commandStep, distinct, explain, follow, sweepStep, type Step } from './explain.ts';
import type { CashoutCommand } from './model/cashout-state.ts';
import { toText, type Answer, type CellState, type Law, type Money, type Seen } from './model/model.ts';
import type { OrderCommand } from './model/order-state.ts';
import type { Random } from './random.ts';
import type { Server } from './servers.ts';

export type AnyCommand = OrderCommand | CashoutCommand;

/** A command to be sent to a server. */
export type Errand = { readonly command: AnyCommand; readonly send: (server: Server) => Promise<Seen> };

/** How commands are made up, and sent through the doors. */
export type Play<State extends CellState, Command extends AnyCommand> = {
  readonly law: Law<State, Command>;
  readonly start: State;
  /** Its orders or cashouts, as the law's sweep names them. */
  readonly keys: readonly string[];
  /** What the cell's notices are about: `merchant subject`. */
  readonly subjects: readonly string[];
  /** A command that makes sense, or nearly, in a state. `again`: commands that may be repeated. */
  readonly propose: (random: Random, state: State, now: number, again: readonly Command[]) => Command;
  /** Commands that read everything. */
  readonly reads: readonly Command[];
  /** What is read beside it where several commands met. */
  readonly readsOfRace: readonly Command[];
  readonly send: (server: Server, command: Command) => Promise<Seen>;
};

/** What was seen cannot be explained by any order of the commands. */
export class Contradiction extends Error {
  override readonly name = 'Contradiction';
}

/** Orders or cashouts that touch each other and nothing else: they are played, and explained, by themselves. */
export type Cell = {
  readonly subjects: readonly string[];
  /** Makes commands for a round; those of one round race. */
  plan(random: Random, now: number, count: number): readonly Errand[];
  /** Reads for after the round. */
  reads(): readonly Errand[];
  /** Explains the round; throws Contradiction. `swept`: the sweep ran beside the commands, and once more behind them. */
  conclude(now: number, swept: boolean): void;
  /** Notes that everything that has run out was swept. */
  settle(now: number): void;
  nextDue(): number;
  money(): Money;
  /** Compares the notices since the last time with what was received, by subject; throws Contradiction. */
  compareNotices(received: (subject: string) => readonly Answer[]): void;
};

/** Keys are kept for 30 days (contract §7.3): what is repeated is younger. */
const AGAIN_MS = 29 * 24 * 3_600_000;
/** Commands that may come again. */
const PAST = 16;
const STORY_LINES = 60;
/** What may be true at once: lost look-ups leave open whether tries were counted. */
const MOST_BELIEFS = 256;

type Sent<Command> = { readonly command: Command; readonly at: number; seen: Seen };

export function openCell<State extends CellState, Command extends AnyCommand>(name: string, play: Play<State, Command>): Cell {
  const { law, keys, subjects } = play;
  const story = openStory(name);
  let beliefs: readonly State[] = [play.start];
  let round: Sent<Command>[] = [];
  let reads: Sent<Command>[] = [];
  let past: Sent<Command>[] = [];

  const errandOf = (sent: Sent<Command>): Errand => ({
    command: sent.command,
    send: async (server) => {
      sent.seen = await play.send(server, sent.command);
      story.tell(server.name, sent);
      return sent.seen;
    },
  });
  const steps = (sent: readonly Sent<Command>[], now: number): Step<State>[] =>
    sent.map(({ command, seen }) => commandStep(law, command, seen, now));
  const sweptAll = (states: readonly State[], now: number): readonly State[] =>
    distinct(states.map((state) => law.due(state, now).reduce((next, key) => law.sweep(next, key, now), state)));

  function conclude(now: number, swept: boolean): void {
    // A key that is in flight is refused, and nothing is done: contract §7.3.
    const decided = round.filter(({ seen }) => seen?.['code'] !== '0909');
    const sweeps = swept ? keys.map((key) => sweepStep(law, key, now)) : [];
    const explained = explain(beliefs, [...steps(decided, now), ...sweeps]);
    if (explained.length === 0) story.fail('no order of these commands gives these answers', beliefs);
    const after = follow(swept ? sweptAll(explained, now) : explained, steps(reads, now));
    if (after.length === 0) {
      story.fail(
        `what is read afterwards follows from no order of these commands: one led to\n${explained.map(toText).join('\n')}`,
        beliefs,
      );
    }
    if (after.length > MOST_BELIEFS) story.fail(`${after.length} states may be the true one`, beliefs);
    if (new Set(after.map((state) => moneyText(law.money(state)))).size > 1) story.fail('it cannot be told what the ledger holds', beliefs);
    beliefs = after;
    round = [];
    reads = [];
  }

  function compareNotices(received: (subject: string) => readonly Answer[]): void {
    const fits = ({ notices }: State): boolean =>
      subjects.every((subject) => {
        const expected = notices.filter((notice) => `${notice.merchantId} ${notice.subject}` === subject);
        return toText(expected.map(({ body }) => body)) === toText(received(subject));
      });
    const fitting = beliefs.filter(fits);
    if (fitting.length === 0) story.fail(`its notices are not those that were received: ${toText(subjects.map(received))}`, beliefs);
    beliefs = distinct(fitting.map((state) => ({ ...state, notices: [] })));
  }

  return {
    subjects,
    plan: (random, now, count) => {
      const again = past.filter(({ at }) => now - at < AGAIN_MS).map(({ command }) => command);
      const state = beliefs[0] as State;
      round = Array.from({ length: count }, () => ({ command: play.propose(random, state, now, again), at: now, seen: undefined }));
      past = [...past, ...round].slice(-PAST);
      reads = [...play.reads, ...(count > 1 ? play.readsOfRace : [])].map((command) => ({ command, at: now, seen: undefined }));
      return round.map(errandOf);
    },
    reads: () => reads.map(errandOf),
    conclude,
    settle: (now) => void (beliefs = sweptAll(beliefs, now)),
    nextDue: () => Math.min(...beliefs.map(law.nextDue)),
    money: () => law.money(beliefs[0] as State),
    compareNotices,
  };
}

const moneyText = (money: Money): string =>
  [...money]
    .filter(([, amountMinor]) => amountMinor !== 0n)
    .map(([account, amountMinor]) => `${account} ${amountMinor}`)
    .toSorted((one, other) => (one < other ? -1 : 1))
    .join();

/** What is left out of a report: it never tells anything. */
const DULL = new Set(['EMAIL', 'CREATION_DATE', 'NOTIFICATION_RESPONSE', 'sms', 'cellphone', 'transactionCost', 'Comercio', 'merchant']);
const brief = (seen: Answer): string =>
  Object.entries(seen)
    .filter(([name, value]) => value !== '' && value !== '200' && !DULL.has(name))
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

/** Keeps the last commands of a cell with their answers, for a report. */
function openStory(name: string) {
  let lines: string[] = [];
  return {
    tell: (server: string, { at, command, seen }: Sent<unknown>): void => {
      const answer = seen === undefined ? 'lost' : brief(seen);
      lines = [...lines, `  ${new Date(at).toISOString()} ${server}: ${toText(command)} → ${answer}`].slice(-STORY_LINES);
    },
    fail: (problem: string, before: readonly CellState[]): never => {
      const view = before.map(toText).join('\n  or ');
      throw new Contradiction(`${name}: ${problem}\nThe model, before: ${view}\nWhat was sent:\n${lines.join('\n')}`);
    },
  };
}
