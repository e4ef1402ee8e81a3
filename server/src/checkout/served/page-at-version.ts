import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import type { MerchantDirectory } from '../../merchants/index.ts';
import { readOrderAt, type OrderKey } from '../../orders/index.ts';
import type { PageState } from '../page-state.ts';
import { readPageState, type StateSources } from '../read-state.ts';
import { findFirstSurroundings, findView } from './view-rows.ts';

export type PageAtSources = StateSources & { readonly merchants: Pick<MerchantDirectory, 'find'> };

/** Which page of an order: that of a version, or one that was served. */
export type AskedPage = { readonly version: number } | { readonly view: number };

export type PageAtVersion = {
  readonly state: PageState;
  /** Whose names are shown: those that the version was served with, or of today, where it was not served. */
  readonly names: 'served' | 'today';
};

/**
 * Reads what a page of an order was made of. The checkout makes the same bytes of the same state.
 * The page of a version is that of the instant at which the version began. Its payer had seen no other version.
 * A page that was served is that of its first load.
 * Refuses: order_not_found, version_unknown, view_unknown.
 */
export async function readPageAt(
  sources: PageAtSources,
  key: OrderKey,
  asked: AskedPage,
): Promise<PageAtVersion | Refusal<'order_not_found' | 'version_unknown' | 'view_unknown'>> {
  const { db, merchants } = sources;
  const view = 'view' in asked ? await findView(db, key, asked.view) : undefined;
  if (view === undefined && 'view' in asked) return refuse('view_unknown');
  const version = 'view' in asked ? (view?.version as number) : asked.version;
  const order = await readOrderAt(db, key, version);
  if (isRefusal(order)) return order;
  const merchant = await merchants.find(key.merchantId);
  if (merchant === undefined) return refuse('order_not_found');
  const kept = view?.surroundings ?? (await findFirstSurroundings(db, order));
  const { at, seenVersion } = view ?? { at: order.updatedAt, seenVersion: version };
  const state = await readPageState(sources, { order, merchant, at }, seenVersion, kept);
  return { state, names: kept === undefined ? 'today' : 'served' };
}
