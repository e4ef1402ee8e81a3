import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { randomSecret, seal, type MasterKeys } from '../kit/secrets.ts';
import { findCountry } from './countries.ts';
import { MERCHANT_ID_PATTERN, RESERVED_MERCHANT_IDS, type Language } from './merchant.ts';
import { MERCHANT_CHANGED, merchantSecretPlace } from './merchant-rows.ts';

export type CreateMerchant = {
  readonly merchantId: string;
  readonly country: string;
  readonly name?: string | undefined;
  readonly language?: Language | undefined;
  readonly currencies?: readonly string[] | undefined;
  /** Only the demo merchant has one that is known beforehand. */
  readonly fixedHash?: string | undefined;
};

/** What is told once, at creation, and never again. */
export type CreatedMerchant = { readonly merchant: string; readonly fixedHash: string; readonly noticeHash: string };

export type CreateMerchantRefusal = 'merchant_id_invalid' | 'country_unknown' | 'currency_not_allowed' | 'merchant_exists';

const INSERT_MERCHANT = statement(
  'merchants.insert',
  `insert into merchants (merchant_id, name, country, language, currencies, created_at)
   values ($1, $2, $3, $4, $5, $6) on conflict (merchant_id) do nothing returning merchant_id`,
);
export const INSERT_SECRET = statement(
  'merchants.insert_secret',
  `insert into merchant_secrets (merchant_id, kind, generation, master_key_id, sealed, created_at) values ($1, $2, $3, $4, $5, $6)`,
);
/** Told at commit to every running server, whose directory then forgets the merchant. */
export const TELL_CHANGE = statement('merchants.tell_change', `select pg_notify('${MERCHANT_CHANGED}', $1)`);

const BRAZIL = '076';

/**
 * Creates a merchant with its two secrets.
 * Shape: CreateMerchant → CreatedMerchant; the language defaults to the country's, the currencies to all of the country's.
 * Refuses: merchant_id_invalid, country_unknown, currency_not_allowed, merchant_exists.
 * Effects: told to every running server at commit.
 * Source: contract §1, §6.
 */
export async function createMerchant(
  { db, keys, clock }: { readonly db: Db; readonly keys: MasterKeys; readonly clock: Clock },
  command: CreateMerchant,
): Promise<CreatedMerchant | Refusal<CreateMerchantRefusal>> {
  const { merchantId } = command;
  if (!new RegExp(MERCHANT_ID_PATTERN).test(merchantId) || RESERVED_MERCHANT_IDS.has(merchantId)) return refuse('merchant_id_invalid');
  const country = findCountry(command.country);
  if (country === undefined) return refuse('country_unknown');
  const currencies = command.currencies ?? country.currencies;
  if (currencies.length === 0 || currencies.some((currency) => !country.currencies.includes(currency)))
    return refuse('currency_not_allowed');

  const fixedHash = command.fixedHash ?? randomSecret();
  const noticeHash = randomSecret();
  const now = clock.now();
  return db.transaction(async (tx) => {
    const language = command.language ?? (country.code === BRAZIL ? 'pt' : 'es');
    const inserted = await tx.query(INSERT_MERCHANT, [merchantId, command.name ?? merchantId, country.code, language, currencies, now]);
    if (inserted.length === 0) return refuse('merchant_exists');
    for (const [kind, secret] of [
      ['fixed', fixedHash],
      ['notice', noticeHash],
    ] as const) {
      const { masterKeyId, sealed } = seal(keys, secret, merchantSecretPlace(merchantId, kind, 1));
      tx.send(INSERT_SECRET, [merchantId, kind, 1, masterKeyId, sealed, now]);
    }
    tx.send(TELL_CHANGE, [merchantId]);
    return { merchant: merchantId, fixedHash, noticeHash };
  });
}
