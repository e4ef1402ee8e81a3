import { refuse, type Refusal } from '../../kit/outcome.ts';
import type { Merchant, MerchantDirectory } from '../../merchants/index.ts';

export type FindsMerchants = { readonly merchants: Pick<MerchantDirectory, 'find'> };

/** Finds a merchant for which something may be written. */
export async function findOpen({ merchants }: FindsMerchants, id: string): Promise<Merchant | Refusal<'not_found' | 'merchant_frozen'>> {
  const merchant = await merchants.find(id);
  if (merchant === undefined) return refuse('not_found');
  return merchant.isFrozen || merchant.isDisabled ? refuse('merchant_frozen') : merchant;
}
