import { openActing } from '../../src/audit/index.ts';
import { createLog } from '../../src/kit/log.ts';
import { formatAllDecimals } from '../../src/kit/money.ts';
import { keepFunds } from '../../src/ledger/index.ts';
import { drawStaff } from './ask-actor.ts';
import { drawFund, givenMoney, shown, someMinor } from './change-funds.ts';
import type { OfficeAct, Shown } from './office-act.ts';
import type { Amount } from './posted.ts';
import { doneAct } from '../model/acts.ts';
import { inActs } from '../model/actors.ts';
import { otherEntry } from '../model/collected.ts';
import { merchantOf } from '../model/model.ts';
import type { Random } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import { untilAvailable } from '../until-available.ts';

/** Few enough that some repeat the last ones. */
const LAST = 20;
let count = 0;
let entries = 0;

/** Moves what was collected to a fund, or sets the rule by which a job does. */
export function movedToFund(simulation: Simulation, random: Random): OfficeAct {
  return random.chance(0.6) ? moved(simulation, random) : ruled(simulation, random);
}

type Fund = Omit<Amount, 'amountMinor'>;

const collectedOf = ({ books }: Simulation, { merchantId, currency }: Fund): bigint => books.collected(merchantId, currency);

/** Moves in the model what was collected to the fund. */
function transfer({ books, collected, clock }: Simulation, { merchantId, currency, amountMinor }: Amount): void {
  books.transfer(merchantId, currency, amountMinor, 'collected', 'available');
  const key = `moved ${++entries}`;
  const at = clock.now().epochMilliseconds;
  collected.add(otherEntry({ key, merchantId, currency, kind: 'moved_to_fund', amountMinor: -amountMinor, at }));
}

function requestOf(simulation: Simulation, random: Random, merchantId: string) {
  const demand = { permission: 'funds:write', merchantId, isSensitive: true };
  return { actor: drawStaff(simulation, random, demand), demand, on: { merchantId, target: `merchant ${merchantId}` } };
}

/** Why nothing moves for a merchant, whatever is asked. */
function stopOf({ merchants }: Simulation, { merchantId, currency }: Fund): string | undefined {
  const { isFrozen, isDisabled, currencies } = merchantOf(merchants, merchantId);
  if (isFrozen || isDisabled) return 'merchant_frozen';
  return currencies.includes(currency) ? undefined : 'currency_not_allowed';
}

function moved(simulation: Simulation, random: Random): OfficeAct {
  const { posted, books } = simulation;
  const before = posted.moves.length > 0 && random.chance(0.3) ? random.pick(posted.moves.slice(-LAST)) : undefined;
  const isOther = before !== undefined && random.chance(0.3);
  const fund = drawFund(random);
  const heldMinor = collectedOf(simulation, fund);
  const amountMinor = heldMinor > 0n && random.chance(0.7) ? random.pick([1n, heldMinor / 2n + 1n, heldMinor]) : someMinor(random);
  const fresh = { ...fund, amountMinor, reference: `move-${++count}` };
  const wanted = before === undefined ? fresh : isOther ? { ...before, amountMinor: before.amountMinor + 1n } : before;
  const { merchantId, currency, reference } = wanted;
  const asked = requestOf(simulation, random, merchantId);
  const isRepeated = before !== undefined;
  const collectedMinor = collectedOf(simulation, wanted);
  const isTooMuch = !isRepeated && collectedMinor < wanted.amountMinor;
  const movedMinor = isRepeated ? 0n : wanted.amountMinor;
  const transaction = `to-fund/${reference}`;
  const given = { ...givenMoney(wanted), reference };
  return {
    ...asked,
    operation: 'moveToFund',
    request: { method: 'POST', path: `/ledger/${merchantId}/moves-to-fund`, body: { amount: shown(wanted), reference } },
    refusal: stopOf(simulation, wanted) ?? (isOther ? 'move_differs' : isTooMuch ? 'collected_too_small' : undefined),
    shows: {
      transaction,
      isRepeated,
      available: shown({ ...wanted, amountMinor: books.available(merchantId, currency) + movedMinor }),
      collected: shown({ ...wanted, amountMinor: collectedMinor - movedMinor }),
    },
    act: () => (isRepeated ? undefined : doneAct(inActs(asked.actor), { operation: 'moveToFund', ...asked.on, given }, {}, {})),
    done: () => {
      if (isRepeated) return;
      transfer(simulation, wanted);
      posted.moves.push(wanted);
    },
    look: async (look) => {
      if (isRepeated) return 'maybe';
      const { items } = await look(`/ledger/entries?merchant=${merchantId}&transaction=${encodeURIComponent(transaction)}`);
      return (items as readonly Shown[]).length > 0 ? { transaction } : 'not done';
    },
  };
}

/** Sets a rule that mostly has something to do, and lets the job carry out all rules. */
function ruled(simulation: Simulation, random: Random): OfficeAct {
  const { posted, books } = simulation;
  const fund = drawFund(random);
  const { merchantId, currency } = fund;
  const lowMinor = books.available(merchantId, currency) + BigInt(random.below(1_000_000)) + (random.chance(0.8) ? 1n : 0n) || 1n;
  const targetMinor = random.chance(0.4) ? null : lowMinor + BigInt(random.below(1_000_000));
  const asked = requestOf(simulation, random, merchantId);
  const textOf = (minor: bigint | null): string | null => (minor === null ? null : formatAllDecimals(minor, currency));
  return {
    ...asked,
    operation: 'setFundRule',
    request: {
      method: 'PUT',
      path: `/ledger/${merchantId}/fund-rules/${currency}`,
      body: { low: textOf(lowMinor), target: textOf(targetMinor) },
    },
    refusal: stopOf(simulation, fund),
    act: () => doneAct(inActs(asked.actor), { operation: 'setFundRule', ...asked.on, given: {} }, {}, {}),
    done: async () => {
      posted.rules.set(`${merchantId} ${currency}`, { ...fund, lowMinor, targetMinor });
      await carryOutRules(simulation);
    },
  };
}

/** A job carries out all rules, and the model does. */
async function carryOutRules(simulation: Simulation): Promise<void> {
  const { posted, books, control: db, clock } = simulation;
  const job = keepFunds({ db, clock, acting: openActing(db, clock), log: createLog('silent') }, clock);
  while (await untilAvailable(() => job.step()));
  for (const rule of posted.rules.values()) {
    const { merchantId, currency, lowMinor, targetMinor } = rule;
    const availableMinor = books.available(merchantId, currency);
    const collectedMinor = collectedOf(simulation, rule);
    if (stopOf(simulation, rule) !== undefined || availableMinor >= lowMinor || collectedMinor <= 0n) continue;
    const roomMinor = targetMinor === null ? collectedMinor : targetMinor - availableMinor;
    transfer(simulation, { merchantId, currency, amountMinor: roomMinor < collectedMinor ? roomMinor : collectedMinor });
  }
}
