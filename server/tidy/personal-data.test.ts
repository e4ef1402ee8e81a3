import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './sources.ts';

/** Every column of the generated schema, as `table.column`. */
function storedColumns(): readonly string[] {
  const schema = readFileSync(join(ROOT, 'server', 'schema.sql'), 'utf8');
  return [...schema.matchAll(/^create table (\w+) \(\n(.*?)^\)/gms)].flatMap(([, table, body]) =>
    [...(body as string).matchAll(/^ {2}(?!constraint\b|delete\b)(\w+)/gm)].map(([, column]) => `${table}.${column}`),
  );
}

/** Every column that docs/personal-data.md has a line for, with the cells beside it. */
function describedColumns(): readonly { readonly column: string; readonly about: readonly string[] }[] {
  const page = readFileSync(join(ROOT, 'docs', 'personal-data.md'), 'utf8');
  return [...page.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].flatMap(([, table, rest]) => {
    const [columns = '', ...about] = (rest as string).split(' | ');
    return [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => ({ column: `${table}.${column}`, about }));
  });
}

test('every stored column has one line in docs/personal-data.md, with an owner, a purpose and a life', () => {
  const described = describedColumns();
  expect(
    described.map(({ column }) => column).toSorted(),
    'give each new column a line in docs/personal-data.md: whose data it is, what it is for, when it goes',
  ).toEqual(storedColumns().toSorted());
  for (const { column, about } of described)
    expect(
      about.filter((cell) => cell.trim() !== ''),
      column,
    ).toHaveLength(3);
});
