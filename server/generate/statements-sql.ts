import type { Statement } from '../src/kit/db.ts';
import { formatSql } from './format-sql.ts';

/** Writes prepared statements by name, as the database sees them, for a reader. */
export function renderStatements(statements: readonly Statement[]): string {
  const ordered = statements.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const parts = ordered.map(({ name, text }) => `-- ${name}\n${formatSql(text)};`);
  return `${['-- Made by `npm run generate`: every prepared statement, by its name.', ...parts].join('\n\n')}\n`;
}
