import { statement, type Db } from '../kit/db.ts';

/** A network as an operator sees it: no secret, not even sealed. */
export type ListedNetwork = {
  readonly netname: string;
  readonly name: string;
  readonly createdAt: Temporal.Instant;
  readonly disabledAt: Temporal.Instant | null;
  /** Until when the secret before the newest one is valid; null: the newest alone is. */
  readonly earlierSecretValidUntil: Temporal.Instant | null;
};

const SELECT_ALL = statement(
  'networks.list',
  `select n.network_id as netname, name, n.created_at as "createdAt", disabled_at as "disabledAt", max(expires_at) as "earlierSecretValidUntil"
     from networks n left join network_secrets s on s.network_id = n.network_id and expires_at > $1
    group by n.network_id order by n.network_id`,
);

/** Lists all networks by netname, disabled ones included, with what is valid at an instant. */
export function listNetworks({ db }: { readonly db: Db }, at: Temporal.Instant): Promise<readonly ListedNetwork[]> {
  return db.query<ListedNetwork>(SELECT_ALL, [at]);
}
