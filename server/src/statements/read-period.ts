import type { Snapshot } from '../kit/snapshot.ts';
import type { Statement, Value } from '../kit/db.ts';
import {
  LEDGER_KINDS,
  merchantSide,
  OWN_ACCOUNTS,
  readDay,
  readSettledTransactions,
  readTransactions,
  SETTLED_HOURS,
  statementOf,
  sumSettledKinds,
  type LedgerDay,
  type LedgerKind,
  type MerchantSide,
  type PostedTransaction,
} from '../ledger/index.ts';
import {
  readHoldsOfSettlement,
  readSettlement,
  readSettlementLines,
  type HeldMoney,
  type Settlement,
  type SettlementLine,
} from '../settlements/index.ts';
import { spanOf, type StatementPeriod } from './period.ts';

/** What is asked for. */
type AskedStatement = {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly currency: string;
  readonly zone: string;
  readonly period: StatementPeriod;
};

/** Of each of the merchant's own accounts, in the order of OWN_ACCOUNTS. */
export type OwnAmounts = readonly bigint[];

/** One row of the summary: what one kind of event moved, or all of them. */
type SummaryLine = MerchantSide & { readonly transactions: bigint; readonly own: OwnAmounts };

/** The figures of a statement. Opening and all nets add up to closing, of each own account too. */
export type PeriodStatement = AskedStatement & {
  readonly madeAt: Temporal.Instant;
  /** Nothing more is posted into the period; a settlement is approved. */
  readonly isOver: boolean;
  readonly openingMinor: bigint;
  readonly openingOwn: OwnAmounts;
  readonly lines: readonly (SummaryLine & { readonly kind: LedgerKind })[];
  readonly total: SummaryLine;
  readonly closingMinor: bigint;
  readonly closingOwn: OwnAmounts;
  readonly addsUp: boolean;
  /** Of a settlement alone. */
  readonly payout: Payout | null;
};

/** What becomes of what a settlement has collected: what is taken off, of that what is held, and the rest. */
export type Payout = {
  readonly settlement: Settlement;
  readonly lines: readonly SettlementLine[];
  /** None before it is approved. */
  readonly holds: readonly HeldMoney[];
};

/** One movement: a transaction of the merchant, and what it has of its own afterwards. */
export type Move = MerchantSide &
  Pick<PostedTransaction, 'transactionId' | 'kind' | 'postedLocal' | 'reason'> & {
    readonly own: OwnAmounts;
    readonly balanceMinor: bigint;
  };

const ownAmounts = (amounts: ReadonlyMap<string, bigint>): OwnAmounts => OWN_ACCOUNTS.map((account) => amounts.get(account) ?? 0n);
const addOwn = (one: OwnAmounts, other: OwnAmounts): OwnAmounts => one.map((amount, place) => amount + (other[place] ?? 0n));
const NOTHING: SummaryLine = {
  transactions: 0n,
  amountMinor: 0n,
  feesMinor: 0n,
  taxMinor: 0n,
  netMinor: 0n,
  own: OWN_ACCOUNTS.map(() => 0n),
};
const addLines = (one: SummaryLine, other: SummaryLine): SummaryLine => ({
  transactions: one.transactions + other.transactions,
  amountMinor: one.amountMinor + other.amountMinor,
  feesMinor: one.feesMinor + other.feesMinor,
  taxMinor: one.taxMinor + other.taxMinor,
  netMinor: one.netMinor + other.netMinor,
  own: addOwn(one.own, other.own),
});

/** Reads from a snapshot as from a database. */
const reading = (snapshot: Pick<Snapshot, 'rows'>) => ({
  query: <Row>(statement: Statement, values: readonly Value[]): Promise<Row[]> => Array.fromAsync(snapshot.rows<Row>(statement, values)),
});

/** What is asked for; the currency where it was named. */
export type ToRead = Omit<AskedStatement, 'currency'> & {
  /** Of the currencies in which money has moved in a time, the one of the statement. Throws: what refuses. */
  readonly choose: (currencies: readonly string[]) => string;
};

/**
 * Reads the figures of a statement. Those of a time are what `readDay` has: the day, the console and statements have the same.
 * Throws: what `choose` throws.
 */
export async function readPeriodStatement(
  snapshot: Snapshot,
  { choose, ...asked }: ToRead,
  now: Temporal.Instant,
): Promise<PeriodStatement> {
  const { period, merchantId, zone } = asked;
  if (period.kind === 'settlement') return readSettled(snapshot, asked, period.settlementId, now);
  const { from, until } = spanOf(period, zone);
  const moved = await readDay(reading(snapshot), merchantId, from, until);
  const currency = choose(moved.map((one) => one.currency));
  const isOver = Temporal.Instant.compare(until.add({ hours: SETTLED_HOURS }), now) <= 0;
  const ofCurrency = moved.find((one) => one.currency === currency);
  return { ...figuresOf({ ...asked, currency }, ofCurrency), madeAt: now, isOver, payout: null };
}

/** Reads the figures of a settlement: its entries, kind by kind, are the movements of an account that was empty before. */
async function readSettled(
  snapshot: Snapshot,
  asked: Omit<AskedStatement, 'currency'>,
  settlementId: bigint,
  now: Temporal.Instant,
): Promise<PeriodStatement> {
  const db = reading(snapshot);
  const key = { merchantId: asked.merchantId, settlementId };
  const settlement = await readSettlement(db, key);
  if (settlement === undefined) throw new Error(`settlement ${settlementId} of ${asked.merchantId} is gone`);
  const { currency, grossMinor, netMinor } = settlement;
  const [lines, holds, movements] = [
    await readSettlementLines(db, key),
    await readHoldsOfSettlement(db, key),
    await sumSettledKinds(db, key),
  ];
  const end = new Map([['collected', grossMinor]]);
  const figures = figuresOf({ ...asked, currency }, { currency, start: new Map(), movements, end, faults: [] });
  const leftMinor = lines.reduce((left, { amountMinor, taxMinor }) => left - amountMinor - taxMinor, grossMinor);
  return {
    ...figures,
    madeAt: now,
    isOver: settlement.state !== 'draft',
    addsUp: figures.addsUp && leftMinor === netMinor && figures.total.transactions > 0n,
    payout: { settlement, lines, holds },
  };
}

type Figures = Omit<PeriodStatement, 'madeAt' | 'isOver' | 'payout'>;

/** `moved`: undefined where no money has moved in the currency yet. */
function figuresOf(asked: AskedStatement, moved: LedgerDay | undefined): Figures {
  const { start, movements, end, faults }: LedgerDay = moved ?? {
    currency: asked.currency,
    start: new Map(),
    movements: [],
    end: new Map(),
    faults: [],
  };
  const { openingMinor, lines: ofDay, closingMinor } = statementOf({ currency: asked.currency, start, movements, end, faults });
  const lines = ofDay
    .map((line, place) => ({ ...line, own: ownAmounts(movements[place]?.amounts ?? new Map()) }))
    .toSorted((one, other) => LEDGER_KINDS.indexOf(one.kind) - LEDGER_KINDS.indexOf(other.kind));
  const total = lines.reduce(addLines, NOTHING);
  const [openingOwn, closingOwn] = [ownAmounts(start), ownAmounts(end)];
  return {
    ...asked,
    openingMinor,
    openingOwn,
    lines,
    total,
    closingMinor,
    closingOwn,
    addsUp: faults.length === 0 && openingMinor + total.netMinor === closingMinor && isSame(addOwn(openingOwn, total.own), closingOwn),
  };
}

const isSame = (one: OwnAmounts, other: OwnAmounts): boolean => one.every((amount, place) => amount === other[place]);

function transactionsOf(
  snapshot: Pick<Snapshot, 'rows'>,
  { period, merchantId, currency, zone }: AskedStatement,
): AsyncGenerator<PostedTransaction, void> {
  return period.kind === 'settlement'
    ? readSettledTransactions(snapshot, { merchantId, settlementId: period.settlementId, zone })
    : readTransactions(snapshot, { merchantId, currency, zone, ...spanOf(period, zone) });
}

/**
 * Reads the movements of a statement, the oldest first.
 * Throws: where they do not add up to the summary, kind by kind. The file then ends without its trailer.
 */
export async function* readMoves(snapshot: Pick<Snapshot, 'rows'>, statement: PeriodStatement): AsyncGenerator<Move, void> {
  let balanceMinor = statement.openingMinor;
  const sums = new Map<LedgerKind, SummaryLine>();
  for await (const { amounts, ...posted } of transactionsOf(snapshot, statement)) {
    const side = merchantSide(amounts);
    const own = ownAmounts(amounts);
    balanceMinor += side.netMinor;
    sums.set(posted.kind, addLines(sums.get(posted.kind) ?? NOTHING, { ...side, own, transactions: 1n }));
    yield { ...posted, ...side, own, balanceMinor };
  }
  const text = (line: SummaryLine): string => [line.transactions, line.amountMinor, line.feesMinor, line.taxMinor, ...line.own].join(' ');
  const isWhole =
    sums.size === statement.lines.length &&
    statement.lines.every((line) => text(line) === text(sums.get(line.kind) ?? NOTHING)) &&
    (balanceMinor === statement.closingMinor || !statement.addsUp);
  if (!isWhole) throw new Error(`the movements of ${statement.merchantId} do not add up to the summary of its statement`);
}
