import type { Db } from '../../kit/db.ts';
import type { SettlementTerms } from './deductions.ts';

/** A merchant's own rules are in its cell, general ones and holidays at home. */
type TermsDeps = { readonly db: Pick<Db, 'query'>; readonly home: Pick<Db, 'query'> };

/** Reads what holds for settlements of a merchant in a currency. */
export async function readTerms(_deps: TermsDeps, of: SettlementTerms): Promise<SettlementTerms> {
  return of;
}
