import type { Snapshot } from '../kit/snapshot.ts';
import type { Statement, Value } from '../kit/db.ts';
import {
  LEDGER_KINDS,
  merchantSide,
  OWN_ACCOUNTS,
  readDay,
  readTransactions,
  statementOf,
  type LedgerDay,
  type LedgerKind,
  type MerchantSide,
  type PostedTransaction,
} from '../ledger/index.ts';
import { spanOf, type StatementPeriod } from './period.ts';

/** What is asked for. */
export type AskedStatement = {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly currency: string;
  readonly zone: string;
  readonly period: StatementPeriod;
};

/** Of each of the merchant's own accounts, in the order of OWN_ACCOUNTS. */
type OwnAmounts = readonly bigint[];

/** One row of the summary: what one kind of event moved, or all of them. */
type SummaryLine = MerchantSide & { readonly transactions: bigint; readonly own: OwnAmounts };

/** The figures of a statement. Opening and all nets add up to closing, of each own account too. */
export type PeriodStatement = AskedStatement & {
  readonly from: Temporal.Instant;
  readonly until: Temporal.Instant;
  readonly madeAt: Temporal.Instant;
  /** Nothing more is posted into the period. */
  readonly isOver: boolean;
  readonly openingMinor: bigint;
  readonly openingOwn: OwnAmounts;
  readonly lines: readonly (SummaryLine & { readonly kind: LedgerKind })[];
  readonly total: SummaryLine;
  readonly closingMinor: bigint;
  readonly closingOwn: OwnAmounts;
  readonly addsUp: boolean;
};

/** One movement: a transaction of the merchant, and what it has of its own afterwards. */
export type Move = MerchantSide &
  Pick<PostedTransaction, 'transactionId' | 'kind' | 'postedLocal' | 'reason'> & {
    readonly own: OwnAmounts;
    readonly balanceMinor: bigint;
  };

/** An entry has the instant at which its transaction was decided. An hour later that transaction has long ended (decision 0037). */
const SETTLED_HOURS = 1;

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

/** Reads by currency what a merchant had and moved, as `readDay` has it: the figures of a day, of the console and of statements are one. */
export async function readMoved(
  snapshot: Snapshot,
  merchantId: string,
  period: StatementPeriod,
  zone: string,
): Promise<readonly LedgerDay[]> {
  const query = async <Row>(statement: Statement, values: readonly Value[]): Promise<Row[]> =>
    Array.fromAsync(snapshot.rows<Row>(statement, values));
  const { from, until } = spanOf(period, zone);
  return readDay({ query }, merchantId, from, until);
}

/** Makes the figures of a statement. `moved`: of its currency; undefined where no money has moved in it yet. */
export function toPeriodStatement(asked: AskedStatement, moved: LedgerDay | undefined, now: Temporal.Instant): PeriodStatement {
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
  const { from, until } = spanOf(asked.period, asked.zone);
  return {
    ...asked,
    from,
    until,
    madeAt: now,
    isOver: Temporal.Instant.compare(until.add({ hours: SETTLED_HOURS }), now) <= 0,
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

/**
 * Reads the movements of a statement, the oldest first.
 * Throws: where they do not add up to the summary, kind by kind. The file then ends without its trailer.
 */
export async function* readMoves(snapshot: Pick<Snapshot, 'rows'>, statement: PeriodStatement): AsyncGenerator<Move, void> {
  let balanceMinor = statement.openingMinor;
  const sums = new Map<LedgerKind, SummaryLine>();
  for await (const { amounts, ...posted } of readTransactions(snapshot, statement)) {
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
