import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { statementsOf } from '../src/kit/db/split-sql.ts';
import { MIGRATIONS } from '../src/main/migrations.ts';
import { NAMED_FILES } from '../src/testing/not-on-citus.ts';
import {
  faultsOfFunctions,
  faultsOfMigration,
  faultsOfStatement,
  hasSeveralInserts,
  SEVERAL_INSERTS,
  tablesWithoutKey,
} from './both-engines.ts';
import { ROOT } from './sources.ts';

// Tests share their modules, and some have declared statements of their own.
vi.resetModules();
const { loadStatements } = await import('../generate/load-statements.ts');

describe('plain PostgreSQL and a schema that Citus distributes both take', () => {
  test('every statement of the service', async () => {
    const statements = await loadStatements();
    expect(statements.flatMap(({ name, text }) => faultsOfStatement(name, text))).toEqual([]);
    const several = new Set(statements.flatMap(({ name, text }) => (hasSeveralInserts(text) ? [name] : [])));
    expect(several, 'those that were tried on a cluster, and no other').toEqual(SEVERAL_INSERTS);
  });

  test('what is left out on Citus is there', () => {
    const files = readdirSync(join(ROOT, 'server'), { recursive: true, encoding: 'utf8' });
    expect(NAMED_FILES.filter((name) => !files.some((file) => file.endsWith(`/${name}`) || file === name))).toEqual([]);
  });

  test('every function of the schema', () => {
    expect(faultsOfFunctions(readFileSync(join(ROOT, 'server', 'schema.sql'), 'utf8'))).toEqual([]);
  });

  test('every table of the schema: it has a primary key, by which it is moved to another node', () => {
    const schema = readFileSync(join(ROOT, 'server', 'schema.sql'), 'utf8');
    expect(tablesWithoutKey(schema)).toEqual([]);
    const withoutOne = schema.replace(/^  constraint orders_pkey primary key .*\n/m, '');
    expect(tablesWithoutKey(withoutOne)).toEqual(['orders']);
    expect(tablesWithoutKey(schema.replaceAll(' primary key (', ' unique (')).length).toBeGreaterThan(60);
  });

  test('every migration but the first, which runs before a schema is distributed', () => {
    const later = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql') && !name.startsWith('0001-'));
    const faults = later.flatMap((name) =>
      faultsOfMigration(statementsOf(readFileSync(join(MIGRATIONS, name), 'utf8'))).map((fault) => `${name}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });
});

const statement = (text: string): readonly string[] => faultsOfStatement('it', text);
const migration = (text: string): readonly string[] => faultsOfMigration(statementsOf(text));

const schemaWith = (body: string): string =>
  `create table a (\n  id int\n);\ncreate trigger t after insert on a\n  referencing new table as new_rows\n  for each statement execute function f();\n` +
  `create or replace function f()\n returns trigger\n language plpgsql\nas $function$\n${body}\n$function$;`;

describe('refuses', () => {
  test.each([
    ['values with a sub-select', `insert into a (id) values ((select max(id) from b))`, 'has no sub-select, in no clause'],
    [
      'values that return a sub-select',
      `insert into a (id) values ($1) returning (select count(*) from b)`,
      'has no sub-select, in no clause',
    ],
    [
      'a select that returns one',
      `with mine as (update a set n = 1 returning id) insert into b (id) select id from mine returning (select count(*) from a)`,
      'returns has no sub-select',
    ],
    ['a simple case among values', `insert into a (id) values (case $1 when 'x' then 1 else 2 end)`, '`case when a = b`'],
    ['the moment in do update', `insert into a (id) values ($1) on conflict (id) do update set at = now()`, 'immutable'],
    [
      'an interval in do update',
      `insert into a (id) values ($1) on conflict (id) do update set n = case when a.at <= excluded.at - interval '1 day' then 1 else 2 end`,
      'immutable',
    ],
    [
      'a parameter in do update of a select',
      `insert into a (id) select x from unnest($1::int[]) as k (x) on conflict (id) do update set n = $2`,
      'does not reach',
    ],
    [
      'a table in an expression alone',
      `insert into a (id) select $1 where $2 or not exists (select from a where id = $1)`,
      'inserts NOTHING',
    ],
    ['the moment beside rows of a table', `insert into a (id, at) select id, now() from b`, 'Pass the instant'],
    [
      'places of rows beside two inserts',
      `with one as (update a set n = 1 where ctid = $1 returning id), two as (insert into a (id) select id from one) insert into b (id) select id from one`,
      'inserts into one table',
    ],
    ['two inserts that nobody has tried', `with one as (insert into a (id) values (1)) insert into b (id) values (1)`, 'try it on Citus'],
  ])('a statement: %s', (_, text, why) => {
    expect(statement(text).join('\n')).toContain(why);
  });

  test('but not the forms that were tried', () => {
    const tried = [
      `insert into a (id) select x from unnest($1::int[]) as k (x) on conflict (id) do update set n = case when excluded.at - a.at < interval '1 hour' then 1 else 2 end`,
      `insert into a (id, n) select $1, found.others from (select count(*) as others from b where id = $2) as found`,
      `with added as (insert into a (id) values ($1) returning id) select (select count(*) from b) from added`,
      `update a set n = 1 where id = $1 returning (select count(*) from b)`,
      `delete from a where ctid = any (array(select ctid from a limit 1))`,
      `insert into a (id) values ($1) on conflict (id) do update set n = $2`,
      `select id from a where id = $1 for update`,
      `insert into a (id, at) select x, now() from unnest($1::int[]) as k (x)`,
      `with one as (select id from b) insert into a (id, at) select id, now() from one`,
      `insert into a (id, at) select id, clock_timestamp() from b`,
      `insert into a (id) select $1 where not exists (select from a where id = $1)`,
      `with gone as (delete from a where id = $1 returning 1) insert into b (id) select id from a returning (select count(*) from gone)`,
    ];
    expect(tried.flatMap(statement)).toEqual([]);
  });

  test('a function whose statement reads new rows beside a table, and one that has the shapes of a statement', () => {
    expect(faultsOfFunctions(schemaWith('begin insert into a select id from new_rows; return null; end')).join('\n')).toContain(
      'into arrays first',
    );
    expect(
      faultsOfFunctions(schemaWith(`begin if x then insert into a values (case tg_op when 'INSERT' then 1 end); end if; end`)).join('\n'),
    ).toContain('`case when a = b`');
    const tried = 'declare ids int[] := array(select id from new_rows); begin insert into a select unnest(ids); return null; end';
    expect(faultsOfFunctions(schemaWith(tried))).toEqual([]);
  });

  test.each([
    ['a constraint beside a column', 'alter table a add column n int, add constraint c check (n > 0);', 'stands alone'],
    ['two constraints', 'alter table a drop constraint c, add constraint c check (n > 0);', 'stands alone'],
    ['a check without a name', 'alter table a add column n int check (n > 0);', 'has a name'],
    ['an identity for a table that is there', 'alter table a add column n bigint generated always as identity;', 'comes with its table'],
    ['how a column is stored', 'alter table a alter n set storage external;', '`set storage`'],
    [
      'truncate beside another event',
      'create trigger t before update or truncate on a for each statement execute function f();',
      'has no other event',
    ],
    ['a block', `do $$ begin execute 'create table b (id int primary key)'; end $$;`, 'on the coordinator alone'],
    ['a sequence', 'create sequence s as bigint;', 'on the coordinator alone'],
    ['a table without a key', 'create table b (id int);', 'is not moved'],
  ])('a later migration: %s', (_, text, why) => {
    expect(migration(text).join('\n')).toContain(why);
  });

  test('but not commands that a distributed schema carries out', () => {
    const tried = `
      -- A comment; with a semicolon, and one that it's quoted by.
      create table b (id bigint generated always as identity, merchant_id text references merchants, constraint b_pkey primary key (id));
      create table c (id int);
      alter table c replica identity full;
      alter table a add column n int, add column m int not null default 0;
      alter table a add column k int constraint k_check check (k > 0);
      alter table a add constraint n_check check (n > 0) not valid;
      alter table a validate constraint n_check;
      create function f() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger t before update or delete on a for each statement execute function f();
      create trigger u before truncate on a for each statement execute function f();
      create index concurrently a_by_n on a (n);
      update a set n = 1;`;
    expect(migration(tried)).toEqual([]);
  });
});
