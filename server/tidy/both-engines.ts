// What a schema that Citus distributes as a whole refuses, or takes without doing it, though plain PostgreSQL does it. Each rule was tried
// on both (docs/decisions/0074). The tests that run where CAUDAL_TEST_CITUS_URL is set try what these rules let pass.

/** A shape of SQL, and what to write instead. */
type Rule = { readonly found: (sql: string) => boolean; readonly remedy: string };

/** One line, without comments and without what is between quotes. */
function bare(sql: string): string {
  return sql
    .replaceAll(/--.*|\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** A text of the same length, in which what stands in parentheses is blank. */
function outermost(sql: string): string {
  let depth = 0;
  return sql.replaceAll(/[\s\S]/g, (sign) => {
    if (sign === ')') depth--;
    const kept = depth === 0 ? sign : ' ';
    if (sign === '(') depth++;
    return kept;
  });
}

/** From a place to the end of the parentheses around it. */
function restOfGroup(sql: string, from: number): string {
  let depth = 0;
  for (let at = from; at < sql.length; at++) {
    if (sql[at] === '(') depth++;
    if (sql[at] === ')' && --depth < 0) return sql.slice(from, at);
  }
  return sql.slice(from);
}

/** An insert, or another write, begins a text, a group, the part after the groups of a `with`, or a branch of a function. */
const WRITE = /(?:^|[()]|\b(?:begin|then|else|loop)) ?(?=(insert into|update (?!of\b)|delete from) ?)/g;

const writesOf = (sql: string): readonly string[] =>
  [...sql.matchAll(WRITE)].map(({ index, 0: before }) => restOfGroup(sql, index + before.length));

/** An insert, cut where its clauses begin. */
type Insert = { readonly source: string; readonly isSelect: boolean; readonly conflict: string; readonly returning: string };

function insertsOf(sql: string): readonly Insert[] {
  return writesOf(sql)
    .filter((write) => write.startsWith('insert into'))
    .map((write) => {
      const outer = outermost(write);
      const place = (clause: RegExp): number => (outer.search(clause) < 0 ? write.length : outer.search(clause));
      const [conflict, returning] = [place(/\bon conflict\b/), place(/\breturning\b/)];
      const source = place(/\b(?:values|select|table)\b/);
      return {
        source: write.slice(source, Math.min(conflict, returning)),
        isSelect: !outer.slice(source).startsWith('values'),
        conflict: write.slice(conflict, Math.max(conflict, returning)),
        returning: write.slice(returning),
      };
    });
}

const SUB_SELECT = /\( ?select\b/;
const PARAMETER = /\$\d/;
/** What depends on the session or the moment. An instant less an instant does not; an instant less an interval does. */
const NOT_IMMUTABLE =
  /\b(?:now|clock_timestamp|statement_timestamp|random|nextval|date_trunc|to_char|age)\(|\bcurrent_\w+|[-+] ?(?:interval\b|''::interval|case [^;]*\binterval\b)/;

const partsOfWith = (sql: string): ReadonlySet<string | undefined> =>
  new Set([...sql.matchAll(/\b(\w+) as (?:not )?(?:materialized )?\(/g)].map(([, name]) => name));

/** Whether a text has a sub-select of something else than the parts of `with`. */
function readsTable(sql: string, text: string): boolean {
  const parts = partsOfWith(sql);
  return SUB_SELECT.test(text) && [...text.matchAll(/\bfrom (\w+)/g)].some(([, name]) => !parts.has(name));
}

/** Whether a select names tables in expressions alone, and a condition has a parameter that may leave none of them to be read. */
function foldsAway(source: string): boolean {
  const outer = outermost(source);
  const [condition = ''] = /\b(?:where|case)\b.*/.exec(outer) ?? [];
  return !/\bfrom\b/.test(outer) && /\bfrom\b/.test(source) && PARAMETER.test(condition);
}

/** The same within a transaction, or a time zone. `clock_timestamp` is not, and is taken. */
const STABLE = /\b(?:now|statement_timestamp|date_trunc|to_char|age)\(|\bcurrent_(?:timestamp|date|time|setting|schema)\b|[-+] ?interval\b/;

/** Whether a select goes through rows of a table, and not of a part of `with`, a function or a sub-select. */
function selectsFromTable(sql: string, source: string): boolean {
  const name = /\bfrom (\w+)\b(?! ?\()/.exec(outermost(source))?.[1];
  return name !== undefined && !/^(?:unnest|generate_series)$/.test(name) && !partsOfWith(sql).has(name);
}

/** Shapes of the service's statements and of those in its functions. */
const SHAPES: readonly Rule[] = [
  {
    found: (sql) =>
      insertsOf(sql).some(({ isSelect, source, conflict, returning }) => !isSelect && SUB_SELECT.test(source + conflict + returning)),
    remedy: 'an insert of values has no sub-select, in no clause: insert from a select',
  },
  {
    found: (sql) => insertsOf(sql).some(({ isSelect, returning }) => isSelect && readsTable(sql, returning)),
    remedy: 'what an insert returns has no sub-select of a table: name the insert in `with`, and select beside it',
  },
  {
    found: (sql) => insertsOf(sql).some(({ isSelect, source }) => !isSelect && /\bcase (?!when\b)/.test(source)),
    remedy: '`case a when b` among values arrives as `case a = b when …`: write `case when a = b`, or take a variable',
  },
  {
    found: (sql) => insertsOf(sql).some(({ conflict }) => NOT_IMMUTABLE.test(conflict)),
    remedy: '`do update` takes immutable functions alone: subtract two instants and compare with an interval, or pass the instant',
  },
  {
    found: (sql) => insertsOf(sql).some(({ isSelect, conflict, returning }) => isSelect && PARAMETER.test(conflict + returning)),
    remedy: 'a parameter does not reach `on conflict` or `returning` of an insert from a select: go by the row, by `excluded`',
  },
  {
    found: (sql) => insertsOf(sql).some(({ isSelect, source }) => isSelect && foldsAway(source)),
    remedy:
      'where a value decides whether a table is read, a select without `from` inserts NOTHING, and says so to nobody: read the table in `from`',
  },
  {
    found: (sql) => insertsOf(sql).some(({ isSelect, source }) => isSelect && STABLE.test(source) && selectsFromTable(sql, source)),
    remedy: 'an insert of a table’s rows takes nothing of the moment or the time zone: it ends in a syntax error. Pass the instant',
  },
  {
    found: (sql) => /\bctid\b/.test(sql) && insertsOf(sql).length > 1,
    remedy: 'a statement that goes by `ctid` inserts into one table: write a statement for each',
  },
];

/**
 * Statements that insert into several tables, which Citus carries out one after the other in the order of their need: a row that another
 * part refers to must be there first. Each of these is tried on a cluster.
 */
export const SEVERAL_INSERTS = new Set(['users.count_try']);

/** Whether a statement has several inserts. */
export const hasSeveralInserts = (text: string): boolean => insertsOf(bare(text)).length > 1;

/** What is wrong with a prepared statement. */
export function faultsOfStatement(name: string, text: string): readonly string[] {
  const sql = bare(text);
  return [
    ...SHAPES.filter(({ found }) => found(sql)).map(({ remedy }) => `${name}: ${remedy}`),
    ...(hasSeveralInserts(text) && !SEVERAL_INSERTS.has(name)
      ? [
          `${name}: several inserts run in an order of their own: the one that another refers to must be read by it; try it on Citus, then name it here`,
        ]
      : []),
  ];
}

/** The tables of a schema that have no primary key, by which a table is moved to another node. */
export const tablesWithoutKey = (schema: string): readonly string[] =>
  [...schema.matchAll(/^create (?:unlogged )?table (\w+) \([\s\S]*?^\)/gm)].flatMap(([text, name]) =>
    text.includes(' primary key (') ? [] : [name as string],
  );

const FUNCTION = /create (?:or replace )?function (\w+)[^$]*?\bas (\$\w*\$)([\s\S]*?)\2/g;

/** Finds a statement that reads or writes one of these. */
const naming = (list: readonly string[]): RegExp => new RegExp(`\\b(?:from|join|into|update|using) (?:${list.join('|')})\\b`);

/** What is wrong with the functions of a schema. */
export function faultsOfFunctions(schema: string): readonly string[] {
  const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, name]) => name as string);
  const transitions = [...new Set([...schema.matchAll(/\breferencing (?:new|old) table as (\w+)/g)].map(([, name]) => name as string))];
  return [...schema.matchAll(FUNCTION)].flatMap(([, name, , body]) =>
    bare(body as string)
      .split(';')
      .flatMap((sql) => [
        ...SHAPES.filter(({ found }) => found(sql)).map(({ remedy }) => `function ${name}: ${remedy}`),
        ...(transitions.length > 0 && tables.length > 0 && naming(transitions).test(sql) && naming(tables).test(sql)
          ? [`function ${name}: a statement reads a trigger's new rows or names a table, not both: put the rows into arrays first`]
          : []),
      ]),
  );
}

const ALTER = /^alter table (?:only )?(?:if exists )?\S+ /;
/** The parts of an `alter table`. */
const partsOf = (sql: string): readonly string[] => {
  if (!ALTER.test(sql)) return [];
  const rest = sql.replace(ALTER, '');
  const cuts = [...outermost(rest).matchAll(/,/g)].map(({ index }) => index);
  return [...cuts, rest.length].map((end, at) => rest.slice(at === 0 ? 0 : cuts[at - 1]! + 1, end).trim());
};
const addsConstraint = (part: string): boolean => /^add (?:constraint|check|foreign key|unique|primary key|exclude)\b/.test(part);
const addsColumn = (part: string): boolean => part.startsWith('add ') && !addsConstraint(part);

/** Commands of a migration of a schema that may be distributed: any but the first. */
const COMMANDS: readonly Rule[] = [
  {
    found: (sql) => partsOf(sql).length > 1 && partsOf(sql).some(addsConstraint),
    remedy: '`add constraint` stands alone: it is refused beside other parts of an `alter table`',
  },
  {
    found: (sql) => partsOf(sql).some((part) => addsColumn(part) && /\bcheck ?\(/.test(part) && !/\bconstraint \w+ check\b/.test(part)),
    remedy: 'the check of a new column has a name, `constraint … check (…)`: one without is refused',
  },
  {
    found: (sql) => partsOf(sql).some((part) => addsColumn(part) && /\bgenerated \w+(?: default)? as identity\b/.test(part)),
    remedy: 'an identity column comes with its table: it is refused for a table that is there',
  },
  {
    found: (sql) => partsOf(sql).some((part) => /\bset (?:storage|statistics)\b/.test(part)),
    remedy: '`set storage` and `set statistics` are refused',
  },
  {
    found: (sql) =>
      /^create (?:constraint )?trigger\b/.test(sql) &&
      /\btruncate\b/.test(sql) &&
      /\b(?:insert|update|delete)\b.*\bon\b/.test(sql.split(/\bexecute\b/)[0]!),
    remedy: 'a trigger of `truncate` has no other event: it is made for no shard, and the other events would go on unseen',
  },
  {
    found: (sql) => /^do\b/.test(sql),
    remedy: 'a `do` block makes tables on the coordinator alone, and says so to nobody: write the commands',
  },
  {
    found: (sql) => /^create sequence\b/.test(sql),
    remedy: 'a sequence alone is made on the coordinator alone: take an identity column of a new table',
  },
];

/** What is wrong with a migration that runs on a schema that may be distributed. Shape: its statements. */
export function faultsOfMigration(statements: readonly string[]): readonly string[] {
  const all = statements.map(bare);
  const withoutKey = all.flatMap((sql) => {
    const table = /^create table (?:if not exists )?(\S+)/.exec(sql)?.[1];
    if (table === undefined || /\bprimary key\b/.test(sql)) return [];
    return all.some((other) => ALTER.test(other) && other.split(' ').includes(table) && /\breplica identity\b|\bprimary key\b/.test(other))
      ? []
      : [`${table}: a table has a primary key, or a replica identity: a schema without is not moved to another node`];
  });
  return [...COMMANDS.flatMap(({ found, remedy }) => all.filter(found).map((sql) => `${sql.slice(0, 80)}: ${remedy}`)), ...withoutKey];
}
