import { Contradiction } from '../cell.ts';
import { drawFault, type Fault } from '../faults.ts';
import { changedFund } from './change-funds.ts';
import { changedMerchant } from './change-merchants.ts';
import { changedToken, changedUser, invitedUser } from './change-people.ts';
import { looking } from './look.ts';
import { movedToFund } from './move-to-fund.ts';
import type { OfficeAct, Shown } from './office-act.ts';
import { refusedAct, type ModelAct } from '../model/acts.ts';
import { inActs, stopOf } from '../model/actors.ts';
import { toText } from '../model/model.ts';
import type { Random } from '../random.ts';
import { requestAs, type ManagedAnswer } from '../send-managed.ts';
import type { Simulation } from '../simulation.ts';
import { MOST_TRIES } from '../until-available.ts';

/** The share of changes during which something breaks. */
const FAULTS = 0.2;

/** One change between two rounds, by anybody. */
export async function playOffice(simulation: Simulation, random: Random): Promise<void> {
  if (!random.chance(0.5)) return;
  const draw = random.weighted([
    [4, changedMerchant],
    [4, changedFund],
    [3, movedToFund],
    [3, changedUser],
    [3, changedToken],
    [1, invitedUser],
  ]);
  const { clock, tally } = simulation;
  const office = draw(simulation, random);
  const fault = drawFault(simulation, random, tally.officeFaults);
  const breaks = random.chance(FAULTS) && office.look !== undefined;
  const stop = stopOf(office.actor, office.demand, clock.now().epochMilliseconds);
  tally.officeActs++;
  const { code, done } = await askOffice(simulation, random, {
    office,
    expected: stop?.name ?? office.refusal ?? '0000',
    refused: stop === undefined && office.refusal !== undefined ? refusalOf(office, office.refusal) : undefined,
    fault: breaks ? fault : undefined,
  });
  const name = `${office.operation} ${code}`;
  tally.answers.set(name, (tally.answers.get(name) ?? 0) + 1);
  if (done !== undefined) await office.done(done);
}

const refusalOf = ({ actor, operation, on }: OfficeAct, refusal: string): ModelAct =>
  refusedAct(inActs(actor), { operation, ...on }, refusal);

type Asking = {
  readonly office: OfficeAct;
  /** The code of the answer. */
  readonly expected: string;
  /** The act of its refusal. */
  readonly refused: ModelAct | undefined;
  readonly fault: Fault | undefined;
};

/** Asks until an answer comes, or until a look shows that it was done. Shape: → the code, and what the answer showed of what was done. */
async function askOffice(
  simulation: Simulation,
  random: Random,
  asking: Asking,
): Promise<{ readonly code: string; readonly done?: Shown }> {
  const { staff, servers, acts, tally } = simulation;
  const { office, expected, refused, fault } = asking;
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const by = { name: office.actor.name, request: acts.newRequest() };
    const breaking = tries === 1 ? fault : undefined;
    const server = breaking?.server ?? random.pick(servers);
    const [answer] = await Promise.all([requestAs(staff, server, by, office.request), breaking?.begin()]);
    if (answer !== undefined) {
      requireAnswer(asking, answer);
      const isReplay = answer.headers['idempotency-replayed'] === 'true';
      const act = answer.code === '0000' ? office.act(answer.body) : isReplay ? undefined : refused;
      if (act !== undefined) acts.expect(by.request, act);
      return answer.code === '0000' ? { code: answer.code, done: answer.body } : { code: answer.code };
    }
    tally.officeLost++;
    if (refused !== undefined) acts.expect(by.request, refused, true);
    if (expected !== '0000') continue;
    const found = (await office.look?.(looking(simulation, random))) ?? 'not done';
    if (found === 'not done') continue;
    const act = found === 'maybe' ? office.act({}) : office.act(found);
    if (act !== undefined) acts.expect(by.request, act, found === 'maybe');
    if (found !== 'maybe') return { code: 'lost', done: found };
  }
  throw new Error(`no server answers ${office.request.path}`);
}

/** Compares an answer with what it must be. Throws: Contradiction. */
function requireAnswer({ office, expected }: Asking, { code, text, body, headers }: ManagedAnswer): void {
  const { actor, request, shows = {}, etag, isReplay = false } = office;
  const fail = (what: string): never => {
    throw new Contradiction(`${actor.name} asked ${toText(request)}, must get ${what}, and got ${code}: ${text}`);
  };
  if (code !== expected) fail(expected);
  if (code !== '0000') return;
  for (const [name, value] of Object.entries(shows)) if (toText(body[name]) !== toText(value)) fail(`${name} ${toText(value)}`);
  if (etag !== undefined && headers['etag'] !== `"${etag}"`) fail(`version ${etag}, not ${String(headers['etag'])}`);
  if ((headers['idempotency-replayed'] === 'true') !== isReplay) fail(isReplay ? 'its first answer again' : 'an answer of its own');
}
