import { checksumMatches } from '../kit/checksum.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { listen } from '../kit/listen.ts';
import type { Log } from '../kit/log.ts';
import { randomSecret, type MasterKeys } from '../kit/secrets.ts';
import { validSecrets, type Country } from '../merchants/index.ts';
import { serves } from './serves.ts';
import { enabledOf, NETWORK_CHANGED, readNetworks, type Network, type StoredNetwork } from './network-rows.ts';

export type NetworkDirectory = {
  /** The network of a netname, disabled ones included, or undefined. Throws: SecretUnreadable when its secrets cannot be opened. */
  find(netname: string): Promise<Network | undefined>;
  /**
   * The network, if it exists, is enabled, and the checksum over these values proves its secret. The netname is one of the values.
   * An unknown netname, a disabled network and a wrong checksum cost the same work. So no caller can test which networks exist.
   * Source: contract §2.2.
   */
  authenticate(netname: string, sentChecksum: string, signed: readonly string[]): Promise<Network | undefined>;
  /** The name that payers know a network by, disabled ones included, or undefined. */
  nameOf(netname: string): Promise<string | undefined>;
  /** The enabled networks that serve a country in a currency, in the order of the netnames. */
  servingIn(country: Country, currency: string): Promise<readonly Pick<Network, 'netname' | 'name'>[]>;
  close(): Promise<void>;
};

type NetworkDirectoryOptions = {
  readonly db: Db;
  readonly url: string;
  readonly keys: MasterKeys;
  readonly clock: Clock;
  readonly log: Log;
};

/** Compared in place of a missing secret. It is random, so it never matches. A network has two secrets at most. */
const NO_SECRET = randomSecret();

/**
 * Opens the directory: all networks in memory, read again after every change that NOTIFY reports.
 * There are a few dozen, so the whole table is read at once. While a notification may be missing, every request reads it.
 */
export async function openNetworkDirectory({ db, url, keys, clock, log }: NetworkDirectoryOptions): Promise<NetworkDirectory> {
  let memory: Promise<ReadonlyMap<string, StoredNetwork>> | undefined;
  const forget = (): void => void (memory = undefined);
  const listener = await listen({ url, channel: NETWORK_CHANGED, log, onMessage: forget, onGap: forget });

  /** A change forgets this read even while it is under way. Callers after the change start a new one. */
  function load(): Promise<ReadonlyMap<string, StoredNetwork>> {
    const loading = readNetworks(db, keys);
    memory = loading;
    loading.catch(() => {
      if (memory === loading) memory = undefined;
    });
    return loading;
  }

  const all = (): Promise<ReadonlyMap<string, StoredNetwork>> => (listener.isConnected() ? (memory ?? load()) : readNetworks(db, keys));

  async function find(netname: string): Promise<Network | undefined> {
    const network = (await all()).get(netname)?.network;
    if (network instanceof Error) {
      memory = undefined;
      throw network;
    }
    return network;
  }

  return {
    find,
    authenticate: async (netname, sentChecksum, signed) => {
      const network = await find(netname);
      const isUsable = network !== undefined && !network.isDisabled;
      const [newest = NO_SECRET, older = NO_SECRET] = isUsable ? validSecrets(network.secrets, clock.now()) : [];
      const matches = checksumMatches(sentChecksum, signed, [newest, older]);
      return isUsable && matches ? network : undefined;
    },
    nameOf: async (netname) => (await all()).get(netname)?.name,
    servingIn: async (country, currency) => enabledOf(await all()).filter((network) => serves(network, country, currency)),
    close: () => listener.close(),
  };
}
