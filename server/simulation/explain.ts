import { agrees, toText, type CellState, type Law, type Seen } from './model/model.ts';

/** Something that happened, or may have happened: the states that it leads to from a state; none: it cannot have happened there. */
export type Step<State> = { readonly isCertain: boolean; readonly from: (state: State) => readonly State[] };

/** A command that was sent. An answer that was lost leaves open whether it was carried out. */
export function commandStep<State extends CellState, Command>(
  law: Law<State, Command>,
  command: Command,
  seen: Seen,
  now: number,
): Step<State> {
  return {
    isCertain: seen !== undefined,
    from: (state) =>
      law
        .apply(state, command, now, seen)
        .filter(({ answer }) => seen === undefined || agrees(answer, seen))
        .map((outcome) => outcome.state),
  };
}

/** The sweep of one thing by a job that runs beside the commands. */
export const sweepStep = <State extends CellState, Command>(law: Law<State, Command>, key: string, now: number): Step<State> => ({
  isCertain: false,
  from: (state) => (law.due(state, now).includes(key) ? [law.sweep(state, key, now)] : []),
});

/**
 * Looks for orders of the steps that explain what was seen: one after the other, each at one instant. That is linearizability.
 * Shape: all states that may be the true one before → all that may be it after; none: nothing explains it.
 */
export function explain<State>(beliefs: readonly State[], steps: readonly Step<State>[]): readonly State[] {
  const found: State[] = [];
  const visit = (state: State, left: readonly Step<State>[]): void => {
    if (left.every(({ isCertain }) => !isCertain)) found.push(state);
    for (const step of left) {
      const others = left.filter((other) => other !== step);
      for (const next of step.from(state)) visit(next, others);
    }
  };
  for (const belief of beliefs) visit(belief, steps);
  return distinct(found);
}

/** The same, where the order is known. */
export function follow<State>(beliefs: readonly State[], steps: readonly Step<State>[]): readonly State[] {
  let states = beliefs;
  for (const { from } of steps) states = states.flatMap(from);
  return distinct(states);
}

export function distinct<State>(states: readonly State[]): readonly State[] {
  return states.length < 2 ? states : [...new Map(states.map((state) => [toText(sorted(state)), state])).values()];
}

/** The same with all names in one order: what came to be in another order is no other state. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}
