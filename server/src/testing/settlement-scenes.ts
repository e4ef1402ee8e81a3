import { expect } from 'vitest';
import { statement } from '../kit/db.ts';
import { isRefusal } from '../kit/outcome.ts';
import { setFees } from '../ledger/fees.ts';
import { takeFreeEntries } from '../ledger/index.ts';
import { changeSettlement } from '../settlements/change-settlement.ts';
import { runSettlement } from '../settlements/run-settlement.ts';
import { drawSettlementId, insertSettlement } from '../settlements/settlement-rows.ts';
import { netOf, NEW_SETTLEMENT, type SettlementStep } from '../settlements/settlement.ts';
import type { Settlement } from '../settlements/settlement-columns.ts';
import type { SettlementLine } from '../settlements/terms/deductions.ts';
import { manageCalls, type ManageCalls } from './manage-calls.ts';
import { networkOrderCalls } from './network-calls.ts';
import type { TestCaudal } from './test-caudal.ts';

const BALANCES = statement(
  'test.balances_of_merchant',
  `select account, balance_minor as "balanceMinor" from ledger_balances
    where merchant_id = $1 and currency = 'COP' and balance_minor <> 0 and account not in ('available', 'reserved') order by 1`,
);

/** A merchant that collects pesos and is to be paid out. Its orders cost 2.5 %, and 19 % tax on that. */
export async function openSettledShop(
  service: TestCaudal,
  { cell = 0, ...given }: { readonly cell?: number; readonly noticeUrl?: string } = {},
) {
  const { merchantId, noticeHash } = await service.merchant({ cell, fundMinor: 0n, ...given });
  const { db } = service.cells.of(cell);
  const { clock } = service;
  await setFees({ db, clock }, { merchantId, kind: 'order', currency: 'COP', percentPpm: 25_000, fixedMinor: 0n, taxPpm: 190_000 });
  const owner: ManageCalls = await manageCalls(service, { name: 'owner' });
  const network = await service.network();
  const deps = { db, home: service.db, clock };
  let orders = 0;
  /** Pays an order of so many pesos. Shape: → its id. Of 100,000 the merchant collects 97,025. */
  const pay = async (amount = '100000'): Promise<string> => {
    const order = `S-${++orders}`;
    const sent = { merchant: merchantId, order, email: 'a@example.com', amount: { amount, currency: 'COP' } };
    const { body } = await owner.send('POST', '/orders', sent);
    expect(await networkOrderCalls(service, network).pay(body['serviceOrderId'], `${merchantId}-${order}`, amount)).toMatchObject({
      code: '0000',
    });
    return order;
  };
  return {
    merchantId,
    noticeHash,
    db,
    deps,
    owner,
    network,
    pay,
    /** Takes the payment of an order back, as its network does at once. */
    reverse: async (order: string): Promise<void> => {
      const { serviceOrderId } = (await owner.get(`/orders/${merchantId}/${order}`)).body;
      expect(await networkOrderCalls(service, network).reverse(serviceOrderId, `${merchantId}-${order}`)).toMatchObject({ code: '0000' });
    },
    /** Promises money of a payment back to its payer: what is collected bears it at once. */
    refund: (order: string, amount?: string) =>
      owner.send('POST', `/orders/${merchantId}/${order}/refunds`, {
        ...(amount !== undefined && { amount: { amount, currency: 'COP' } }),
        refundedBy: 'operator',
        reason: 'returned',
      }),
    /** Makes a draft of all that was collected until now. */
    run: async (): Promise<Settlement> => {
      // A run takes what was posted before its instant.
      service.clock.advance({ seconds: 1 });
      const until = clock.now().toZonedDateTimeISO('America/Bogota').toPlainDate();
      const made = await runSettlement(deps, { merchantId, currency: 'COP', until, dueOn: null });
      if (isRefusal(made)) throw new Error(made.refusal);
      return made.settlement;
    },
    step: ({ settlementId }: Pick<Settlement, 'settlementId'>, step: SettlementStep) =>
      changeSettlement(deps, { merchantId, settlementId, step }),
    /** Balances other than zero, without those of the fund. */
    balances: async (): Promise<Readonly<Record<string, bigint>>> => {
      const rows = await db.query<{ readonly account: string; readonly balanceMinor: bigint }>(BALANCES, [merchantId]);
      return Object.fromEntries(rows.map(({ account, balanceMinor }) => [account, balanceMinor]));
    },
  };
}

/** Makes a draft of all that a merchant collected in pesos until now, with these lines. Shape: → its number. */
export function draftWithLines(
  { db, clock }: Pick<TestCaudal, 'db' | 'clock'>,
  merchantId: string,
  lines: readonly (Pick<SettlementLine, 'kind' | 'base' | 'amountMinor'> & Partial<SettlementLine>)[],
): Promise<string> {
  clock.advance({ seconds: 1 });
  const now = clock.now();
  const of = { merchantId, currency: 'COP', until: now, zone: 'America/Bogota', now };
  const whole = lines.map((line) => ({ ...LINE, ...line }));
  return db.transaction(async (tx) => {
    const settlementId = await drawSettlementId(tx);
    const sums = await takeFreeEntries(tx, { ...of, settlementId });
    const grossMinor = sums.reduce((sum, { collectedMinor }) => sum + collectedMinor, 0n);
    const entries = Number(sums.reduce((sum, one) => sum + one.entries, 0n));
    const amounts = {
      entries,
      grossMinor,
      netMinor: netOf(grossMinor, whole),
      settledOn: now.toZonedDateTimeISO('America/Bogota').toPlainDate(),
    };
    const made = { merchantId, settlementId, currency: 'COP', cutoffAt: now, dueOn: null, madeAt: now, ...amounts };
    insertSettlement(tx, { ...NEW_SETTLEMENT, ...made }, whole);
    return String(settlementId);
  });
}

const LINE = { name: 'rule', source: null, baseMinor: 0n, ratePpm: 0, fixedMinor: 0n, taxPpm: 0, taxMinor: 0n, releaseOn: null } as const;
