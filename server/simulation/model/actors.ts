import type { Answer } from './model.ts';

// Who does something through the management API, and what it may do. Written from the texts of roles, and not from the service's own table.

const READS = ['orders:read', 'cashouts:read', 'merchants:read', 'notices:read', 'messages:read', 'figures:read'];
const ALL_READS = [...READS, 'networks:read', 'ledger:read', 'exports:read'];
const WRITES = ['orders:write', 'payments:write', 'cashouts:write', 'merchants:write', 'networks:write', 'notices:send', 'sandbox:use'];

/** What each role may do. */
const ROLES = {
  owner: [
    ...ALL_READS,
    ...WRITES,
    ...'secrets:write ledger:write funds:write settlements:write users:read users:write tokens:write audit:read people:write'.split(' '),
  ],
  operations: [...ALL_READS, ...WRITES],
  finance:
    'orders:read cashouts:read merchants:read networks:read figures:read exports:read ledger:read ledger:write funds:write settlements:write'.split(
      ' ',
    ),
  support: [...READS, 'networks:read', 'notices:send'],
  auditor: [...ALL_READS, 'users:read', 'audit:read'],
  administrator: [
    ...READS,
    ...'ledger:read exports:read orders:write cashouts:write funds:write secrets:write notices:send users:read users:write tokens:write'.split(
      ' ',
    ),
  ],
  clerk: 'orders:read orders:write cashouts:read cashouts:write merchants:read notices:read figures:read'.split(' '),
  viewer: [...READS, 'ledger:read'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ModelRole = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as readonly ModelRole[];
export const isMerchants = (role: ModelRole): boolean => role === 'administrator' || role === 'clerk' || role === 'viewer';
export const permissionsOf = (role: ModelRole): readonly string[] => ROLES[role];

/** A user or a token. The office changes it, between rounds only. */
export type ModelActor = {
  readonly kind: 'user' | 'token';
  /** A token that is made again has another one. */
  id: string;
  readonly name: string;
  /** Of a user. */
  role: ModelRole | undefined;
  /** Of a token: what it was made with. */
  readonly permissions: readonly string[];
  /** The user whose token it is: it never may more. Undefined: it is a user, or a token of the command line. */
  readonly user: ModelActor | undefined;
  /** The token that made it, and ends it with itself. */
  readonly madeBy: ModelActor | undefined;
  /** The merchant's own. A token that the service's side bound to a merchant is not one of them. */
  readonly isOwnOfMerchant: boolean;
  /** Undefined: of the service's side. */
  merchantId: string | undefined;
  /** Of a user: how often it was changed, plus one. */
  version: number;
  /** False: disabled, or ended. */
  isActive: boolean;
  /** When its user proved who it is. A token needs no proof. */
  provedAt: number;
  /** When a token ends. */
  readonly endsAt: number;
};

/** By name. */
export type Actors = ReadonlyMap<string, ModelActor>;

/** Who sends a command through the management API, and the id of the request. */
export type By = { readonly name: string; readonly request: string };

export function actorOf(actors: Actors, { name }: Pick<By, 'name'>): ModelActor {
  const actor = actors.get(name);
  if (actor === undefined) throw new Error(`the model knows no actor ${name}`);
  return actor;
}

const MINUTE = 60_000;
/** A session ends after 30 minutes without use. Whether one that is older was used is not known to the model, so it is not used. */
export const SESSION_MS = 30 * MINUTE;
const FRESH_MS = 10 * MINUTE;

const isSignedIn = ({ kind, isActive, provedAt, endsAt, user, merchantId }: ModelActor, now: number): boolean => {
  const isOrphan = user !== undefined && (!user.isActive || (user.merchantId !== undefined && user.merchantId !== merchantId));
  return isActive && !isOrphan && now < (kind === 'token' ? endsAt : provedAt + SESSION_MS);
};

export const may = ({ role, permissions, user }: ModelActor, permission: string): boolean => {
  if (role !== undefined) return permissionsOf(role).includes(permission);
  return permissions.includes(permission) && (user === undefined || may(user, permission));
};

/** What an operation asks of an actor. */
export type Demand = {
  readonly permission: string;
  /** The merchant that it concerns. */
  readonly merchantId?: string | undefined;
  /** Nobody who is bound to a merchant may. */
  readonly isOfService?: boolean;
  readonly isSensitive?: boolean;
};

export type Problem = { readonly name: string; readonly status: number };

/** Why an actor is stopped before anything is looked up. Undefined: it is not. */
export function stopOf(actor: ModelActor, { permission, merchantId, isOfService, isSensitive }: Demand, now: number): Problem | undefined {
  if (!isSignedIn(actor, now)) return { name: 'not_signed_in', status: 401 };
  const isBound = actor.merchantId !== undefined;
  if (!may(actor, permission) || (isBound && isOfService === true)) return { name: 'permission_missing', status: 403 };
  if (isSensitive === true && actor.kind === 'user' && now >= actor.provedAt + FRESH_MS) return { name: 'step_up_required', status: 403 };
  if (isBound && merchantId !== undefined && merchantId !== actor.merchantId) return { name: 'not_found', status: 404 };
  return undefined;
}

/** True where the actor acts for its merchant. */
export const actsForMerchant = ({ kind, merchantId, isOwnOfMerchant, user }: ModelActor): boolean =>
  merchantId !== undefined && (kind === 'user' || (isOwnOfMerchant && (user === undefined || user.merchantId !== undefined)));

/** How histories name an actor. */
export const inHistory = (actor: ModelActor): string => `${actsForMerchant(actor) ? 'merchant' : actor.kind}:${actor.name}`;

/** How a history names who did something, for one who reads it: a merchant knows nobody of the service's side. */
export const readBy = ({ merchantId }: ModelActor, who: string): string =>
  merchantId !== undefined && /^(?:user|token):/.test(who) ? 'operator' : who;

export const problemAnswer = ({ name, status }: Problem): Answer => ({ code: name, status: String(status) });

/** How acts name an actor. */
export const inActs = ({ kind, id }: ModelActor): string => `${kind}:${id}`;
