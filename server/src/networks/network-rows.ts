import { statement, type Db } from '../kit/db.ts';
import type { SealedTable } from '../kit/reseal.ts';
import { MasterKeyMissing, unseal, type MasterKeys, type Sealed } from '../kit/secrets.ts';
import type { Network } from './network.ts';

/** A network whose secrets do not open still has its name; the error stands in its place. */
export type StoredNetwork = { readonly name: string; readonly network: Network | Error };

/** The channel on which every change of a network is told to all running servers; the payload is its netname. */
export const NETWORK_CHANGED = 'network_changed';

/** Told at commit to every running server, whose directory then reads the networks again. */
export const TELL_CHANGE = statement('networks.tell_change', `select pg_notify('${NETWORK_CHANGED}', $1)`);

export const INSERT_SECRET = statement(
  'networks.insert_secret',
  `insert into network_secrets (network_id, generation, master_key_id, sealed, created_at) values ($1, $2, $3, $4, $5)`,
);

/** Where a network's secret is sealed for: another row's sealed bytes do not open here. */
export const networkSecretPlace = (netname: string, generation: number): string => `network_secrets/${netname}/${generation}`;

type SecretRow = Sealed & { readonly netname: string; readonly generation: number };

/** The secrets of networks, as the rotation of the master key goes through them. */
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

/** A network and one of its secrets: as many rows as there are secrets, newest first. */
type NetworkRow = SecretRow & {
  readonly name: string;
  readonly disabledAt: Temporal.Instant | null;
  readonly expiresAt: Temporal.Instant | null;
};

const SELECT_NETWORKS = statement(
  'networks.select_all',
  `select network_id as netname, name, disabled_at as "disabledAt", generation, master_key_id as "masterKeyId", sealed, expires_at as "expiresAt"
     from networks join network_secrets using (network_id) order by network_id, generation desc`,
);

/**
 * Reads all networks with their secrets: one statement.
 * Shape: → by netname. Where the secrets of one do not open, the others are not to blame.
 */
export async function readNetworks(db: Pick<Db, 'query'>, keys: MasterKeys): Promise<ReadonlyMap<string, StoredNetwork>> {
  const read = async (): Promise<ReadonlyMap<string, StoredNetwork>> => {
    const rows = await db.query<NetworkRow>(SELECT_NETWORKS, []);
    const byName = Map.groupBy(rows, ({ netname }) => netname);
    return new Map([...byName].map(([netname, own]) => [netname, openNetwork(keys, own)]));
  };
  const networks = await read();
  // The master key was rotated, and its file written, between the rows and the key: the rows as they are now lie under the new one.
  return networks.values().some(({ network }) => network instanceof MasterKeyMissing) ? read() : networks;
}

function openNetwork(keys: MasterKeys, rows: readonly NetworkRow[]): StoredNetwork {
  const { netname, name, disabledAt } = rows[0] as NetworkRow;
  try {
    const secrets = rows.map((row) => ({
      secret: unseal(keys, row, networkSecretPlace(netname, row.generation)).toString('utf8'),
      expiresAt: row.expiresAt,
    }));
    return { name, network: { netname, name, isDisabled: disabledAt !== null, secrets } };
  } catch (error) {
    return { name, network: error as Error };
  }
}
