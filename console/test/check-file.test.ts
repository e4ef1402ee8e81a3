import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { trailerParts } from '../../server/src/exports/trailer.ts';
import { checkFile } from '../src/areas/exports/check-file.ts';

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text));

test.each(['csv', 'csv-safe', 'csv-es', 'ndjson'] as const)(
  'a whole file of %s is known, and each change of it is found',
  async (format) => {
    const trailer = {
      list: 'orders',
      format,
      filter: { email: 'josé@example.com' },
      at: '2026-11-22T00:00:00Z',
      rows: 1,
      sums: { COP: '1.00' },
    };
    const { head, tail } = trailerParts(trailer, 4);
    const before = `a,b,c,d\nñ,"x\ny",1,2\n${head}`;
    const file = before + tail(createHash('sha256').update(before).digest('hex'));
    expect(await checkFile(bytesOf(file))).toMatchObject({ isWhole: true, trailer });
    expect(await checkFile(bytesOf(file.replace('ñ', 'n')))).toMatchObject({ isWhole: false, trailer });
    expect((await checkFile(bytesOf(file.replace('"rows', '"Rows').replace('""rows', '""Rows')))).isWhole).toBe(false);
    expect(await checkFile(bytesOf(file.slice(0, -1)))).toEqual({ isWhole: false, trailer: undefined });
    expect(await checkFile(bytesOf(before))).toEqual({ isWhole: false, trailer: undefined });
    expect(await checkFile(bytesOf(''))).toEqual({ isWhole: false, trailer: undefined });
  },
);

test('a whole statement in PDF is known, and each change of it is found', async () => {
  const trailer = { list: 'statement-rows', format: 'pdf-es', filter: {}, at: '2026-11-22T00:00:00Z', rows: 3, sums: {} } as const;
  const { head, tail } = trailerParts(trailer, 1);
  const before = `%PDF-1.7\n%\xff\nxref\n0 1\ntrailer\n<< >>\n${head}`;
  const bytes = Buffer.from(before, 'latin1');
  const behind = tail(createHash('sha256').update(bytes).digest('hex'));
  const fileOf = (end: string, from = bytes): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.concat([from, Buffer.from(behind + end)]));
  const end = `startxref\n${before.indexOf('xref')}\n%%EOF\n`;
  expect(await checkFile(fileOf(end))).toMatchObject({ isWhole: true, trailer });
  expect(await checkFile(fileOf(end, Buffer.from(before.replace('0 1', '0 2'), 'latin1')))).toMatchObject({ isWhole: false, trailer });
  for (const other of ['', '%%EOF\n', end.slice(0, -1), `${end}\n`, end.replace(/[0-9]+/, '1')])
    expect(await checkFile(fileOf(other)), other).toMatchObject({ isWhole: false });
});
