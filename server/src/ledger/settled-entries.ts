import { firstFinding, type Check } from '../kit/checks/finding.ts';
import { statement, type Tx } from '../kit/db.ts';
import { addSame } from '../kit/lists/sums.ts';
import type { Snapshot } from '../kit/snapshot.ts';
import { ENTRY_FIELDS, selectEntry, SETTLED_HOURS, type LedgerEntry, type ListedEntry } from './entry.ts';
import type { LedgerKind } from './postings.ts';

// Which entries of `collected` are in which settlement. The rooms of settlements and of the ledger share this alone: who makes a settlement
// takes entries here, and everything else about it is that room's.

/** About so many entries are in one settlement. What is left is in the next one. */
const MOST_ENTRIES = 200_000;
/** Where so many come to nothing that is paid out, more are taken, up to so many times as many: else they would stop all that came later. */
const MOST_TIMES = 5;
/** Entries of one statement: it ends long before statements time out. */
const PORTION = 20_000;

type Of = { readonly merchantId: string; readonly currency: string };

/** Entries of one day of the merchant's zone, of one kind and of one source, added up. In minor units. */
export type EntrySum = {
  readonly day: Temporal.PlainDate;
  readonly kind: LedgerKind;
  /** Who took the payments or holds them, as `network:NAME` has it. Null: no payment, or part of one, that a refund gives back. */
  readonly source: string | null;
  /** Of one refund: its transaction. */
  readonly refund: string | null;
  readonly entries: bigint;
  readonly collectedMinor: bigint;
  /** What payers paid, less what was reversed or refunded. */
  readonly paymentsMinor: bigint;
  /** What was charged on these, without its tax. */
  readonly feesMinor: bigint;
};

const INSERT_MARK = statement(
  'ledger.insert_settlement_mark',
  `insert into settlement_marks (merchant_id, currency, settled_to) values ($1, $2, 'epoch') on conflict do nothing`,
);
const LOCK_MARK = statement(
  'ledger.lock_settlement_mark',
  `select settled_to as "settledTo" from settlement_marks where merchant_id = $1 and currency = $2 for no key update`,
);
const READ_MARK = statement(
  'ledger.read_settlement_mark',
  `select settled_to as "settledTo" from settlement_marks where merchant_id = $1 and currency = $2`,
);
const MOVE_MARK = statement(
  'ledger.move_settlement_mark',
  `update settlement_marks set settled_to = $3 where merchant_id = $1 and currency = $2`,
);

/**
 * What was posted on `collected` after $3 and up to $4, and is in the settlement $5; null: in none. What a settlement takes itself is never
 * taken by another one. Each entry is looked up by its key: a join would read all that was ever settled.
 */
const MEMBERS = `select e.transaction_id, e.line, e.kind, e.amount_minor, e.posted_at
       from ledger_entries e
       left join lateral (
         select s.settlement_id from settlement_entries s
          where s.merchant_id = e.merchant_id and s.transaction_id = e.transaction_id and s.line = e.line limit 1) as taken on true
      where e.merchant_id = $1 and e.currency = $2 and e.account = 'collected' and e.kind <> 'settlement_approved'
        and e.posted_at > $3 and e.posted_at <= $4 and taken.settlement_id is not distinct from $5::bigint`;

/** Where a portion ends. All entries of one instant are in the same portion. */
const END_OF_PORTION = statement(
  'ledger.end_of_free_entries',
  `select max(posted_at) as "endsAt", count(*) as entries from (${MEMBERS} order by e.posted_at limit $6::bigint) as portion`,
);
const TAKE = statement(
  'ledger.take_free_entries',
  `insert into settlement_entries (merchant_id, transaction_id, line, settlement_id)
   select $1, free.transaction_id, free.line, $6::bigint from (${MEMBERS}) as free`,
);
const GIVE_BACK = statement('ledger.free_settled_entries', `delete from settlement_entries where merchant_id = $1 and settlement_id = $2`);
const FIRST_OF = statement(
  'ledger.first_settled_entry',
  `select min(e.posted_at) as "firstAt" from settlement_entries s
     join ledger_entries e on e.merchant_id = s.merchant_id and e.transaction_id = s.transaction_id and e.line = s.line
    where s.merchant_id = $1 and s.settlement_id = $2`,
);

const PAYMENT_KINDS = `('order_paid', 'order_payment_reversed', 'order_refund_owed', 'order_refund_released')`;
/** What the other entries of its transaction say of an entry: who holds the payment, its amount, its fee. */
const SUMS = statement(
  'ledger.sum_settled_entries',
  `select (member.posted_at at time zone $6)::date as day, member.kind, other.source,
          case when member.kind in ('order_refund_owed', 'order_refund_released') then member.transaction_id end as refund,
          count(*) as entries, sum(member.amount_minor)::bigint as "collectedMinor",
          coalesce(sum(other.payments), 0)::bigint as "paymentsMinor", coalesce(sum(other.fees), 0)::bigint as "feesMinor"
     from (${MEMBERS}) as member
     left join lateral (
       select max(substr(o.account, 9)) filter (where o.account like 'network:%') as source,
              -sum(o.amount_minor) filter (where o.account like 'network:%' or o.account = 'refunds') as payments,
              sum(o.amount_minor) filter (where o.account = 'service:fees') as fees
         from ledger_entries o where o.merchant_id = $1 and o.transaction_id = member.transaction_id) as other
       on member.kind in ${PAYMENT_KINDS}
    group by 1, 2, 3, 4`,
);

type Gathered = {
  readonly sums: readonly EntrySum[];
  /** No free entry was left between the mark and this instant. */
  readonly takenTo: Temporal.Instant;
};

/**
 * Goes through the free entries of a merchant that were posted before `until`, oldest first: MOST_ENTRIES, and more while these are not enough.
 * Shape: `settlementId`: the settlement that takes them; null: none, and nothing is written → their sums. `zone`: that of the days.
 */
async function gather(
  tx: Pick<Tx, 'query'>,
  {
    merchantId,
    currency,
    settledTo,
    until,
    settlementId,
    zone,
    isEnough,
    most = MOST_ENTRIES,
  }: Of & GatherOptions & { readonly settledTo: Temporal.Instant },
): Promise<Gathered> {
  const last = until.subtract({ microseconds: 1 });
  const groups: EntrySum[] = [];
  let from = settledTo;
  const atOnce = Math.min(PORTION, most);
  let [count, enough] = [0, most];
  while (count < enough) {
    const [portion] = await tx.query<{ readonly endsAt: Temporal.Instant | null; readonly entries: bigint }>(END_OF_PORTION, [
      merchantId,
      currency,
      from,
      last,
      null,
      atOnce,
    ]);
    if (portion === undefined || portion.endsAt === null) return { sums: addGroups(groups), takenTo: last };
    const within = [merchantId, currency, from, portion.endsAt];
    if (settlementId !== null) await tx.query(TAKE, [...within, null, settlementId]);
    groups.push(...(await tx.query<EntrySum>(SUMS, [...within, settlementId, zone])));
    from = portion.endsAt;
    count += Number(portion.entries);
    if (portion.entries < BigInt(atOnce)) return { sums: addGroups(groups), takenTo: last };
    if (count >= enough && count < most * MOST_TIMES && (await isEnough?.(addGroups(groups))) === false) enough += most;
  }
  return { sums: addGroups(groups), takenTo: from };
}

/** The same day, kind and source may lie in several portions. */
const addGroups = (groups: readonly EntrySum[]): readonly EntrySum[] =>
  addEntrySums(groups, ({ day, kind, source, refund }) => [day.toString(), kind, source, refund].join(' '));

/** Adds up sums of the same key; what else they say is that of the first. */
export const addEntrySums = <Sum extends Omit<EntrySum, 'kind' | 'refund'>>(sums: readonly Sum[], keyOf: (sum: Sum) => string) =>
  addSame(sums, keyOf, (sum, one) => ({
    ...sum,
    entries: sum.entries + one.entries,
    collectedMinor: sum.collectedMinor + one.collectedMinor,
    paymentsMinor: sum.paymentsMinor + one.paymentsMinor,
    feesMinor: sum.feesMinor + one.feesMinor,
  }));

type GatherOptions = {
  readonly until: Temporal.Instant;
  readonly settlementId: bigint | null;
  readonly zone: string;
  /** Whether a settlement of these pays something out. Absent: it does. */
  readonly isEnough?: (sums: readonly EntrySum[]) => Promise<boolean>;
  /** Entries of one settlement. */
  readonly most?: number | undefined;
};
type SumOptions = Of & Omit<GatherOptions, 'settlementId'>;

/** Adds up what a settlement would take now. */
export async function sumFreeEntries(db: Pick<Tx, 'query'>, of: SumOptions): Promise<readonly EntrySum[]> {
  const [mark] = await db.query<{ readonly settledTo: Temporal.Instant }>(READ_MARK, [of.merchantId, of.currency]);
  const settledTo = mark?.settledTo ?? Temporal.Instant.fromEpochMilliseconds(0);
  return (await gather(db, { ...of, settledTo, settlementId: null })).sums;
}

/**
 * Puts the free entries of a merchant into a settlement that is about to be made, in this transaction.
 * Effects: locks the merchant's mark in this currency until commit, and moves it on: two that settle at once go one after the other.
 * Payments go on meanwhile: no balance is locked.
 */
export async function takeFreeEntries(
  tx: Tx,
  { now, ...of }: SumOptions & { readonly settlementId: bigint; readonly now: Temporal.Instant },
): Promise<readonly EntrySum[]> {
  const settledTo = await lockMark(tx, of);
  const { sums, takenTo } = await gather(tx, { ...of, settledTo });
  const settledHour = now.subtract({ hours: SETTLED_HOURS });
  const reached = Temporal.Instant.compare(takenTo, settledHour) < 0 ? takenTo : settledHour;
  if (Temporal.Instant.compare(reached, settledTo) > 0) tx.send(MOVE_MARK, [of.merchantId, of.currency, reached]);
  return sums;
}

/** Gives the entries of a settlement back that was cancelled in this transaction. Effects: locks the mark, and moves it back before them. */
export async function freeEntries(tx: Tx, of: Of & { readonly settlementId: bigint }): Promise<void> {
  const { merchantId, currency, settlementId } = of;
  const settledTo = await lockMark(tx, of);
  const [first] = await tx.query<{ readonly firstAt: Temporal.Instant | null }>(FIRST_OF, [merchantId, settlementId]);
  const before = first?.firstAt?.subtract({ microseconds: 1 });
  if (before !== undefined && Temporal.Instant.compare(before, settledTo) < 0) tx.send(MOVE_MARK, [merchantId, currency, before]);
  tx.send(GIVE_BACK, [merchantId, settlementId]);
}

async function lockMark(tx: Tx, { merchantId, currency }: Of): Promise<Temporal.Instant> {
  await tx.query(INSERT_MARK, [merchantId, currency]);
  const [mark] = await tx.query<{ readonly settledTo: Temporal.Instant }>(LOCK_MARK, [merchantId, currency]);
  if (mark === undefined) throw new Error(`the settlement mark of ${merchantId} in ${currency} is gone`);
  return mark.settledTo;
}

/** Along the index of settlements, and then by the key of the entry. */
const ENTRIES_OF_SETTLEMENT = statement(
  'ledger.entries_of_settlement',
  `select ${selectEntry(ENTRY_FIELDS, 'e')}, s.settlement_id as "settlementId" from settlement_entries s
     join ledger_entries e on e.merchant_id = s.merchant_id and e.transaction_id = s.transaction_id and e.line = s.line
    where s.merchant_id = $1 and s.settlement_id = $2 and ($3::text is null or (s.transaction_id, s.line) > ($3, $4::int))
    order by s.transaction_id, s.line limit $5`,
);

/** Reads entries of a settlement, in the order of their transactions. `after`: the last one of the page before. */
export function readSettledEntries(
  db: Pick<Tx, 'query'>,
  {
    merchantId,
    settlementId,
    after,
    limit,
  }: {
    readonly merchantId: string;
    readonly settlementId: bigint;
    readonly after: Pick<LedgerEntry, 'transactionId' | 'line'> | undefined;
    readonly limit: number;
  },
): Promise<readonly ListedEntry[]> {
  return db.query<ListedEntry>(ENTRIES_OF_SETTLEMENT, [merchantId, settlementId, after?.transactionId ?? null, after?.line ?? null, limit]);
}

const BEHIND_MARK = statement(
  'ledger.verify_settlement_marks',
  `select e.merchant_id as "merchantId", e.transaction_id as id,
          'is in no settlement, though all is settled that was posted until ' || m.settled_to as problem
     from settlement_marks m
     join ledger_entries e on e.merchant_id = m.merchant_id and e.currency = m.currency and e.account = 'collected'
      and e.kind <> 'settlement_approved' and e.posted_at <= m.settled_to
     left join settlement_entries s on s.merchant_id = e.merchant_id and s.transaction_id = e.transaction_id and s.line = e.line
    where s.settlement_id is null limit 1`,
);

export const settledEntriesCheck: Check = {
  promise: 'whatever was collected before the mark of its merchant is in a settlement',
  run: firstFinding(BEHIND_MARK),
};

/** What the ledger has in one settlement. `others`: not entries of `collected` that a settlement may have. */
type SettledMembers = {
  readonly merchantId: string;
  readonly settlementId: bigint;
  readonly entries: bigint;
  readonly others: bigint;
  readonly amountMinor: bigint;
};

const MEMBERS_OF_ALL = statement(
  'ledger.verify_settled_entries',
  `select s.merchant_id as "merchantId", s.settlement_id as "settlementId", count(*) as entries,
          count(*) filter (where (e.account = 'collected' and e.kind <> 'settlement_approved') is not true) as others,
          coalesce(sum(e.amount_minor), 0)::bigint as "amountMinor"
     from settlement_entries s
     left join ledger_entries e on e.merchant_id = s.merchant_id and e.transaction_id = s.transaction_id and e.line = s.line
    group by s.merchant_id, s.settlement_id order by s.merchant_id, s.settlement_id`,
);

/** Walks what is in settlements, in the order of their keys. For the checks of their room. */
export const walkSettled = (snapshot: Snapshot): AsyncGenerator<SettledMembers, undefined> =>
  snapshot.rows<SettledMembers>(MEMBERS_OF_ALL, []) as AsyncGenerator<SettledMembers, undefined>;
