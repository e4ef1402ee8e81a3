import { statement, type Db } from '../kit/db.ts';
import { matchAddresses, type AddressList } from '../kit/limits/address-list.ts';
import type { RequestLimits } from '../kit/limits/request-limits.ts';
import type { SealedTable } from '../kit/keys/reseal.ts';
import type { WhereServed } from './serves.ts';
import { MasterKeyMissing, unseal, type MasterKeys, type Sealed } from '../kit/secrets.ts';

/** Which requests a network signs: all of them, or with `checksum` those on orders. */
export type NetworkSigning = 'require' | 'checksum';

/**
 * A collection network: it takes cash for orders and pays out cashouts. Its secrets prove its requests and are never logged.
 */
export type Network = Omit<NetworkSettings, 'addresses' | 'disabledAt'> & {
  readonly netname: string;
  readonly isDisabled: boolean;
  /** True for an address from which its requests may come. */
  readonly mayCallFrom: (address: string) => boolean;
  /** The newest first. There are two during a rotation, one otherwise. */
  readonly secrets: readonly { readonly secret: string; readonly expiresAt: Temporal.Instant | null }[];
};

/** A network as it is stored. Its name can be read even when its secrets cannot be opened: then `network` is the error. */
export type StoredNetwork = { readonly name: string; readonly network: Network | Error };

/** The channel that informs all servers of every change of a network. The payload is its netname. */
export const NETWORK_CHANGED = 'network_changed';

/** Sent with every change. At commit each running server learns of it, and its directory reads the networks again. */
export const NOTIFY_NETWORK_CHANGE = statement('networks.notify_change', `select pg_notify('${NETWORK_CHANGED}', $1)`);

export const INSERT_NETWORK_SECRET = statement(
  'networks.insert_secret',
  `insert into network_secrets (network_id, generation, master_key_id, sealed, created_at) values ($1, $2, $3, $4, $5)`,
);

/**
 * Returns the key under which a network signs, in the form that libraries of Standard Webhooks take. Its bytes are the characters of the
 * network's secret.
 * Source: contract §7.5.
 */
export const signingSecretOf = (secret: string): string => `whsec_${Buffer.from(secret).toString('base64')}`;

/** The place that a network's secret is sealed for. Sealed bytes of another row cannot be opened there. */
export const networkSecretPlace = (netname: string, generation: number): string => `network_secrets/${netname}/${generation}`;

type SecretRow = Sealed & { readonly netname: string; readonly generation: number };

/** The secrets of networks, for the rotation of the master key. */
export const NETWORK_SECRETS: SealedTable<SecretRow> = {
  count: statement(
    'networks.count_secrets',
    `select master_key_id as "masterKeyId", count(*) as secrets from network_secrets group by master_key_id`,
  ),
  selectOthers: statement(
    'networks.select_secrets_under_other_keys',
    `select network_id as netname, generation, master_key_id as "masterKeyId", sealed
       from network_secrets where master_key_id <> $1 and (network_id, generation) > ($3, $4)
      order by network_id, generation limit $2 for update`,
  ),
  update: statement(
    'networks.reseal_secret',
    `update network_secrets set master_key_id = $1, sealed = $2 where network_id = $3 and generation = $4`,
  ),
  key: ({ netname, generation }) => [netname, generation],
  beforeFirst: ['', 0],
  place: ({ netname, generation }) => networkSecretPlace(netname, generation),
};

/** What an operator sets of a network. */
type NetworkSettings = WhereServed & {
  readonly name: string;
  readonly signing: NetworkSigning;
  /** From where its requests come. Null: from anywhere. */
  readonly addresses: AddressList | null;
  /** Null: the defaults. */
  readonly limits: RequestLimits | null;
  readonly disabledAt: Temporal.Instant | null;
};
const SETTINGS = `name, signing, countries, currencies, addresses, limits, disabled_at as "disabledAt"`;

/** A network with one of its secrets. There is a row for each secret, the newest first. */
type NetworkRow = SecretRow & NetworkSettings & { readonly expiresAt: Temporal.Instant | null };

const SELECT_FACTS = statement(
  'networks.select_facts',
  `select ${SETTINGS},
          (select jsonb_agg(jsonb_build_array(generation, expires_at) order by generation)
             from network_secrets s where s.network_id = n.network_id) as secrets
     from networks n where network_id = $1 for no key update`,
);

/** What the audit log shows of a network before and after. Of a secret: its number, and its end. */
export const networkFacts = (netname: string) => ({ statement: SELECT_FACTS, values: [netname] });

const SELECT_NETWORKS = statement(
  'networks.select_all',
  `select network_id as netname, ${SETTINGS}, generation, master_key_id as "masterKeyId", sealed, expires_at as "expiresAt"
     from networks join network_secrets using (network_id) order by network_id, generation desc`,
);

/**
 * Reads all networks with their secrets, in one statement.
 * Shape: → by netname. One whose secrets cannot be opened does not affect the others.
 */
export async function readNetworks(db: Pick<Db, 'query'>, keys: MasterKeys): Promise<ReadonlyMap<string, StoredNetwork>> {
  const read = async (): Promise<ReadonlyMap<string, StoredNetwork>> => {
    const rows = await db.query<NetworkRow>(SELECT_NETWORKS, []);
    const byName = Map.groupBy(rows, ({ netname }) => netname);
    return new Map([...byName].map(([netname, own]) => [netname, openNetwork(keys, own)]));
  };
  const networks = await read();
  // The master key was rotated after the rows were read. The rows as they are now are sealed under the new key.
  return networks.values().some(({ network }) => network instanceof MasterKeyMissing) ? read() : networks;
}

/** Those that may be used: their secrets can be opened, and nobody disabled them. */
export const enabledOf = (networks: ReadonlyMap<string, StoredNetwork>): readonly Network[] =>
  [...networks.values()].flatMap(({ network }) => (network instanceof Error || network.isDisabled ? [] : network));

const anywhere = (): boolean => true;

function openNetwork(keys: MasterKeys, rows: readonly NetworkRow[]): StoredNetwork {
  const { netname, name, signing, countries, currencies, addresses, limits, disabledAt } = rows[0] as NetworkRow;
  try {
    const secrets = rows.map((row) => ({
      secret: unseal(keys, row, networkSecretPlace(netname, row.generation)).toString('utf8'),
      expiresAt: row.expiresAt,
    }));
    const mayCallFrom = addresses === null ? anywhere : matchAddresses(addresses);
    return {
      name,
      network: { netname, name, signing, countries, currencies, limits, isDisabled: disabledAt !== null, mayCallFrom, secrets },
    };
  } catch (error) {
    return { name, network: error as Error };
  }
}

/** A network as an operator sees it, without any secret. */
export type ListedNetwork = NetworkSettings & {
  readonly netname: string;
  readonly createdAt: Temporal.Instant;
  /** The end of the secret before the newest one. Null: only the newest is valid. */
  readonly earlierSecretValidUntil: Temporal.Instant | null;
};

const LIST = statement(
  'networks.list',
  `select n.network_id as netname, ${SETTINGS}, n.created_at as "createdAt", max(expires_at) as "earlierSecretValidUntil"
     from networks n left join network_secrets s on s.network_id = n.network_id and expires_at > $1
    group by n.network_id order by n.network_id`,
);

/** Lists all networks by netname, disabled ones included, with the secrets that are valid at an instant. */
export function listNetworks({ db }: { readonly db: Db }, at: Temporal.Instant): Promise<readonly ListedNetwork[]> {
  return db.query<ListedNetwork>(LIST, [at]);
}
