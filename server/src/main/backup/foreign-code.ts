import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { MIGRATIONS } from '../migrations.ts';

/** The first number that PostgreSQL gives to what is made after initdb. */
const FIRST_OF_OURS = 16_384;

/** What runs by itself, or may be called without being named, and that no migration makes. */
const NEVER_OURS = `
  select 'extension ' || extname from pg_extension where extname <> 'plpgsql'
  union all select 'event trigger ' || evtname from pg_event_trigger
  union all select 'language ' || lanname from pg_language where oid >= ${FIRST_OF_OURS}
  union all select 'operator ' || oprname from pg_operator where oid >= ${FIRST_OF_OURS}
  union all select 'cast to ' || format_type(casttarget, null) from pg_cast where oid >= ${FIRST_OF_OURS}
  union all select 'operator class ' || opcname from pg_opclass where oid >= ${FIRST_OF_OURS}
  union all select 'access method ' || amname from pg_am where oid >= ${FIRST_OF_OURS}
  union all select 'foreign data wrapper ' || fdwname from pg_foreign_data_wrapper
  union all select 'subscription ' || subname from pg_subscription
  union all select 'tablespace ' || spcname from pg_tablespace where oid >= ${FIRST_OF_OURS}
  union all select 'settings of a user or database: ' || array_to_string(setconfig, ', ') from pg_db_role_setting
  union all select 'superuser ' || rolname from pg_roles where rolsuper and rolname <> current_user
  union all select 'library ' || probin from pg_proc where probin !~ '^\\$libdir/[a-z_0-9]+$'
  union all select 'function ' || proname from pg_proc where oid >= ${FIRST_OF_OURS} and pronamespace = 'pg_catalog'::regnamespace`;

/** Functions, with all that says what they do. A body of standard SQL is kept as a tree, and ours have none. */
const FUNCTIONS = `select p.proname as name, p.prosrc as body, l.lanname as language, p.prosqlbody is not null as tree,
  coalesce(array_to_string(p.proconfig, ' '), '') as settings
  from pg_proc p join pg_language l on l.oid = p.prolang where p.oid >= ${FIRST_OF_OURS}`;

/** Expressions that PostgreSQL computes when a table is read or written, or a view is. */
const EXPRESSIONS = `
  select 'default of ' || adrelid::regclass as of, pg_get_expr(adbin, adrelid) as text from pg_attrdef
  union all select 'index ' || indexrelid::regclass, pg_get_indexdef(indexrelid) from pg_index where indrelid >= ${FIRST_OF_OURS}
  union all select 'constraint ' || conname, pg_get_constraintdef(oid) from pg_constraint where oid >= ${FIRST_OF_OURS}
  union all select 'rule ' || rulename || ' of ' || ev_class::regclass, pg_get_ruledef(oid) from pg_rewrite where oid >= ${FIRST_OF_OURS}
  union all select 'policy ' || polname, coalesce(pg_get_expr(polqual, polrelid), '') || coalesce(pg_get_expr(polwithcheck, polrelid), '') from pg_policy
  union all select 'trigger ' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select 'statistics ' || stxname, pg_get_statisticsobjdef(oid) from pg_statistic_ext`;

/** Words before a parenthesis in what PostgreSQL prints of an expression: the words of SQL, and its names of what migrations call otherwise. */
const WORDS_OF_SQL = new Set(
  'all any array as and or not in using btree hash where check values key include execute from on select when then case exists timezone extract substring now'.split(
    ' ',
  ),
);

const CALLED = /([a-z_][a-z0-9_]*)"?\s*\(/gi;

const calledIn = (text: string): readonly string[] => [...text.matchAll(CALLED)].map(([, name = '']) => name.toLowerCase());

/**
 * Lists what could run in a database, and that none of our migrations made. It calls nothing of the database.
 * Shape: a connection of the owner with `ONLY_OURS` → names, empty where all is ours.
 */
export async function findForeignCode(client: Client): Promise<readonly string[]> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql'));
  const ours = (await Promise.all(files.map((name) => readFile(join(MIGRATIONS, name), 'utf8')))).join('\n');
  const called = new Set([...calledIn(ours), ...WORDS_OF_SQL]);
  const never = await client.query<unknown[]>({ text: NEVER_OURS, rowMode: 'array' });
  const functions = await client.query<{ name: string; body: string; language: string; tree: boolean; settings: string }>(FUNCTIONS);
  const expressions = await client.query<{ of: string; text: string }>(EXPRESSIONS);
  const tables = await client.query<{ name: string }>(`select relname as name from pg_class where oid >= ${FIRST_OF_OURS}`);
  for (const { name } of [...tables.rows, ...functions.rows]) called.add(name);
  return [
    ...never.rows.flat().map(String),
    ...functions.rows
      .filter(
        ({ body, language, tree, settings }) =>
          tree || !['sql', 'plpgsql'].includes(language) || !ours.includes(body) || !/^(?:search_path=[\w, "]*)?$/.test(settings),
      )
      .map(({ name }) => `function ${name}`),
    ...expressions.rows.flatMap(({ of, text }) => {
      const other = calledIn(text).find((name) => !called.has(name));
      return other === undefined ? [] : [`${of}, which calls ${other}`];
    }),
  ];
}
