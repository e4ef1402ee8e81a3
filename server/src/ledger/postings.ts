/**
 * Whose money it is. A positive balance is owed to the owner.
 * The accounts of networks and of the service are kept per merchant: their totals are sums.
 */
export type LedgerAccount =
  | 'available'
  | 'reserved'
  | 'collected'
  | 'refunds'
  | 'settlements'
  | 'held'
  | `network:${string}`
  | 'service:fees'
  | 'service:tax'
  | 'service:withheld'
  | 'service:bank'
  | 'service:adjustments';

/** The accounts that are the merchant's own money. What is on its way to its bank is, until it is paid. */
export const OWN_ACCOUNTS = ['available', 'reserved', 'collected', 'held', 'settlements'] as const satisfies readonly LedgerAccount[];

export const LEDGER_KINDS = [
  'cashout_registered',
  'cashout_released',
  'cashout_paid',
  'cashout_payment_reversed',
  'order_paid',
  'order_payment_reversed',
  'order_refund_owed',
  'order_refund_released',
  'order_refund_paid',
  'settlement_approved',
  'settlement_paid',
  'settlement_returned',
  'hold_placed',
  'hold_released',
  'top_up',
  'moved_to_fund',
  'adjustment',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

type LedgerLine = { readonly account: LedgerAccount; readonly amountMinor: bigint };

/** One movement of money. Its lines sum to zero. Its id is made of what happened, so that it is never posted twice. */
export type LedgerTransaction = {
  readonly merchantId: string;
  readonly transactionId: string;
  readonly kind: LedgerKind;
  readonly currency: string;
  readonly postedAt: Temporal.Instant;
  readonly reason: string | null;
  readonly lines: readonly LedgerLine[];
};

/** What an entry or a fee is about. */
export const SUBJECT_KINDS = ['order', 'cashout'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** What the service takes: a part of the amount, a fixed sum, and a tax on both. */
export type FeeTerms = { readonly percentPpm: number; readonly fixedMinor: bigint; readonly taxPpm: number };

type Fee = { readonly feeMinor: bigint; readonly taxMinor: bigint };

/** The terms of a merchant that has none. */
export const NO_FEE: FeeTerms = { percentPpm: 0, fixedMinor: 0n, taxPpm: 0 };

const MILLION = 1_000_000n;

/** The largest fund that a command may make, in minor units. A balance is a signed 64-bit integer and holds nine times as much. */
export const MAX_FUND_MINOR = 10n ** 18n;

/**
 * The fee for an amount, and the tax on that fee.
 * Shape: terms and an amount, zero or more, in minor units → both in minor units.
 * Rounding: half up, once for the percentage and once for the tax. The tax is taken on the rounded fee.
 */
export function feeOf({ percentPpm, fixedMinor, taxPpm }: FeeTerms, amountMinor: bigint): Fee {
  const feeMinor = partHalfUp(amountMinor, percentPpm) + fixedMinor;
  return { feeMinor, taxMinor: partHalfUp(feeMinor, taxPpm) };
}

/** Millionths of an amount. It is not negative, so half up is away from zero. */
export function partHalfUp(amountMinor: bigint, ppm: number): bigint {
  return (amountMinor * BigInt(ppm) + MILLION / 2n) / MILLION;
}

/** What the ledger needs of a cashout. The fee is that of its registration. */
export type CashoutMoney = Fee & {
  readonly merchantId: string;
  readonly operationId: string;
  /** The refund that it pays out. Null: none. */
  readonly refundId: string | null;
  readonly currency: string;
  readonly amountMinor: bigint;
};

/** What a cashout keeps in reserve until it is paid or given back: amount, fee and tax. */
export function reservedFor({ amountMinor, feeMinor, taxMinor }: Pick<CashoutMoney, 'amountMinor' | keyof Fee>): bigint {
  return amountMinor + feeMinor + taxMinor;
}

/** What of that the merchant's fund gives. The amount of one that pays out a refund is owed to the payer already. */
export function fundedFor({
  refundId,
  amountMinor,
  feeMinor,
  taxMinor,
}: Pick<CashoutMoney, 'refundId' | 'amountMinor' | keyof Fee>): bigint {
  return refundId === null ? amountMinor + feeMinor + taxMinor : feeMinor + taxMinor;
}

/** Where the money of a cashout comes from, and goes back to. */
const originOf = (cashout: CashoutMoney, sign: 1n | -1n): Amounts => ({
  available: sign * fundedFor(cashout),
  ...(cashout.refundId !== null && { refunds: sign * cashout.amountMinor }),
});

/** A cashout is registered: its amount, fee and tax go from the fund into reserve. The amount of a refund comes from what is owed to payers. */
export function cashoutRegistered(cashout: CashoutMoney, at: Temporal.Instant): LedgerTransaction {
  const total = reservedFor(cashout);
  return cashoutTransaction(cashout, 'registered', 'cashout_registered', at, { ...originOf(cashout, -1n), reserved: total });
}

/** A cashout ends unpaid, because it was cancelled, expired or was nullified: everything goes back to where it came from. */
export function cashoutReleased(cashout: CashoutMoney, at: Temporal.Instant): LedgerTransaction {
  const total = reservedFor(cashout);
  return cashoutTransaction(cashout, 'released', 'cashout_released', at, { reserved: -total, ...originOf(cashout, 1n) });
}

/** A network pays out the cash: we owe it the amount, and fee and tax are earned. */
export function cashoutPaid(cashout: CashoutMoney, netname: string, at: Temporal.Instant): LedgerTransaction {
  return cashoutTransaction(cashout, 'paid', 'cashout_paid', at, {
    reserved: -reservedFor(cashout),
    [`network:${netname}`]: cashout.amountMinor,
    'service:fees': cashout.feeMinor,
    'service:tax': cashout.taxMinor,
  });
}

/** The network takes its payment back and the cashout is nullified: everything goes back to where it came from, fee and tax included. */
export function cashoutPaymentReversed(cashout: CashoutMoney, netname: string, at: Temporal.Instant): LedgerTransaction {
  return cashoutTransaction(cashout, 'reversed', 'cashout_payment_reversed', at, {
    ...originOf(cashout, 1n),
    [`network:${netname}`]: -cashout.amountMinor,
    'service:fees': -cashout.feeMinor,
    'service:tax': -cashout.taxMinor,
  });
}

/** What the ledger needs of a payment of an order. A recurrent order has many payments, numbered from 1. */
type OrderPaymentMoney = Fee & {
  readonly merchantId: string;
  readonly orderId: string;
  readonly paymentNumber: number;
  readonly currency: string;
  readonly amountMinor: bigint;
  /** The network that holds the payer's money for us. */
  readonly netname: string;
};

/** Who holds the money of a payment that the operator found by hand. Names of networks hold no colon, so that nobody else's account is meant. */
export const OPERATOR_HOLDS = 'operator:bank';

/**
 * An order is paid: the network owes us the amount, and we owe it to the merchant, less fee and tax.
 * Where these are more than the amount, the merchant owes us the rest.
 */
export function orderPaid(payment: OrderPaymentMoney, at: Temporal.Instant): LedgerTransaction {
  return orderTransaction(payment, 'paid', 'order_paid', at, 1n);
}

/** The network takes its payment back: every account is as before it, fee and tax included. */
export function orderPaymentReversed(payment: OrderPaymentMoney, at: Temporal.Instant): LedgerTransaction {
  return orderTransaction(payment, 'reversed', 'order_payment_reversed', at, -1n);
}

/** Who handed the money of a payment back to the payer: the network or the method that had taken it, the operator, the merchant itself. */
export type Refunder = 'network' | 'operator' | 'merchant';

/** Which of a merchant's money bears a refund: what it has collected, or its fund for cashouts. */
export type Bearer = 'collected' | 'fund';

/** Their accounts. */
export const BEARERS = { collected: 'collected', fund: 'available' } as const satisfies Readonly<Record<Bearer, LedgerAccount>>;

/** What the ledger needs of a refund. Fee and tax: what of those of the payment comes back with it. */
type RefundMoney = Fee & {
  readonly merchantId: string;
  readonly orderId: string;
  readonly refundId: string;
  readonly takenFrom: Bearer;
  readonly currency: string;
  readonly amountMinor: bigint;
};

/** A payer is promised money back: the merchant bears it, less fee and tax. It is owed to the payer until somebody pays. */
export const refundOwed = (refund: RefundMoney, at: Temporal.Instant): LedgerTransaction =>
  refundTransaction(refund, 'owed', at, refundAmounts(refund, 1n));

/** A refund was cancelled, or could not be paid: the merchant has its money again. */
export const refundReleased = (refund: RefundMoney, at: Temporal.Instant): LedgerTransaction =>
  refundTransaction(refund, 'released', at, refundAmounts(refund, -1n));

/**
 * Somebody has paid the payer, and is owed the amount: the merchant where it was taken from. What a network holds stays there, unless it
 * was the network.
 * `netname`: who holds the money of the payment.
 */
export function refundPaid(refund: RefundMoney, by: Refunder, netname: string, at: Temporal.Instant): LedgerTransaction {
  // A payment that the operator found by hand lies in the operator's own bank.
  const isHolder = by === 'network' || (by === 'operator' && netname === OPERATOR_HOLDS);
  const account: LedgerAccount = isHolder ? `network:${netname}` : by === 'operator' ? 'service:bank' : BEARERS[refund.takenFrom];
  return refundTransaction(refund, 'paid', at, { refunds: -refund.amountMinor, [account]: refund.amountMinor });
}

/** What the ledger needs of a settlement, in minor units. Gross is net and all that was taken off: fees, tax on them, withheld, reserve. */
type SettlementMoney = {
  readonly merchantId: string;
  readonly settlementId: bigint;
  readonly currency: string;
  readonly netMinor: bigint;
};

/** What is taken off a settlement, by the account that gets it. */
type TakenOff = Fee & { readonly withheldMinor: bigint };

/** A settlement is approved: what was collected is on its way to the merchant's bank, less what is taken off and what is held. */
export function settlementApproved(
  settlement: SettlementMoney,
  { feeMinor, taxMinor, withheldMinor, reserveMinor }: TakenOff & { readonly reserveMinor: bigint },
  at: Temporal.Instant,
): LedgerTransaction {
  const { netMinor } = settlement;
  return settlementTransaction(settlement, 'approved', at, {
    collected: -(netMinor + feeMinor + taxMinor + withheldMinor + reserveMinor),
    settlements: netMinor,
    held: reserveMinor,
    'service:fees': feeMinor,
    'service:tax': taxMinor,
    'service:withheld': withheldMinor,
  });
}

/** The operator's bank has paid a settlement. */
export const settlementPaid = (settlement: SettlementMoney, at: Temporal.Instant): LedgerTransaction =>
  settlementTransaction(settlement, 'paid', at, { settlements: -settlement.netMinor, 'service:bank': settlement.netMinor });

/**
 * A settlement did not reach the merchant, or came back: the merchant has its money again, with what was taken for the payout alone.
 * `wasPaid`: the operator's bank had paid it, and has it back.
 */
export function settlementReturned(
  settlement: SettlementMoney,
  { feeMinor, taxMinor, withheldMinor }: TakenOff,
  wasPaid: boolean,
  at: Temporal.Instant,
): LedgerTransaction {
  const { netMinor } = settlement;
  return settlementTransaction(settlement, 'returned', at, {
    [wasPaid ? 'service:bank' : 'settlements']: -netMinor,
    collected: netMinor + feeMinor + taxMinor + withheldMinor,
    'service:fees': -feeMinor,
    'service:tax': -taxMinor,
    'service:withheld': -withheldMinor,
  });
}

/** What the ledger needs of money that is held back. */
type HeldMoney = { readonly merchantId: string; readonly holdId: bigint; readonly currency: string; readonly amountMinor: bigint };

/** An operator holds back what a merchant has collected. It stays the merchant's. */
export const holdPlaced = (hold: HeldMoney & { readonly reason: string }, at: Temporal.Instant): LedgerTransaction =>
  holdTransaction(hold, 'placed', at, -1n, hold.reason);

/** Money that was held is free again: the next settlement has it. */
export const holdReleased = (hold: HeldMoney, at: Temporal.Instant): LedgerTransaction => holdTransaction(hold, 'released', at, 1n, null);

/** A transfer from a merchant. */
type TopUpMoney = {
  readonly merchantId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  /** Names the transfer; unique per merchant. */
  readonly reference: string;
};

/** A merchant has sent us money: its fund grows. */
export function toppedUp({ merchantId, currency, amountMinor, reference }: TopUpMoney, at: Temporal.Instant): LedgerTransaction {
  return {
    merchantId,
    transactionId: topUpId(reference),
    kind: 'top_up',
    currency,
    postedAt: at,
    reason: null,
    lines: linesOf({ 'service:bank': -amountMinor, available: amountMinor }),
  };
}

export const topUpId = (reference: string): string => `top-up/${reference}`;

/** What a merchant moves from what it has collected to its fund. */
type ToFundMoney = {
  readonly merchantId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  /** What the transaction is called; unique per merchant. */
  readonly transactionId: string;
};

/** What a merchant has collected becomes money for its cashouts. */
export function movedToFund({ merchantId, currency, amountMinor, transactionId }: ToFundMoney, at: Temporal.Instant): LedgerTransaction {
  return {
    merchantId,
    transactionId,
    kind: 'moved_to_fund',
    currency,
    postedAt: at,
    reason: null,
    lines: linesOf({ collected: -amountMinor, available: amountMinor }),
  };
}

export const toFundId = (reference: string): string => `to-fund/${reference}`;

/** What a merchant has to move, and where to. */
export type OwnMoney = { readonly availableMinor: bigint; readonly collectedMinor: bigint };

/** How much of what was collected may leave it. Where fees or reversals were more than the payments it is below zero, and nothing may. */
export const freeToMove = ({ collectedMinor }: Pick<OwnMoney, 'collectedMinor'>): bigint => (collectedMinor > 0n ? collectedMinor : 0n);

/** When a rule moves what was collected, and how much of it; in minor units. */
export type FundTerms = {
  /** It moves whenever the fund holds less. Null: once a day. */
  readonly lowMinor: bigint | null;
  /** Up to which the fund is filled. Null: all moves. */
  readonly targetMinor: bigint | null;
};

/** How much a rule moves now; zero: nothing. */
export function movedByRule({ lowMinor, targetMinor }: FundTerms, own: OwnMoney): bigint {
  if (lowMinor !== null && own.availableMinor >= lowMinor) return 0n;
  const roomMinor = (targetMinor ?? MAX_FUND_MINOR) - own.availableMinor;
  const freeMinor = freeToMove(own);
  const moved = freeMinor < roomMinor ? freeMinor : roomMinor;
  return moved > 0n ? moved : 0n;
}

type AdjustmentMoney = {
  readonly merchantId: string;
  readonly currency: string;
  readonly account: LedgerAccount;
  /** Positive credits the account, negative debits it. */
  readonly amountMinor: bigint;
  readonly reason: string;
  readonly adjustmentId: string;
};

/** An operator corrects an account. The reason is kept. */
export function adjusted(adjustment: AdjustmentMoney, at: Temporal.Instant): LedgerTransaction {
  const { merchantId, currency, account, amountMinor, reason, adjustmentId } = adjustment;
  return {
    merchantId,
    transactionId: `adjustment/${adjustmentId}`,
    kind: 'adjustment',
    currency,
    postedAt: at,
    reason,
    lines: linesOf({ [account]: amountMinor, 'service:adjustments': -amountMinor }),
  };
}

type Amounts = Partial<Record<LedgerAccount, bigint>>;

function cashoutTransaction(
  { merchantId, operationId, currency }: CashoutMoney,
  event: 'registered' | 'released' | 'paid' | 'reversed',
  kind: LedgerKind,
  postedAt: Temporal.Instant,
  amounts: Amounts,
): LedgerTransaction {
  const transactionId = `cashout/${operationId}/${event}`;
  return { merchantId, transactionId, kind, currency, postedAt, reason: null, lines: linesOf(amounts) };
}

function orderTransaction(
  { merchantId, orderId, paymentNumber, currency, amountMinor, feeMinor, taxMinor, netname }: OrderPaymentMoney,
  event: 'paid' | 'reversed',
  kind: LedgerKind,
  postedAt: Temporal.Instant,
  sign: 1n | -1n,
): LedgerTransaction {
  const transactionId = `order/${orderId}/${event}/${paymentNumber}`;
  const lines = linesOf({
    [`network:${netname}`]: -sign * amountMinor,
    collected: sign * (amountMinor - feeMinor - taxMinor),
    'service:fees': sign * feeMinor,
    'service:tax': sign * taxMinor,
  });
  return { merchantId, transactionId, kind, currency, postedAt, reason: null, lines };
}

function refundTransaction(
  { merchantId, orderId, refundId, currency }: RefundMoney,
  event: 'owed' | 'released' | 'paid',
  postedAt: Temporal.Instant,
  amounts: Amounts,
): LedgerTransaction {
  const transactionId = `order/${orderId}/refund/${refundId}/${event}`;
  return { merchantId, transactionId, kind: `order_refund_${event}`, currency, postedAt, reason: null, lines: linesOf(amounts) };
}

function settlementTransaction(
  { merchantId, settlementId, currency }: SettlementMoney,
  event: 'approved' | 'paid' | 'returned',
  postedAt: Temporal.Instant,
  amounts: Amounts,
): LedgerTransaction {
  const transactionId = `settlement/${settlementId}/${event}`;
  return { merchantId, transactionId, kind: `settlement_${event}`, currency, postedAt, reason: null, lines: linesOf(amounts) };
}

function holdTransaction(
  { merchantId, holdId, currency, amountMinor }: HeldMoney,
  event: 'placed' | 'released',
  postedAt: Temporal.Instant,
  sign: 1n | -1n,
  reason: string | null,
): LedgerTransaction {
  const lines = linesOf({ collected: sign * amountMinor, held: -sign * amountMinor });
  return { merchantId, transactionId: `hold/${holdId}/${event}`, kind: `hold_${event}`, currency, postedAt, reason, lines };
}

const refundAmounts = ({ takenFrom, amountMinor, feeMinor, taxMinor }: RefundMoney, sign: 1n | -1n): Amounts => ({
  [BEARERS[takenFrom]]: -sign * (amountMinor - feeMinor - taxMinor),
  'service:fees': -sign * feeMinor,
  'service:tax': -sign * taxMinor,
  refunds: sign * amountMinor,
});

/** An account whose balance does not change has no line. */
function linesOf(amounts: Amounts): readonly LedgerLine[] {
  return (Object.entries(amounts) as [LedgerAccount, bigint][])
    .map(([account, amountMinor]) => ({ account, amountMinor }))
    .filter(({ amountMinor }) => amountMinor !== 0n);
}
