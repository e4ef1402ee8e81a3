import { CommandFailure, type Connection } from '../kit/command-line.ts';
import { showMerchant } from './list-merchants.ts';

/**
 * Finds the merchant that a command names: an empty table under a misspelt id would say that there is nothing.
 * Throws: CommandFailure where there is none.
 */
export async function requireMerchant(
  { db, clock }: Pick<Connection, 'db' | 'clock'>,
  merchantId: string,
): Promise<NonNullable<Awaited<ReturnType<typeof showMerchant>>>> {
  const merchant = await showMerchant({ db }, merchantId, clock.now());
  if (merchant === undefined) throw new CommandFailure(`There is no merchant ${merchantId}.`);
  return merchant;
}
