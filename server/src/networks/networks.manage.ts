import { Type } from 'typebox';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { refuse } from '../kit/outcome.ts';
import { cutPage, managementOperation, NO_NETWORK, schemas, type ManagementOperation } from '../manage/index.ts';
import { listNetworks, type ListedNetwork } from './network-rows.ts';

type Deps = { readonly db: Db; readonly clock: Clock };

const { currency, instant, limits, orNull, oneOf, answerObject, showInstant } = schemas;

export const netname = Type.String({
  maxLength: 30,
  pattern: '^[a-z0-9_-]{1,30}$',
  description: 'The network’s name in requests.',
  examples: ['cashpoint'],
});

/** The members of a network. */
export const LISTED_OF_NETWORK = {
  netname,
  name: Type.String({ maxLength: 100, examples: ['Cash Point'] }),
  signing: oneOf(['require', 'checksum'], 'Whether it signs all requests, or those on orders.'),
  countries: Type.Array(Type.String(), { description: 'Where it serves.' }),
  currencies: orNull(Type.Array(currency, { description: 'Null: every currency there.' })),
  addresses: orNull(Type.Array(Type.String(), { description: 'From where its requests come. Null: from anywhere.' })),
  limits,
  createdAt: instant,
  disabledAt: orNull(instant),
  earlierSecretValidUntil: orNull(instant),
};

/** Shows a network without its secrets. */
export const showNetwork = ({ createdAt, disabledAt, earlierSecretValidUntil, ...rest }: ListedNetwork): object => ({
  ...rest,
  createdAt: showInstant(createdAt),
  disabledAt: showInstant(disabledAt),
  earlierSecretValidUntil: showInstant(earlierSecretValidUntil),
});

export const networkList = managementOperation({
  name: 'listNetworks',
  route: 'GET /manage/v1/networks',
  tag: 'Networks',
  summary: 'List collection networks',
  description: 'By netname, disabled ones included.',
  permission: 'networks:read',
  scope: 'service',
  cells: 'home',
  shows: answerObject(LISTED_OF_NETWORK),
  run: async ({ page: { after, limit } }, { db, clock }: Deps) => {
    const all = await listNetworks({ db }, clock.now());
    return { found: all.filter(({ netname: name }) => name > (after?.[0] ?? '')).slice(0, limit + 1) };
  },
  page: ({ found }, { page: { limit } }) => cutPage(found, limit, showNetwork, ({ netname }) => [netname]),
});

export const readNetwork = managementOperation({
  name: 'readNetwork',
  route: 'GET /manage/v1/networks/{netname}',
  tag: 'Networks',
  summary: 'Show one collection network',
  permission: 'networks:read',
  scope: 'service',
  cells: 'home',
  missing: NO_NETWORK,
  path: Type.Object({ netname }),
  shows: answerObject(LISTED_OF_NETWORK),
  run: async ({ path }, { db, clock }: Deps) =>
    (await listNetworks({ db }, clock.now())).find((one) => one.netname === path.netname) ?? refuse('not_found'),
  answer: (network) => ({ body: showNetwork(network) }),
});

/** What shows networks. */
export const networkReads: readonly ManagementOperation<Deps>[] = [networkList, readNetwork];
