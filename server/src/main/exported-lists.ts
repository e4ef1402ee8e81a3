import { exportedCashouts } from '../cashouts/index.ts';
import type { ExportedList } from '../exports/index.ts';
import { exportedEntries } from '../ledger/index.ts';
import { exportedNotices } from '../notices/index.ts';
import { exportedOrders, exportedPayments } from '../orders/index.ts';

/** Every list that can be exported whole. */
export const EXPORTED_LISTS: readonly ExportedList[] = [
  exportedOrders,
  exportedCashouts,
  exportedPayments,
  exportedEntries,
  exportedNotices,
];
