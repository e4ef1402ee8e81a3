import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import * as fc from '../../testing/fast-check.ts';
import { seededBytes } from '../../testing/seed.ts';
import { openStream, SealedFileUnreadable, sealStream } from './sealed-stream.ts';

const MEBIBYTE = 2 ** 20;
const key = seededBytes(32);

const gather = async (bytes: AsyncIterable<Buffer>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(bytes));
/** In parts that do not fit the pieces. */
const inParts = (bytes: Buffer): Readable =>
  Readable.from(Array.from({ length: Math.ceil(bytes.length / 70_000) }, (_, at) => bytes.subarray(at * 70_000, (at + 1) * 70_000)));
const seal = (bytes: Buffer, place = 'here'): Promise<Buffer> => gather(sealStream(inParts(bytes), key, place));
const unseal = (bytes: Buffer, place = 'here', other = key): Promise<Buffer> => gather(openStream(inParts(bytes), other, place));

test.each([0, 1, MEBIBYTE - 1, MEBIBYTE, MEBIBYTE + 1, 2 * MEBIBYTE, 2 * MEBIBYTE + 5])(
  'a stream of %i bytes opens as it was',
  async (size) => {
    const plain = seededBytes(size);
    expect((await unseal(await seal(plain))).equals(plain)).toBe(true);
  },
);

test('a stream that was altered, cut off or reordered, or is of another key or place, does not open', async () => {
  const sealed = await seal(seededBytes(2 * MEBIBYTE + 5));
  const piece = MEBIBYTE + 28;
  const swapped = Buffer.concat([sealed.subarray(piece, 2 * piece), sealed.subarray(0, piece), sealed.subarray(2 * piece)]);
  const wrong = [
    swapped,
    sealed.subarray(piece),
    sealed.subarray(0, piece),
    sealed.subarray(0, 2 * piece),
    Buffer.concat([sealed, sealed]),
  ];
  for (const bytes of wrong) await expect(unseal(bytes)).rejects.toThrow(SealedFileUnreadable);
  await expect(unseal(sealed, 'there')).rejects.toThrow(SealedFileUnreadable);
  await expect(unseal(sealed, 'here', seededBytes(32))).rejects.toThrow(SealedFileUnreadable);
  await fc.assert(
    fc.asyncProperty(fc.nat(sealed.length - 1), fc.boolean(), async (place, isCut) => {
      const altered = Buffer.from(sealed.subarray(0, isCut ? place : undefined));
      if (!isCut) altered[place] = altered[place]! ^ 1;
      await expect(unseal(altered)).rejects.toThrow(SealedFileUnreadable);
    }),
    { numRuns: 20 },
  );
});
