import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { migrate } from '../kit/migrate.ts';
import { withDatabase } from '../testing/names.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { MIGRATIONS } from './migrations.ts';

// Tests share their modules, and some have declared statements of their own.
vi.resetModules();
const { loadStatements } = await import('../../generate/load-statements.ts');

const { citus } = inject('testServer');

/** What a table and its shard have. A shard's names end in its number. */
const SHAPES = `
  with tables as (
    select oid, substring(relname from '_(\\d{6,})$') as shard, regexp_replace(relname, '_\\d{6,}$', '') as name
      from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'),
  parts as (
    select shard, name || ' column ' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || ' ' || attstorage::text as part
      from tables join pg_attribute on attrelid = tables.oid where attnum > 0 and not attisdropped
    union all
    select shard, name || ' constraint ' || regexp_replace(conname, '_\\d{6,}$', '') from tables join pg_constraint on conrelid = tables.oid
    union all
    select shard, name || ' index ' || regexp_replace(indexrelid::regclass::text, '_\\d{6,}$', '') from tables join pg_index on indrelid = tables.oid
    union all
    select shard, name || ' trigger ' || regexp_replace(tgname, '_\\d{6,}$', '') from tables join pg_trigger on tgrelid = tables.oid where not tgisinternal)
  select part from parts group by part having count(*) filter (where shard is not null) <> count(*) filter (where shard is null) order by part`;

/** A value that a parameter of this type can have. */
function valueOf(type: string): string {
  if (type.endsWith('[]')) return `{"${valueOf(type.slice(0, -2)).replaceAll('\\', '\\\\')}"}`;
  if (/int|numeric|double|oid/.test(type)) return '1';
  const values: Record<string, string> = {
    date: '2026-11-28',
    boolean: 'true',
    bytea: '\\x00',
    jsonb: '{}',
    interval: '1 minute',
    pg_snapshot: '1:1:',
    xid8: '1',
    cidr: '10.0.0.0/8',
    inet: '10.0.0.1',
  };
  return values[type] ?? (type.startsWith('timestamp') ? '2026-11-28 10:00:00Z' : 'x');
}

describe.skipIf(citus === null)('on a schema that Citus distributes (CAUDAL_TEST_CITUS_URL)', () => {
  let cell: TestDatabase;
  let onCell: Client;

  beforeAll(async () => {
    cell = await createTestDatabase();
    onCell = await connect(cell.url);
    await onCell.query(`set citus.show_shards_for_app_name_prefixes = '*'`);
  });
  afterAll(async () => {
    await onCell.end();
    await cell.drop();
  });

  test('every table has on its shard what it has', async () => {
    expect((await onCell.query(SHAPES)).rows).toEqual([]);
  });

  test('every statement does with made-up values what it does on plain PostgreSQL, or fails as there', async () => {
    const database = await createEmptyDatabase();
    await migrate(database.url, MIGRATIONS);
    const onPlain = await connect(database.url);
    const statements = (await loadStatements()).filter(({ text }) => !NOT_OF_CELLS.test(text));
    expect(statements.length).toBeGreaterThan(400);
    const differences: string[] = [];
    let current = '';
    const elsewhere = new Set<string>();
    const note = ({ message }: { readonly message: string | undefined }): void => {
      if (message?.startsWith('issuing ')) elsewhere.add(current);
    };
    await onCell.query('set citus.log_remote_commands = on');
    onCell.on('notice', note);
    for (const { name, text } of statements) {
      current = name;
      const [expected, found] = [await carryOut(onPlain, text), await carryOut(onCell, text)];
      if (found !== expected) differences.push(`${name}: ${found}, in place of ${expected}`);
    }
    onCell.off('notice', note);
    await onCell.query('reset citus.log_remote_commands');
    await onPlain.end();
    await database.drop();
    expect([...elsewhere], 'use other nodes of the cluster').toEqual(USES_ALL_NODES);
    expect(differences).toEqual([]);
  });

  test('a later migration reaches the shards, and the schema can be moved to another node and back', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'caudal-migrations-'));
    for (const name of readdirSync(MIGRATIONS)) copyFileSync(join(MIGRATIONS, name), join(directory, name));
    const number = String(readdirSync(MIGRATIONS).length + 1).padStart(4, '0');
    writeFileSync(join(directory, `${number}-later.sql`), LATER);
    const [coordinator, ...workers] = citus!.all.map((node) => withDatabase(node, new URL(cell.url).pathname.slice(1)));
    expect(await migrate(coordinator!, directory)).toEqual([Number(number)]);
    rmSync(directory, { recursive: true });
    expect((await onCell.query(SHAPES)).rows).toEqual([ON_NO_SHARD]);
    await onCell.query(`insert into later (merchant_id, at) select null, now()`);
    await expect(onCell.query('update later set at = now()')).rejects.toThrow('refused: it is append-only');
    await expect(onCell.query('truncate later')).rejects.toThrow('refused: it is append-only');

    const admin = await connect(coordinator!);
    const holder = new URL(cell.url).port;
    for (const node of workers.toSorted((one) => (new URL(one).port === holder ? 1 : -1))) {
      const { hostname, port } = new URL(node);
      await admin.query(`select citus_schema_move(current_schema()::regnamespace, '${hostname}', ${port})`);
      const moved = await connect(node);
      await moved.query(`set citus.show_shards_for_app_name_prefixes = '*'`);
      const differences = (await moved.query<{ part: string }>(SHAPES)).rows;
      expect(differences.filter(({ part }) => part !== ON_NO_SHARD.part)).toEqual([]);
      expect((await moved.query('select merchant_id from later')).rows).toEqual([{ merchant_id: null }]);
      await moved.end();
    }
    await admin.end();
  });
});

/** What the test would end by, what needs home's one sequence of claims, and what counts sequences: others are on other nodes. */
const NOT_OF_CELLS = /pg_terminate_backend|reference_claims|from pg_sequences/;

/** What fails where any node of the cluster is away, and commits on all of them. Only home, which is plain, uses the last two. */
const USES_ALL_NODES = ['audit.prune_acts', 'exports.add_part', 'users.count_try'];

/** Truncating goes through the table that has this trigger, whichever node is asked. */
const ON_NO_SHARD = { part: 'later trigger later_is_not_truncated' };

const LATER = `
-- Commands that later migrations may have; each is a call of its own.
create table later (
  later_id    bigint generated always as identity,
  merchant_id text collate "C",
  at          timestamptz,
  constraint later_pkey primary key (later_id),
  constraint later_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id)
);
comment on table later is 'Made; by a test.';
create index later_by_merchant on later (merchant_id, later_id);
create function later_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: it is append-only', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger later_is_append_only before delete or update on later for each statement execute function later_refuse_change();
create trigger later_is_not_truncated before truncate on later for each statement execute function later_refuse_change();
alter table orders add column later_minor bigint not null default 0, add column later_note text;
alter table orders add column later_rate integer constraint orders_later_rate_check check (later_rate >= 0);
alter table orders add constraint orders_later_minor_check check (later_minor >= 0);
create index orders_by_later on orders (merchant_id, later_minor);
update orders set later_note = 'before';
`;

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

/** More than the five executions that PostgreSQL plans for their values, before it may keep a plan. */
const TIMES = 7;

/** Prepares a statement and carries it out several times. Shape: → what became of it, the last time or when it failed. */
async function carryOut(client: Client, text: string): Promise<string> {
  await client.query('begin');
  try {
    await client.query(`prepare tried as ${text}`);
    const { rows } = await client.query<{ types: string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'tried'`,
    );
    const values = rows[0]!.types.map((type) => `'${valueOf(type)}'::${type}`);
    let became = '';
    for (let time = 0; time < TIMES; time++) {
      await client.query('savepoint before');
      const { command, rowCount } = await client.query(values.length === 0 ? 'execute tried' : `execute tried (${values.join(', ')})`);
      became = `${command} ${rowCount}`;
      await client.query('rollback to savepoint before');
    }
    return became;
  } catch (error) {
    return (error as Error).message.replaceAll(/_\d{6,}\b/g, '');
  } finally {
    await client.query('rollback');
    await client.query('deallocate all');
  }
}
