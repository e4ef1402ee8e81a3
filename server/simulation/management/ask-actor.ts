import { doneAct, type ModelAct } from '../model/acts.ts';
import { actorOf, inActs, stopOf, type Demand, type ModelActor } from '../model/actors.ts';
import type { Random } from '../random.ts';
import { MOST_TRIES, untilAvailable } from '../until-available.ts';
import { requestAs, type ManagedAnswer, type Method } from '../send-managed.ts';
import type { Simulation } from '../simulation.ts';

export type Asked = {
  /** The name of the actor. */
  readonly by: string;
  readonly method: Method;
  readonly path: string;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The act of a refusal. */
  readonly refused?: ModelAct | undefined;
  /** The act of a success. */
  readonly act?: ((actor: ModelActor, answer: ManagedAnswer) => ModelAct | undefined) | undefined;
};

/** The act of a read that shows many people. */
export const readAct = (operation: string) => (actor: ModelActor) =>
  doneAct(inActs(actor), { operation, merchantId: actor.merchantId ?? null, target: null }, {}, {});

/** Draws who asks: mostly one who may. */
export function drawStaff({ staff, clock }: Simulation, random: Random, demand: Demand): ModelActor {
  const now = clock.now().epochMilliseconds;
  const all = [...staff.actors.values()];
  const able = all.filter((actor) => stopOf(actor, demand, now) === undefined);
  return random.pick(able.length === 0 || random.chance(0.25) ? all : able);
}

/** Asks any server as an actor until one answers, and says which act the audit log must have. */
export async function askActor({ staff, servers, acts }: Simulation, random: Random, asked: Asked): Promise<ManagedAnswer> {
  const { by: name, method, path, body, headers, act, refused } = asked;
  for (let tries = 1; ; tries++) {
    const by = { name, request: acts.newRequest() };
    const answer = await requestAs(staff, random.pick(servers), by, { method, path, body, headers });
    if (answer === undefined) {
      if (tries === MOST_TRIES) throw new Error(`no server answers ${path}`);
      continue;
    }
    const expected = answer.code === '0000' ? act?.(actorOf(staff.actors, by), answer) : refused;
    if (expected !== undefined) acts.expect(by.request, expected);
    return answer;
  }
}

/** Runs a job of any server until it has nothing more to do. */
export async function jobsOf({ servers }: Simulation, random: Random, name: string): Promise<void> {
  const job = random.pick(servers).service.jobs.find((one) => one.name === name);
  if (job === undefined) throw new Error(`there is no job ${name}`);
  for (let isMore = true; isMore;) isMore = await untilAvailable(() => job.step());
}
