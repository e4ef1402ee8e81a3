import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { statement, type Tx } from '../kit/db.ts';
import { SecretUnreadable, unseal, type MasterKeys, type Sealed } from '../kit/secrets.ts';
import type { SecretKind } from './merchant-rows.ts';

/** The kinds of secrets that an operator may bring from an earlier service. */
type BroughtKind = Exclude<SecretKind, 'signing'>;

const RECORD = statement(
  'merchants.record_former_secrets',
  `insert into former_secrets (merchant_id, kind, digest) select $1, $2, digest from unnest($3::bytea[]) as digest order by digest on conflict do nothing`,
);
const FIND = statement('merchants.find_former_secret', 'select 1 from former_secrets where merchant_id = $1 and kind = $2 and digest = $3');

/** An operator may have chosen it, and a copy of the database must not be a way to guess it. */
const DIGEST = { N: 2 ** 14, r: 8, p: 1 };
const stretch = promisify<string, string, number, typeof DIGEST, Buffer>(scrypt);
const digestOf = (merchantId: string, kind: BroughtKind, secret: string): Promise<Buffer> =>
  stretch(secret, `${merchantId} ${kind}`, 32, DIGEST);

/** A secret that is held, and where it was sealed. */
type HeldSecret = Sealed & { readonly place: string };

/** The secrets that open. Whoever lost a master key rotates all the same. */
const openedOf = (keys: MasterKeys, held: readonly HeldSecret[]): string[] =>
  held.flatMap((one) => {
    try {
      return unseal(keys, one, one.place).toString('utf8');
    } catch (error) {
      if (error instanceof SecretUnreadable) return [];
      throw error;
    }
  });

type Replaced = {
  readonly merchantId: string;
  readonly kind: BroughtKind;
  readonly secret: string;
  readonly held: readonly HeldSecret[];
};

/**
 * Whether a merchant had this secret before, or has it. Otherwise the ones that it has now are recorded as former ones.
 * Effects: one statement in the transaction, which holds the lock of the merchant.
 */
export async function wasUsed(tx: Tx, keys: MasterKeys, { merchantId, kind, secret, held }: Replaced): Promise<boolean> {
  const digests = [secret, ...openedOf(keys, held)].map((one) => digestOf(merchantId, kind, one));
  const [digest, ...former] = (await Promise.all(digests)) as [Buffer, ...Buffer[]];
  if (former.some((one) => one.equals(digest)) || (await tx.query(FIND, [merchantId, kind, digest])).length > 0) return true;
  tx.send(RECORD, [merchantId, kind, former]);
  return false;
}
