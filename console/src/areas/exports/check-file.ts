/** The last line of an export: what the file must hold. */
type Trailer = {
  readonly list: string;
  readonly at: string;
  readonly rows: number;
  readonly sums: Readonly<Record<string, string>>;
  readonly sha256: string;
};

/** What a file is. Undefined trailer: its end is missing. */
export type Checked = { readonly isWhole: boolean; readonly trailer: Trailer | undefined };

const NEWLINE = 0x0a;
/** The digest and what is behind it: in NDJSON, in a PDF, where the place of its table of objects follows, and in a cell of a CSV. */
const END = /"sha256""?:""?([0-9a-f]{64})(?:"\}\}(?:\nstartxref\n([0-9]{1,15})\n%%EOF)?|""\}"[,;"]*)\n$/;
const PDF = { end: '%%EOF\n', lines: 4, table: 'xref\n' };

/**
 * Checks in the browser that a file is a whole export: its bytes have the digest of its trailer.
 * It proves nothing about who wrote it. The audit log has the digest of each export.
 */
export async function checkFile(bytes: Uint8Array<ArrayBuffer>): Promise<Checked> {
  const text = (from: number, to?: number): string => new TextDecoder().decode(bytes.subarray(from, to));
  let start = bytes.length;
  for (let lines = text(-PDF.end.length) === PDF.end ? PDF.lines : 1; lines > 0 && start > 1; lines--)
    start = bytes.lastIndexOf(NEWLINE, start - 2) + 1;
  const line = text(start);
  const found = END.exec(line);
  const trailer = found === null ? undefined : readTrailer(line);
  const table = Number(found?.[2] ?? Number.NaN);
  const isPdf = line.startsWith('%');
  if (isPdf && text(table, table + PDF.table.length) !== PDF.table) return { isWhole: false, trailer };
  if (found === null || trailer === undefined) return { isWhole: false, trailer: undefined };
  // All behind the digest has one byte a character.
  const behind = line.length - line.lastIndexOf(found[1] as string);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.subarray(0, bytes.length - behind)));
  return { isWhole: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('') === found[1], trailer };
}

function readTrailer(line: string): Trailer | undefined {
  const json = /^%?\{/.test(line)
    ? /^%?\{"#end":(.*)\}\n/.exec(line)?.[1]
    : /"(\{""list"".*\})"[,;"]*\n$/.exec(line)?.[1]?.replaceAll('""', '"');
  try {
    return JSON.parse(json ?? '') as Trailer;
  } catch {
    return undefined;
  }
}
