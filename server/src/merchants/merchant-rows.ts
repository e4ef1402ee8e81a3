import { randomBytes } from 'node:crypto';
import { statement, type Db } from '../kit/db.ts';
import type { RequestLimits } from '../kit/limits/request-limits.ts';
import type { SealedTable } from '../kit/keys/reseal.ts';
import { HOME } from '../kit/per-cell.ts';
import { MasterKeyMissing, unseal, type MasterKeys, type Sealed } from '../kit/secrets.ts';
import { findCountry, type Country } from './countries.ts';
import type { Language } from '../kit/language.ts';
import type { OpenAmount, HeldSecret, Merchant, Signing } from './merchant.ts';
import { mapOnOff, ON_OFF_COLUMNS, SELECT_ON_OFF, type OnOff } from './on-off-settings.ts';

/** The channel that informs all servers of every change of a merchant. The payload is the merchant's id. */
export const MERCHANT_CHANGED = 'merchant_changed';

/** Sent with every change. At commit each running server learns of it, and its directory reads the merchant again. */
export const NOTIFY_MERCHANT_CHANGE = statement('merchants.notify_change', `select pg_notify('${MERCHANT_CHANGED}', $1)`);

export const INSERT_MERCHANT_SECRET = statement(
  'merchants.insert_secret',
  `insert into merchant_secrets (merchant_id, kind, generation, master_key_id, sealed, created_at) values ($1, $2, $3, $4, $5, $6)`,
);

export type SecretKind = 'fixed' | 'notice' | 'signing';

/** Makes a secret in the form that libraries for Standard Webhooks take: 256 random bits. */
export const randomSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The place that a merchant's secret is sealed for. Sealed bytes of another row cannot be opened there. */
export const merchantSecretPlace = (merchantId: string, kind: SecretKind, generation: number): string =>
  `merchant_secrets/${merchantId}/${kind}/${generation}`;

type SecretRow = Sealed & { readonly merchantId: string; readonly kind: SecretKind; readonly generation: number };

/** The secrets of merchants, for the rotation of the master key. */
export const MERCHANT_SECRETS: SealedTable<SecretRow> = {
  count: statement(
    'merchants.count_secrets',
    `select master_key_id as "masterKeyId", count(*) as secrets from merchant_secrets group by master_key_id`,
  ),
  selectOthers: statement(
    'merchants.select_secrets_under_other_keys',
    `select merchant_id as "merchantId", kind, generation, master_key_id as "masterKeyId", sealed
       from merchant_secrets where master_key_id <> $1 and (merchant_id, kind, generation) > ($3, $4, $5)
      order by merchant_id, kind, generation limit $2 for update`,
  ),
  update: statement(
    'merchants.reseal_secret',
    `update merchant_secrets set master_key_id = $1, sealed = $2 where merchant_id = $3 and kind = $4 and generation = $5`,
  ),
  key: ({ merchantId, kind, generation }) => [merchantId, kind, generation],
  beforeFirst: ['', '', 0],
  place: ({ merchantId, kind, generation }) => merchantSecretPlace(merchantId, kind, generation),
};

/** A merchant with one of the secrets that prove its requests. There is a row for each such secret, the newest first. */
type MerchantRow = OnOff & {
  readonly merchantId: string;
  readonly name: string;
  readonly country: string;
  readonly language: Language;
  readonly currencies: readonly string[];
  readonly disabledAt: Temporal.Instant | null;
  readonly frozenAt: Temporal.Instant | null;
  readonly limits: RequestLimits | null;
  readonly signing: Signing;
  readonly openAmounts: readonly OpenAmount[];
  readonly returnUrl: string | null;
  readonly kind: SecretKind;
  readonly generation: number;
  readonly masterKeyId: string;
  readonly sealed: Buffer;
  readonly expiresAt: Temporal.Instant | null;
};

const COLUMNS = `m.merchant_id as "merchantId", name, country, language, currencies, disabled_at as "disabledAt", frozen_at as "frozenAt", signing,
  ${SELECT_ON_OFF}, open_amounts as "openAmounts", return_url as "returnUrl", limits, kind, generation, master_key_id as "masterKeyId", sealed, expires_at as "expiresAt"`;

const SELECT_MERCHANT = statement(
  'merchants.select',
  `select ${COLUMNS} from merchants m join merchant_secrets s on s.merchant_id = m.merchant_id and kind in ('fixed', 'signing')
    where m.merchant_id = $1 order by generation desc`,
);
/** Merchants of one statement. To open their secrets takes 10 ms, and requests run in between. A literal, for the planner. */
const PAGE = 1_000;
const SELECT_PAGE = statement(
  'merchants.select_page',
  // Lateral: while the table has no statistics, a plain join reads every secret of it for each page.
  `select ${COLUMNS} from (
      select merchant_id, name, country, language, currencies, disabled_at, frozen_at, signing, ${ON_OFF_COLUMNS},
             open_amounts, return_url, limits
        from merchants where merchant_id > $1 order by merchant_id limit ${PAGE}
    ) m cross join lateral (
      select kind, generation, master_key_id, sealed, expires_at from merchant_secrets s
       where s.merchant_id = m.merchant_id and kind in ('fixed', 'signing') order by generation desc
    ) s order by m.merchant_id, generation desc`,
);

/** Reads one merchant with its fixed hashes and signing secrets, in one statement. Undefined: there is none of that id. */
export async function readStoredMerchant(
  db: Pick<Db, 'query'>,
  keys: MasterKeys,
  merchantId: string,
  cell = HOME,
): Promise<Merchant | undefined> {
  const read = async (): Promise<Merchant | undefined> => {
    const rows = await db.query<MerchantRow>(SELECT_MERCHANT, [merchantId]);
    return rows.length === 0 ? undefined : openMerchant(keys, rows, cell);
  };
  return read().catch((error: unknown) => {
    // The master key was rotated after the row was read. The row as it is now is sealed under the new key.
    if (error instanceof MasterKeyMissing) return read();
    throw error;
  });
}

/**
 * Reads the merchants whose ids follow `after`, in the order of their ids.
 * Shape: → a page of entries, an empty one after the last.
 * When a merchant's secrets cannot be opened, its entry has the error. The other merchants are not affected.
 */
export async function readMerchantPage(
  db: Pick<Db, 'query'>,
  keys: MasterKeys,
  after: string,
  cell: number,
): Promise<readonly { readonly merchantId: string; readonly merchant: Merchant | Error }[]> {
  const rows = await db.query<MerchantRow>(SELECT_PAGE, [after]);
  return [...Map.groupBy(rows, ({ merchantId }) => merchantId)].map(([merchantId, own]) => {
    try {
      return { merchantId, merchant: openMerchant(keys, own, cell) };
    } catch (error) {
      return { merchantId, merchant: error as Error };
    }
  });
}

function openMerchant(keys: MasterKeys, rows: readonly MerchantRow[], cell: number): Merchant {
  const [merchant] = rows as readonly [MerchantRow];
  const { merchantId, name, country, language, currencies, disabledAt, frozenAt, signing, limits, openAmounts, returnUrl } = merchant;
  const open = (kind: SecretKind): readonly HeldSecret[] =>
    rows
      .filter((row) => row.kind === kind)
      .map((row) => ({
        secret: unseal(keys, row, merchantSecretPlace(merchantId, kind, row.generation)).toString('utf8'),
        expiresAt: row.expiresAt,
      }));
  return {
    merchantId,
    cell,
    name,
    country: findCountry(country) as Country,
    language,
    currencies,
    isDisabled: disabledAt !== null,
    isFrozen: frozenAt !== null,
    limits,
    fixedHashes: open('fixed'),
    signing,
    ...(mapOnOff((field) => merchant[field]) as OnOff),
    openAmounts,
    returnUrl,
    signingSecrets: open('signing'),
  };
}

/** SQL of the instant since which a merchant's oldest fixed hash is valid, at an instant. */
export const validHashesSince = (merchantId: string, at: string): string =>
  `(select min(created_at) from merchant_secrets s where s.merchant_id = ${merchantId} and s.kind = 'fixed' and (s.expires_at is null or s.expires_at > ${at}))`;

/** SQL of the code of a merchant's country. */
export const countryOf = (merchantId: string): string => `(select country from merchants m where m.merchant_id = ${merchantId})`;

const FEE_KEEPERS = statement(
  'merchants.read_fee_keepers',
  `select merchant_id as "merchantId" from merchants where merchant_id = any ($1) and keeps_fees`,
);

/** Which of these merchants have refunds with which no fee comes back. */
export async function readFeeKeepers(tx: Pick<Db, 'query'>, merchantIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ readonly merchantId: string }>(FEE_KEEPERS, [[...new Set(merchantIds)]]);
  return new Set(rows.map(({ merchantId }) => merchantId));
}

const STOPPED = statement(
  'merchants.list_stopped',
  'select merchant_id as "merchantId" from merchants where merchant_id = any ($1::text[]) and (frozen_at is not null or disabled_at is not null)',
);

/** Which of these merchants are frozen or disabled: nothing is paid to them. */
export async function readStopped(tx: Pick<Db, 'query'>, merchantIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ readonly merchantId: string }>(STOPPED, [[...new Set(merchantIds)]]);
  return new Set(rows.map(({ merchantId }) => merchantId));
}

/** SQL: whether a merchant is frozen. */
export const isFrozenNow = (merchantId: string): string =>
  `(select frozen_at is not null from merchants m where m.merchant_id = ${merchantId})`;
