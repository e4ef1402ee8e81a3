import { CommandRefused, type Connection } from '../kit/command-line.ts';
import { statement, type Db, type Tx } from '../kit/db.ts';
import type { RequestLimits } from '../kit/limits/request-limits.ts';
import type { Language } from '../kit/language.ts';
import type { NoticeChecksum, OpenAmount, Signing } from './merchant.ts';
import type { SecretKind } from './merchant-rows.ts';
import { SELECT_ON_OFF, type OnOff } from './on-off-settings.ts';

/** A merchant as an operator sees it, without any secret. */
export type ListedMerchant = OnOff & {
  readonly merchant: string;
  readonly name: string;
  readonly country: string;
  readonly language: Language;
  readonly currencies: readonly string[];
  /** The e-mail address of a person to write to. */
  readonly contact: string | null;
  readonly noticeUrl: string | null;
  readonly createdAt: Temporal.Instant;
  readonly disabledAt: Temporal.Instant | null;
  readonly frozenAt: Temporal.Instant | null;
  readonly limits: RequestLimits | null;
  readonly signing: Signing;
  readonly openAmounts: readonly OpenAmount[];
  readonly noticeChecksum: NoticeChecksum;
  readonly returnUrl: string | null;
};

/** `validUntil` null: the newest secret, which has no end. */
export type ShownSecret = { readonly createdAt: Temporal.Instant; readonly validUntil: Temporal.Instant | null };

export type ShownMerchant = ListedMerchant & {
  readonly fixedHashes: readonly ShownSecret[];
  readonly noticeHashes: readonly ShownSecret[];
  readonly signingSecrets: readonly ShownSecret[];
};

const COLUMNS = `merchant_id as merchant, name, country, language, currencies, contact, notice_url as "noticeUrl", created_at as "createdAt", disabled_at as "disabledAt", frozen_at as "frozenAt", signing, ${SELECT_ON_OFF}, open_amounts as "openAmounts", notice_checksum as "noticeChecksum", return_url as "returnUrl", limits`;
const SELECT_ALL = statement('merchants.list', `select ${COLUMNS} from merchants order by merchant_id`);
const SELECT_IDS = statement('merchants.ids', 'select merchant_id as "merchantId" from merchants');
const SELECT_PAGE = statement(
  'merchants.page',
  `select ${COLUMNS} from merchants where ($1::text is null or merchant_id = $1) and merchant_id > $2 order by merchant_id limit $3`,
);
const SELECT_ONE = statement('merchants.show', `select ${COLUMNS} from merchants where merchant_id = $1`);
const SELECT_SECRETS = statement(
  'merchants.show_secrets',
  `select created_at as "createdAt", expires_at as "validUntil" from merchant_secrets
    where merchant_id = $1 and kind = $2 and (expires_at is null or expires_at > $3) order by generation desc`,
);

const SELECT_FACTS = statement(
  'merchants.select_facts',
  `select name, country, language, currencies, contact, notice_url as "noticeUrl", disabled_at as "disabledAt", frozen_at as "frozenAt", signing,
          ${SELECT_ON_OFF}, notice_checksum as "noticeChecksum",
          open_amounts as "openAmounts", return_url as "returnUrl", limits,
          (select jsonb_agg(jsonb_build_array(kind, generation, expires_at) order by kind, generation)
             from merchant_secrets s where s.merchant_id = m.merchant_id) as secrets
     from merchants m where merchant_id = $1 for no key update`,
);

/** What the audit log shows of a merchant before and after. Of a secret: its kind, its number, and its end. */
export const merchantFacts = (merchantId: string) => ({ statement: SELECT_FACTS, values: [merchantId] });

const SELECT_REPORTS = statement('merchants.reports_updates', 'select update_notices as "isOn" from merchants where merchant_id = $1');
/** True where a merchant is sent notices of updates. */
export const reportsUpdates = async (db: Pick<Db, 'query'>, merchantId: string): Promise<boolean> =>
  (await db.query<{ readonly isOn: boolean }>(SELECT_REPORTS, [merchantId]))[0]?.isOn === true;

const LOCK_PAID = statement(
  'merchants.lock_paid',
  'select frozen_at is null and disabled_at is null as "isPaid" from merchants where merchant_id = $1 for share',
);
/** Locks a merchant, so that until commit nobody freezes or disables it. True: it is paid, neither frozen nor disabled. */
export const lockPaid = async (tx: Pick<Tx, 'query'>, merchantId: string): Promise<boolean> =>
  (await tx.query<{ readonly isPaid: boolean }>(LOCK_PAID, [merchantId]))[0]?.isPaid === true;

/** Lists all merchants by id, disabled ones included. */
export function readMerchants({ db }: { readonly db: Db }): Promise<readonly ListedMerchant[]> {
  return db.query<ListedMerchant>(SELECT_ALL, []);
}

/** Reads a page of merchants by id. `merchantId`: that one only. `after`: the last one of the page before. */
export function pageMerchants(
  { db }: { readonly db: Db },
  { merchantId, after, limit }: { readonly merchantId: string | undefined; readonly after: string; readonly limit: number },
): Promise<readonly ListedMerchant[]> {
  return db.query<ListedMerchant>(SELECT_PAGE, [merchantId ?? null, after, limit]);
}

/**
 * Shows one merchant, or undefined when there is none.
 * With it: when its secrets were made that are valid at an instant, the newest first.
 */
export async function showMerchant(
  { db }: { readonly db: Db },
  merchantId: string,
  at: Temporal.Instant,
): Promise<ShownMerchant | undefined> {
  const [merchant] = await db.query<ListedMerchant>(SELECT_ONE, [merchantId]);
  if (merchant === undefined) return undefined;
  const valid = (kind: SecretKind): Promise<ShownSecret[]> => db.query(SELECT_SECRETS, [merchantId, kind, at]);
  return { ...merchant, fixedHashes: await valid('fixed'), noticeHashes: await valid('notice'), signingSecrets: await valid('signing') };
}

/**
 * Finds the merchant that a command names. For a misspelt id, an empty table would be a misleading answer.
 * Throws: CommandRefused when there is none.
 */
export async function requireMerchant({ db, clock }: Pick<Connection, 'db' | 'clock'>, merchantId: string): Promise<ShownMerchant> {
  const merchant = await showMerchant({ db }, merchantId, clock.now());
  if (merchant === undefined) throw new CommandRefused(`There is no merchant ${merchantId}.`);
  return merchant;
}

/** Reads the ids of all merchants of a database. */
export const readMerchantIds = async (db: Pick<Db, 'query'>): Promise<readonly string[]> =>
  (await db.query<{ merchantId: string }>(SELECT_IDS, [])).map(({ merchantId }) => merchantId);
