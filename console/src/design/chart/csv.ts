/** Rows as CSV. A text that a sheet would take for a formula gets an apostrophe before it. */
export const toCsv = (rows: readonly (readonly string[])[]): string => `${rows.map((row) => row.map(cellOf).join(',')).join('\r\n')}\r\n`;

const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?$/.test(text);

function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !isNumber(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
