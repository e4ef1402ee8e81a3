import type { Client } from 'pg';

/** What the service's user may not do to some tables. On all others it may read, insert, update and delete. */
export type TableRules = {
  /** Tables that it may only read. */
  readonly readOnly: readonly string[];
  /** Tables that it may read and insert into. */
  readonly appendOnly: readonly string[];
};

/**
 * $1: the user. $2: tables that it may only read. $3: tables that it may only append to. Each row is one `grant` of a missing right.
 * The function of a right fails for another kind of relation. PostgreSQL fixes the order of conditions only in a `case`.
 * A right that the user has through another role or as superuser is not missing.
 */
const MISSING_GRANTS = `
  select format('grant %s on table %I to %I', allowed, relname, $1::text) as grant
    from pg_class cross join unnest(array['select', 'insert', 'update', 'delete']) as allowed
   where relnamespace = current_schema()::regnamespace
     and (allowed = 'select' or relname <> all ($2))
     and (allowed in ('select', 'insert') or relname <> all ($3))
     and case when relkind in ('r', 'p') then not has_table_privilege($1, oid, allowed) else false end
  union all
  select format('grant usage on sequence %I to %I', relname, $1)
    from pg_class
   where relnamespace = current_schema()::regnamespace
     and case relkind when 'S' then not has_sequence_privilege($1, oid, 'usage') else false end
  union all
  select format('grant usage on schema %I to %I', current_schema(), $1) where not has_schema_privilege($1, current_schema(), 'usage')
  union all
  select format('grant connect, temporary on database %I to %I', current_database(), $1)
   where not has_database_privilege($1, current_database(), 'connect') or not has_database_privilege($1, current_database(), 'temporary')`;

/**
 * Grants a user what serving needs, on every table of the schema. It never gets the right to change a table's triggers.
 * Effects: only missing rights are granted, so a start changes nothing where all are there.
 */
export async function grantMissing(owner: Client, user: string, { readOnly, appendOnly }: TableRules): Promise<void> {
  const { rows } = await owner.query<{ grant: string }>(MISSING_GRANTS, [user, readOnly, appendOnly]);
  for (const { grant } of rows) await owner.query(grant);
}
