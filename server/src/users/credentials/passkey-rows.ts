import { statement, type Db, type Tx } from '../../kit/db.ts';

/** More than a person has devices. */
const MOST_PASSKEYS = 20;

export type Passkey = {
  /** As the authenticator names it, in base64url. */
  readonly credentialId: string;
  readonly userId: string;
  readonly publicKey: Buffer;
  /** The counter of the authenticator; 0 where it has none. */
  readonly uses: bigint;
  readonly transports: readonly string[];
  readonly createdAt: Temporal.Instant;
  readonly usedAt: Temporal.Instant | null;
};

/** True for a text that may be the id of a passkey: base64url, of at most 1,050 bytes. */
export const isCredentialId = (text: string): boolean => /^[A-Za-z0-9_-]{1,1400}$/.test(text);

const COLUMNS = `credential_id as "credentialId", user_id as "userId", public_key as "publicKey", uses, transports,
     created_at as "createdAt", used_at as "usedAt"`;
const INSERT = statement(
  'users.insert_passkey',
  `insert into user_passkeys (credential_id, user_id, public_key, uses, transports, created_at)
   select $1, $2, $3, $4, $5, $6 where (select count(*) from user_passkeys where user_id = $2) < ${MOST_PASSKEYS}
   on conflict (credential_id) do nothing returning 1`,
);
const LOCK = statement('users.lock_passkey', `select ${COLUMNS} from user_passkeys where credential_id = $1 for update`);
const LIST = statement('users.list_passkeys', `select ${COLUMNS} from user_passkeys where user_id = $1 order by created_at, credential_id`);
const USE = statement('users.use_passkey', 'update user_passkeys set uses = $2, used_at = $3 where credential_id = $1');
const REMOVE = statement('users.remove_passkey', 'delete from user_passkeys where credential_id = $1 and user_id = $2 returning 1');
const REMOVE_ALL = statement('users.remove_passkeys', 'delete from user_passkeys where user_id = $1');

/** False: somebody has this passkey already, or the user has too many. */
export async function insertPasskey(tx: Tx, { credentialId, userId, publicKey, uses, transports, createdAt }: Passkey): Promise<boolean> {
  return (await tx.query(INSERT, [credentialId, userId, publicKey, uses, transports, createdAt])).length > 0;
}

export const lockPasskey = async (tx: Tx, credentialId: string): Promise<Passkey | undefined> =>
  (await tx.query<Passkey>(LOCK, [credentialId]))[0];

export const listPasskeys = (db: Pick<Db, 'query'>, userId: string): Promise<Passkey[]> => db.query<Passkey>(LIST, [userId]);

export const usePasskey = (tx: Pick<Tx, 'send'>, credentialId: string, uses: bigint, now: Temporal.Instant): void =>
  tx.send(USE, [credentialId, uses, now]);

/** False: the user has no such passkey. */
export const removePasskey = async (tx: Tx, userId: string, credentialId: string): Promise<boolean> =>
  isCredentialId(credentialId) && (await tx.query(REMOVE, [credentialId, userId])).length > 0;

export const removePasskeys = (tx: Pick<Tx, 'send'>, userId: string): void => tx.send(REMOVE_ALL, [userId]);
