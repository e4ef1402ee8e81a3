import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import { ALL_COUNTRIES, untilKnown } from '../merchants/index.ts';
import { createNetwork, type Network, type NetworkDirectory } from '../networks/index.ts';

/** The network of every sandbox: it takes simulated payments and makes simulated collections. */
export const SANDBOX_NETWORK = 'sandbox';

export type SandboxNetworkRoom = {
  readonly db: Db;
  readonly keys: MasterKeys;
  readonly clock: Clock;
  readonly networks: Pick<NetworkDirectory, 'find'>;
};

/**
 * Returns the sandbox's network; creates it on first use. Servers that create it at once get the same one.
 * Effects: waits until this server's directory knows it.
 */
export async function sandboxNetwork({ db, keys, clock, networks }: SandboxNetworkRoom): Promise<Network> {
  const known = await networks.find(SANDBOX_NETWORK);
  if (known !== undefined) return known;
  // A refusal means that another server has just created it.
  await createNetwork({ db, keys, clock }, { netname: SANDBOX_NETWORK, name: 'Sandbox network', countries: ALL_COUNTRIES });
  return untilKnown(networks, SANDBOX_NETWORK);
}
