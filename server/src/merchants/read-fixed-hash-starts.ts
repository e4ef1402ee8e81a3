import { statement, type Db } from '../kit/db.ts';

/** The instant at which the oldest valid fixed hash of a merchant was made. */
type FixedHashStart = { readonly merchantId: string; readonly since: Temporal.Instant };

const READ = statement(
  'merchants.read_fixed_hash_starts',
  `select merchant_id as "merchantId", min(created_at) as since from merchant_secrets
    where kind = 'fixed' and (expires_at is null or expires_at > $1)
    group by merchant_id having min(generation) > 1`,
);

/** Reads the merchants whose first fixed hash has ended. Checksums of an earlier time than `since` prove nothing any more. */
export const readFixedHashStarts = (db: Pick<Db, 'query'>, now: Temporal.Instant): Promise<FixedHashStart[]> =>
  db.query<FixedHashStart>(READ, [now]);
