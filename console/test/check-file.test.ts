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
