import type { Play } from './cell.ts';
import { sendCashout, type Doors } from './doors.ts';
import { cashoutLaw } from './model/cashout-model.ts';
import type { CashoutCell, CashoutCommand, ModelCashout } from './model/cashout-state.ts';
import { merchantOf, today } from './model/model.ts';
import type { Random } from './random.ts';

const AMOUNTS: Readonly<Record<string, readonly bigint[]>> = {
  COP: [4_500_000n, 1_234_567n, 50n],
  PEN: [12_345n, 600_001n, 100n],
  CLP: [45_000n, 17n],
  USD: [1_050n, 333_333n],
};
/** Not a currency of any merchant. */
const FOREIGN = 'BRL';
/** An id of no cashout. */
const NOBODYS_ID = '999999999';
const DAYS_AHEAD = [-1, 0, 0, 0, 1, 1, 3, 30, 60, 366] as const;

/** What the commands of a cell are made of. */
type Cast = {
  readonly doors: Doors;
  readonly cell: number;
  readonly document: string;
  readonly slots: readonly { readonly merchantId: string; readonly operationId: string }[];
  /** The first asks most of the time. */
  readonly networks: readonly string[];
};

const netname = ({ networks: [first = '', second = ''] }: Cast, random: Random): string => (random.chance(0.75) ? first : second);
const transaction = ({ cell }: Cast, random: Random): string => `C${cell}-${random.below(6)}`;
const keyOf = ({ cell }: Cast, random: Random): string | undefined => (random.chance(0.5) ? `K-${cell}-${random.below(3)}` : undefined);
const documentOf = ({ document }: Cast, random: Random): string => (random.chance(0.03) ? '1' : document);
/** A password of another length than any true one is wrong for certain. */
const wrongPassword = (random: Random): string => random.below(10_000).toString().padStart(4, '0');

function registration(cast: Cast, random: Random, slot: Cast['slots'][number], now: number): CashoutCommand {
  const { timeZone, currencies } = merchantOf(cast.doors.merchants, slot.merchantId);
  const currency = random.chance(0.02) ? FOREIGN : random.pick(currencies);
  const day = (): string =>
    today(now, timeZone)
      .add({ days: random.pick(DAYS_AHEAD) })
      .toString();
  return {
    do: 'register cashout',
    ...slot,
    currency,
    amountMinor: random.pick(AMOUNTS[currency] ?? [100n]),
    description: 'Prize',
    document: cast.document,
    expiresOn: random.chance(0.8) ? day() : undefined,
    key: keyOf(cast, random),
  };
}

function payment(cast: Cast, random: Random, cashout: ModelCashout | undefined): CashoutCommand {
  const paid = cashout?.payment ?? undefined;
  const isAgain = paid !== undefined && random.chance(0.6);
  const finder = random.chance(0.85) ? cashout?.heldBy : undefined;
  return {
    do: 'pay cashout',
    netname: isAgain ? paid.netname : (finder ?? netname(cast, random)),
    transaction: isAgain ? paid.transaction : transaction(cast, random),
    serviceId: cashout?.serviceId ?? NOBODYS_ID,
    teller: random.chance(0.95) ? 'C-3' : 'C-4',
  };
}

function reversal(cast: Cast, random: Random, cashout: ModelCashout | undefined): CashoutCommand {
  const paid = cashout?.payment ?? undefined;
  return {
    do: 'reverse cashout payment',
    netname: paid !== undefined && random.chance(0.9) ? paid.netname : netname(cast, random),
    transaction: paid !== undefined && random.chance(0.9) ? paid.transaction : transaction(cast, random),
    serviceId: cashout?.serviceId ?? NOBODYS_ID,
  };
}

function propose(cast: Cast, random: Random, state: CashoutCell, now: number, again: readonly CashoutCommand[]): CashoutCommand {
  const repeatable = again.filter(({ do: what }) => /^(register|renew|pay|reverse|look)/.test(what));
  if (repeatable.length > 0 && random.chance(0.12)) return random.pick(repeatable);
  const { document } = cast;
  const slot = random.pick(cast.slots);
  const cashout = state.cashouts[`${slot.merchantId}/${slot.operationId}`];
  const isOpen = cashout?.state === 'pending';
  const lookUp = (otp: string): CashoutCommand => ({ do: 'look up cashout', netname: netname(cast, random), document, otp });
  const ofSlot = { ...slot, document: documentOf(cast, random) };
  return random.weighted<() => CashoutCommand>([
    [cashout === undefined ? 12 : 0.3, () => registration(cast, random, slot, now)],
    [isOpen ? 0.6 : 0.2, () => ({ do: 'cancel cashout', ...ofSlot })],
    [0.5, () => ({ do: 'query cashout', ...ofSlot })],
    [isOpen ? 0.6 : 0.1, () => ({ do: 'renew password', ...ofSlot, key: keyOf(cast, random) })],
    [isOpen ? 4 : 0.3, () => lookUp(cashout?.otp ?? wrongPassword(random))],
    [isOpen ? 1 : 0.2, () => lookUp(wrongPassword(random))],
    [isOpen && cashout.heldBy !== null ? 5 : 0.4, () => payment(cast, random, cashout)],
    [(cashout?.payment ?? null) === null ? 0.1 : 2, () => reversal(cast, random, cashout)],
    [isOpen ? 0.4 : 0.1, () => ({ do: 'nullify cashout', ...slot })],
  ])();
}

const SLOTS = [
  [4, 1],
  [2, 2],
  [1, 4],
] as const;

/** Some cashouts of one document. */
export function playCashouts(doors: Doors, networks: readonly string[], cell: number, random: Random): Play<CashoutCell, CashoutCommand> {
  const merchantIds = [...doors.merchants.keys()];
  const own = random.pick(merchantIds);
  const document = `6${cell.toString().padStart(9, '0')}`;
  const slots = Array.from({ length: random.weighted(SLOTS) }, (_, slot) => ({
    merchantId: random.chance(0.8) ? own : random.pick(merchantIds),
    operationId: `C-${cell}-${slot}`,
  }));
  const cast: Cast = { doors, cell, document, slots, networks: random.shuffle(networks) };
  return {
    law: cashoutLaw(doors.merchants),
    start: { document, cashouts: {}, tries: {}, kept: {}, notices: [] },
    keys: slots.map(({ merchantId, operationId }) => `${merchantId}/${operationId}`),
    subjects: slots.map(({ merchantId, operationId }) => `${merchantId} cashout ${operationId}`),
    propose: (...situation) => propose(cast, ...situation),
    reads: slots.map((slot) => ({ do: 'query cashout', ...slot, document })),
    readsOfRace: [],
    send: (server, command) => sendCashout(doors, server, command),
  };
}
