import { statement, type Db, type Tx } from '../kit/db.ts';
import { hashOf, newSecret } from './one-time-secret.ts';

/** What a link lets its holder do, once. */
export type LinkPurpose = 'enrol' | 'password' | 'sign-in';

/** How long a link works. Mail may be read days later; a new password is asked for by someone who waits. */
const LIFE_HOURS: Readonly<Record<LinkPurpose, number>> = { enrol: 7 * 24, password: 1, 'sign-in': 24 };

const INSERT = statement(
  'users.insert_link',
  `insert into user_links (hash, user_id, purpose, created_at, expires_at) values ($1, $2, $3, $4, $5)
   on conflict (user_id, purpose) do update set hash = excluded.hash, created_at = excluded.created_at, expires_at = excluded.expires_at`,
);
const SELECT = statement(
  'users.select_link',
  `select user_id as "userId", purpose, expires_at as "expiresAt" from user_links where hash = $1 and expires_at > $2`,
);
const SPEND = statement(
  'users.spend_link',
  `delete from user_links where hash = $1 and purpose = $2 and expires_at > $3 returning user_id as "userId"`,
);
const END = statement('users.end_links', 'delete from user_links where user_id = $1');
const NEWEST = statement('users.newest_link', 'select 1 from user_links where user_id = $1 and purpose = $2 and created_at > $3');

export type MadeLink = { readonly text: string; readonly expiresAt: Temporal.Instant };

/** Makes a link. An earlier one of the same purpose ends. Shape: → what the link carries; it is not kept. */
export function makeLink(tx: Pick<Tx, 'send'>, userId: string, purpose: LinkPurpose, now: Temporal.Instant): MadeLink {
  const { text, hash } = newSecret();
  const expiresAt = now.add({ hours: LIFE_HOURS[purpose] });
  tx.send(INSERT, [hash, userId, purpose, now, expiresAt]);
  return { text, expiresAt };
}

export type FoundLink = { readonly userId: string; readonly purpose: LinkPurpose; readonly expiresAt: Temporal.Instant };

/** Looks at a link without using it up: a program that checks links of mails ends none. */
export const findLink = async (db: Pick<Db, 'query'>, text: string, now: Temporal.Instant): Promise<FoundLink | undefined> =>
  (await db.query<FoundLink>(SELECT, [hashOf(text), now]))[0];

/** Uses a link up. Undefined: there is no such link any more. */
export const spendLink = async (tx: Tx, text: string, purpose: LinkPurpose, now: Temporal.Instant): Promise<string | undefined> =>
  (await tx.query<{ userId: string }>(SPEND, [hashOf(text), purpose, now]))[0]?.userId;

/** Ends every link of a user. */
export const endLinks = (tx: Pick<Tx, 'send'>, userId: string): void => tx.send(END, [userId]);

/** Whether a user got such a link since then. */
export const hasLinkSince = async (
  tx: Pick<Db, 'query'>,
  userId: string,
  purpose: LinkPurpose,
  since: Temporal.Instant,
): Promise<boolean> => (await tx.query(NEWEST, [userId, purpose, since])).length > 0;
