import { randomBytes } from 'node:crypto';
import { statement, type Db, type Tx } from '../../kit/db.ts';
import type { SealedTable } from '../../kit/keys/reseal.ts';
import { HOLD_MASTER_KEY, seal, unseal, type MasterKeys, type Sealed } from '../../kit/secrets.ts';
import { hashOf } from '../one-time-secret.ts';
import { removePasskeys } from './passkey-rows.ts';
import { base32, newCodeSecret, stepOfCode } from './one-time-code.ts';

const RECOVERY_CODES = 10;
/** Fifteen bytes are 24 characters of Base32: nobody guesses one. */
const RECOVERY_BYTES = 15;

type CodeSecretRow = Sealed & { readonly userId: string; readonly isConfirmed: boolean };

const placeOf = (userId: string): string => `user_code_secrets/${userId}`;

const SET_PASSWORD = statement(
  'users.set_password',
  `insert into user_passwords (user_id, hash, changed_at) values ($1, $2, $3)
   on conflict (user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`,
);
const SELECT_PASSWORD = statement('users.select_password', 'select hash from user_passwords where user_id = $1');
const SET_CODE_SECRET = statement(
  'users.set_code_secret',
  `insert into user_code_secrets (user_id, is_confirmed, master_key_id, sealed, created_at) values ($1, false, $2, $3, $4)
   on conflict (user_id, is_confirmed) do update
     set master_key_id = excluded.master_key_id, sealed = excluded.sealed, last_step = 0, created_at = excluded.created_at`,
);
const LOCK_CODE_SECRET = statement(
  'users.lock_code_secret',
  `select user_id as "userId", is_confirmed as "isConfirmed", master_key_id as "masterKeyId", sealed, last_step as "lastStep"
     from user_code_secrets where user_id = $1 and is_confirmed = $2 for update`,
);
const DROP_CONFIRMED = statement('users.drop_code_secret', 'delete from user_code_secrets where user_id = $1 and is_confirmed');
const CONFIRM = statement(
  'users.confirm_code_secret',
  'update user_code_secrets set is_confirmed = true, last_step = $2 where user_id = $1 and not is_confirmed',
);
const SPEND_STEP = statement('users.spend_code', 'update user_code_secrets set last_step = $2 where user_id = $1 and is_confirmed');
const DROP_RECOVERY_CODES = statement('users.drop_recovery_codes', 'delete from user_recovery_codes where user_id = $1');
const INSERT_RECOVERY_CODES = statement(
  'users.insert_recovery_codes',
  'insert into user_recovery_codes (user_id, hash) select $1, hash from unnest($2::bytea[]) as new (hash)',
);
const SPEND_RECOVERY_CODE = statement(
  'users.spend_recovery_code',
  'delete from user_recovery_codes where user_id = $1 and hash = $2 returning 1',
);
const COUNT_RECOVERY_CODES = statement(
  'users.count_recovery_codes',
  'select count(*)::int as left from user_recovery_codes where user_id = $1',
);
const HAS_CODES = statement(
  'users.has_codes',
  `select 1 where exists (select from user_code_secrets where user_id = $1 and is_confirmed)
     or exists (select from user_recovery_codes where user_id = $1)`,
);
const HAS_CREDENTIALS = statement(
  'users.has_credentials',
  `select 1 where exists (select from user_passwords where user_id = $1) or exists (select from user_passkeys where user_id = $1)
     or exists (select from user_subjects where user_id = $1)`,
);
const DROP_PASSWORD = statement('users.drop_password', 'delete from user_passwords where user_id = $1');
const DROP_CODE_SECRETS = statement('users.drop_code_secrets', 'delete from user_code_secrets where user_id = $1');

/** The secrets of authenticator apps, for the rotation of the master key. */
export const USER_CODE_SECRETS: SealedTable<CodeSecretRow> = {
  count: statement(
    'users.count_code_secrets',
    `select master_key_id as "masterKeyId", count(*) as secrets from user_code_secrets group by master_key_id`,
  ),
  selectOthers: statement(
    'users.select_code_secrets_under_other_keys',
    `select user_id as "userId", is_confirmed as "isConfirmed", master_key_id as "masterKeyId", sealed from user_code_secrets
      where master_key_id <> $1 and (user_id, is_confirmed) > ($3, $4) order by user_id, is_confirmed limit $2 for update`,
  ),
  update: statement(
    'users.reseal_code_secret',
    'update user_code_secrets set master_key_id = $1, sealed = $2 where user_id = $3 and is_confirmed = $4',
  ),
  key: ({ userId, isConfirmed }) => [userId, isConfirmed],
  beforeFirst: ['', false],
  place: ({ userId }) => placeOf(userId),
};

export const setPassword = (tx: Pick<Tx, 'send'>, userId: string, hash: string, now: Temporal.Instant): void =>
  tx.send(SET_PASSWORD, [userId, hash, now]);

export const selectPassword = async (db: Pick<Db, 'query'>, userId: string): Promise<string | undefined> =>
  (await db.query<{ hash: string }>(SELECT_PASSWORD, [userId]))[0]?.hash;

/** Draws the secret of an authenticator app. It proves nothing until a code of it came back. The transaction begins with this. */
export async function offerCodeSecret(tx: Tx, keys: MasterKeys, userId: string, now: Temporal.Instant): Promise<Buffer> {
  await tx.query(HOLD_MASTER_KEY, []);
  const secret = newCodeSecret();
  const { masterKeyId, sealed } = seal(keys, secret, placeOf(userId));
  tx.send(SET_CODE_SECRET, [userId, masterKeyId, sealed, now]);
  return secret;
}

type LockedSecret = { readonly secret: Buffer; readonly lastStep: bigint };

async function lockCodeSecret(tx: Tx, keys: MasterKeys, userId: string, isConfirmed: boolean): Promise<LockedSecret | undefined> {
  const [row] = await tx.query<CodeSecretRow & { readonly lastStep: bigint }>(LOCK_CODE_SECRET, [userId, isConfirmed]);
  return row && { secret: unseal(keys, row, placeOf(userId)), lastStep: row.lastStep };
}

/** The secret that waits for its first code. Undefined: none was drawn. */
export const readOfferedSecret = async (tx: Tx, keys: MasterKeys, userId: string): Promise<Buffer | undefined> =>
  (await lockCodeSecret(tx, keys, userId, false))?.secret;

/** Confirms the secret that was drawn last by a code of it. It replaces the earlier one. Shape: → whether the code was right. */
export async function confirmCodeSecret(tx: Tx, keys: MasterKeys, userId: string, code: string, now: Temporal.Instant): Promise<boolean> {
  const offered = await lockCodeSecret(tx, keys, userId, false);
  const step = offered && stepOfCode(offered.secret, code, now, offered.lastStep);
  if (step === undefined) return false;
  tx.send(DROP_CONFIRMED, [userId]);
  tx.send(CONFIRM, [userId, step]);
  return true;
}

/** Whether a code can prove who a user is. */
export const hasCodes = async (db: Pick<Db, 'query'>, userId: string): Promise<boolean> => (await db.query(HAS_CODES, [userId])).length > 0;

export type SpentCode = 'code' | 'recovery_code';

/** Uses a code up: one of the authenticator app, or a recovery code. Undefined: it is wrong, or was used before. */
export async function spendCode(
  tx: Tx,
  keys: MasterKeys,
  userId: string,
  text: string,
  now: Temporal.Instant,
): Promise<SpentCode | undefined> {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  const held = await lockCodeSecret(tx, keys, userId, true);
  const step = held && stepOfCode(held.secret, code, now, held.lastStep);
  if (step !== undefined) {
    tx.send(SPEND_STEP, [userId, step]);
    return 'code';
  }
  const isRecovery = (await tx.query(SPEND_RECOVERY_CODE, [userId, hashOf(code)])).length > 0;
  return isRecovery ? 'recovery_code' : undefined;
}

/** Draws recovery codes. The earlier ones end. Shape: → the codes, which are shown once. */
export function makeRecoveryCodes(tx: Pick<Tx, 'send'>, userId: string): readonly string[] {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(RECOVERY_BYTES)));
  tx.send(DROP_RECOVERY_CODES, [userId]);
  tx.send(INSERT_RECOVERY_CODES, [userId, codes.map(hashOf)]);
  return codes.map((code) => code.replaceAll(/.{6}(?=.)/g, '$&-'));
}

export const countRecoveryCodes = async (db: Pick<Db, 'query'>, userId: string): Promise<number> =>
  (await db.query<{ left: number }>(COUNT_RECOVERY_CODES, [userId]))[0]?.left ?? 0;

/** Whether a user has a password, a passkey, or a subject at the provider of identities. */
export const hasCredentials = async (tx: Pick<Tx, 'query'>, userId: string): Promise<boolean> =>
  (await tx.query(HAS_CREDENTIALS, [userId])).length > 0;

/** Takes all from a user that proves who it is. */
export function dropCredentials(tx: Pick<Tx, 'send'>, userId: string): void {
  for (const drop of [DROP_PASSWORD, DROP_CODE_SECRETS, DROP_RECOVERY_CODES]) tx.send(drop, [userId]);
  removePasskeys(tx, userId);
}
