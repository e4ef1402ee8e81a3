import { Type } from 'typebox';
import { actOf, type ActOrigin, type OpenActing } from '../kit/changes/act.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { MAX_ROTATION_DAYS } from '../kit/keys/rotation-days.ts';
import { parseAddressList } from '../kit/limits/address-list.ts';
import { onceOf, type RunAloneOnce } from '../kit/once.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import type { MasterKeys } from '../kit/secrets.ts';
import { managementOperation, NO_NETWORK, ROOM_PROBLEMS, schemas, type ManagementOperation } from '../manage/index.ts';
import { ALL_COUNTRIES } from '../merchants/index.ts';
import {
  createNetwork,
  disableNetwork,
  enableNetwork,
  secretRotation,
  setAddresses,
  setNetworkLimits,
  setNetworkSigning,
  setServed,
} from './change-network.ts';
import { listNetworks, networkFacts, type ListedNetwork } from './network-rows.ts';
import { LISTED_OF_NETWORK, netname, networkReads, showNetwork } from './networks.manage.ts';

type Acting = { readonly db: Db; readonly keys: MasterKeys; readonly clock: Clock };
type Deps = Acting & { readonly acting: OpenActing; readonly runOnce: RunAloneOnce };

const { currency, instant, limits, orNull, oneOf, rotationDays, answerObject, showInstant, wrong } = schemas;

const tag = 'Networks';
const secret = Type.String({ description: 'Shown once.', examples: ['4c1f…'] });
const SECRETS = { netname, secret, signingSecret: secret };
const rotated = Type.Optional(Type.String({ description: 'Shown once. Not in a repeated answer.', examples: ['4c1f…'] }));
const countries = orNull(
  Type.Array(Type.String({ pattern: '^[0-9]{3}$', examples: ['343'] }), {
    minItems: 1,
    maxItems: 50,
    description: 'Whose merchants it serves. Null: those of every country.',
  }),
);
const currencies = Type.Optional(Type.Array(currency, { minItems: 1, maxItems: 50, description: 'All of the countries where absent.' }));

const SERVED = {
  country_unknown: ROOM_PROBLEMS.country_unknown,
  currency_not_of_country: ROOM_PROBLEMS.currency_not_of_country,
} as const;

/** What a change of a network depends on: its transaction is an act that shows the network before and after. */
const actingFor = ({ acting, keys, clock }: Deps, origin: ActOrigin, network: string): Acting => ({
  db: acting(actOf(origin, { target: { kind: 'network', id: network } }), networkFacts(network)),
  keys,
  clock,
});

/** The days are read with their bounds, so they are never refused here. */
type Unused = 'network_unknown' | 'days_out_of_range';
type Found<Name extends string> = Refusal<Exclude<Name, Unused> | 'not_found'>;

const forManagement = <Name extends string>(refused: Refusal<Name>): Found<Name> =>
  refused.refusal === 'network_unknown' ? refuse('not_found') : (refused as Found<Name>);

/** Reads the network as it is after a change. */
async function changed<Name extends string>(
  outcome: object | undefined | Refusal<Name>,
  network: string,
  { db, clock }: Deps,
): Promise<ListedNetwork | Found<Name>> {
  if (isRefusal(outcome)) return forManagement(outcome as Refusal<Name>);
  return (await listNetworks({ db }, clock.now())).find((one) => one.netname === network) ?? refuse('not_found');
}

const ofNetwork = {
  tag,
  permission: 'networks:write',
  scope: 'service',
  cells: 'home',
  missing: NO_NETWORK,
  path: Type.Object({ netname }),
  shows: answerObject(LISTED_OF_NETWORK),
  answer: (network: ListedNetwork) => ({ body: showNetwork(network) }),
} as const;

const countriesOf = (countries: readonly string[] | null): readonly string[] => countries ?? ALL_COUNTRIES;

export const networkCreation = managementOperation({
  name: 'createNetwork',
  route: 'POST /manage/v1/networks',
  tag,
  summary: 'Create a collection network',
  names: { es: 'Crear una red', pt: 'Criar uma rede' },
  description:
    'It signs all its requests. Its secret is shown once, in two forms: whoever has it can say that orders were paid. ' +
    'Without `countries` it serves everywhere until somebody decides.',
  permission: 'secrets:write',
  scope: 'service',
  cells: 'home',
  stepUp: true,
  status: 201,
  body: Type.Object({
    netname,
    name: Type.Optional(Type.String({ maxLength: 100, examples: ['Cash Point'] })),
    countries: Type.Optional(countries),
    currencies,
  }),
  refusals: {
    netname_invalid: {
      status: 422,
      title: 'Invalid netname',
      meaning: 'A netname is 1 to 30 lower-case letters, digits, `_` or `-`.',
      words: {
        es: 'El nombre de la red lleva de 1 a 30 letras minúsculas, dígitos, _ o -',
        en: 'The name of a network has 1 to 30 small letters, digits, _ or -',
        pt: 'O nome da rede leva de 1 a 30 letras minúsculas, dígitos, _ ou -',
      },
    },
    name_invalid: ROOM_PROBLEMS.name_invalid,
    network_exists: {
      status: 409,
      title: 'The network already exists',
      meaning: 'A netname is never reused.',
      words: {
        es: 'Ya existe una red con ese nombre, o existió',
        en: 'There is a network with this name already, or there was',
        pt: 'Já existe uma rede com esse nome, ou existiu',
      },
      line: ['The network {netname} exists already.', 1],
    },
    ...SERVED,
  },
  shows: answerObject(SECRETS),
  run: ({ body, origin }, deps: Deps) =>
    createNetwork(actingFor(deps, origin, body.netname), {
      ...body,
      countries: body.countries === undefined ? undefined : countriesOf(body.countries),
    }),
  answer: (created) => ({ body: created }),
});

export const setWhere = managementOperation({
  ...ofNetwork,
  name: 'setNetworkServes',
  route: 'PUT /manage/v1/networks/{netname}/serves',
  summary: 'Say where a network serves',
  names: { es: 'Cambiar dónde atiende una red', pt: 'Mudar onde uma rede atende' },
  description: 'Payers of other merchants are not sent to it, and it pays nothing for them.',
  body: Type.Object({ countries, currencies }),
  refusals: SERVED,
  run: async ({ path: { netname: network }, body, origin }, deps: Deps) =>
    changed(await setServed(actingFor(deps, origin, network), network, { ...body, countries: countriesOf(body.countries) }), network, deps),
});

const address = Type.String({ maxLength: 43, description: 'An address or a network.', examples: ['192.0.2.0/24'] });

export const setFrom = managementOperation({
  ...ofNetwork,
  name: 'setNetworkAddresses',
  route: 'PUT /manage/v1/networks/{netname}/addresses',
  summary: 'Say from which addresses the requests of a network come',
  names: { es: 'Cambiar las direcciones de una red', pt: 'Mudar os endereços de uma rede' },
  description: 'Others are refused like a wrong checksum. Null: they come from anywhere.',
  body: Type.Object({ addresses: orNull(Type.Array(address, { minItems: 1, maxItems: 100 })) }),
  run: async ({ path: { netname: network }, body, origin }, deps: Deps) => {
    const addresses = body.addresses === null ? null : parseAddressList(body.addresses.join(','));
    if (addresses === undefined) return wrong('/addresses', 'must be addresses and networks');
    return changed(await setAddresses(actingFor(deps, origin, network), network, addresses), network, deps);
  },
});

export const networkLimits = managementOperation({
  ...ofNetwork,
  name: 'setNetworkLimits',
  route: 'PUT /manage/v1/networks/{netname}/limits',
  summary: 'Set how many requests of a network are served',
  names: { es: 'Cambiar los límites de solicitudes de una red', pt: 'Mudar os limites de solicitações de uma rede' },
  body: Type.Object({ limits }),
  run: async ({ path: { netname: network }, body, origin }, deps: Deps) =>
    changed(await setNetworkLimits(actingFor(deps, origin, network), network, body.limits), network, deps),
});

export const networkSigning = managementOperation({
  ...ofNetwork,
  name: 'setNetworkSigning',
  route: 'PUT /manage/v1/networks/{netname}/signing',
  summary: 'Say which requests a network must sign',
  names: { es: 'Cambiar qué firma una red', pt: 'Mudar o que uma rede assina' },
  stepUp: true,
  body: Type.Object({ signing: oneOf(['require', 'checksum'], 'All, or with checksum those on orders.') }),
  run: async ({ path: { netname: network }, body, origin }, deps: Deps) =>
    changed(await setNetworkSigning(actingFor(deps, origin, network), network, body.signing), network, deps),
});

const switchOf = (
  verb: 'disable' | 'enable',
  said: Pick<ManagementOperation<never>, 'summary' | 'names'>,
  description: string,
  change: typeof enableNetwork | typeof disableNetwork,
) =>
  managementOperation({
    ...ofNetwork,
    name: `${verb}Network`,
    route: `POST /manage/v1/networks/{netname}/${verb}`,
    ...said,
    description,
    run: async ({ path: { netname: network }, origin }, deps: Deps) =>
      changed(await change(actingFor(deps, origin, network), network), network, deps),
  });

export const networkSwitches = {
  disableNetwork: switchOf(
    'disable',
    { summary: 'Disable a network', names: { es: 'Desactivar una red', pt: 'Desativar uma rede' } },
    'It is answered like an unknown one. What it paid and collected stays.',
    disableNetwork,
  ),
  enableNetwork: switchOf(
    'enable',
    { summary: 'Enable a network again', names: { es: 'Activar una red de nuevo', pt: 'Reativar uma rede' } },
    'With the secrets that it had.',
    enableNetwork,
  ),
};

export const rotate = managementOperation({
  name: 'rotateNetworkSecret',
  route: 'POST /manage/v1/networks/{netname}/rotate-secret',
  tag,
  summary: 'Give a network a new secret',
  names: { es: 'Cambiar el secreto de una red', pt: 'Trocar o segredo de uma rede' },
  description: 'It is shown once, in two forms. The earlier one stays valid for some days.',
  permission: 'secrets:write',
  scope: 'service',
  cells: 'home',
  stepUp: true,
  missing: NO_NETWORK,
  path: Type.Object({ netname }),
  body: Type.Object({ days: Type.Optional(rotationDays) }),
  refusals: {
    rotation_under_way: ROOM_PROBLEMS.rotation_under_way,
  },
  keepsAnswersAs: 'manage-rotate-network-secret',
  shows: answerObject({ netname, secret: rotated, signingSecret: rotated, previousValidUntil: orNull(instant) }),
  run: async ({ path: { netname: network }, body: { days = MAX_ROTATION_DAYS }, origin, once }, deps: Deps) => {
    const own = actingFor(deps, origin, network);
    return orNotFound(await deps.runOnce(own.db, onceOf(once, orNotFound), secretRotation(own, network, days)));
  },
  answer: ({ previousValidUntil, ...replaced }) => ({ body: { ...replaced, previousValidUntil: showInstant(previousValidUntil) } }),
  keptAnswer: ({ netname: network, previousValidUntil }) => ({
    body: { netname: network, previousValidUntil: showInstant(previousValidUntil) },
  }),
});

type Answered<Outcome> = Outcome extends Refusal<infer Name> ? Found<Name> : Outcome;
const orNotFound = <Outcome>(outcome: Outcome): Answered<Outcome> =>
  (isRefusal(outcome) ? forManagement(outcome as Refusal) : outcome) as Answered<Outcome>;

/** The room's operations of the management API. */
export const networkManagement: readonly ManagementOperation<Deps>[] = [
  ...networkReads,
  networkCreation,
  setWhere,
  setFrom,
  networkLimits,
  networkSigning,
  ...Object.values(networkSwitches),
  rotate,
];
