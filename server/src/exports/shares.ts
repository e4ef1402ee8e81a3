import type { StoredBytes } from './export-rows.ts';

/** What one actor may have under way, all actors of one merchant, and everybody. Nobody fills the room of the others. */
export const MOST_OPEN = { actor: 2, merchant: 5, all: 20 };
/** All actors of one merchant may keep so many of all bytes. */
const PART_OF_MERCHANT = 4;

/** Whether no more may be stored, by everybody or by the merchant that whoever asked is bound to. */
export const isFull = ({ stored, storedOfMerchant }: StoredBytes, boundTo: string | null, mostBytes: number): boolean =>
  stored >= mostBytes || (boundTo !== null && storedOfMerchant >= mostBytes / PART_OF_MERCHANT);
