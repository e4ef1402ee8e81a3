import { sentInstant } from '../kit/command-line.ts';
import type { Remote } from '../kit/remote/remote.ts';
import { listManagedNetworks, readNetwork } from './networks.manage.ts';
import type { ListedNetwork } from './network-rows.ts';

// What commands ask of a service that `--url` names.

type Sent = Omit<ListedNetwork, 'createdAt' | 'disabledAt' | 'earlierSecretValidUntil'> & {
  readonly createdAt: string;
  readonly disabledAt: string | null;
  readonly earlierSecretValidUntil: string | null;
};

const listedOf = ({ createdAt, disabledAt, earlierSecretValidUntil, ...rest }: Sent): ListedNetwork => ({
  ...rest,
  createdAt: Temporal.Instant.from(createdAt),
  disabledAt: sentInstant(disabledAt),
  earlierSecretValidUntil: sentInstant(earlierSecretValidUntil),
});

/** All networks, by netname. */
export const askNetworks = async (service: Remote): Promise<readonly ListedNetwork[]> =>
  (await service.list(listManagedNetworks, Number.POSITIVE_INFINITY)).items.map(listedOf);

export const askNetwork = async (service: Remote, netname: string): Promise<ListedNetwork> =>
  listedOf(await service.call(readNetwork, { path: { netname } }));
