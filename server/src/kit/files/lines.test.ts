import { describe, expect, test } from 'vitest';
import * as fc from '../../testing/fast-check.ts';
import { splitCsv } from './csv.ts';
import { MAX_LINE_BYTES, readLines, type Line } from './lines.ts';

async function linesOf(bytes: Uint8Array, chunkBytes = bytes.length): Promise<Line[]> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < bytes.length; from += chunkBytes) yield bytes.subarray(from, from + chunkBytes);
  }
  const lines: Line[] = [];
  for await (const block of readLines(chunks())) lines.push(...block);
  return lines;
}

const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;

describe('readLines', () => {
  test('gives the same lines however the bytes arrive', async () => {
    const line = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll(/[\r\n]/g, '').toWellFormed());
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        async (sent, end, isEnded, size) => {
          fc.pre(!sent[0]?.startsWith('\uFEFF') && sent.at(-1) !== '');
          const bytes = Buffer.from(`\uFEFF${sent.join(end)}${isEnded ? end : ''}`);
          expect(await linesOf(bytes, size)).toEqual(sent.map((text, index) => ({ line: index + 1, text })));
        },
      ),
    );
  });

  test.each([1, 100, 1000, MAX_LINE_BYTES, 10 * MAX_LINE_BYTES])(
    'refuses alone the line that is too long or not UTF-8, in chunks of %d',
    async (size) => {
      const long = Buffer.alloc(3 * MAX_LINE_BYTES, 'x');
      const bytes = Buffer.concat([
        Buffer.from('first\n'),
        long,
        Buffer.from(`\nthird\n${'ñ'.repeat(MAX_LINE_BYTES / 2)}\n${'ñ'.repeat(MAX_LINE_BYTES / 2)}x\n`),
        Buffer.from([0xc3, 0x28, 0x0a]),
        Buffer.from('last'),
      ]);
      if (size === 1)
        return expect(await linesOf(Buffer.from([0x61, 0xff, 0x0a, 0x62]), 1)).toEqual([
          { line: 1, broken: 'not_utf8' },
          { line: 2, text: 'b' },
        ]);
      expect(await linesOf(bytes, size)).toEqual([
        { line: 1, text: 'first' },
        { line: 2, broken: 'too_long' },
        { line: 3, text: 'third' },
        { line: 4, text: 'ñ'.repeat(MAX_LINE_BYTES / 2) },
        { line: 5, broken: 'too_long' },
        { line: 6, broken: 'not_utf8' },
        { line: 7, text: 'last' },
      ]);
    },
  );

  test('gives nothing of nothing', async () => {
    expect(await linesOf(Buffer.alloc(0), 1)).toEqual([]);
  });
});

describe('splitCsv', () => {
  test('gives back the values that were written, quoted where they must be or may be', () => {
    const value = fc.string({ unit: fc.constantFrom('a', 'ñ', ',', ';', '"', ' ') });
    fc.assert(
      fc.property(fc.array(fc.tuple(value, fc.boolean()), { minLength: 1 }), fc.constantFrom(',', ';'), (sent, separator) => {
        const line = sent
          .map(([text, isQuoted]) => (isQuoted || text.startsWith('"') || text.includes(separator) ? quoted(text) : text))
          .join(separator);
        expect(splitCsv(line, separator)).toEqual(sent.map(([text]) => text));
      }),
    );
  });

  test.each(['"a', 'a,"b', '"a"b,c', '"a" ,c', '"""', '"a""'])('refuses %s', (line) => {
    expect(splitCsv(line, ',')).toBeUndefined();
  });

  test('takes a quote inside a value as itself', () => {
    expect(splitCsv('5" pipe,x"y"', ',')).toEqual(['5" pipe', 'x"y"']);
  });
});
