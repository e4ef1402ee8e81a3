import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import { statement, type Db } from './db.ts';
import type { SealedTable } from './reseal.ts';
import { HOLD_MASTER_KEY, seal, unseal, type MasterKeys, type Sealed } from './secrets.ts';

const serviceSecretPlace = (name: string): string => `service_secrets/${name}`;

const INSERT_SERVICE_SECRET = statement(
  'kit.insert_service_secret',
  `insert into service_secrets (name, master_key_id, sealed, created_at) values ($1, $2, $3, $4) on conflict (name) do nothing`,
);
const SELECT_SERVICE_SECRET = statement(
  'kit.select_service_secret',
  `select master_key_id as "masterKeyId", sealed from service_secrets where name = $1`,
);

/** The table of the service's own secrets, for the rotation of the master key. */
export const SERVICE_SECRETS: SealedTable<Sealed & { readonly name: string }> = {
  count: statement(
    'kit.count_service_secrets',
    `select master_key_id as "masterKeyId", count(*) as secrets from service_secrets group by master_key_id`,
  ),
  selectOthers: statement(
    'kit.select_service_secrets_under_other_keys',
    `select name, master_key_id as "masterKeyId", sealed from service_secrets where master_key_id <> $1 and name > $3 order by name limit $2 for update`,
  ),
  update: statement('kit.reseal_service_secret', `update service_secrets set master_key_id = $1, sealed = $2 where name = $3`),
  key: ({ name }) => [name],
  beforeFirst: [''],
  place: ({ name }) => serviceSecretPlace(name),
};

/**
 * Returns the service's own key of that name (32 bytes), which the first call makes.
 * Servers that start at the same time get the same key: the first insert wins, and all read it.
 */
export async function serviceSecret(db: Db, keys: MasterKeys, clock: Clock, name: string): Promise<Buffer> {
  const read = async (): Promise<Buffer | undefined> => {
    const [row] = await db.query<Sealed>(SELECT_SERVICE_SECRET, [name]);
    return row && unseal(keys, row, serviceSecretPlace(name));
  };
  const existing = await read();
  if (existing !== undefined) return existing;
  await db.transaction(async (tx) => {
    await tx.query(HOLD_MASTER_KEY, []);
    const made = seal(keys, randomBytes(32), serviceSecretPlace(name));
    tx.send(INSERT_SERVICE_SECRET, [name, made.masterKeyId, made.sealed, clock.now()]);
  });
  return (await read()) as Buffer;
}
