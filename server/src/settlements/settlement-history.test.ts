import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement } from '../kit/db.ts';
import { isRefusal } from '../kit/outcome.ts';
import { ledgerChecks } from '../ledger/index.ts';
import { orderChecks } from '../orders/index.ts';
import * as fc from '../testing/fast-check.ts';
import { findings } from '../testing/findings.ts';
import { openSettledShop } from '../testing/settlement-scenes.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { placeHold, releaseHold } from './holds/change-holds.ts';
import { settlementChecks } from './index.ts';
import type { SettlementState } from './settlement-columns.ts';

let service: TestCaudal;
beforeAll(async () => void (service = await startTestCaudal()));
afterAll(() => service.close());

/** What is collected, what of it is in no settlement, and what is in drafts: each looked up by itself. */
const SHARES = statement(
  'test.shares_of_collected',
  `select (select coalesce(sum(balance_minor), 0)::bigint from ledger_balances where merchant_id = $1 and account = 'collected') as collected,
          coalesce(sum(e.amount_minor) filter (where s.settlement_id is null), 0)::bigint as free,
          coalesce(sum(e.amount_minor) filter (where t.state = 'draft'), 0)::bigint as drafts
     from ledger_entries e
     left join settlement_entries s on s.merchant_id = e.merchant_id and s.transaction_id = e.transaction_id and s.line = e.line
     left join settlements t on t.merchant_id = s.merchant_id and t.settlement_id = s.settlement_id
    where e.merchant_id = $1 and e.account = 'collected' and e.kind <> 'settlement_approved'`,
);
type Shares = { readonly collected: bigint; readonly free: bigint; readonly drafts: bigint };

type Step =
  | { readonly do: 'pay' | 'run' }
  | { readonly do: 'refund' | 'reverse' | 'release' | 'hold'; readonly which: number }
  | { readonly do: 'wait'; readonly minutes: number }
  | { readonly do: Exclude<SettlementState, 'draft'>; readonly which: number };

const which = fc.nat({ max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: 'pay' as const }) },
  { weight: 3, arbitrary: fc.constant({ do: 'run' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('refund' as const, 'reverse' as const, 'release' as const, 'hold' as const), which }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('approved' as const, 'sent' as const, 'paid' as const, 'returned' as const, 'cancelled' as const),
      which,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(2, 30, 90, 1_440) }) },
);

test('whatever happens, each entry is in one settlement at most, and what was collected is what is free and what drafts have', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
      const shop = await openSettledShop(service);
      const { merchantId, db } = shop;
      const { clock } = service;
      const orders: string[] = [];
      const settlements: bigint[] = [];
      const holds: bigint[] = [];
      const play = async (one: Step): Promise<void> => {
        const chosen = 'which' in one ? one.which : 0;
        if (one.do === 'wait') return clock.advance({ minutes: one.minutes });
        if (one.do === 'pay') return void orders.push(await shop.pay());
        if (one.do === 'run') return shop.run().then(({ settlementId }) => void settlements.push(settlementId), onlyNothing);
        const order = orders.at(-1 - chosen);
        if (one.do === 'refund') return void (order !== undefined && (await shop.refund(order, '1000')));
        if (one.do === 'reverse') return void (order !== undefined && (await shop.reverse(order).catch(() => undefined)));
        if (one.do === 'hold') {
          const command = { merchantId, currency: 'COP', amountMinor: 50_00n, reason: 'r', releaseOn: null };
          const placed = await placeHold({ db, clock, runOnce: async (on, _once, work) => on.transaction(work) }, command);
          return void ('hold' in placed && holds.push(placed.hold.holdId));
        }
        if (one.do === 'release') {
          const holdId = holds[chosen];
          return void (holdId !== undefined && (await releaseHold({ db, clock }, { merchantId, holdId })));
        }
        const settlementId = settlements.at(-1 - chosen);
        if (settlementId === undefined) return undefined;
        const how = { to: one.do, fileId: null, bankReference: 'B-1', problem: 'closed' } as const;
        return void (await shop.step({ settlementId }, how));
      };
      for (const one of steps) {
        await play(one);
        const [shares] = (await db.query<Shares>(SHARES, [merchantId])) as [Shares];
        expect(shares.collected).toBe(shares.free + shares.drafts);
      }
      expect(await findings(service, [...settlementChecks, ...ledgerChecks, ...orderChecks])).toEqual([]);
    }),
    { numRuns: 12 },
  );
});

/** A run has nothing, or takes what it has. */
function onlyNothing(error: unknown): void {
  expect(String(error)).toContain('nothing_to_settle');
}

test('what a draft of old entries gives back when it is cancelled is in the next one', async () => {
  const shop = await openSettledShop(service);
  await shop.pay();
  service.clock.advance({ hours: 2 });
  const draft = await shop.run();
  await shop.step(draft, { to: 'cancelled' });
  expect(await findings(service, [...settlementChecks, ...ledgerChecks])).toEqual([]);
  expect(await shop.run()).toMatchObject({ entries: draft.entries, grossMinor: draft.grossMinor });
});

test('an entry that commits late, behind another run, is in the next one', async () => {
  const shop = await openSettledShop(service);
  await shop.pay();
  const at = service.clock.now();
  service.clock.advance({ minutes: 59 });
  const first = await shop.run();
  const late = statement(
    'test.post_late',
    `insert into ledger_entries (merchant_id, transaction_id, line, kind, account, currency, amount_minor, posted_at, reason)
     values ($1, 'adjustment/late', 1, 'adjustment', 'collected', 'COP', 700, $2, 'late'), ($1, 'adjustment/late', 2, 'adjustment', 'service:adjustments', 'COP', -700, $2, 'late')`,
  );
  await shop.db.query(late, [shop.merchantId, at]);
  expect(isRefusal(first)).toBe(false);
  expect(await shop.run()).toMatchObject({ entries: 1, grossMinor: 700n });
});
