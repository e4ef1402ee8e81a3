import { formatAllDecimals } from '../../src/kit/money.ts';
import { drawStaff } from './ask-actor.ts';
import type { OfficeAct, Shown } from './office-act.ts';
import { doneAct } from '../model/acts.ts';
import { inActs, type ModelActor } from '../model/actors.ts';
import { otherEntry } from '../model/collected.ts';
import { merchantOf } from '../model/model.ts';
import type { Random } from '../random.ts';
import type { Amount, Posted } from './posted.ts';
import { MERCHANTS } from '../setting.ts';
import type { Simulation } from '../simulation.ts';

const CURRENCIES = [...new Set(MERCHANTS.flatMap(({ currencies }) => currencies))];
/** Few enough that some repeat the last ones. */
const LAST = 20;
/** First answers are kept for 30 days. */
const KEPT_MS = 29 * 24 * 3_600_000;
let count = 0;

/** Adds to a fund, or corrects an account. Some are repeated. */
export function changedFund(simulation: Simulation, random: Random): OfficeAct {
  return random.chance(0.5) ? toppedUp(simulation, random) : adjusted(simulation, random);
}

export const shown = ({ amountMinor, currency }: Amount) => {
  const size = formatAllDecimals(amountMinor < 0n ? -amountMinor : amountMinor, currency);
  return { amount: amountMinor < 0n ? `-${size}` : size, currency };
};
export const givenMoney = (one: Amount) => ({ 'amount.amount': shown(one).amount, 'amount.currency': one.currency });
export const someMinor = (random: Random): bigint => BigInt(1 + random.below(5_000_000));

/** A merchant and a currency; a few merchants do not have it. */
export function drawFund(random: Random): Omit<Amount, 'amountMinor'> {
  const { merchantId, currencies } = random.pick(MERCHANTS);
  return { merchantId, currency: random.pick(random.chance(0.1) ? CURRENCIES : currencies) };
}

function requestOf(simulation: Simulation, random: Random, merchantId: string, by?: ModelActor) {
  const demand = { permission: 'ledger:write', merchantId, isOfService: true, isSensitive: true };
  return { actor: by ?? drawStaff(simulation, random, demand), demand, on: { merchantId, target: `merchant ${merchantId}` } };
}

function toppedUp(simulation: Simulation, random: Random): OfficeAct {
  const { posted, books, merchants } = simulation;
  const before = posted.topUps.length > 0 && random.chance(0.4) ? random.pick(posted.topUps.slice(-LAST)) : undefined;
  const isOther = before !== undefined && random.chance(0.3);
  const fresh = { ...drawFund(random), amountMinor: someMinor(random), reference: `transfer-${++count}` };
  const wanted = before === undefined ? fresh : isOther ? { ...before, amountMinor: before.amountMinor + 1n } : before;
  const { merchantId, currency, amountMinor, reference } = wanted;
  const asked = requestOf(simulation, random, merchantId);
  const isKnown = merchantOf(merchants, merchantId).currencies.includes(currency);
  const isRepeated = before !== undefined;
  const availableMinor = books.available(merchantId, currency) + (isRepeated ? 0n : amountMinor);
  const given = { ...givenMoney(wanted), reference };
  const transaction = `top-up/${reference}`;
  return {
    ...asked,
    operation: 'topUp',
    request: { method: 'POST', path: `/ledger/${merchantId}/top-ups`, body: { amount: shown(wanted), reference } },
    refusal: isKnown ? (isOther ? 'top_up_differs' : undefined) : 'currency_not_allowed',
    shows: { transaction, isRepeated, available: { amount: formatAllDecimals(availableMinor, currency), currency } },
    act: () => (isRepeated ? undefined : doneAct(inActs(asked.actor), { operation: 'topUp', ...asked.on, given }, {}, {})),
    done: () => {
      if (isRepeated) return;
      books.transfer(merchantId, currency, amountMinor, 'service:bank', 'available');
      posted.topUps.push(wanted);
    },
    look: async (look) => {
      if (isRepeated) return 'maybe';
      const { items } = await look(`/ledger/entries?merchant=${merchantId}&transaction=${encodeURIComponent(transaction)}`);
      return (items as readonly Shown[]).length > 0 ? { transaction } : 'not done';
    },
  };
}

/** Mostly an account that can be corrected. */
function drawAccount({ books }: Simulation, random: Random, { merchantId, currency }: Omit<Amount, 'amountMinor'>): string {
  const networks = books
    .balances(merchantId)
    .flatMap(([account, of]) => (account.startsWith('network:') && of === currency ? [account] : []));
  return random.weighted([
    [5, 'available'],
    [3, 'collected'],
    [2, random.pick(networks.length > 0 ? networks : ['available'])],
    [1, random.pick(['reserved', 'service:bank', 'network:nobody'])],
  ]);
}

function adjusted(simulation: Simulation, random: Random): OfficeAct {
  const { posted, clock } = simulation;
  const now = clock.now().epochMilliseconds;
  const repeatable = posted.adjustments.slice(-LAST).filter(({ at }) => now - at < KEPT_MS);
  const before = repeatable.length > 0 && random.chance(0.4) ? random.pick(repeatable) : undefined;
  const actor = [...simulation.staff.actors.values()].find(({ id }) => id === before?.actorId);
  return before !== undefined && actor !== undefined ? adjustedAgain(simulation, random, before, actor) : newAdjustment(simulation, random);
}

const adjustmentRequest = (one: Amount & { readonly account: string; readonly reason: string }, key: string | undefined) => ({
  method: 'POST' as const,
  path: `/ledger/${one.merchantId}/adjustments`,
  body: { account: one.account, amount: shown(one), reason: one.reason },
  headers: key === undefined ? {} : { 'idempotency-key': key },
});

/** The same under its key posts nothing. Another under it is refused. */
function adjustedAgain(simulation: Simulation, random: Random, before: Posted['adjustments'][number], by: ModelActor): OfficeAct {
  const isOther = random.chance(0.3);
  return {
    ...requestOf(simulation, random, before.merchantId, by),
    operation: 'adjustAccount',
    request: adjustmentRequest(isOther ? { ...before, amountMinor: before.amountMinor + 1n } : before, before.key),
    refusal: isOther ? 'key_reused' : undefined,
    shows: { transaction: before.transaction },
    isReplay: true,
    act: () => undefined,
    done: () => undefined,
    look: async () => 'maybe',
  };
}

function newAdjustment(simulation: Simulation, random: Random): OfficeAct {
  const { posted, books, merchants, clock } = simulation;
  const fund = drawFund(random);
  const { merchantId, currency } = fund;
  const account = drawAccount(simulation, random, fund);
  const heldMinor = books.available(merchantId, currency);
  const someOff = random.chance(0.3) ? -(heldMinor + 1n) : -someMinor(random);
  const amountMinor = random.chance(0.5) ? someMinor(random) : someOff;
  const reason = `Correction ${++count}`;
  const key = random.chance(0.7) ? `correction-${count}` : undefined;
  const wanted = { merchantId, currency, account, amountMinor, reason };
  const asked = requestOf(simulation, random, merchantId);
  const isKnown = merchantOf(merchants, merchantId).currencies.includes(currency);
  const isFixed = account === 'reserved' || account === 'service:bank' || account === 'network:nobody';
  const isTooMuch = account === 'available' && heldMinor + amountMinor < 0n;
  return {
    ...asked,
    operation: 'adjustAccount',
    request: adjustmentRequest(wanted, key),
    refusal: isKnown ? (isFixed ? 'account_not_adjustable' : isTooMuch ? 'fund_too_small' : undefined) : 'currency_not_allowed',
    act: () =>
      doneAct(inActs(asked.actor), { operation: 'adjustAccount', ...asked.on, reason, given: { account, ...givenMoney(wanted) } }, {}, {}),
    done: ({ transaction }) => {
      books.transfer(merchantId, currency, amountMinor, 'service:adjustments', account);
      const at = clock.now().epochMilliseconds;
      if (account === 'collected')
        simulation.collected.add(otherEntry({ key: reason, merchantId, currency, kind: 'adjustment', amountMinor, at }));
      if (key !== undefined) posted.adjustments.push({ ...wanted, key, at, actorId: asked.actor.id, transaction: transaction as string });
    },
    look: async (look) => {
      const from = encodeURIComponent(clock.now().toString());
      const { items } = await look(`/ledger/entries?merchant=${merchantId}&account=${encodeURIComponent(account)}&from=${from}`);
      const found = (items as readonly Shown[]).find((one) => one['reason'] === reason);
      return found === undefined ? 'not done' : { transaction: found['transaction'] };
    },
  };
}
