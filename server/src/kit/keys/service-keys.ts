import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { statement, type Db } from '../db.ts';
import { inRounds, type Job } from '../jobs.ts';
import type { SealedTable } from './reseal.ts';
import { fingerprintOf, HOLD_MASTER_KEY, seal, unseal, type MasterKeys, type Sealed } from '../secrets.ts';

/** One generation of a key of the service: 32 bytes. */
export type KeyGeneration = {
  readonly generation: number;
  /** Twelve hex digits. They reveal nothing of the key. */
  readonly id: string;
  readonly key: Buffer;
};

/** A key of the service, in all generations that are valid. It changes while the service runs: ask it for each use. */
export type ServiceKey = {
  /** Signs and seals from now on. */
  current(): KeyGeneration;
  /** What verifies and opens: the newest first. The newest may be one that does not sign yet. */
  valid(): readonly KeyGeneration[];
};

type ServiceKeys<Name extends string> = {
  readonly byName: Readonly<Record<Name, ServiceKey>>;
  /** Follows rotations, so that no server needs a restart. */
  readonly job: Job;
};

/** As it is stored: `startsAt` null: since it was made; `expiresAt` null: without end. */
type Term = { readonly startsAt: Temporal.Instant | null; readonly expiresAt: Temporal.Instant | null };
type Row = Sealed & Term & { readonly name: string; readonly generation: number };

/** Servers look for changed keys that often. */
const FOLLOW_SECONDS = 1;
/** A new key signs that long after it was made. Until then every server has learned to verify what it signs. */
const STARTS_AFTER_SECONDS = 10;
/** Identifies the lock of rotations. Any number that no other lock has. */
const ROTATION_LOCK = 7_228_325_004;

const serviceKeyPlace = ({ name, generation }: Pick<Row, 'name' | 'generation'>): string => `service_secrets/${name}/${generation}`;

const INSERT = statement(
  'kit.insert_service_key',
  `insert into service_secrets (name, generation, master_key_id, sealed, created_at, starts_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (name, generation) do nothing`,
);
const SELECT = statement(
  'kit.select_service_keys',
  `select name, generation, master_key_id as "masterKeyId", sealed, starts_at as "startsAt", expires_at as "expiresAt"
     from service_secrets where name = any($1::text[]) order by name, generation desc`,
);

/** The table of the service's own keys, for the rotation of the master key. */
export const SERVICE_SECRETS: SealedTable<Row> = {
  count: statement(
    'kit.count_service_secrets',
    `select master_key_id as "masterKeyId", count(*) as secrets from service_secrets group by master_key_id`,
  ),
  selectOthers: statement(
    'kit.select_service_secrets_under_other_keys',
    `select name, generation, master_key_id as "masterKeyId", sealed from service_secrets
      where master_key_id <> $1 and (name, generation) > ($3, $4) order by name, generation limit $2 for update`,
  ),
  update: statement(
    'kit.reseal_service_secret',
    `update service_secrets set master_key_id = $1, sealed = $2 where name = $3 and generation = $4`,
  ),
  key: ({ name, generation }) => [name, generation],
  beforeFirst: ['', 0],
  place: serviceKeyPlace,
};

type Deps = { readonly db: Db; readonly keys: MasterKeys; readonly clock: Clock };

/**
 * Opens the service's own keys of these names. Those that are missing are made.
 * Servers that start at the same time get the same keys: the first insert wins, and all read it.
 * Throws: SecretUnreadable.
 */
export async function openServiceKeys<Name extends string>({ db, keys, clock }: Deps, names: readonly Name[]): Promise<ServiceKeys<Name>> {
  const opened = new Map<string, KeyGeneration>();
  const open = (row: Row): KeyGeneration => {
    const place = serviceKeyPlace(row);
    const known = opened.get(place);
    if (known !== undefined) return known;
    const key = unseal(keys, row, place);
    const made = { generation: row.generation, id: fingerprintOf(key), key };
    opened.set(place, made);
    return made;
  };
  const held = new Map<Name, { readonly current: KeyGeneration; readonly valid: readonly KeyGeneration[] }>();

  /** What has ended is left out. Reads every key, also those that do not sign yet. */
  async function follow(): Promise<readonly Name[]> {
    const rows = Map.groupBy(await db.query<Row>(SELECT, [names]), ({ name }) => name);
    const now = clock.now();
    for (const name of names) {
      const valid = (rows.get(name) ?? []).filter(({ expiresAt }) => expiresAt === null || isBefore(now, expiresAt));
      const current = valid.find(({ startsAt }) => startsAt === null || !isBefore(now, startsAt)) ?? valid.at(-1);
      if (current !== undefined) held.set(name, { current: open(current), valid: valid.map(open) });
    }
    return names.filter((name) => !held.has(name));
  }

  const missing = await follow();
  if (missing.length > 0) {
    const now = clock.now();
    await db.transaction(async (tx) => {
      await tx.query(HOLD_MASTER_KEY, []);
      for (const name of missing) {
        const made = seal(keys, randomBytes(32), serviceKeyPlace({ name, generation: 1 }));
        tx.send(INSERT, [name, 1, made.masterKeyId, made.sealed, now, null]);
      }
    });
    await follow();
  }
  const keyOf = (name: Name): ServiceKey => {
    const get = () => held.get(name) as { current: KeyGeneration; valid: readonly KeyGeneration[] };
    return { current: () => get().current, valid: () => get().valid };
  };
  return {
    byName: Object.fromEntries(names.map((name) => [name, keyOf(name)])) as Record<Name, ServiceKey>,
    job: inRounds(clock, FOLLOW_SECONDS, {
      name: 'service-keys.follow',
      step: async () => {
        await follow();
        return false;
      },
    }),
  };
}

const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean => Temporal.Instant.compare(one, other) < 0;

/** Returns what the first valid generation opens; undefined where none does. */
export function openWith<Opened>(key: ServiceKey, open: (key: Buffer) => Opened | undefined): Opened | undefined {
  for (const generation of key.valid()) {
    const opened = open(generation.key);
    if (opened !== undefined) return opened;
  }
  return undefined;
}

/** `id` is that of the new generation. */
type RotatedKey = {
  readonly key: string;
  readonly id: string;
  readonly startsAt: Temporal.Instant;
  readonly earlierValidUntil: Temporal.Instant;
};

const TAKE_TURN = statement('kit.take_turn_to_rotate', `select pg_advisory_xact_lock(${ROTATION_LOCK})`);
const NEWEST = statement('kit.newest_service_key', `select max(generation) as newest from service_secrets where name = $1`);
const END_EARLIER = statement(
  'kit.end_earlier_service_keys',
  `update service_secrets set expires_at = least(expires_at, $2) where name = $1`,
);
const DELETE_ENDED = statement('kit.delete_ended_service_keys', `delete from service_secrets where name = $1 and expires_at <= $2`);

/**
 * Makes a new generation of a key of the service. It signs and seals ten seconds later, when every server has it.
 * The earlier ones verify and open for some days more.
 * Effects: ended generations are deleted. Running servers follow within a second.
 */
export async function rotateServiceKey(
  { db, keys, clock }: Deps,
  { name, days }: { readonly name: string; readonly days: number },
): Promise<RotatedKey> {
  await openServiceKeys({ db, keys, clock }, [name]);
  const key = randomBytes(32);
  const now = clock.now();
  const startsAt = now.add({ seconds: STARTS_AFTER_SECONDS });
  const earlierValidUntil = startsAt.add({ hours: 24 * days });
  await db.transaction(async (tx) => {
    await tx.query(HOLD_MASTER_KEY, []);
    await tx.query(TAKE_TURN, []);
    const [{ newest } = { newest: 0 }] = await tx.query<{ newest: number }>(NEWEST, [name]);
    const generation = newest + 1;
    const made = seal(keys, key, serviceKeyPlace({ name, generation }));
    tx.send(END_EARLIER, [name, earlierValidUntil]);
    tx.send(DELETE_ENDED, [name, now]);
    tx.send(INSERT, [name, generation, made.masterKeyId, made.sealed, now, startsAt]);
  });
  return { key: name, id: fingerprintOf(key), startsAt, earlierValidUntil };
}

/** A generation as an operator sees it. */
export type ListedKey = Term & {
  readonly key: string;
  readonly generation: number;
  readonly createdAt: Temporal.Instant;
};

const LIST = statement(
  'kit.list_service_keys',
  `select name as key, generation, created_at as "createdAt", starts_at as "startsAt", expires_at as "expiresAt"
     from service_secrets where expires_at is null or expires_at > $1 order by name, generation desc`,
);

/** Lists the valid generations of every key of the service. */
export function listServiceKeys({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<readonly ListedKey[]> {
  return db.query<ListedKey>(LIST, [clock.now()]);
}
