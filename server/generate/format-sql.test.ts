import { describe, expect, test } from 'vitest';
import { formatSql, wordsOf } from './format-sql.ts';
import { loadStatements } from './load-statements.ts';

const statements = await loadStatements();

describe('formatted SQL', () => {
  test('has the words of the statement, all and in their order', () => {
    expect(statements.length).toBeGreaterThan(100);
    for (const { text } of statements) expect(wordsOf(formatSql(text))).toEqual(wordsOf(text));
  });

  test('has lines of at most 120 columns, with the semicolon', () => {
    const lines = statements.flatMap(({ text }) => formatSql(text).split('\n'));
    expect(lines.filter((line) => line.length > 119)).toEqual([]);
  });

  test('does not change when it is formatted again', () => {
    for (const { text } of statements) expect(formatSql(formatSql(text))).toBe(formatSql(text));
  });

  test('is one line where it fits, with quoted texts as they are', () => {
    expect(formatSql(`select  'it''s  (so)' as "a  b",\n  U&'\\001f'\n from t`)).toBe(`select 'it''s  (so)' as "a  b", U&'\\001f' from t`);
  });

  test('begins a line at each clause, each condition and each subquery', () => {
    const long = 'a_name_that_is_rather_long';
    const text = `with page as (select * from cashouts)
      insert into t (${long}) select ${long}1, case when a and b then c end from page join ${long} on x between 1 and 2
      where exists (select from other where ${long} = ${long}2 and ${long}3 = ${long}4 or ${long}5 is distinct from ${long}6) and y
      on conflict (${long}) do update set a = 1 for update`;
    expect(formatSql(text)).toBe(`with page as (select * from cashouts)
insert into t (${long})
select ${long}1, case when a and b then c end
from page join ${long} on x between 1 and 2
where
  exists (
    select
    from other
    where
      ${long} = ${long}2
        and ${long}3 = ${long}4
      or ${long}5 is distinct from ${long}6
  )
  and y
on conflict (${long}) do update
set a = 1
for update`);
  });

  test.each(['select (1', 'select 1)', 'select 1 -- one'])('is refused for %s', (text) => {
    expect(() => formatSql(text)).toThrow(/^a /);
  });
});
