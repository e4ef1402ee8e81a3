import { statement, type Db } from '../kit/db.ts';
import { unseal, type MasterKeys } from '../kit/secrets.ts';
import { findCountry, type Country } from './countries.ts';
import type { Language, Merchant } from './merchant.ts';

/** The channel on which every change of a merchant is told to all running servers; the payload is the merchant's id. */
export const MERCHANT_CHANGED = 'merchant_changed';

type MerchantRow = {
  readonly merchantId: string;
  readonly name: string;
  readonly country: string;
  readonly language: Language;
  readonly currencies: readonly string[];
  readonly disabledAt: Temporal.Instant | null;
};
type SecretRow = {
  readonly generation: number;
  readonly masterKeyId: string;
  readonly sealed: Buffer;
  readonly expiresAt: Temporal.Instant | null;
};

const SELECT_MERCHANT = statement(
  'merchants.select',
  `select merchant_id as "merchantId", name, country, language, currencies, disabled_at as "disabledAt" from merchants where merchant_id = $1`,
);
const SELECT_SECRETS = statement(
  'merchants.select_secrets',
  `select generation, master_key_id as "masterKeyId", sealed, expires_at as "expiresAt"
     from merchant_secrets where merchant_id = $1 and kind = $2 order by generation desc`,
);

export type SecretKind = 'fixed' | 'notice';

/** Where a merchant's secret is sealed for: another row's sealed bytes do not open here. */
export const merchantSecretPlace = (merchantId: string, kind: SecretKind, generation: number): string =>
  `merchant_secrets/${merchantId}/${kind}/${generation}`;

/** The secrets of one kind, opened, newest first, with their expiry. */
export async function readSecrets(
  db: Pick<Db, 'query'>,
  keys: MasterKeys,
  merchantId: string,
  kind: SecretKind,
): Promise<Merchant['fixedHashes']> {
  const rows = await db.query<SecretRow>(SELECT_SECRETS, [merchantId, kind]);
  return rows.map((row) => ({
    secret: unseal(keys, row, merchantSecretPlace(merchantId, kind, row.generation)).toString('utf8'),
    expiresAt: row.expiresAt,
  }));
}

/** Reads one merchant with its fixed hashes, or undefined when there is none of that id. */
export async function readMerchant(db: Pick<Db, 'query'>, keys: MasterKeys, merchantId: string): Promise<Merchant | undefined> {
  const [row] = await db.query<MerchantRow>(SELECT_MERCHANT, [merchantId]);
  if (row === undefined) return undefined;
  return {
    merchantId: row.merchantId,
    name: row.name,
    country: findCountry(row.country) as Country,
    language: row.language,
    currencies: row.currencies,
    isDisabled: row.disabledAt !== null,
    fixedHashes: await readSecrets(db, keys, merchantId, 'fixed'),
  };
}
