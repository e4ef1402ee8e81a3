import { refuse, type Refusal } from '../kit/outcome.ts';
import { ServiceRefused } from '../kit/remote/open-remote.ts';
import type { Remote } from '../kit/remote/remote.ts';
import { listManagedNetworks, readNetwork } from './networks.manage.ts';
import type { ListedNetwork } from './network-rows.ts';

// What commands ask of a service that `--url` names.

type Sent = Omit<ListedNetwork, 'createdAt' | 'disabledAt' | 'earlierSecretValidUntil'> & {
  readonly createdAt: string;
  readonly disabledAt: string | null;
  readonly earlierSecretValidUntil: string | null;
};

const orNull = (at: string | null): Temporal.Instant | null => (at === null ? null : Temporal.Instant.from(at));

const listedOf = ({ createdAt, disabledAt, earlierSecretValidUntil, ...rest }: Sent): ListedNetwork => ({
  ...rest,
  createdAt: Temporal.Instant.from(createdAt),
  disabledAt: orNull(disabledAt),
  earlierSecretValidUntil: orNull(earlierSecretValidUntil),
});

/** All networks, by netname. */
export const askNetworks = async (service: Remote): Promise<readonly ListedNetwork[]> =>
  (await service.list(listManagedNetworks, Number.POSITIVE_INFINITY)).items.map(listedOf);

export async function askNetwork(service: Remote, netname: string): Promise<ListedNetwork | Refusal<'network_unknown'>> {
  try {
    return listedOf(await service.call(readNetwork, { path: { netname } }));
  } catch (error) {
    if (error instanceof ServiceRefused && error.problem === 'not_found') return refuse('network_unknown');
    throw error;
  }
}
