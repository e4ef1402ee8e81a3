import { expect, test } from 'vitest';
import * as fc from '../testing/fast-check.ts';
import { mergeCopies, type KeyedForm } from './merge-copies.ts';

// What the database renders of several cells becomes one file. Where its bytes are cut on the way says nothing of rows.

const FORMS: readonly KeyedForm[] = [
  { isQuoted: true, separator: ',' },
  { isQuoted: true, separator: ';' },
  { isQuoted: false, separator: '\x02' },
];

const cell = fc.string({ unit: fc.constantFrom('a', '"', '\n', ',', ';', 'ñ'), maxLength: 6 });
const list = fc.array(fc.record({ key: fc.integer({ min: 0, max: 40 }), cell }), { maxLength: 12 });
const lists = fc.array(list, { minLength: 2, maxLength: 4 });

/** A row as the database writes it: JSON has no line break of its own, a cell of a CSV may have one. */
const rowOf = (text: string, { isQuoted }: KeyedForm): string =>
  isQuoted ? `"${text.replaceAll('"', '""')}"\n` : `${JSON.stringify(text)}\n`;

const keyOf = (key: number): string => String(key).padStart(3, '0');

async function* copyOfRows(bytes: Buffer, rows: number, cuts: readonly number[]): AsyncGenerator<Buffer, number> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const size = cuts[turn % cuts.length] as number;
    yield bytes.subarray(at, at + size);
    at += size;
  }
  return rows;
}

test('rows of several copies are in one order, whole, wherever the bytes are cut', async () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...FORMS), fc.boolean(), lists, cuts, async (form, forcesQuotes, ofCells, sizes) => {
      const keyed = (key: number): string => (form.isQuoted && forcesQuotes ? `"${keyOf(key)}"` : keyOf(key)) + form.separator;
      const sorted = ofCells.map((rows) => rows.toSorted((one, other) => one.key - other.key));
      const copies = sorted.map((rows) =>
        copyOfRows(Buffer.from(rows.map((row) => keyed(row.key) + rowOf(row.cell, form)).join('')), rows.length, sizes),
      );
      const merged = mergeCopies(copies, form);
      const parts: Buffer[] = [];
      let next = await merged.next();
      for (; next.done !== true; next = await merged.next()) parts.push(next.value);
      // Of equal keys the row of the first cell comes first; a list has none in two.
      const expected = sorted.flat().toSorted((one, other) => one.key - other.key);
      expect(Buffer.concat(parts).toString()).toBe(expected.map((row) => rowOf(row.cell, form)).join(''));
      expect(next.value).toBe(expected.length);
    }),
  );
});

test('a copy that ends within a row is no file', async () => {
  const cut = copyOfRows(Buffer.from('001,"a\n'), 1, [3]);
  await expect(Array.fromAsync(mergeCopies([cut], FORMS[0] as KeyedForm))).rejects.toThrow('within a row');
});
