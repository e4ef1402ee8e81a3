import type { NewSettlementNotice } from '../notices/index.ts';
import type { Settlement } from './settlement-columns.ts';

/** What its merchant is told of a settlement that the bank has paid or gave back. Undefined: in its other states nothing is told. */
export function noticeOfSettlement(settlement: Settlement): NewSettlementNotice | undefined {
  const { merchantId, settlementId, state, currency, netMinor: amountMinor, paidAt, bankReference, returnedAt, problem } = settlement;
  const told = { kind: 'settlement', merchantId, settlementId, amountMinor, currency } as const;
  if (state === 'paid' && paidAt !== null) return { ...told, status: state, bankText: bankReference ?? '', at: paidAt };
  if (state === 'returned' && returnedAt !== null) return { ...told, status: state, bankText: problem ?? '', at: returnedAt };
  return undefined;
}
