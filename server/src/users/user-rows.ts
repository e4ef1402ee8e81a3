import { randomBytes } from 'node:crypto';
import { statement, type Db, type Tx } from '../kit/db.ts';
import type { Invitation, User } from './user.ts';

const COLUMNS = `user_id as "userId", email, email_key as "emailKey", name, role, merchant_id as "merchantId", language, state, version, created_at as "createdAt",
     updated_at as "updatedAt"`;

/** The folded address, of a placeholder too: a list is in its order, and a cursor shows it. */
const ADDRESS = `split_part(email_key, ' ', 1)`;

const INSERT = statement(
  'users.insert',
  `insert into users (user_id, email, email_key, name, role, merchant_id, language, state, created_at, updated_at)
   select $1, $2, case when $9 and found.others > 0 then $3 || ' ' || $6 else $3 end, $4, $5, $6, $7, 'invited', $8::timestamptz, $8
     from (select count(*) as others from users where email_key = $3 and merchant_id is distinct from $6) as found
   on conflict (email_key) do nothing returning ${COLUMNS}`,
);
const SELECT = statement('users.select', `select ${COLUMNS} from users where user_id = $1`);
const SELECT_BY_EMAIL = statement('users.select_by_email', `select ${COLUMNS} from users where email_key = $1`);
const LOCK = statement('users.lock', `select ${COLUMNS} from users where user_id = $1 for update`);
/** Locks all owners, in one order, so that two of them cannot remove each other. */
const LOCK_OWNERS = statement(
  'users.lock_owners',
  `select user_id as "userId" from users where role = 'owner' and state = 'active' order by user_id for update`,
);
const UPDATE = statement(
  'users.update',
  `update users set name = $2, role = $3, merchant_id = $4, language = $5, state = $6, version = version + 1, updated_at = $7
    where user_id = $1 returning ${COLUMNS}`,
);
const LIST = statement(
  'users.list',
  `select ${COLUMNS} from users
    where ($1::text is null or merchant_id = $1) and ($2::text is null or state = $2) and ($3::text is null or role = $3)
      and ($4::text is null or (${ADDRESS}, user_id) > ($4, $5)) and ($7::text is null or ${ADDRESS} = $7)
    order by ${ADDRESS}, user_id limit $6`,
);
const ANY_USER = statement('users.any', `select 1 from users where state <> 'disabled' limit 1`);

/** Names a new user, session or token. It says nothing of how many there are. */
export const newId = (): string => randomBytes(8).toString('hex');

/**
 * Adds an invited user. Undefined: the address has a user already.
 * `mayBePlaceholder`: a user of another merchant does not count. Then the new one is a placeholder, whose key no address has.
 */
export async function insertUser(
  tx: Tx,
  invitation: Invitation,
  emailKey: string,
  now: Temporal.Instant,
  mayBePlaceholder = false,
): Promise<User | undefined> {
  const { email, name, role, merchantId, language } = invitation;
  const values = [newId(), email.trim(), emailKey, name, role, merchantId, language, now, mayBePlaceholder];
  const insert = async (): Promise<User | undefined> => (await tx.query<User>(INSERT, values))[0];
  // Another transaction may have added the address meanwhile, elsewhere. The second try sees it.
  return (await insert()) ?? (mayBePlaceholder ? insert() : undefined);
}

export const selectUser = async (db: Pick<Db, 'query'>, userId: string): Promise<User | undefined> =>
  (await db.query<User>(SELECT, [userId]))[0];

export const selectUserByEmail = async (db: Pick<Db, 'query'>, emailKey: string): Promise<User | undefined> =>
  (await db.query<User>(SELECT_BY_EMAIL, [emailKey]))[0];

/** Locks a user until commit. Where owners count, all of them are locked first. */
export async function lockUser(tx: Tx, userId: string): Promise<{ readonly user: User | undefined; readonly owners: readonly string[] }> {
  const owners = (await tx.query<{ userId: string }>(LOCK_OWNERS, [])).map((one) => one.userId);
  const [user] = await tx.query<User>(LOCK, [userId]);
  return { user, owners };
}

/** Writes a locked user. Shape: → the user as it is now. */
export async function updateUser(tx: Tx, user: User, now: Temporal.Instant): Promise<User> {
  const { userId, name, role, merchantId, language, state } = user;
  const [updated] = await tx.query<User>(UPDATE, [userId, name, role, merchantId, language, state, now]);
  return updated as User;
}

export type UserFilter = {
  readonly merchantId?: string | undefined;
  readonly state?: string | undefined;
  readonly role?: string | undefined;
  /** The folded address. */
  readonly emailKey?: string | undefined;
  /** The folded address and id of the last user of the page before. */
  readonly after?: readonly [emailKey: string, userId: string] | undefined;
  readonly limit: number;
};

/** Users in the order of their addresses. */
export const selectUsers = (db: Pick<Db, 'query'>, { merchantId, state, role, emailKey, after, limit }: UserFilter): Promise<User[]> =>
  db.query<User>(LIST, [merchantId ?? null, state ?? null, role ?? null, after?.[0] ?? null, after?.[1] ?? null, limit, emailKey ?? null]);

/** Whether anyone can sign in, or was invited to. */
export const hasUsers = async (db: Pick<Db, 'query'>): Promise<boolean> => (await db.query(ANY_USER, [])).length > 0;
