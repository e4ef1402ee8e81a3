import { statement, type Db } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { MasterKeyMissing, unseal, type MasterKeys, type Sealed } from '../kit/secrets.ts';
import { isNoticeUrl } from './merchant.ts';
import { merchantSecretPlace } from './merchant-rows.ts';

/** Where a merchant's notices go, and the secret that signs them. Never logged. */
export type NoticeEndpoint = { readonly url: string; readonly noticeHash: string };
/** `url` null: notices are not sent. */
export type NoticeSigner = { readonly url: string | null; readonly noticeHash: string };

type SignerRow = Sealed & { readonly merchantId: string; readonly url: string | null; readonly generation: number };

const SELECT_SIGNERS = statement(
  'merchants.select_notice_signers',
  `select m.merchant_id as "merchantId", notice_url as url, generation, master_key_id as "masterKeyId", sealed
     from merchants m cross join lateral (
       select generation, master_key_id, sealed from merchant_secrets s
        where s.merchant_id = m.merchant_id and kind = 'notice' order by generation desc limit 1) s
    where m.merchant_id = any($1::text[])`,
);
const SET_URL = statement('merchants.set_notice_url', 'update merchants set notice_url = $2 where merchant_id = $1 returning merchant_id');

/**
 * Reads where the notices of these merchants go. A disabled merchant is included: it is still notified of payments.
 * Shape: → by merchant; no entry without a notice URL; an error when the notice hash cannot be opened.
 * The directory does not hold this. It is read with each delivery, so it is never out of date.
 */
export async function readNoticeEndpoints(
  db: Pick<Db, 'query'>,
  keys: MasterKeys,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, NoticeEndpoint | Error>> {
  const signers = await readNoticeSigners(db, keys, merchantIds);
  return new Map([...signers].flatMap(([merchantId, signer]) => (isAddressed(signer) ? [[merchantId, signer] as const] : [])));
}

const isAddressed = (signer: NoticeSigner | Error): signer is NoticeEndpoint | Error => signer instanceof Error || signer.url !== null;

/** As readNoticeEndpoints, with the merchants that have no notice URL. The sandbox shows what their notices would say. */
export async function readNoticeSigners(
  db: Pick<Db, 'query'>,
  keys: MasterKeys,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, NoticeSigner | Error>> {
  const read = async () =>
    new Map((await db.query<SignerRow>(SELECT_SIGNERS, [merchantIds])).map((row) => [row.merchantId, openSigner(keys, row)] as const));
  const signers = await read();
  // The master key was rotated after the rows were read. The rows as they are now are sealed under the new key.
  return [...signers.values()].some((signer) => signer instanceof MasterKeyMissing) ? read() : signers;
}

function openSigner(keys: MasterKeys, row: SignerRow): NoticeSigner | Error {
  try {
    return { url: row.url, noticeHash: unseal(keys, row, merchantSecretPlace(row.merchantId, 'notice', row.generation)).toString('utf8') };
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
  if (noticeUrl !== null && !isNoticeUrl(noticeUrl)) return refuse('notice_url_invalid');
  return (await db.query(SET_URL, [merchantId, noticeUrl])).length === 0 ? refuse('merchant_unknown') : undefined;
}
