import type { Actors, By, ModelActor, Problem } from './model/actors.ts';
import type { Random } from './random.ts';

/** The share of commands that actors send, of those that they can send. */
export const MANAGED_SHARE = 0.3;
/** The share of those that anybody sends, who may not as a rule. */
const ANYBODY = 0.2;

/** A token of the service's side that may do everything, for the model's own reads. Its request gets an id when it is sent. */
export const CONSOLE: By = { name: 'console', request: '' };

/** Draws who sends a command: mostly one who may. `stop`: why an actor with a fresh proof is stopped. */
export function drawActor(actors: Actors, random: Random, stop: (actor: ModelActor, by: By) => Problem | undefined): By {
  const all = [...actors.values()].map((actor) => ({ actor, by: { name: actor.name, request: '' } }));
  const able = all.filter(({ actor, by }) => stop(actor, by) === undefined);
  return random.pick(able.length === 0 || random.chance(ANYBODY) ? all : able).by;
}
