import { statement, type Db } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { MasterKeyMissing, unseal, type MasterKeys, type Sealed } from '../kit/secrets.ts';
import { isPlainUrl, type NoticeChecksum } from './merchant.ts';
import { merchantSecretPlace } from './merchant-rows.ts';

/**
 * What proves a merchant's notices. Never logged. During a rotation the checksum is still made with the earlier hash, and
 * the signature with both.
 */
export type NoticeHashes = { readonly algorithm: NoticeChecksum; readonly ofChecksum: string; readonly ofSignature: readonly string[] };
/** Where a merchant's notices go, and what proves them. */
export type NoticeEndpoint = { readonly url: string; readonly noticeHashes: NoticeHashes };
/** `url` null: notices are not sent. */
export type NoticeSigner = { readonly url: string | null; readonly noticeHashes: NoticeHashes };

type SignerRow = Sealed & {
  readonly merchantId: string;
  readonly url: string | null;
  readonly algorithm: NoticeChecksum;
  readonly generation: number;
};

const SELECT_SIGNERS = statement(
  'merchants.select_notice_signers',
  `select m.merchant_id as "merchantId", notice_url as url, notice_checksum as algorithm, generation, master_key_id as "masterKeyId", sealed
     from merchants m cross join lateral (
       select generation, master_key_id, sealed from merchant_secrets s
        where s.merchant_id = m.merchant_id and kind = 'notice' and (expires_at is null or expires_at > $2)) s
    where m.merchant_id = any($1::text[]) order by generation`,
);
const SET_URL = statement('merchants.set_notice_url', 'update merchants set notice_url = $2 where merchant_id = $1 returning merchant_id');

/**
 * Reads where the notices of these merchants go, with the hashes that are valid at an instant. A disabled merchant is included: it is
 * still notified of payments.
 * Shape: → by merchant; no entry without a notice URL; an error when the notice hash cannot be opened.
 * The directory does not hold this. It is read with each delivery, so it is never out of date.
 */
export async function readNoticeEndpoints(
  db: Pick<Db, 'query'>,
  keys: MasterKeys,
  merchantIds: readonly string[],
  at: Temporal.Instant,
): Promise<ReadonlyMap<string, NoticeEndpoint | Error>> {
  const signers = await readNoticeSigners(db, keys, merchantIds, at);
  return new Map([...signers].flatMap(([merchantId, signer]) => (isAddressed(signer) ? [[merchantId, signer] as const] : [])));
}

const isAddressed = (signer: NoticeSigner | Error): signer is NoticeEndpoint | Error => signer instanceof Error || signer.url !== null;

/** As readNoticeEndpoints, with the merchants that have no notice URL. The sandbox shows what their notices would say. */
export async function readNoticeSigners(
  db: Pick<Db, 'query'>,
  keys: MasterKeys,
  merchantIds: readonly string[],
  at: Temporal.Instant,
): Promise<ReadonlyMap<string, NoticeSigner | Error>> {
  const read = async () => {
    const rows = await db.query<SignerRow>(SELECT_SIGNERS, [merchantIds, at]);
    return new Map([...Map.groupBy(rows, ({ merchantId }) => merchantId)].map(([merchantId, own]) => [merchantId, openSigner(keys, own)]));
  };
  const signers = await read();
  // The master key was rotated after the rows were read. The rows as they are now are sealed under the new key.
  return [...signers.values()].some((signer) => signer instanceof MasterKeyMissing) ? read() : signers;
}

/** Shape: the rows of one merchant, the earliest hash first. */
function openSigner(keys: MasterKeys, rows: readonly SignerRow[]): NoticeSigner | Error {
  try {
    const ofSignature = rows.map((row) =>
      unseal(keys, row, merchantSecretPlace(row.merchantId, 'notice', row.generation)).toString('utf8'),
    );
    const [earliest] = rows as [SignerRow, ...SignerRow[]];
    return { url: earliest.url, noticeHashes: { algorithm: earliest.algorithm, ofChecksum: ofSignature[0] as string, ofSignature } };
  } catch (error) {
    return error as Error;
  }
}

/**
 * Sets where a merchant's notices go from now on, those that wait included. Null: they are not sent.
 * Refuses: notice_url_invalid, merchant_unknown.
 * Source: contract §3.6.
 */
export async function setNoticeUrl(
  { db }: { readonly db: Db },
  merchantId: string,
  noticeUrl: string | null,
): Promise<undefined | Refusal<'notice_url_invalid' | 'merchant_unknown'>> {
  if (noticeUrl !== null && !isPlainUrl(noticeUrl)) return refuse('notice_url_invalid');
  return db.transaction(async (tx) =>
    (await tx.query(SET_URL, [merchantId, noticeUrl])).length === 0 ? refuse('merchant_unknown') : undefined,
  );
}
