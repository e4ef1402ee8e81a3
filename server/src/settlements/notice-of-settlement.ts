import type { NewSettlementNotice } from '../notices/index.ts';
import type { Settlement } from './settlement-columns.ts';

/**
 * What its merchant is told of a settlement that the bank has paid or gave back. Undefined: in its other states nothing is told. Of one that
 * was taken back before the bank was told, the merchant never heard, and the reason is the operator's.
 */
export function noticeOfSettlement(settlement: Settlement): NewSettlementNotice | undefined {
  const {
    merchantId,
    settlementId,
    state,
    currency,
    netMinor: amountMinor,
    sentAt,
    paidAt,
    bankReference,
    returnedAt,
    problem,
  } = settlement;
  const told = { kind: 'settlement', merchantId, settlementId, amountMinor, currency } as const;
  if (state === 'paid' && paidAt !== null) return { ...told, status: state, bankText: bankReference ?? '', at: paidAt };
  if (state === 'returned' && sentAt !== null && returnedAt !== null)
    return { ...told, status: state, bankText: problem ?? '', at: returnedAt };
  return undefined;
}
