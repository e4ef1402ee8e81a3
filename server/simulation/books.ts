import type { Db } from '../src/kit/db.ts';
import { parseWireCost } from '../src/kit/money.ts';
import { readAccounts } from '../src/ledger/read-ledger.ts';
import { addTo, toText, type Answer, type Merchants, type Money } from './model/model.ts';
import { Contradiction } from './cell.ts';

/** A command of a round that a fund must cover, with its answer; undefined: lost. */
export type Funded = {
  readonly merchantId: string;
  readonly currency: string;
  /** What it takes from the fund. Of a refund that is the most: fee and tax may come back. */
  readonly needMinor: bigint;
  readonly seen: Answer | undefined;
};

/** The model's side of the ledger: every account of every merchant. */
export type Books = {
  /** Applies what the model's orders and cashouts moved. */
  move(before: Money, after: Money): void;
  /** Moves an amount, which may be below zero, from one account to another. */
  transfer(merchantId: string, currency: string, amountMinor: bigint, from: string, to: string): void;
  available(merchantId: string, currency: string): bigint;
  collected(merchantId: string, currency: string): bigint;
  /** The accounts of a merchant that are not zero, as the management API shows them. */
  balances(merchantId: string): readonly (readonly [account: string, currency: string, balanceMinor: bigint])[];
  /** Compares all balances with the service's. Throws Contradiction. */
  compare(dbOf: (merchantId: string) => Db): Promise<void>;
  /** Copies all balances. */
  copy(): Money;
  /**
   * Checks the answers to what funds must cover in a round against the funds: refusals as too small, and balances.
   * Shape: the balances before the round; call it after move(). Throws Contradiction.
   */
  checkFunds(before: Money, funded: readonly Funded[]): void;
};

const NEVER_BELOW_ZERO = new Set(['available', 'reserved', 'refunds', 'settlements', 'held']);

/** A small fund refuses so: in the merchants' API, and in the management API. */
const TOO_SMALL = new Set(['0025', 'fund_too_small']);

/** Where nothing came back and no answer was lost, each registration leaves what its answer says to the next one. */
function requireChain(held: bigint, registrations: readonly Funded[]): void {
  const taken = registrations
    .filter(({ seen }) => seen?.['code'] === '0000' && seen['replayed'] === 'false')
    .map((one) => ({ balance: parseWireCost(String(one.seen?.['balance']), one.currency) ?? -1n, need: one.needMinor }))
    .toSorted((one, other) => (one.balance > other.balance ? -1 : 1));
  let left = held;
  for (const { balance, need } of taken) {
    if (balance !== left - need)
      throw new Contradiction(`no order of these registrations gives the balances of their answers: ${toText(registrations)}`);
    left = balance;
  }
}

const balancesOf = (balances: Money, merchantId: string) =>
  [...balances].flatMap(([name, balanceMinor]) => {
    const [of, account = '', currency = ''] = name.split(' ');
    return of === merchantId && balanceMinor !== 0n ? [[account, currency, balanceMinor] as const] : [];
  });

export function openBooks(merchants: Merchants): Books {
  const balances = new Map<string, bigint>();
  const available = (merchantId: string, currency: string): bigint => balances.get(`${merchantId} available ${currency}`) ?? 0n;

  return {
    move: (before, after) => {
      addTo(balances, before, -1n);
      addTo(balances, after);
    },
    transfer: (merchantId, currency, amountMinor, from, to) => {
      addTo(balances, new Map([[`${merchantId} ${from} ${currency}`, amountMinor]]), -1n);
      addTo(balances, new Map([[`${merchantId} ${to} ${currency}`, amountMinor]]));
    },
    available,
    collected: (merchantId, currency) => balances.get(`${merchantId} collected ${currency}`) ?? 0n,
    balances: (merchantId) => balancesOf(balances, merchantId),
    compare: async (dbOf) => {
      const differences: string[] = [];
      const seen = new Set<string>();
      let sum = 0n;
      for (const merchantId of merchants.keys()) {
        for (const { account, currency, balanceMinor } of await readAccounts(dbOf(merchantId), { merchantId, isService: false })) {
          const name = `${merchantId} ${account} ${currency}`;
          seen.add(name);
          sum += balanceMinor;
          const expected = balances.get(name) ?? 0n;
          if (expected !== balanceMinor) differences.push(`${name}: ${balanceMinor}, and the model has ${expected}`);
          if (balanceMinor < 0n && NEVER_BELOW_ZERO.has(account)) differences.push(`${name} is below zero`);
        }
      }
      for (const [name, expected] of balances)
        if (expected !== 0n && !seen.has(name)) differences.push(`${name}: none, and the model has ${expected}`);
      if (sum !== 0n) differences.push(`all balances add up to ${sum}`);
      if (differences.length > 0) throw new Contradiction(`the ledger differs from the model:\n${differences.join('\n')}`);
    },
    copy: () => new Map(balances),
    checkFunds: (before, funded) => {
      for (const one of funded) {
        const { merchantId, currency, needMinor: need, seen } = one;
        if (seen === undefined || seen['replayed'] === 'true') continue;
        const ofFund = funded.filter((other) => other.merchantId === merchantId && other.currency === currency);
        const sum = (all: readonly Funded[]): bigint => all.reduce((total, other) => total + other.needMinor, 0n);
        const lost = ofFund.filter((other) => other.seen === undefined);
        const taken = sum(ofFund.filter((other) => other.seen?.['code'] === '0000' && other.seen['replayed'] !== 'true'));
        const held = before.get(`${merchantId} available ${currency}`) ?? 0n;
        // The least that the fund can have held: everything was taken before anything came back.
        const least = held - taken - sum(lost);
        if (TOO_SMALL.has(seen['code'] ?? '') && least >= need) {
          throw new Contradiction(`a fund of ${least} ${currency} at least was too small for ${need}: ${merchantId}`);
        }
        // Only the merchants' API shows a balance.
        if (seen['code'] !== '0000' || seen['balance'] === undefined) continue;
        const balance = parseWireCost(seen['balance'], currency) ?? -1n;
        // The most that it can have held: everything came back first, and nothing else was taken.
        const returned = available(merchantId, currency) - held + taken;
        const isTooMuch = lost.length === 0 && balance > held + returned - need;
        if (balance < 0n || balance < least || isTooMuch) {
          throw new Contradiction(
            `a registration answered ${balance} ${currency} of ${merchantId}, which had ${held} before the round: ${toText(one)}`,
          );
        }
        const isChain = ofFund.every((other) => other.seen?.['code'] !== '0000' || other.seen['balance'] !== undefined);
        if (isChain && lost.length === 0 && returned === 0n) requireChain(held, ofFund);
      }
    },
  };
}
