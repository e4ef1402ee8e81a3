import type { Clock } from '../kit/clock.ts';
import { isPlacedElsewhere, placeMerchant, type MerchantReads, type Placing } from '../cells/index.ts';
import { statement, type Db } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { HOME } from '../kit/per-cell.ts';
import { HOLD_MASTER_KEY, randomSecret, seal, type MasterKeys } from '../kit/secrets.ts';
import { findCountry } from './countries.ts';
import type { Language } from '../kit/language.ts';
import { isMerchantName, isPlainUrl, MERCHANT_ID_PATTERN, RESERVED_MERCHANT_IDS } from './merchant.ts';
import { INSERT_MERCHANT_SECRET, merchantSecretPlace, NOTIFY_MERCHANT_CHANGE } from './merchant-rows.ts';

export type CreateMerchant = {
  readonly merchantId: string;
  readonly country: string;
  readonly name?: string | undefined;
  readonly language?: Language | undefined;
  readonly currencies?: readonly string[] | undefined;
  /** Where its notices go. Absent: they are not sent. */
  readonly noticeUrl?: string | undefined;
  /** Brought along from an earlier service. Absent: they are made here. */
  readonly fixedHash?: string | undefined;
  readonly noticeHash?: string | undefined;
};

/** Where it is created: `cell` is that of the database. */
type Creating = { readonly db: Db; readonly keys: MasterKeys; readonly clock: Clock; readonly cell?: number | undefined };

/** Shown once, at creation. */
export type CreatedMerchant = { readonly merchant: string; readonly fixedHash: string; readonly noticeHash: string };

export type CreateMerchantRefusal =
  | 'merchant_id_invalid'
  | 'name_invalid'
  | 'country_unknown'
  | 'currency_not_of_country'
  | 'notice_url_invalid'
  | 'merchant_exists';

const INSERT_MERCHANT = statement(
  'merchants.insert',
  `insert into merchants (merchant_id, name, country, language, currencies, created_at, notice_url)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict (merchant_id) do nothing returning merchant_id`,
);

/** What the room of cells reads of a database. */
export const MERCHANT_READS: MerchantReads = {
  find: statement('merchants.find_id', 'select from merchants where merchant_id = $1'),
  count: statement('merchants.count', 'select count(*) as merchants from merchants'),
};

/** Takes the id of a new merchant for a cell. Shape: its id, the name of a cell, if one is wanted → the number of its cell. */
export type PlaceMerchant = (merchantId: string, cell: string | undefined) => ReturnType<typeof placeMerchant>;

export const openPlacing =
  (home: Omit<Placing, 'ofHome'>): PlaceMerchant =>
  (merchantId, cell) =>
    placeMerchant({ ...home, ofHome: MERCHANT_READS }, merchantId, cell);

/**
 * Judges what is asked for a new merchant, which can be done before it has a cell.
 * Shape: → its terms, with the defaults: the language of the country, all currencies of the country.
 * Refuses: merchant_id_invalid, name_invalid, country_unknown, currency_not_of_country, notice_url_invalid.
 */
export function judgeMerchant({
  merchantId,
  ...command
}: CreateMerchant): Terms | Refusal<Exclude<CreateMerchantRefusal, 'merchant_exists'>> {
  if (!new RegExp(MERCHANT_ID_PATTERN).test(merchantId) || RESERVED_MERCHANT_IDS.has(merchantId)) return refuse('merchant_id_invalid');
  const name = command.name ?? merchantId;
  if (!isMerchantName(name)) return refuse('name_invalid');
  const country = findCountry(command.country);
  if (country === undefined) return refuse('country_unknown');
  const currencies = [...new Set(command.currencies ?? country.currencies)];
  if (currencies.length === 0 || currencies.some((currency) => !country.currencies.includes(currency)))
    return refuse('currency_not_of_country');
  if (command.noticeUrl !== undefined && !isPlainUrl(command.noticeUrl)) return refuse('notice_url_invalid');
  return { name, language: command.language ?? country.language, currencies };
}

type Terms = { readonly name: string; readonly language: Language; readonly currencies: readonly string[] };

/**
 * Creates a merchant with its two secrets.
 * Refuses: as judgeMerchant; merchant_exists.
 * Effects: all running servers learn of it at commit. In another cell than home its id was taken before (placeMerchant).
 * Source: contract §1, §6.
 */
export async function createMerchant(
  { db, keys, clock, cell = HOME }: Creating,
  command: CreateMerchant,
): Promise<CreatedMerchant | Refusal<CreateMerchantRefusal>> {
  const { merchantId } = command;
  const terms = judgeMerchant(command);
  if (isRefusal(terms)) return terms;
  const { name, language, currencies } = terms;
  const fixedHash = command.fixedHash ?? randomSecret();
  const noticeHash = command.noticeHash ?? randomSecret();
  const now = clock.now();
  return db.transaction(async (tx) => {
    tx.send(HOLD_MASTER_KEY, []);
    if (cell === HOME && (await isPlacedElsewhere(tx, merchantId))) return refuse('merchant_exists');
    const inserted = await tx.query(INSERT_MERCHANT, [
      merchantId,
      name,
      command.country,
      language,
      currencies,
      now,
      command.noticeUrl ?? null,
    ]);
    if (inserted.length === 0) return refuse('merchant_exists');
    for (const [kind, secret] of [
      ['fixed', fixedHash],
      ['notice', noticeHash],
    ] as const) {
      const { masterKeyId, sealed } = seal(keys, secret, merchantSecretPlace(merchantId, kind, 1));
      tx.send(INSERT_MERCHANT_SECRET, [merchantId, kind, 1, masterKeyId, sealed, now]);
    }
    tx.send(NOTIFY_MERCHANT_CHANGE, [merchantId]);
    return { merchant: merchantId, fixedHash, noticeHash };
  });
}
