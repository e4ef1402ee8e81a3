import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Statement, type Tx } from '../kit/db.ts';
import { isEmail } from '../kit/fields.ts';
import type { RequestLimits } from '../kit/limits/request-limits.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { HOLD_MASTER_KEY, randomSecret, seal, type MasterKeys } from '../kit/secrets.ts';
import type { Language } from '../kit/language.ts';
import { findCountry } from './countries.ts';
import { isMerchantName, isPlainUrl, type NoticeChecksum, type RotationRefusal, type Signing } from './merchant.ts';
import {
  INSERT_MERCHANT_SECRET,
  merchantSecretPlace,
  NOTIFY_MERCHANT_CHANGE,
  randomSigningSecret,
  type SecretKind,
} from './merchant-rows.ts';
import { wasUsed } from './former-secrets.ts';
import { replaceSecret, type Previous, type SecretTable } from './replace-secret.ts';
import { mapOnOff } from './on-off-settings.ts';

type Deps = { readonly db: Db; readonly keys: MasterKeys; readonly clock: Clock };

const DISABLE = statement(
  'merchants.disable',
  `update merchants set disabled_at = coalesce(disabled_at, $2) where merchant_id = $1 returning merchant_id`,
);
const ENABLE = statement('merchants.enable', `update merchants set disabled_at = null where merchant_id = $1 returning merchant_id`);

/**
 * Disables a merchant: from then on its requests get the same answer as those of an unknown merchant. Its orders and cashouts stay.
 * Shape: → undefined; a merchant that is disabled already keeps its first time.
 * Refuses: merchant_unknown.
 * Effects: all running servers learn of it at commit.
 * Source: contract §2.2.
 */
export function disableMerchant({ db, clock }: Omit<Deps, 'keys'>, merchantId: string): Promise<undefined | Refusal<'merchant_unknown'>> {
  return update(db, DISABLE, merchantId, clock.now());
}

/**
 * Enables a merchant again, with the secrets that it had.
 * Refuses: merchant_unknown.
 * Effects: all running servers learn of it at commit.
 */
export function enableMerchant({ db }: Pick<Deps, 'db'>, merchantId: string): Promise<undefined | Refusal<'merchant_unknown'>> {
  return update(db, ENABLE, merchantId);
}

const FREEZE = statement(
  'merchants.freeze',
  `update merchants set frozen_at = coalesce(frozen_at, $2) where merchant_id = $1 returning merchant_id`,
);
const THAW = statement('merchants.thaw', `update merchants set frozen_at = null where merchant_id = $1 returning merchant_id`);

/**
 * Freezes a merchant: nothing new is accepted for it, its orders cannot be paid and its cashouts cannot be collected. Its reads go on.
 * Shape: → undefined; a merchant that is frozen already keeps its first time.
 * Refuses: merchant_unknown.
 * Effects: all running servers learn of it at commit. What was paid before can still be reversed in its time.
 */
export function freezeMerchant({ db, clock }: Omit<Deps, 'keys'>, merchantId: string): Promise<undefined | Refusal<'merchant_unknown'>> {
  return update(db, FREEZE, merchantId, clock.now());
}

/**
 * Ends the freeze of a merchant.
 * Refuses: merchant_unknown.
 * Effects: all running servers learn of it at commit.
 */
export function thawMerchant({ db }: Pick<Deps, 'db'>, merchantId: string): Promise<undefined | Refusal<'merchant_unknown'>> {
  return update(db, THAW, merchantId);
}

type SetOnOff = (deps: Pick<Deps, 'db'>, merchantId: string, isOn: boolean) => Promise<undefined | Refusal<'merchant_unknown'>>;

/**
 * Turns a setting of a merchant on or off.
 * Refuses: merchant_unknown.
 * Effects: all running servers learn of it at commit.
 */
export const setOnOff = mapOnOff((_field, { column }): SetOnOff => {
  const SET = statement(`merchants.set_${column}`, `update merchants set ${column} = $2 where merchant_id = $1 returning merchant_id`);
  return ({ db }, merchantId, isOn) => update(db, SET, merchantId, isOn);
});

/** What of a merchant can change. What is absent stays. */
export type MerchantTerms = {
  readonly name?: string | undefined;
  readonly language?: Language | undefined;
  readonly currencies?: readonly string[] | undefined;
  /** The e-mail address of a person to write to; null: none. */
  readonly contact?: string | null | undefined;
};

const READ_COUNTRY = statement('merchants.read_country', 'select country from merchants where merchant_id = $1 for no key update');
const SET_TERMS = statement(
  'merchants.set_terms',
  `update merchants set name = coalesce($2, name), language = coalesce($3, language), currencies = coalesce($4::text[], currencies),
          contact = case when $5 then $6 else contact end
    where merchant_id = $1 returning name, country, language, currencies, contact`,
);

/**
 * Sets name, language, currencies or contact of a merchant. Its country never changes: days, amounts and signatures of its orders follow from it.
 * Shape: → the merchant's terms now. Orders and money in a currency that is taken away stay, and can still be paid.
 * Refuses: name_invalid, contact_invalid, merchant_unknown, currency_not_of_country.
 * Effects: all running servers learn of it at commit.
 */
export async function setMerchant(
  { db }: Pick<Deps, 'db'>,
  merchantId: string,
  { name, language, currencies, contact }: MerchantTerms,
): Promise<Required<MerchantTerms> | Refusal<'name_invalid' | 'contact_invalid' | 'merchant_unknown' | 'currency_not_of_country'>> {
  if (name !== undefined && !isMerchantName(name)) return refuse('name_invalid');
  if (typeof contact === 'string' && !isEmail(contact)) return refuse('contact_invalid');
  return db.transaction(async (tx) => {
    const [merchant] = await tx.query<{ country: string }>(READ_COUNTRY, [merchantId]);
    if (merchant === undefined) return refuse('merchant_unknown');
    const wanted = currencies === undefined ? undefined : [...new Set(currencies)];
    const allowed = findCountry(merchant.country)?.currencies ?? [];
    if (wanted?.length === 0 || wanted?.some((currency) => !allowed.includes(currency))) return refuse('currency_not_of_country');
    const [set] = await tx.query<Required<MerchantTerms>>(SET_TERMS, [
      merchantId,
      name ?? null,
      language ?? null,
      wanted ?? null,
      contact !== undefined,
      contact ?? null,
    ]);
    tx.send(NOTIFY_MERCHANT_CHANGE, [merchantId]);
    return set as Required<MerchantTerms>;
  });
}

const SET_NOTICE_CHECKSUM = statement(
  'merchants.set_notice_checksum',
  'update merchants set notice_checksum = $2 where merchant_id = $1 returning merchant_id',
);
const SET_RETURN_URL = statement(
  'merchants.set_return_url',
  'update merchants set return_url = $2 where merchant_id = $1 returning merchant_id',
);

/**
 * Sets the hash of the checksum in the notices of a merchant's orders, those that wait included.
 * Refuses: merchant_unknown.
 */
export function setNoticeChecksum(
  { db }: Pick<Deps, 'db'>,
  merchantId: string,
  algorithm: NoticeChecksum,
): Promise<undefined | Refusal<'merchant_unknown'>> {
  return update(db, SET_NOTICE_CHECKSUM, merchantId, algorithm);
}

/**
 * Sets where the checkout page leads payers back to after a payment; null: nowhere.
 * Refuses: return_url_invalid, merchant_unknown.
 * Effects: all running servers learn of it at commit.
 */
export async function setReturnUrl(
  { db, isSandbox }: Pick<Deps, 'db'> & { readonly isSandbox: boolean },
  merchantId: string,
  returnUrl: string | null,
): Promise<undefined | Refusal<'return_url_invalid' | 'merchant_unknown'>> {
  const isAllowed = returnUrl === null || (isPlainUrl(returnUrl) && (isSandbox || returnUrl.startsWith('https:')));
  if (!isAllowed) return refuse('return_url_invalid');
  return update(db, SET_RETURN_URL, merchantId, returnUrl);
}

const SET_LIMITS = statement(
  'merchants.set_limits',
  'update merchants set limits = $2::jsonb where merchant_id = $1 returning merchant_id',
);

/**
 * Sets how many requests of a merchant are served; null: the defaults.
 * Refuses: merchant_unknown.
 * Effects: all running servers learn of it at commit.
 */
export function setMerchantLimits(
  { db }: Pick<Deps, 'db'>,
  merchantId: string,
  limits: RequestLimits | null,
): Promise<undefined | Refusal<'merchant_unknown'>> {
  return update(db, SET_LIMITS, merchantId, limits && JSON.stringify(limits));
}

function update(
  db: Db,
  change: Statement,
  merchantId: string,
  ...values: readonly (Temporal.Instant | boolean | string | null)[]
): Promise<undefined | Refusal<'merchant_unknown'>> {
  return db.transaction(async (tx) => {
    const changed = await tx.query(change, [merchantId, ...values]);
    if (changed.length === 0) return refuse('merchant_unknown');
    tx.send(NOTIFY_MERCHANT_CHANGE, [merchantId]);
    return undefined;
  });
}

/** `signingSecret` is shown once, when it is made. Null: the merchant keeps the one that it has. */
type SetSigning = { readonly merchant: string; readonly signing: Signing; readonly signingSecret: string | null };

const SET_SIGNING = statement(
  'merchants.set_signing',
  `update merchants m set signing = $2 where merchant_id = $1
   returning exists (select from merchant_secrets s where s.merchant_id = m.merchant_id and kind = 'signing') as "hasSecret"`,
);

/**
 * Sets whether a merchant signs its requests. The first time makes its signing secret.
 * Shape: merchant, off | accept | require-writes | require → SetSigning.
 * Refuses: merchant_unknown.
 * Effects: all running servers learn of it at commit. With `off` the secrets stay, so that signing can be turned on again.
 * Source: contract §7.5.
 */
export function setSigning(
  { db, keys, clock }: Deps,
  merchantId: string,
  signing: Signing,
): Promise<SetSigning | Refusal<'merchant_unknown'>> {
  return db.transaction(async (tx) => {
    tx.send(HOLD_MASTER_KEY, []);
    const [merchant] = await tx.query<{ hasSecret: boolean }>(SET_SIGNING, [merchantId, signing]);
    if (merchant === undefined) return refuse('merchant_unknown');
    const signingSecret = merchant.hasSecret || signing === 'off' ? null : randomSigningSecret();
    if (signingSecret !== null) {
      const { masterKeyId, sealed } = seal(keys, signingSecret, merchantSecretPlace(merchantId, 'signing', 1));
      tx.send(INSERT_MERCHANT_SECRET, [merchantId, 'signing', 1, masterKeyId, sealed, clock.now()]);
    }
    tx.send(NOTIFY_MERCHANT_CHANGE, [merchantId]);
    return { merchant: merchantId, signing, signingSecret };
  });
}

/** The new hash is shown once. */
type RotatedHash = Previous & { readonly merchant: string; readonly fixedHash: string };

/** The new secret is shown once. */
type RotatedSigningSecret = Previous & { readonly merchant: string; readonly signingSecret: string };

/** What a rotation does in its transaction. `brought`: the secret of an earlier service; absent: one is made. */
export type Rotation<Rotated> = (
  deps: Omit<Deps, 'db'>,
  merchantId: string,
  days: number,
  brought?: string,
) => (tx: Tx) => Promise<Rotated | Refusal<SecretRefusal>>;

type SecretRefusal = 'merchant_unknown' | 'secret_used_before' | RotationRefusal;

const SECRETS: SecretTable = {
  // Not `for update`: orders that are being written refer to this row, and need not wait.
  lockOwner: statement('merchants.lock', `select merchant_id from merchants where merchant_id = $1 for no key update`),
  lockSecrets: statement(
    'merchants.lock_secrets',
    `select generation, expires_at as "expiresAt", master_key_id as "masterKeyId", sealed from merchant_secrets
      where merchant_id = $1 and kind = $2 order by generation for update`,
  ),
  endEarlier: statement(
    'merchants.end_earlier_secrets',
    `update merchant_secrets set expires_at = least(expires_at, $3) where merchant_id = $1 and kind = $2`,
  ),
  deleteEnded: statement(
    'merchants.delete_ended_secrets',
    `delete from merchant_secrets where merchant_id = $1 and kind = $2 and expires_at <= $3`,
  ),
  insert: INSERT_MERCHANT_SECRET,
  notifyChange: NOTIFY_MERCHANT_CHANGE,
};

/**
 * Gives a merchant, in a transaction, a new fixed hash. The earlier one stays valid for some days; 0 ends it at once.
 * Shape: merchant, days 0–7 → RotatedHash.
 * Refuses: merchant_unknown, days_out_of_range, rotation_under_way (two are valid already, and days is not 0), secret_used_before.
 * Effects: ended hashes are deleted; all running servers learn of it at commit.
 * Source: contract §7.4.
 */
export const hashRotation: Rotation<RotatedHash> = (deps, merchantId, days, brought) => async (tx) => {
  const rotated = await rotate(tx, deps, merchantId, 'fixed', brought ?? randomSecret(), days);
  return isRefusal(rotated) ? rotated : { merchant: merchantId, fixedHash: rotated.secret, previousValidUntil: rotated.previousValidUntil };
};

/**
 * Gives a merchant, in a transaction, a new secret to sign its requests with. The earlier one stays valid for some days; 0 ends it at once.
 * A merchant without such a secret gets its first one.
 * Shape: merchant, days 0–7 → RotatedSigningSecret.
 * Refuses: merchant_unknown, days_out_of_range, rotation_under_way (two are valid already, and days is not 0).
 * Effects: ended secrets are deleted; all running servers learn of it at commit.
 * Source: contract §7.5.
 */
export const signingSecretRotation: Rotation<RotatedSigningSecret> = (deps, merchantId, days) => async (tx) => {
  const rotated = await rotate(tx, deps, merchantId, 'signing', randomSigningSecret(), days);
  return isRefusal(rotated)
    ? rotated
    : { merchant: merchantId, signingSecret: rotated.secret, previousValidUntil: rotated.previousValidUntil };
};

/** The new hash is shown once. */
type RotatedNoticeHash = Previous & { readonly merchant: string; readonly noticeHash: string };

/**
 * Gives a merchant, in a transaction, a new notice hash. For some days checksums of notices are made with the earlier one, and signatures with both. Then
 * the new one makes them all; 0 days: at once.
 * Shape: merchant, days 0–7 → RotatedNoticeHash.
 * Refuses: merchant_unknown, days_out_of_range, rotation_under_way (two are valid already, and days is not 0), secret_used_before.
 * Effects: ended hashes are deleted. The next notice is sent so, also one that waits.
 * Source: contract §7.4.
 */
export const noticeHashRotation: Rotation<RotatedNoticeHash> = (deps, merchantId, days, brought) => async (tx) => {
  const rotated = await rotate(tx, deps, merchantId, 'notice', brought ?? randomSecret(), days);
  return isRefusal(rotated)
    ? rotated
    : { merchant: merchantId, noticeHash: rotated.secret, previousValidUntil: rotated.previousValidUntil };
};

async function rotate(
  tx: Tx,
  deps: Omit<Deps, 'db'>,
  merchantId: string,
  kind: SecretKind,
  secret: string,
  days: number,
): ReturnType<ReturnType<Rotation<Previous & { readonly secret: string }>>> {
  const placeOf = (generation: number): string => merchantSecretPlace(merchantId, kind, generation);
  const replaced = await replaceSecret<'merchant_unknown' | 'secret_used_before'>(tx, deps, {
    unknown: 'merchant_unknown',
    table: SECRETS,
    names: [merchantId, kind],
    placeOf,
    secret,
    days,
    judge: async (held) => {
      // Nobody brings a secret to sign with.
      if (kind === 'signing') return undefined;
      const places = held.map((one) => ({ ...one, place: placeOf(one.generation) }));
      return (await wasUsed(tx, deps.keys, { merchantId, kind, secret, held: places })) ? refuse('secret_used_before') : undefined;
    },
  });
  return isRefusal(replaced) ? replaced : { secret, ...replaced };
}
