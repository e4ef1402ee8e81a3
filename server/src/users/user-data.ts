import { statement, type Db } from '../kit/db.ts';
import { eraseMessages } from '../messages/index.ts';
import { waysToWrite, type FoundRecord, type PersonalData, type RecordKey } from '../people/index.ts';

const FIND = statement(
  'users.find_person',
  `select '' as "merchantId", user_id as id, state <> 'disabled' as "isOpen" from users where email ~ $1 order by user_id`,
);
/** What names the user, and from where it signed in. What proves the user is shown to nobody. */
const READ = statement(
  'users.read_person',
  `select email, name, role, merchant_id as "merchantId", language, state, created_at as "createdAt", updated_at as "updatedAt",
     (select coalesce(jsonb_agg(jsonb_build_object('address', address, 'browser', browser, 'createdAt', created_at, 'seenAt', seen_at)), '[]')
        from user_sessions s where s.user_id = u.user_id) as sessions,
     (select coalesce(jsonb_agg(jsonb_build_object('name', name, 'permissions', permissions, 'createdAt', created_at, 'endsAt', expires_at)), '[]')
        from access_tokens t where t.user_id = u.user_id) as tokens,
     (select coalesce(jsonb_agg(jsonb_build_object('name', name, 'address', address, 'createdAt', created_at)), '[]')
        from user_views v where v.user_id = u.user_id) as views,
     (select coalesce(jsonb_agg(jsonb_build_object('createdAt', created_at, 'usedAt', used_at)), '[]')
        from user_passkeys p where p.user_id = u.user_id) as passkeys,
     (select coalesce(jsonb_agg(jsonb_build_object('issuer', issuer, 'subject', subject, 'createdAt', created_at)), '[]')
        from user_subjects i where i.user_id = u.user_id) as identities
     from users u where user_id = $1`,
);
/** Passwords, codes, passkeys, links, sessions and tokens go with their user. */
const ERASE = statement(
  'users.erase_person',
  `with gone as (
     delete from users where user_id in (
       select user_id from users where user_id = any($1::text[]) and state = 'disabled' for update skip locked)
     returning user_id, email_key
   ), tries as (delete from sign_in_tries where account in (select email_key from gone))
   select '' as "merchantId", user_id as id from gone`,
);

/** What the room holds of a person who signs in. A user that is not disabled is open. Acts and histories keep the name of who did them. */
export const userData = (db: Pick<Db, 'query'>): PersonalData => ({
  kind: 'users',
  find: ({ email }) => (email === null ? Promise.resolve([]) : db.query<FoundRecord>(FIND, [`^${waysToWrite(email)}$`])),
  read: async ({ id }) => (await db.query<object>(READ, [id]))[0],
  erase: async (tx, keys) => {
    const erased = await tx.query<RecordKey>(ERASE, [keys.map(({ id }) => id)]);
    eraseMessages(tx, ['user_link', 'user_alert'], erased);
    return erased;
  },
});
