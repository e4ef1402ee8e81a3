import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import { createNetwork, untilNetworkKnown, type Network, type NetworkDirectory } from '../networks/index.ts';

/** The collection network of every sandbox: it takes the simulated payments and makes the simulated collections. */
export const SANDBOX_NETWORK = 'sandbox';

export type SandboxNetworkRoom = {
  readonly db: Db;
  readonly keys: MasterKeys;
  readonly clock: Clock;
  readonly networks: Pick<NetworkDirectory, 'find'>;
};

/**
 * Gives the sandbox's network, made on first use; servers that ask at once agree on one.
 * Effects: waits until this server's directory knows it.
 */
export async function sandboxNetwork({ db, keys, clock, networks }: SandboxNetworkRoom): Promise<Network> {
  const known = await networks.find(SANDBOX_NETWORK);
  if (known !== undefined) return known;
  // Refused where another server was faster: then it is there as well.
  await createNetwork({ db, keys, clock }, { netname: SANDBOX_NETWORK, name: 'Sandbox network' });
  return untilNetworkKnown(networks, SANDBOX_NETWORK);
}
