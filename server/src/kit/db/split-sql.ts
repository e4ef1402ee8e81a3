/** A comment, a quoted text, or the end of a statement. */
const PIECE = /--.*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g;
const COMMENT = /--.*|\/\*[\s\S]*?\*\//g;

/** The statements of a text, without the semicolons that end them. Comments stay with the statement that they precede. */
export function statementsOf(sql: string): readonly string[] {
  const ends = [...sql.matchAll(PIECE)].filter(([piece]) => piece === ';').map(({ index }) => index);
  return [...ends, sql.length]
    .map((end, at) => sql.slice(at === 0 ? 0 : ends[at - 1]! + 1, end).trim())
    .filter((statement) => statement.replaceAll(COMMENT, '').trim() !== '');
}
