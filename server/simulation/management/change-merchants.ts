import { setTimeout as delay } from 'node:timers/promises';
import { doneAct } from '../model/acts.ts';
import { inActs, type ModelActor } from '../model/actors.ts';
import { instantText, merchantOf } from '../model/model.ts';
import { drawStaff } from './ask-actor.ts';
import type { OfficeAct } from './office-act.ts';
import type { Random } from '../random.ts';
import { MERCHANTS } from '../setting.ts';
import type { Simulation } from '../simulation.ts';

/** Freezes or disables a merchant, ends that, or gives it a new fixed hash. */
export function changedMerchant(simulation: Simulation, random: Random): OfficeAct {
  // Few stay frozen or disabled: then nothing happens to them.
  const stopped = MERCHANTS.filter(({ merchantId }) => isStopped(simulation, merchantId));
  const { merchantId } = random.pick(stopped.length > 0 && random.chance(0.7) ? stopped : MERCHANTS);
  return random.chance(0.35) ? rotatedHash(simulation, random, merchantId) : switched(simulation, random, merchantId);
}

const isStopped = ({ merchants }: Simulation, merchantId: string): boolean => {
  const { isFrozen, isDisabled } = merchantOf(merchants, merchantId);
  return isFrozen || isDisabled;
};

const text = (at: number | undefined): string => (at === undefined ? 'null' : instantText(at));

const SWITCHES = {
  freeze: ['isFrozen', true],
  thaw: ['isFrozen', false],
  disable: ['isDisabled', true],
  enable: ['isDisabled', false],
} as const;

function switched(simulation: Simulation, random: Random, merchantId: string): OfficeAct {
  const { merchants, clock } = simulation;
  const merchant = merchantOf(merchants, merchantId);
  const verb = merchant.isFrozen ? 'thaw' : merchant.isDisabled ? 'enable' : random.pick(['freeze', 'disable', 'thaw', 'enable'] as const);
  const [field, isOn] = SWITCHES[verb];
  const demand = { permission: 'merchants:write', merchantId, isOfService: true };
  const actor = drawStaff(simulation, random, demand);
  const column = field === 'isFrozen' ? 'frozenAt' : 'disabledAt';
  const since = merchant.stoppedAt[field];
  const until = isOn ? (since ?? clock.now().epochMilliseconds) : undefined;
  return {
    actor,
    operation: `${verb}Merchant`,
    on: { merchantId, target: `merchant ${merchantId}` },
    demand,
    request: { method: 'POST', path: `/merchants/${merchantId}/${verb}` },
    refusal: undefined,
    act: () => merchantAct(actor, `${verb}Merchant`, merchantId, { [column]: text(since) }, { [column]: text(until) }),
    done: async () => {
      merchant[field] = isOn;
      merchant.stoppedAt[field] = until;
      await untilKnown(simulation, merchantId);
    },
    look: async (look) => {
      if (isOn === (since !== undefined)) return 'maybe';
      const found = await look(`/merchants/${merchantId}`);
      return isOn === (found[column] !== null) ? found : 'not done';
    },
  };
}

const merchantAct = (actor: ModelActor, operation: string, merchantId: string, before = {}, after = {}) =>
  doneAct(inActs(actor), { operation, merchantId, target: `merchant ${merchantId}` }, before, after);

function rotatedHash(simulation: Simulation, random: Random, merchantId: string): OfficeAct {
  const { clock, hashes } = simulation;
  const days = random.pick([0, 1, 7]);
  const now = clock.now().epochMilliseconds;
  const isUnderWay = days > 0 && now < hashes.earlierUntil(merchantId);
  const demand = { permission: 'secrets:write', merchantId, isSensitive: true };
  const actor = drawStaff(simulation, random, demand);
  const keepsEarlier = random.chance(0.5);
  return {
    actor,
    operation: 'rotateFixedHash',
    on: { merchantId, target: `merchant ${merchantId}` },
    demand,
    request: { method: 'POST', path: `/merchants/${merchantId}/rotate-fixed-hash`, body: { days } },
    refusal: isUnderWay ? 'rotation_under_way' : undefined,
    act: () => merchantAct(actor, 'rotateFixedHash', merchantId),
    done: async ({ fixedHash }) => {
      hashes.replace(merchantId, String(fixedHash), now + days * 24 * 3_600_000, keepsEarlier && days > 0);
      await untilKnown(simulation, merchantId);
    },
  };
}

/** Waits until every server knows a merchant as the model does. */
async function untilKnown({ servers, merchants, hashes }: Simulation, merchantId: string): Promise<void> {
  const { isFrozen, isDisabled } = merchantOf(merchants, merchantId);
  for (const { service } of servers) {
    for (let tries = 1; ; tries++) {
      const known = await service.merchants.find(merchantId).catch(() => undefined);
      const isKnown = known?.isFrozen === isFrozen && known.isDisabled === isDisabled;
      if (isKnown && known.fixedHashes.some(({ secret }) => secret === hashes.newest(merchantId))) break;
      if (tries === MOST_TRIES) throw new Error(`a server does not learn of ${merchantId}`);
      await delay(1);
    }
  }
}

const MOST_TRIES = 10_000;
