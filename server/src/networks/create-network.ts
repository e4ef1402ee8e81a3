import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { HOLD_MASTER_KEY, randomSecret, seal, type MasterKeys } from '../kit/secrets.ts';
import { NETNAME_PATTERN, NETWORK_NAME_PATTERN } from './network.ts';
import { INSERT_SECRET, networkSecretPlace, TELL_CHANGE } from './network-rows.ts';

export type CreateNetwork = { readonly netname: string; readonly name?: string | undefined };

/** What is told once, at creation, and never again. */
export type CreatedNetwork = { readonly netname: string; readonly secret: string };

export type CreateNetworkRefusal = 'netname_invalid' | 'name_invalid' | 'network_exists';

const INSERT_NETWORK = statement(
  'networks.insert',
  `insert into networks (network_id, name, created_at) values ($1, $2, $3) on conflict (network_id) do nothing returning network_id`,
);

/**
 * Creates a network with its secret.
 * Shape: CreateNetwork → CreatedNetwork; the name defaults to the netname.
 * Refuses: netname_invalid, name_invalid, network_exists.
 * Effects: told to every running server at commit.
 * Source: contract §1, §4.3.
 */
export async function createNetwork(
  { db, keys, clock }: { readonly db: Db; readonly keys: MasterKeys; readonly clock: Clock },
  { netname, name = netname }: CreateNetwork,
): Promise<CreatedNetwork | Refusal<CreateNetworkRefusal>> {
  if (!new RegExp(NETNAME_PATTERN).test(netname)) return refuse('netname_invalid');
  if (!new RegExp(NETWORK_NAME_PATTERN, 'u').test(name) || name.trim() === '') return refuse('name_invalid');
  const secret = randomSecret();
  const now = clock.now();
  return db.transaction(async (tx) => {
    tx.send(HOLD_MASTER_KEY, []);
    const inserted = await tx.query(INSERT_NETWORK, [netname, name, now]);
    if (inserted.length === 0) return refuse('network_exists');
    const { masterKeyId, sealed } = seal(keys, secret, networkSecretPlace(netname, 1));
    tx.send(INSERT_SECRET, [netname, 1, masterKeyId, sealed, now]);
    tx.send(TELL_CHANGE, [netname]);
    return { netname, secret };
  });
}
