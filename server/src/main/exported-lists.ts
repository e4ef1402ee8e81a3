import { exportedActs } from '../audit/exported-acts.ts';
import { exportedCashouts } from '../cashouts/find/exported-cashouts.ts';
import type { ExportedList } from '../exports/index.ts';
import { exportedEntries } from '../ledger/exported-entries.ts';
import { exportedNotices } from '../notices/exported-notices.ts';
import { exportedOrders } from '../orders/find/exported-orders.ts';
import { exportedPayments } from '../orders/payments/exported-payments.ts';
import { exportedSettlements } from '../settlements/exported-settlements.ts';
import { exportedRefunds } from '../orders/refunds/exported-refunds.ts';

/** Every list that can be exported whole. */
export const EXPORTED_LISTS: readonly ExportedList[] = [
  exportedOrders,
  exportedCashouts,
  exportedPayments,
  exportedRefunds,
  exportedEntries,
  exportedSettlements,
  exportedNotices,
  exportedActs,
];
