import { agrees, toText, type CellState, type Rules, type Seen } from './model/model.ts';

/** Something that happened, or may have happened. `from`: the states that it leads to; none: it cannot happen in that state. */
export type Step<State> = { readonly isCertain: boolean; readonly from: (state: State) => readonly State[] };

/** The step of a command that was sent. A lost answer leaves open whether it was carried out. */
export function commandStep<State extends CellState, Command>(
  rules: Rules<State, Command>,
  command: Command,
  seen: Seen,
  now: number,
): Step<State> {
  return {
    isCertain: seen !== undefined,
    from: (state) =>
      rules
        .apply(state, command, now, seen)
        .filter(({ answer }) => seen === undefined || agrees(answer, seen))
        .map((outcome) => outcome.state),
  };
}

/** The step of a job that sweeps one order or cashout while commands run. */
export const sweepStep = <State extends CellState, Command>(rules: Rules<State, Command>, key: string, now: number): Step<State> => ({
  isCertain: false,
  from: (state) => (rules.due(state, now).includes(key) ? [rules.sweep(state, key, now)] : []),
});

/**
 * Finds the sequences of the steps that explain what was seen (linearizability: each step happens at one instant).
 * Shape: all possible states before → all possible states after; none: nothing explains it.
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

/** As explain, for steps whose order is known. */
export function follow<State>(beliefs: readonly State[], steps: readonly Step<State>[]): readonly State[] {
  let states = beliefs;
  for (const { from } of steps) states = states.flatMap(from);
  return distinct(states);
}

export function distinct<State>(states: readonly State[]): readonly State[] {
  return states.length < 2 ? states : [...new Map(states.map((state) => [textInOrder(state), state])).values()];
}

/** Equal states have equal texts. */
export const textInOrder = (value: unknown): string => toText(sorted(value));

/** Sorts all names of a value: states that differ in their order only are equal. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}
