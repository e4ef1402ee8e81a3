import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Statement, type Tx } from '../kit/db.ts';
import type { AddressList } from '../kit/limits/address-list.ts';
import type { RequestLimits } from '../kit/limits/request-limits.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { HOLD_MASTER_KEY, randomSecret, seal, type MasterKeys } from '../kit/secrets.ts';
import { replaceSecret, type Previous, type RotationRefusal, type SecretTable } from '../merchants/index.ts';
import { decideServed, type DecideServed, type WhereServed, type ServedRefusal } from './serves.ts';
import { INSERT_NETWORK_SECRET, networkSecretPlace, NOTIFY_NETWORK_CHANGE, signingSecretOf, type NetworkSigning } from './network-rows.ts';

type Deps = { readonly db: Db; readonly keys: MasterKeys; readonly clock: Clock };

export type CreateNetwork = DecideServed & { readonly netname: string; readonly name?: string | undefined };

/** Shown once, at creation. */
export type CreatedNetwork = { readonly netname: string; readonly secret: string; readonly signingSecret: string };

export type CreateNetworkRefusal = 'netname_invalid' | 'name_invalid' | ServedRefusal | 'network_exists';

/** A netname is part of paths and of the names of ledger accounts. */
export const NETNAME_PATTERN = '^[a-z0-9_-]{1,30}$';

/** Operators and payers read the name: one line. */
const NAME = /^[^\p{Cc}]{1,100}$/u;

const INSERT_NETWORK = statement(
  'networks.insert',
  `insert into networks (network_id, name, signing, created_at, countries, currencies) values ($1, $2, 'require', $3, $4, $5)
   on conflict (network_id) do nothing returning network_id`,
);

/**
 * Creates a network with its secret. All its requests must be signed.
 * Shape: CreateNetwork → CreatedNetwork; the name defaults to the netname, without countries it serves everywhere.
 * Refuses: netname_invalid, name_invalid, country_unknown, currency_not_of_country, network_exists.
 * Effects: all running servers learn of it at commit.
 * Source: contract §1, §4.3, §7.5.
 */
export async function createNetwork(
  { db, keys, clock }: Deps,
  { netname, name = netname, countries, currencies }: CreateNetwork,
): Promise<CreatedNetwork | Refusal<CreateNetworkRefusal>> {
  if (!new RegExp(NETNAME_PATTERN).test(netname)) return refuse('netname_invalid');
  if (!NAME.test(name) || name.trim() === '') return refuse('name_invalid');
  const served = decideServed({ countries, currencies });
  if (isRefusal(served)) return served;
  const secret = randomSecret();
  const now = clock.now();
  return db.transaction(async (tx) => {
    tx.send(HOLD_MASTER_KEY, []);
    const inserted = await tx.query(INSERT_NETWORK, [netname, name, now, served.countries, served.currencies]);
    if (inserted.length === 0) return refuse('network_exists');
    const { masterKeyId, sealed } = seal(keys, secret, networkSecretPlace(netname, 1));
    tx.send(INSERT_NETWORK_SECRET, [netname, 1, masterKeyId, sealed, now]);
    tx.send(NOTIFY_NETWORK_CHANGE, [netname]);
    return { netname, secret, signingSecret: signingSecretOf(secret) };
  });
}

const DISABLE = statement(
  'networks.disable',
  `update networks set disabled_at = coalesce(disabled_at, $2) where network_id = $1 returning network_id`,
);
const ENABLE = statement('networks.enable', `update networks set disabled_at = null where network_id = $1 returning network_id`);

/**
 * Disables a network: from then on its requests get the same answer as those of an unknown network. What it paid and collected stays.
 * Shape: → undefined; a network that is disabled already keeps its first time.
 * Refuses: network_unknown.
 * Effects: all running servers learn of it at commit.
 * Source: contract §2.2.
 */
export function disableNetwork({ db, clock }: Omit<Deps, 'keys'>, netname: string): Promise<undefined | Refusal<'network_unknown'>> {
  return update(db, DISABLE, netname, clock.now());
}

/**
 * Enables a network again, with the secrets that it had.
 * Refuses: network_unknown.
 * Effects: all running servers learn of it at commit.
 */
export function enableNetwork({ db }: Pick<Deps, 'db'>, netname: string): Promise<undefined | Refusal<'network_unknown'>> {
  return update(db, ENABLE, netname);
}

const SET_SIGNING = statement('networks.set_signing', 'update networks set signing = $2 where network_id = $1 returning network_id');

/**
 * Says which requests of a network must be signed: all, or with `checksum` those on orders.
 * Refuses: network_unknown.
 * Effects: all running servers learn of it at commit.
 * Source: contract §7.5.
 */
export function setNetworkSigning(
  { db }: Pick<Deps, 'db'>,
  netname: string,
  signing: NetworkSigning,
): Promise<undefined | Refusal<'network_unknown'>> {
  return update(db, SET_SIGNING, netname, signing);
}

const SET_SERVED = statement(
  'networks.set_served',
  'update networks set countries = $2, currencies = $3 where network_id = $1 returning network_id',
);

/**
 * Says where a network serves: for merchants of which countries, in which currencies. It finds and pays nothing else.
 * Shape: → what was decided.
 * Refuses: country_unknown, currency_not_of_country, network_unknown.
 * Effects: all running servers learn of it at commit. What it paid elsewhere stays, and can still be reversed in its time.
 */
export async function setServed(
  { db }: Pick<Deps, 'db'>,
  netname: string,
  decision: DecideServed,
): Promise<WhereServed | Refusal<ServedRefusal | 'network_unknown'>> {
  const served = decideServed(decision);
  if (isRefusal(served)) return served;
  return (await update(db, SET_SERVED, netname, served.countries, served.currencies)) ?? served;
}

const SET_ADDRESSES = statement('networks.set_addresses', 'update networks set addresses = $2 where network_id = $1 returning network_id');

/**
 * Says from which addresses a network's requests come; null: from anywhere. Others are answered like a wrong checksum.
 * Refuses: network_unknown.
 * Effects: all running servers learn of it at commit.
 */
export function setAddresses(
  { db }: Pick<Deps, 'db'>,
  netname: string,
  addresses: AddressList | null,
): Promise<undefined | Refusal<'network_unknown'>> {
  return update(db, SET_ADDRESSES, netname, addresses);
}

const SET_LIMITS = statement('networks.set_limits', 'update networks set limits = $2::jsonb where network_id = $1 returning network_id');

/**
 * Sets how many requests of a network are served; null: the defaults.
 * Refuses: network_unknown.
 * Effects: all running servers learn of it at commit.
 */
export function setNetworkLimits(
  { db }: Pick<Deps, 'db'>,
  netname: string,
  limits: RequestLimits | null,
): Promise<undefined | Refusal<'network_unknown'>> {
  return update(db, SET_LIMITS, netname, limits && JSON.stringify(limits));
}

function update(
  db: Db,
  change: Statement,
  netname: string,
  ...values: readonly (Temporal.Instant | string | readonly string[] | null)[]
): Promise<undefined | Refusal<'network_unknown'>> {
  return db.transaction(async (tx) => {
    const changed = await tx.query(change, [netname, ...values]);
    if (changed.length === 0) return refuse('network_unknown');
    tx.send(NOTIFY_NETWORK_CHANGE, [netname]);
    return undefined;
  });
}

/** The new secret is shown once. */
type RotatedSecret = CreatedNetwork & Previous;

const SECRETS: SecretTable = {
  lockOwner: statement('networks.lock', `select network_id from networks where network_id = $1 for no key update`),
  lockSecrets: statement(
    'networks.lock_secrets',
    `select generation, expires_at as "expiresAt", master_key_id as "masterKeyId", sealed from network_secrets where network_id = $1 order by generation for update`,
  ),
  endEarlier: statement(
    'networks.end_earlier_secrets',
    `update network_secrets set expires_at = least(expires_at, $2) where network_id = $1`,
  ),
  deleteEnded: statement('networks.delete_ended_secrets', `delete from network_secrets where network_id = $1 and expires_at <= $2`),
  insert: INSERT_NETWORK_SECRET,
  notifyChange: NOTIFY_NETWORK_CHANGE,
};

/**
 * Gives a network a new secret, in a transaction. The earlier one stays valid for some days; 0 ends it at once.
 * Shape: netname, days 0–7 → RotatedSecret.
 * Refuses: network_unknown, days_out_of_range, rotation_under_way (two are valid already, and days is not 0).
 * Effects: ended secrets are deleted; all running servers learn of it at commit.
 * Source: contract §7.4, whose rule for merchants holds for networks too.
 */
export const secretRotation =
  (deps: Omit<Deps, 'db'>, netname: string, days: number) =>
  async (tx: Tx): Promise<RotatedSecret | Refusal<'network_unknown' | RotationRefusal>> => {
    const secret = randomSecret();
    const placeOf = (generation: number): string => networkSecretPlace(netname, generation);
    const replaced = await replaceSecret(tx, deps, { unknown: 'network_unknown', table: SECRETS, names: [netname], placeOf, secret, days });
    return isRefusal(replaced) ? replaced : { netname, secret, signingSecret: signingSecretOf(secret), ...replaced };
  };
