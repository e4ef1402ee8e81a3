import { findCountry, listMerchants, type Country } from '../merchants/index.ts';
import type { Db } from '../kit/db.ts';
import type { Scope } from '../kit/lists/walks.ts';

/**
 * The time zone in which the days of a filter begin and end.
 * Shape: undefined where several would do: merchants of several zones are exported together, or there is none.
 */
export async function zoneOfDays(db: Db, scope: Scope): Promise<string | undefined> {
  const merchants = (await listMerchants({ db })).filter(({ merchant }) => scope === 'everybody' || merchant === scope.merchantId);
  const zones = new Set(merchants.map(({ country }) => (findCountry(country) as Country).timeZone));
  return zones.size === 1 ? [...zones][0] : undefined;
}
