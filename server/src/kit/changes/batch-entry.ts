import type { Owner } from './owners.ts';
import type { Span } from '../traces/tracer.ts';

/**
 * The states of an item, each with those that may follow.
 * `waiting`: it has joined. Its batch leaves, its row is in use, or the database is gone and it is answered at once.
 * `in batch`: its batch runs. The batch succeeds or the database is gone, and it is answered; or the batch fails, and it runs alone.
 * `alone`: it runs in a batch of its own. It is answered, or its row is held.
 * `aside`: it waits for one row. It waits again once the row is free, is tried in a batch for this row, or is refused.
 * `answered`: its caller has the answer or the error, or gets it next. Nothing follows.
 */
const NEXT_STATES = {
  waiting: ['in batch', 'aside', 'answered'],
  'in batch': ['alone', 'aside', 'answered'],
  alone: ['aside', 'answered'],
  aside: ['waiting', 'in batch', 'answered'],
  answered: [],
} as const satisfies Record<string, readonly string[]>;
type State = keyof typeof NEXT_STATES;

/** An item of a batch, on its way to its answer. */
export type Entry<Item, Answer> = {
  readonly item: Item;
  readonly owner: Owner;
  /** The names of its rows. */
  readonly keys: readonly string[];
  /** In the order of arrival, over all operations. */
  readonly number: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** The request that it is for, where that is recorded. */
  readonly span: Span | undefined;
  state: State;
  /** When it is refused, if its row is not free until then. */
  giveUpAt: number | undefined;
};

export function enter(entry: { state: State }, state: State): void {
  const allowed: readonly State[] = NEXT_STATES[entry.state];
  // Not by assert(), which would make its message for every item.
  if (!allowed.includes(state)) throw new Error(`an item that is ${entry.state} cannot become ${state}`);
  entry.state = state;
}

/** Ends an item whose answer is there. Its caller gets it next, by `resolve`. */
export function endEntry(entry: Pick<Entry<never, never>, 'state' | 'owner'>): void {
  enter(entry, 'answered');
  entry.owner.leave();
}

export function rejectEntry(entry: Pick<Entry<never, never>, 'state' | 'owner' | 'reject'>, error: unknown): void {
  endEntry(entry);
  entry.reject(error);
}
