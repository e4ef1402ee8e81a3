import type { Play } from './cell.ts';
import { CONSOLE, drawActor, MANAGED_SHARE } from './draw-actor.ts';
import type { Actors } from './model/actors.ts';
import { stopOfCashout, type ManagedCashoutCommand } from './model/managed-cashouts.ts';
import { sendCashout, type Callers } from './send-commands.ts';
import { cashoutRules } from './model/cashout-model.ts';
import type { CashoutCell, CashoutCommand, ModelCashout } from './model/cashout-state.ts';
import { cashoutRows } from './model/review-rows.ts';
import { merchantOf, today } from './model/model.ts';
import { ownedBy } from './owned-by.ts';
import type { Random } from './random.ts';

const AMOUNTS: Readonly<Record<string, readonly bigint[]>> = {
  COP: [4_500_000n, 1_234_567n, 50n],
  PEN: [12_345n, 600_001n, 100n],
  CLP: [45_000n, 17n],
  USD: [1_050n, 333_333n],
};
/** Not a currency of any merchant. */
const FOREIGN = 'BRL';
/** No cashout has this id. */
const NOBODYS_ID = '999999999';
const DAYS_AHEAD = [-1, 0, 0, 0, 1, 1, 3, 30, 60, 366] as const;

/** The values that a cell's commands use. */
type CellParts = {
  readonly callers: Callers;
  readonly cell: number;
  readonly document: string;
  readonly slots: readonly { readonly merchantId: string; readonly operationId: string }[];
  /** The first sends most commands. */
  readonly networks: readonly string[];
  /** By network and transaction: the cell in which it was sent first. */
  readonly owners: Map<string, number>;
};

const netname = ({ networks: [first = '', second = ''] }: CellParts, random: Random): string => (random.chance(0.75) ? first : second);
const transaction = ({ cell }: CellParts, random: Random): string => `C${cell}-${random.below(6)}`;
const keyOf = ({ cell }: CellParts, random: Random): string | undefined =>
  random.chance(0.5) ? `K-${cell}-${random.below(3)}` : undefined;
const documentOf = ({ document }: CellParts, random: Random): string => (random.chance(0.03) ? '1' : document);
/** Certainly wrong: every true password is longer. */
const wrongPassword = (random: Random): string => random.below(10_000).toString().padStart(4, '0');

function registration(parts: CellParts, random: Random, slot: CellParts['slots'][number], now: number): CashoutCommand {
  const { timeZone, currencies } = merchantOf(parts.callers.merchants, slot.merchantId);
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
    document: parts.document,
    expiresOn: random.chance(0.8) ? day() : undefined,
    key: keyOf(parts, random),
  };
}

function payment(parts: CellParts, random: Random, state: CashoutCell, cashout: ModelCashout | undefined): CashoutCommand {
  const paid = cashout?.payment ?? undefined;
  const isAgain = paid !== undefined && random.chance(0.6);
  const finder = random.chance(0.85) ? cashout?.heldBy : undefined;
  const by = isAgain ? paid.netname : (finder ?? netname(parts, random));
  const drawn = isAgain ? paid.transaction : transaction(parts, random);
  const isPaid = Object.values(state.cashouts).some(({ payment: one }) => one?.netname === by && one.transaction === drawn);
  return {
    do: 'pay cashout',
    netname: by,
    transaction:
      isPaid || cashout === undefined
        ? drawn
        : ownedBy(parts.owners, merchantOf(parts.callers.merchants, cashout.merchantId).cell, by, drawn),
    serviceId: cashout?.serviceId ?? NOBODYS_ID,
    teller: random.chance(0.95) ? 'C-3' : 'C-4',
  };
}

function reversal(parts: CellParts, random: Random, cashout: ModelCashout | undefined): CashoutCommand {
  const paid = cashout?.payment ?? undefined;
  return {
    do: 'reverse cashout payment',
    netname: paid !== undefined && random.chance(0.9) ? paid.netname : netname(parts, random),
    transaction: paid !== undefined && random.chance(0.9) ? paid.transaction : transaction(parts, random),
    serviceId: cashout?.serviceId ?? NOBODYS_ID,
  };
}

function propose(parts: CellParts, random: Random, state: CashoutCell, now: number, again: readonly CashoutCommand[]): CashoutCommand {
  const repeatable = again.filter(({ do: what }) => /^(register|renew|pay|reverse|look)/.test(what));
  if (repeatable.length > 0 && random.chance(0.12)) return random.pick(repeatable);
  const { document } = parts;
  const slot = random.pick(parts.slots);
  const cashout = state.cashouts[`${slot.merchantId}/${slot.operationId}`];
  const isOpen = cashout?.state === 'pending';
  const lookUp = (otp: string): CashoutCommand => ({ do: 'look up cashout', netname: netname(parts, random), document, otp });
  const ofSlot = { ...slot, document: documentOf(parts, random) };
  return random.weighted<() => CashoutCommand>([
    [cashout === undefined ? 12 : 0.3, () => registration(parts, random, slot, now)],
    [isOpen ? 0.6 : 0.2, () => ({ do: 'cancel cashout', ...ofSlot })],
    [0.5, () => ({ do: 'query cashout', ...ofSlot })],
    [
      isOpen ? 0.6 : 0.1,
      () => ({ do: 'renew password', ...ofSlot, renewal: random.pick(['otp.1', 'otp.2', 'otp.3', 'otp.4']), key: keyOf(parts, random) }),
    ],
    [isOpen ? 4 : 0.3, () => lookUp(cashout?.otp ?? wrongPassword(random))],
    [isOpen ? 1 : 0.2, () => lookUp(wrongPassword(random))],
    [isOpen && cashout.heldBy !== null ? 5 : 0.4, () => payment(parts, random, state, cashout)],
    [(cashout?.payment ?? null) === null ? 0.1 : 2, () => reversal(parts, random, cashout)],
    [isOpen ? 0.4 : 0.1, () => ({ do: 'nullify cashout', ...slot })],
  ])();
}

const SLOTS = [
  [4, 1],
  [2, 2],
  [1, 4],
] as const;

const MANAGED: ReadonlySet<CashoutCommand['do']> = new Set([
  'register cashout',
  'cancel cashout',
  'query cashout',
  'renew password',
  'nullify cashout',
]);

/** Lets an actor send some commands through the management API. A renewal has no id there. */
function maybeAsActor(actors: Actors, random: Random, command: CashoutCommand): CashoutCommand {
  if (!MANAGED.has(command.do) || 'by' in command || !random.chance(MANAGED_SHARE)) return command;
  const managed = command as ManagedCashoutCommand;
  const renewal = managed.do === 'renew password' ? { renewal: undefined } : {};
  return {
    ...managed,
    ...renewal,
    by: drawActor(actors, random, (actor, by) => stopOfCashout(actors, { ...managed, by }, actor.provedAt)),
  };
}

/** Some cashouts of one document. */
export function playCashouts(
  callers: Callers,
  networks: readonly string[],
  cell: number,
  drawn: Random,
  merchantIds: readonly string[] = [...callers.merchants.keys()],
): Play<CashoutCell, CashoutCommand> {
  const own = drawn.pick(merchantIds);
  const document = `6${cell.toString().padStart(9, '0')}`;
  const slots = Array.from({ length: drawn.weighted(SLOTS) }, (_, slot) => ({
    merchantId: drawn.chance(0.8) ? own : drawn.pick(merchantIds),
    operationId: `C-${cell}-${slot}`,
  }));
  const parts: CellParts = { callers, cell, document, slots, networks: drawn.shuffle(networks), owners: new Map() };
  return {
    rules: cashoutRules(callers.merchants, callers.actors, callers.weather),
    start: { document, cashouts: {}, tries: {}, kept: {}, notices: [], acts: {} },
    keys: slots.map(({ merchantId, operationId }) => `${merchantId}/${operationId}`),
    subjects: slots.map(({ merchantId, operationId }) => `${merchantId} cashout ${operationId}`),
    propose: (random, ...situation) => maybeAsActor(callers.actors, random, propose(parts, random, ...situation)),
    reads: () => slots.map((slot) => ({ do: 'query cashout', ...slot, document })),
    readsOfRace: slots.map((slot) => ({ do: 'query cashout', ...slot, document, by: CONSOLE })),
    isHidden: () => slots.some(({ merchantId }) => merchantOf(callers.merchants, merchantId).isDisabled),
    send: (server, command) => sendCashout(callers, server, command),
    rows: cashoutRows,
    collected: () => [],
  };
}
