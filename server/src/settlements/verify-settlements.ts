import { statement } from '../kit/db.ts';
import { firstFinding, type Check } from '../kit/checks/finding.ts';
import type { Snapshot } from '../kit/snapshot.ts';
import { compareEntries, walkSettled, type ExpectedEntries } from '../ledger/index.ts';
import { filesCheck } from './bank-files/verify-files.ts';
import { SELECT_HELD_MONEY } from './holds/hold-rows.ts';
import { postingsOfHold, type HeldMoney } from './holds/hold.ts';
import { SELECT_SETTLEMENT } from './settlement-rows.ts';
import { postingOf } from './settlement.ts';
import { SETTLEMENT_STATES, type Settlement } from './settlement-columns.ts';
import type { SettlementLine } from './terms/deductions.ts';

type StoredLine = Pick<SettlementLine, 'kind' | 'base'> & { readonly amountMinor: string; readonly taxMinor: string };

const ALL = statement(
  'settlements.verify',
  `select ${SELECT_SETTLEMENT},
          (select coalesce(json_agg(json_build_object('kind', l.kind, 'base', l.base, 'amountMinor', l.amount_minor::text,
                                                      'taxMinor', l.tax_minor::text)), '[]')
             from settlement_lines l where l.merchant_id = s.merchant_id and l.settlement_id = s.settlement_id) as lines
     from settlements s order by s.merchant_id, s.settlement_id`,
);
const HOLDS = statement('settlements.verify_holds', `select ${SELECT_HELD_MONEY} from held_money h order by h.merchant_id, h.hold_id`);

const WRONG_NET = statement(
  'settlements.verify_lines',
  `select s.merchant_id as "merchantId", 'settlement ' || s.settlement_id as id,
          'pays ' || s.net_minor || ' of ' || s.gross_minor || ', and its lines take ' || coalesce(l.taken, 0) || ' in minor units' as problem
     from settlements s
     left join (
       select merchant_id, settlement_id, sum(amount_minor + tax_minor) as taken from settlement_lines group by 1, 2) as l
       on l.merchant_id = s.merchant_id and l.settlement_id = s.settlement_id
    where s.gross_minor - coalesce(l.taken, 0) <> s.net_minor limit 1`,
);
/** The state is that of the last step. */
const WRONG_STATES = statement(
  'settlements.verify_states',
  `select merchant_id as "merchantId", 'settlement ' || settlement_id as id, 'is ' || state || ', and was last ' || last as problem
     from settlements
    cross join lateral (
      select case when cancelled_at is not null then 'cancelled' when returned_at is not null then 'returned' when paid_at is not null then 'paid'
                  when sent_at is not null then 'sent' when approved_at is not null then 'approved' else 'draft' end as last) as step
    where state <> last limit 1`,
);
/** Nothing but a reserve has a day on which it is released. */
const WRONG_RESERVES = statement(
  'settlements.verify_reserves',
  `select coalesce(l.merchant_id, h.merchant_id) as "merchantId", 'settlement ' || coalesce(l.settlement_id, h.settlement_id) as id,
          'keeps ' || coalesce(l.kept, 0) || ' as a reserve, and ' || coalesce(h.held, 0) || ' is held of it in minor units' as problem
     from (
       select l.merchant_id, l.settlement_id, s.currency, l.name, l.release_on, s.approved_at, sum(l.amount_minor) as kept
         from settlement_lines l
         join settlements s on s.merchant_id = l.merchant_id and s.settlement_id = l.settlement_id
        where l.release_on is not null and s.approved_at is not null group by 1, 2, 3, 4, 5, 6) as l
     full join (
       select merchant_id, settlement_id, currency, reason, release_on, held_at, sum(amount_minor) as held
         from held_money where settlement_id is not null group by 1, 2, 3, 4, 5, 6) as h
       on h.merchant_id = l.merchant_id and h.settlement_id = l.settlement_id and h.currency = l.currency and h.reason = l.name
      and h.release_on = l.release_on and h.held_at = l.approved_at
    where coalesce(l.kept, 0) <> coalesce(h.held, 0) limit 1`,
);

/**
 * What must be true of settlements. With their postings as they should be, what was collected is what is free and what drafts have: each
 * settlement takes as much as its entries add up to.
 */
export const settlementChecks: readonly Check[] = [
  { promise: 'every settlement is made of entries that no other one has, and they add up to it', run: compareMembers },
  { promise: 'every settlement pays what is left of its entries after its lines', run: firstFinding(WRONG_NET) },
  {
    promise: 'every settlement has moved money as its state says',
    run: (snapshot) => compareEntries(snapshot, 'settlement', expected(snapshot)),
  },
  {
    promise: 'every hold has moved money once, and back when it was released',
    run: (snapshot) => compareEntries(snapshot, 'hold', expectedOfHolds(snapshot)),
  },
  { promise: 'every reserve of a settlement is held until its day', run: firstFinding(WRONG_RESERVES) },
  { promise: 'every settlement is in the state of its last step', run: firstFinding(WRONG_STATES) },
  filesCheck,
];

async function* expected(snapshot: Snapshot): AsyncGenerator<ExpectedEntries> {
  for await (const { lines: stored, ...settlement } of snapshot.rows<Settlement & { readonly lines: readonly StoredLine[] }>(ALL, [])) {
    const { merchantId, settlementId } = settlement;
    const lines = stored.map((line) => ({ ...line, amountMinor: BigInt(line.amountMinor), taxMinor: BigInt(line.taxMinor) }));
    yield {
      merchantId,
      id: String(settlementId),
      transactions: SETTLEMENT_STATES.flatMap((state) => postingOf(settlement, lines, state) ?? []),
    };
  }
}

async function* expectedOfHolds(snapshot: Snapshot): AsyncGenerator<ExpectedEntries> {
  for await (const hold of snapshot.rows<HeldMoney>(HOLDS, []))
    yield { merchantId: hold.merchantId, id: String(hold.holdId), transactions: postingsOfHold(hold) };
}

/** Walks settlements and what the ledger has in them side by side, both in the order of their keys. */
async function compareMembers(snapshot: Snapshot): Promise<Awaited<ReturnType<Check['run']>>> {
  let checked = 0;
  const settled = walkSettled(snapshot);
  const findingOf = (merchantId: string, settlementId: bigint, problem: string) => ({
    checked,
    finding: { merchantId, id: `settlement ${settlementId}`, problem },
  });
  try {
    let members = (await settled.next()).value;
    for await (const { merchantId, settlementId, state, entries, grossMinor } of snapshot.rows<Settlement>(ALL, [])) {
      checked++;
      const own = members?.merchantId === merchantId && members.settlementId === settlementId ? members : undefined;
      if (own !== undefined) members = (await settled.next()).value;
      if (state === 'cancelled') {
        if (own !== undefined) return findingOf(merchantId, settlementId, 'is cancelled and still has entries');
        continue;
      }
      if (own === undefined) return findingOf(merchantId, settlementId, 'has no entries');
      if (own.others > 0n) return findingOf(merchantId, settlementId, `has ${own.others} that are no entries of what was collected`);
      if (own.entries !== BigInt(entries) || own.amountMinor !== grossMinor)
        return findingOf(
          merchantId,
          settlementId,
          `has ${own.entries} entries of ${own.amountMinor}, and says ${entries} of ${grossMinor} in minor units`,
        );
    }
    return members === undefined ? { checked } : findingOf(members.merchantId, members.settlementId, 'has entries but is not stored');
  } finally {
    await settled.return(undefined);
  }
}
