import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Tx } from '../kit/db.ts';
import { isRefusal, refuse, type Refusal } from '../kit/outcome.ts';
import { ROLES, type Actor, type Permission, type Role } from '../manage/index.ts';
import { hashOf, inOrderOf, newSecret } from './one-time-secret.ts';
import { isName, isWithin, type Giver, type UserState } from './user.ts';
import { newId } from './user-rows.ts';
import { MAX_TOKEN_DAYS } from './token-days.ts';

/** Every token begins so: programs that look for leaked secrets find it. */
const PREFIX = 'caudal_';
/** A token that is used writes once a minute at most. */
const USED_EVERY_SECONDS = 60;

const INSERT = statement(
  'users.insert_token',
  `insert into access_tokens (token_id, hash, user_id, maker_id, merchant_id, acts_for_merchant, name, permissions, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
const SELECT = statement(
  'users.select_token',
  `select t.hash, t.token_id as "tokenId", t.name, t.permissions, t.merchant_id as "merchantId", t.acts_for_merchant as "actsForMerchant",
     t.last_used_at as "lastUsedAt", u.user_id as "userId", u.role, u.merchant_id as "makerMerchantId", u.state
     from access_tokens t left join users u on u.user_id = t.user_id where t.hash = any($1) and t.expires_at > $2`,
);
/** Of requests at the same time one notes it. None waits: reads that share a connection would wait for each other. */
const USE = statement(
  'users.use_token',
  `update access_tokens set last_used_at = $2
    where token_id in (
      select token_id from access_tokens where token_id = $1 and (last_used_at is null or last_used_at < $3) for update skip locked)`,
);
/** It stays as it is until commit: who ends it meanwhile waits, and then sees what it made. */
const HOLD_MAKER = statement(
  'users.hold_token_maker',
  `select user_id as "userId", token_id as "tokenId", expires_at as "expiresAt" from access_tokens
    where token_id = $1 and expires_at > $2 for share`,
);
const LIST = statement(
  'users.list_tokens',
  `select t.token_id as "tokenId", t.name, t.permissions, t.merchant_id as "merchantId", u.merchant_id as "makerMerchantId",
     u.email as "madeBy", t.created_at as "createdAt",
     t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt"
     from access_tokens t left join users u on u.user_id = t.user_id
    where ($1::text is null or t.merchant_id = $1) and ($2::text is null or t.user_id = $2)
      and ($3::timestamptz is null or (t.created_at, t.token_id) < ($3, $4))
    order by t.created_at desc, t.token_id desc limit $5`,
);
const END = statement(
  'users.end_token',
  `update access_tokens set expires_at = $2
    where token_id = $1 and expires_at > $2 and ($3::text is null or merchant_id = $3) and ($4::text is null or user_id = $4)
   returning name`,
);
const END_MADE = statement(
  'users.end_made_tokens',
  'update access_tokens set expires_at = $2 where maker_id = any($1) and expires_at > $2 returning token_id as "tokenId"',
);

export type NewToken = {
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Null: every merchant. */
  readonly merchantId: string | null;
  readonly days: number;
};

export type TokenRefusal = 'token_invalid' | 'permission_not_yours' | 'merchant_not_yours';

export type MadeToken = { readonly tokenId: string; readonly token: string; readonly expiresAt: Temporal.Instant };

/** Whose a new token is. One that a token made works no longer than that one. */
type Maker = { readonly userId: string | null; readonly tokenId?: string; readonly expiresAt?: Temporal.Instant };

/** Finds the maker of what an actor makes. A token that a token makes is of the same user. Undefined: the token has ended meanwhile. */
export async function makerOf(tx: Tx, { kind, id }: Pick<Actor, 'kind' | 'id'>, now: Temporal.Instant): Promise<Maker | undefined> {
  if (kind === 'command') return { userId: null };
  if (kind !== 'token') return { userId: id };
  const [maker] = await tx.query<Required<Maker>>(HOLD_MAKER, [id, now]);
  return maker;
}

/**
 * Decides whether someone may make a token. Nobody gets more by it than they have: no permission, no merchant. And one that the
 * service's side makes does not act for its merchant, so it sees no one-time password. At the command line an operator makes one for it.
 */
export function decideToken(
  giver: Giver,
  { name, permissions, merchantId, days }: NewToken,
): { readonly actsForMerchant: boolean } | Refusal<TokenRefusal> {
  if (!isName(name) || permissions.length === 0 || !Number.isInteger(days) || days < 1 || days > MAX_TOKEN_DAYS)
    return refuse('token_invalid');
  if (!isWithin(permissions, giver.permissions)) return refuse('permission_not_yours');
  if (giver.merchantId !== undefined && giver.merchantId !== merchantId) return refuse('merchant_not_yours');
  return { actsForMerchant: giver.kind === 'command' ? merchantId !== null : giver.actsForMerchant };
}

/**
 * Makes an access token. Its text is shown once, and only its hash is kept.
 * Shape: who makes it, and the user whose it is; null at the command line.
 * Refuses: as decideToken.
 */
export function makeToken(
  tx: Pick<Tx, 'send'>,
  giver: Giver,
  { userId, tokenId: madeBy, expiresAt: latest }: Maker,
  terms: NewToken,
  now: Temporal.Instant,
): MadeToken | Refusal<TokenRefusal> {
  const decided = decideToken(giver, terms);
  if (isRefusal(decided)) return decided;
  const { name, permissions, merchantId, days } = terms;
  const { text, hash } = newSecret(PREFIX);
  const tokenId = newId();
  const end = now.add({ hours: 24 * days });
  const expiresAt = latest === undefined || Temporal.Instant.compare(end, latest) < 0 ? end : latest;
  tx.send(INSERT, [
    tokenId,
    hash,
    userId,
    madeBy ?? null,
    merchantId,
    decided.actsForMerchant,
    name,
    [...new Set(permissions)],
    now,
    expiresAt,
  ]);
  return { tokenId, token: text, expiresAt };
}

export type TokenRow = {
  readonly hash: Buffer;
  readonly tokenId: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly merchantId: string | null;
  readonly actsForMerchant: boolean;
  readonly lastUsedAt: Temporal.Instant | null;
  readonly userId: string | null;
  readonly role: Role | null;
  readonly makerMerchantId: string | null;
  readonly state: UserState | null;
};

/**
 * Finds the actor of an access token. It may never do more than its maker may at this moment.
 * Effects: notes the use, at most once a minute.
 */
export async function findToken({ db, clock }: { readonly db: Db; readonly clock: Clock }, text: string): Promise<Actor | undefined> {
  if (!text.startsWith(PREFIX)) return undefined;
  const now = clock.now();
  const [row] = await db.query<TokenRow>(SELECT, [[hashOf(text)], now]);
  const actor = row && actorOfToken(row);
  if (row === undefined || actor === undefined) return undefined;
  const usedBefore = now.subtract({ seconds: USED_EVERY_SECONDS });
  if (row.lastUsedAt === null || Temporal.Instant.compare(row.lastUsedAt, usedBefore) < 0)
    await db.query(USE, [row.tokenId, now, usedBefore]);
  return actor;
}

/** Finds the actors of tokens, in their order. It is not a use of them. */
export async function lookAtTokens(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  texts: readonly string[],
): Promise<readonly (Actor | undefined)[]> {
  const hashes = texts.map(hashOf);
  return inOrderOf(hashes, await db.query<TokenRow>(SELECT, [hashes, clock.now()]), actorOfToken);
}

/** The actor of a token, as far as its maker may that now. Undefined: its maker is disabled, or of another merchant now. */
export function actorOfToken(row: Omit<TokenRow, 'hash' | 'lastUsedAt'>): Actor | undefined {
  const { tokenId, name, permissions, merchantId, actsForMerchant, userId, role, makerMerchantId, state } = row;
  const isOrphan = userId !== null && state !== 'active';
  if (isOrphan || (makerMerchantId !== null && makerMerchantId !== merchantId)) return undefined;
  const held = role === null ? undefined : ROLES[role].permissions;
  return {
    kind: 'token',
    id: tokenId,
    name,
    role: undefined,
    permissions: new Set(held === undefined ? permissions : permissions.filter((one) => held.has(one))),
    merchantId: merchantId ?? undefined,
    actsForMerchant: actsForMerchant && (userId === null || makerMerchantId !== null),
  };
}

export type ListedToken = Pick<TokenRow, 'tokenId' | 'name' | 'permissions' | 'merchantId' | 'makerMerchantId' | 'lastUsedAt'> & {
  /** The address of the user who made it. Null: an operator at the command line. */
  readonly madeBy: string | null;
  readonly createdAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
};

export type TokenFilter = {
  readonly merchantId?: string | undefined;
  readonly userId?: string | undefined;
  readonly after?: readonly [createdAt: Temporal.Instant, tokenId: string] | undefined;
  readonly limit: number;
};

/** Tokens, the newest first; those that have ended lately too. */
export const listTokens = (db: Pick<Db, 'query'>, { merchantId, userId, after, limit }: TokenFilter): Promise<ListedToken[]> =>
  db.query<ListedToken>(LIST, [merchantId ?? null, userId ?? null, after?.[0] ?? null, after?.[1] ?? null, limit]);

/** Ends a token at once, and all that it made. Shape: → its name; undefined where there is none that works. */
export async function endToken(
  tx: Pick<Tx, 'query'>,
  tokenId: string,
  { merchantId, userId }: Pick<TokenFilter, 'merchantId' | 'userId'>,
  now: Temporal.Instant,
): Promise<string | undefined> {
  const [ended] = await tx.query<{ name: string }>(END, [tokenId, now, merchantId ?? null, userId ?? null]);
  // One generation after the other. What was ended makes no more, so each statement sees all that it made.
  for (let makers = ended === undefined ? [] : [tokenId]; makers.length > 0;)
    makers = (await tx.query<{ tokenId: string }>(END_MADE, [makers, now])).map((one) => one.tokenId);
  return ended?.name;
}
