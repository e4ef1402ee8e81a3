import type { Country } from './countries.ts';

export type Language = 'es' | 'en' | 'pt';
export const LANGUAGES: readonly Language[] = ['es', 'en', 'pt'];

/** A commerce that holds orders and cashouts, with the secrets that its clients sign with. Never logged. */
export type Merchant = {
  readonly merchantId: string;
  readonly name: string;
  readonly country: Country;
  readonly language: Language;
  /** Currencies that this merchant may use, a part of its country's. */
  readonly currencies: readonly string[];
  readonly isDisabled: boolean;
  /** Newest first; one, or two during a rotation (contract §7.4). */
  readonly fixedHashes: readonly { readonly secret: string; readonly expiresAt: Temporal.Instant | null }[];
};

/** Cashout paths take thirty characters at most (contract §4.1): a longer id serves orders only. */
export const MERCHANT_ID_PATTERN = '^[A-Za-z0-9_.-]{1,50}$';

/** Words that stand in the path where a merchant's id stands (contract §4.3). */
export const RESERVED_MERCHANT_IDS: ReadonlySet<string> = new Set(['available', '.', '..']);

/** A rotated fixed hash stays valid at most this long (contract §7.4). */
export const MAX_ROTATION_DAYS = 7;

/** The fixed hashes that are valid at an instant. */
export function validFixedHashes(merchant: Merchant, at: Temporal.Instant): readonly string[] {
  return merchant.fixedHashes
    .filter(({ expiresAt }) => expiresAt === null || Temporal.Instant.compare(at, expiresAt) < 0)
    .map(({ secret }) => secret);
}
