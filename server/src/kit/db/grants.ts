import type { Client } from 'pg';

/** What the service's user may not do to some tables. On all others it may read, insert, update and delete. */
export type TableRules = {
  /** Tables that it may only read; of one that is in neverDeleted too, it may update those columns. */
  readonly readOnly: readonly string[];
  /** Tables that it may read and insert into. */
  readonly appendOnly: readonly string[];
  /** Tables that it may read, insert into and update, of some these columns alone. Nothing in them is ever deleted. */
  readonly neverDeleted: Readonly<Record<string, readonly string[] | 'every column'>>;
  /** Functions that nobody else may call. */
  readonly functions: readonly string[];
};

/**
 * $1: the user. $2: tables that it may only read. $3: those that it may only append to. $4: those in which it deletes nothing. $5 and $6: columns
 * of tables of which it may update these alone. $7: functions. Each row is one `grant` of a missing right, or one `revoke` of what an earlier
 * release granted and this one does not use. These go first: they take the rights on columns along.
 * The function of a right fails for another kind of relation. PostgreSQL fixes the order of conditions only in a `case`.
 * A right that the user has through another role or as superuser is neither missing nor taken.
 */
const MISSING_GRANTS = `
  with own as (
    select oid, relname, relkind, relacl from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'S')),
  wanted as (
    select oid, relname, relacl, allowed,
           (allowed = 'select' or relname <> all ($2)) and (allowed in ('select', 'insert') or relname <> all ($3))
             and (allowed <> 'delete' or relname <> all ($4)) and (allowed <> 'update' or relname <> all ($5)) as is_wanted
      from own cross join unnest(array['select', 'insert', 'update', 'delete']) as allowed where relkind in ('r', 'p'))
  select sql as grant from (
  select format('revoke %s on table %I from %I', allowed, relname, $1::text) as sql
    from wanted
   where not is_wanted
     and exists (select from aclexplode(relacl) as given join pg_roles r on r.oid = given.grantee and r.rolname = $1
                  where lower(given.privilege_type) = allowed)
  union all
  select format('grant %s on table %I to %I', allowed, relname, $1) from wanted where is_wanted and not has_table_privilege($1, oid, allowed)
  union all
  select format('grant update (%I) on table %I to %I', of_table.name, relname, $1)
    from own join unnest($5::text[], $6::text[]) as of_table (relation, name) on of_table.relation = own.relname
   where not has_column_privilege($1, oid, of_table.name, 'update')
      or has_table_privilege($1, oid, 'update') and not (select rolsuper from pg_roles where rolname = $1)
  union all
  select format('grant usage on sequence %I to %I', relname, $1)
    from own where case relkind when 'S' then not has_sequence_privilege($1, oid, 'usage') else false end
  union all
  select format('grant execute on function %s to %I', oid::regprocedure, $1)
    from pg_proc where pronamespace = current_schema()::regnamespace and proname = any ($7) and not has_function_privilege($1, oid, 'execute')
  union all
  select format('grant usage on schema %I to %I', current_schema(), $1) where not has_schema_privilege($1, current_schema(), 'usage')
  union all
  select format('grant connect, temporary on database %I to %I', current_database(), $1)
   where not has_database_privilege($1, current_database(), 'connect') or not has_database_privilege($1, current_database(), 'temporary')
  ) as missing order by sql like 'revoke %' desc`;

/**
 * Grants a user what serving needs, on every table of the schema, and takes what an earlier release granted beyond that.
 * It never gets the right to change a table's triggers.
 * Effects: a start changes nothing where all is as it should be.
 */
export async function grantMissing(owner: Client, user: string, rules: TableRules): Promise<void> {
  const { readOnly, appendOnly, neverDeleted, functions } = rules;
  const kept = [...readOnly, ...appendOnly, ...Object.keys(neverDeleted)];
  const columns = Object.entries(neverDeleted).flatMap(([table, of]) =>
    of === 'every column' ? [] : of.map((name) => [table, name] as const),
  );
  const { rows } = await owner.query<{ grant: string }>(MISSING_GRANTS, [
    user,
    readOnly,
    [...readOnly, ...appendOnly],
    kept,
    columns.map(([table]) => table),
    columns.map(([, name]) => name),
    functions,
  ]);
  for (const { grant } of rows) await owner.query(grant);
}
