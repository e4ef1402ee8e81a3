const QUOTE = 0x22;
const NEWLINE = 0x0a;

/** How rows of a keyed copy are told apart: whether a quoted cell may hold a line break, and what ends the key. */
export type KeyedForm = { readonly isQuoted: boolean; readonly separator: string };

type KeyedRow = { readonly key: string; readonly bytes: Buffer };
type Copy = AsyncGenerator<Buffer, number>;

/** Cuts the bytes of a copy into whole rows, and the key off each. */
async function* rowsOf(copy: Copy, { isQuoted, separator }: KeyedForm): AsyncGenerator<readonly KeyedRow[], number> {
  let rest: Buffer = Buffer.alloc(0);
  for (;;) {
    const next = await copy.next();
    if (next.done === true) {
      if (rest.length > 0) throw new Error('a copy ended within a row');
      return next.value;
    }
    const bytes = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
    const rows: KeyedRow[] = [];
    let start = 0;
    let quotes = 0;
    let counted = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, end + 1)) {
      if (isQuoted) {
        for (let at = bytes.indexOf(QUOTE, counted); at >= 0 && at < end; at = bytes.indexOf(QUOTE, at + 1)) quotes++;
        counted = end;
        // The line break is in a cell.
        if (quotes % 2 === 1) continue;
      }
      const keyEnd = bytes.indexOf(separator, start);
      rows.push({ key: bytes.toString('latin1', start, keyEnd), bytes: bytes.subarray(keyEnd + 1, end + 1) });
      start = end + 1;
      quotes = 0;
    }
    rest = bytes.subarray(start);
    yield rows;
  }
}

/**
 * Merges copies of one list, each of which is in the order of its keys. Shape: as a copy, the rows of all of them without their keys.
 * A few rows of each are in memory.
 */
export async function* mergeCopies(copies: readonly Copy[], form: KeyedForm): Copy {
  let count = 0;
  const heads: { readonly rows: AsyncGenerator<readonly KeyedRow[], number>; portion: readonly KeyedRow[]; at: number }[] = [];
  const fill = async (head: (typeof heads)[number]): Promise<boolean> => {
    for (;;) {
      const next = await head.rows.next();
      if (next.done === true) {
        count += next.value;
        return false;
      }
      head.portion = next.value;
      head.at = 0;
      if (next.value.length > 0) return true;
    }
  };
  for (const copy of copies) {
    const head = { rows: rowsOf(copy, form), portion: [], at: 0 };
    if (await fill(head)) heads.push(head);
  }
  const keyOf = ({ portion, at }: (typeof heads)[number]): string => (portion[at] as KeyedRow).key;
  let part: Buffer[] = [];
  while (heads.length > 0) {
    const first = heads.reduce((least, one) => (keyOf(one) < keyOf(least) ? one : least));
    part.push((first.portion[first.at] as KeyedRow).bytes);
    if (++first.at < first.portion.length) continue;
    yield Buffer.concat(part);
    part = [];
    if (!(await fill(first))) heads.splice(heads.indexOf(first), 1);
  }
  return count;
}
