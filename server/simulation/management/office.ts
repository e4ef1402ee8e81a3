import { Contradiction } from '../cell.ts';
import { askActor } from './ask-actor.ts';
import { changedMerchant } from './change-merchants.ts';
import { changedToken, changedUser, invitedUser } from './change-people.ts';
import { refusedAct } from '../model/acts.ts';
import { inActs, stopOf } from '../model/actors.ts';
import type { Random } from '../random.ts';
import type { Simulation } from '../simulation.ts';

/** One change between two rounds, by anybody. */
export async function playOffice(simulation: Simulation, random: Random): Promise<void> {
  if (!random.chance(0.5)) return;
  const draw = random.weighted([
    [4, changedMerchant],
    [3, changedUser],
    [3, changedToken],
    [1, invitedUser],
  ]);
  const { actor, operation, on, demand, request, refusal, act, done } = draw(simulation, random);
  const { clock, tally } = simulation;
  const stop = stopOf(actor, demand, clock.now().epochMilliseconds);
  const answer = await askActor(simulation, random, {
    ...request,
    by: actor.name,
    act: (_actor, given) => act(given),
    refused: stop === undefined && refusal !== undefined ? refusedAct(inActs(actor), { operation, ...on }, refusal) : undefined,
  });
  const expected = stop?.name ?? refusal ?? '0000';
  const name = `${operation} ${answer.code}`;
  tally.answers.set(name, (tally.answers.get(name) ?? 0) + 1);
  if (answer.code !== expected) {
    const asked = JSON.stringify(request);
    throw new Contradiction(`${actor.name} asked ${asked}, must get ${expected}, and got ${answer.code}: ${answer.text}`);
  }
  if (answer.code === '0000') await done(answer);
}
