/** What a request may do to a state. `isDone`: it is answered with success, not with a refusal. */
export type Outcome<State> = { readonly isDone: boolean; readonly next: State };
/** A request, and all that it may do. Requests of one name are the same request. */
export type Act<State> = { readonly name: string; outcomes(state: State): readonly Outcome<State>[] };

/** Something that the service promised is not so. */
export class Contradiction extends Error {
  override readonly name = 'Contradiction';
}

/** All states that an order or a cashout may have, by what was sent and answered. */
export type Possible<State> = {
  /** Throws: Contradiction, where no possible state has this answer. */
  answered(act: Act<State>, isDone: boolean, code?: string): void;
  /** An answer that never came: it may be carried out now, later, or never. */
  lost(act: Act<State>): void;
  /** Throws: Contradiction, where what was read is none of the possible states. */
  observed<Shown>(shown: Shown, show: (state: State) => Shown): void;
  /** Requests without an answer, repetitions included. */
  lostActs(): number;
};

type World<State> = { readonly state: State; readonly open: readonly Act<State>[] };

/** Begins with one state. Shape: what it is about, its first state → Possible. */
export function openPossible<State>(subject: string, first: State): Possible<State> {
  let worlds: readonly World<State>[] = [{ state: first, open: [] }];
  let lostActs = 0;
  const log: string[] = [];
  const keep = (what: string, next: readonly World<State>[]): void => {
    const before = worlds;
    log.push(what);
    worlds = distinct(next);
    if (worlds.length > 0) return;
    const states = [...new Set(before.map(({ state }) => JSON.stringify(state)))];
    throw new Contradiction(`${subject}: ${log.join('; ')}. Before that it could be ${states.join(' or ')}`);
  };
  return {
    answered: (act, isDone, code = '') =>
      keep(
        `${act.name} was ${isDone ? 'done' : `refused ${code}`.trim()}`,
        withOpenActs(worlds).flatMap(({ state, open }) =>
          act.outcomes(state).flatMap((outcome) => (outcome.isDone === isDone ? [{ state: outcome.next, open }] : [])),
        ),
      ),
    lost: (act) => {
      lostActs++;
      log.push(`${act.name} had no answer`);
      worlds = worlds.map(({ state, open }) => ({ state, open: [...open, act] }));
    },
    observed: (shown, show) => {
      const key = JSON.stringify(shown);
      keep(
        `it shows ${key}`,
        withOpenActs(worlds).filter(({ state }) => JSON.stringify(show(state)) === key),
      );
    },
    lostActs: () => lostActs,
  };
}

/** Adds the worlds in which requests without an answer were carried out, in any order. */
function withOpenActs<State>(worlds: readonly World<State>[]): readonly World<State>[] {
  let all = worlds;
  for (let newest = worlds; newest.length > 0;) {
    const next = newest.flatMap(({ state, open }) =>
      open.flatMap((act, place) => {
        const rest = open.filter((_, other) => other !== place);
        return act.outcomes(state).map((outcome) => ({ state: outcome.next, open: rest }));
      }),
    );
    const before = all.length;
    all = distinct([...all, ...next]);
    newest = all.slice(before);
  }
  return all;
}

function distinct<State>(worlds: readonly World<State>[]): readonly World<State>[] {
  const byKey = new Map<string, World<State>>();
  for (const world of worlds) {
    const key = JSON.stringify([world.state, world.open.map(({ name }) => name).toSorted()]);
    if (!byKey.has(key)) byKey.set(key, world);
  }
  return [...byKey.values()];
}
