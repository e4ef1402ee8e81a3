import type { Acted, ActDetails, DoneAct, RecordActs } from './act.ts';
import { createBatch } from './batch.ts';
import type { Clock } from '../clock.ts';
import type { Db, Tx } from '../db.ts';
import { Held, type Hold } from './retry.ts';
import { openKeysInUse, openOwners } from './queue.ts';
import { isRefusal, type Refusal } from '../outcome.ts';
import type { Tracer } from '../traces/tracer.ts';

export { Held, type Hold } from './retry.ts';

/** What a decision leads to. Without an event nothing changed, and nothing is written. */
type Accepted = { readonly event?: { readonly changes?: ActDetails['changes'] } };

/** A decision that changes something, and the command that asked for it. */
export type Changed<Command, Outcome extends Accepted> = {
  readonly command: Command;
  readonly outcome: Outcome & { readonly event: NonNullable<Outcome['event']> };
};

/** A refusal, and the command that it answers. */
export type RefusedCommand<Command, Refused extends Refusal> = { readonly command: Command; readonly refused: Refused };

type Moment = { readonly now: Temporal.Instant; readonly index: number };

/**
 * One operation that changes something, for many commands in one transaction. `World` is what the decisions depend on.
 */
export type Change<Command, World, Outcome extends Accepted, Refused extends Refusal> = {
  /** Names the rows that a command changes, as `hold` does. The last name includes all that it writes beside them. */
  readonly keysOf: (command: Command) => readonly string[];
  /** Names whose request a command is. Commands of different owners take turns. */
  readonly ownerOf: (command: Command) => string;
  /**
   * Reads what the commands concern, and locks it until the end of the transaction. It never waits for a row that `keysOf` names.
   * It calls `hold` for each command whose row another transaction holds. Such a command is not decided, but tried again.
   */
  readonly load: (tx: Tx, commands: readonly Command[], hold: Hold) => Promise<World>;
  /** Reads what can only be asked for once `now` is known. Each use of it costs a round trip. */
  readonly loadAsOf?: (tx: Tx, world: World, commands: readonly Command[], now: Temporal.Instant) => Promise<void>;
  /** Decides one command. `index`: its place among the commands that were loaded. */
  readonly decide: (world: World, command: Command, moment: Moment) => Outcome | Refused;
  /** Puts a change into the world: the next command of the batch is decided on it. */
  readonly note: (world: World, changed: Changed<Command, Outcome>, moment: Moment) => void;
  /** Writes the changes, together with the commit. It is not called where nothing changed. */
  readonly save: (tx: Tx, world: World, changes: readonly Changed<Command, Outcome>[], now: Temporal.Instant) => void | Promise<void>;
  /** Writes the refusals of an operation that records them. */
  readonly saveRefused?: (tx: Tx, refusals: readonly RefusedCommand<Command, Refused>[], now: Temporal.Instant) => void;
};

/** Wraps a whole transaction. `run` decides and saves the commands that it is given, in their order. */
type Around<Command, Outcome, Answer> = (
  tx: Tx,
  commands: readonly Command[],
  run: (commands: readonly Command[]) => Promise<readonly (Outcome | Held)[]>,
) => Promise<readonly (Answer | Held)[]>;

export type Engine = {
  /**
   * Carries out commands that come together in one transaction.
   * Shape: returns a function from a command to its own outcome. Commands of one owner are decided in the order of their arrival.
   */
  readonly batched: <Command, World, Outcome extends Accepted, Refused extends Refusal, Answer = Outcome | Refused>(
    change: Change<Command, World, Outcome, Refused>,
    options?: {
      readonly around?: Around<Command, Outcome | Refused, Answer>;
    },
  ) => (command: Command & Acted) => Promise<Answer>;
  /** Requests that batches are writing now, and those that wait for one. */
  readonly load: () => { readonly waiting: number; readonly written: number };
  /** Carries out each command in a transaction of its own. Four run at the same time. */
  readonly alone: <Command, World, Outcome extends Accepted, Refused extends Refusal, Answer = Outcome | Refused>(
    change: Change<Command, World, Outcome, Refused>,
    options?: { readonly around?: Around<Command, Outcome | Refused, Answer> },
  ) => (command: Command & Acted) => Promise<Answer>;
};

export type EngineOptions = {
  readonly db: Db;
  readonly clock: Clock;
  /** Records the acts of commands that carry one. Absent: no command does. */
  readonly recordActs?: RecordActs | undefined;
  readonly tracer?: Tracer | undefined;
  /** Hears of each batch that has ended: its requests, and how long it took. */
  readonly onBatch?: ((requests: number, seconds: number) => void) | undefined;
};

/** A transaction for each command, and four of them at the same time. */
const ALONE = { maxItems: 1, writers: 4 };

/**
 * Opens the engine that carries out all changes in one database: load many, decide each, save many.
 * A change is two round trips: `begin` travels with the statements of `load`, `commit` with those of `save`.
 * The clock is asked once the locks are held. A command that waited for a lock is decided as of then.
 */
export function openEngine({ db, clock, recordActs, tracer, onBatch }: EngineOptions): Engine {
  const inUse = openKeysInUse();
  const owners = openOwners();
  let written = 0;
  const watch = {
    begins: (requests: number) => void (written += requests),
    ends: (requests: number, seconds: number) => {
      written -= requests;
      onBatch?.(requests, seconds);
    },
  };

  const shared = { inUse, owners, tracer, watch };

  function transactionOf<Command, World, Outcome extends Accepted, Refused extends Refusal, Answer>(
    change: Change<Command, World, Outcome, Refused>,
    around: Around<Command, Outcome | Refused, Answer> | undefined,
  ): (commands: readonly Command[]) => Promise<readonly (Answer | Held)[]> {
    const wrapped = around ?? (((_tx, commands, run) => run(commands)) as Around<Command, Outcome | Refused, Answer>);
    return (commands) => db.transaction((tx) => wrapped(tx, commands, (some) => runChange(tx, { clock, recordActs }, change, some)));
  }

  return {
    load: () => ({ waiting: Math.max(0, owners.requests() - written), written }),
    batched: (change, { around } = {}) =>
      createBatch({ ...shared, run: transactionOf(change, around), keysOf: change.keysOf, ownerOf: change.ownerOf }),
    alone: (change, { around } = {}) =>
      createBatch({ ...shared, ...ALONE, run: transactionOf(change, around), keysOf: change.keysOf, ownerOf: change.ownerOf }),
  };
}

async function runChange<Command, World, Outcome extends Accepted, Refused extends Refusal>(
  tx: Tx,
  { clock, recordActs }: Pick<EngineOptions, 'clock' | 'recordActs'>,
  change: Change<Command, World, Outcome, Refused>,
  commands: readonly Command[],
): Promise<readonly (Outcome | Refused | Held)[]> {
  const held = new Map<number, string>();
  const world = await change.load(tx, commands, (index, key) => void held.set(index, key));
  const now = clock.now();
  await change.loadAsOf?.(tx, world, commands, now);
  const { outcomes, changes, refusals } = decideMany<Command, World, Outcome, Refused>(change, world, commands, held, now);
  if (refusals.length > 0) change.saveRefused?.(tx, refusals, now);
  if (changes.length > 0) await change.save(tx, world, changes, now);
  const acted = commands as readonly Acted[];
  if (recordActs !== undefined && acted.some(({ act }) => act !== undefined)) recordActs(tx, doneActs(acted, outcomes, now));
  if (held.size === commands.length) tx.wroteNothing();
  return outcomes;
}

/**
 * The acts of what was done. A command that waits for its row is recorded with the batch that decides it.
 * Who asked records a refusal.
 */
function doneActs(commands: readonly Acted[], outcomes: readonly (Accepted | Refusal | Held)[], at: Temporal.Instant): readonly DoneAct[] {
  return commands.flatMap(({ act }, index) => {
    const outcome = outcomes[index];
    if (act === undefined || outcome instanceof Held || isRefusal(outcome)) return [];
    const changes = (outcome as Accepted).event?.changes;
    return { ...act, at, outcome: 'done' as const, details: { ...act.details, ...(changes && { changes }) } };
  });
}

/** Decides commands one after the other, each on what the ones before it have left. Those in `held` wait. */
function decideMany<Command, World, Outcome extends Accepted, Refused extends Refusal>(
  { decide, note }: Pick<Change<Command, World, Outcome, Refused>, 'decide' | 'note'>,
  world: World,
  commands: readonly Command[],
  held: ReadonlyMap<number, string>,
  now: Temporal.Instant,
) {
  const changes: Changed<Command, Outcome>[] = [];
  const refusals: RefusedCommand<Command, Refused>[] = [];
  const outcomes = commands.map((command, index): Outcome | Refused | Held => {
    const holding = held.get(index);
    if (holding !== undefined) return new Held(holding);
    const moment = { now, index };
    const outcome = decide(world, command, moment);
    if (isRefusal(outcome)) refusals.push({ command, refused: outcome as Refused });
    else if ((outcome as Outcome).event !== undefined) {
      const changed = { command, outcome: outcome as Changed<Command, Outcome>['outcome'] };
      note(world, changed, moment);
      changes.push(changed);
    }
    return outcome;
  });
  return { outcomes, changes, refusals };
}
