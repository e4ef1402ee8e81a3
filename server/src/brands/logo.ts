import { createHash } from 'node:crypto';
import { crc32, inflateSync } from 'node:zlib';
import { refuse, type Refusal } from '../kit/outcome.ts';

/** A picture that may be shown. Its id is the hash of its bytes, so it never changes. */
export type Logo = { readonly pictureId: string; readonly bytes: Buffer };

export type LogoRefusal = 'logo_not_png' | 'logo_too_large';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** What a still picture consists of. All else is left out: texts, places, times, animation. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
const MOST_PIXELS_A_SIDE = 512;
/** Samples of a pixel, by the type of colour. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

type Chunk = { readonly name: string; readonly data: Buffer; readonly whole: Buffer };

/**
 * Reads a logo that somebody sent, and writes it again with nothing but its pixels.
 * Shape: a PNG of at most 512 by 512 pixels → its bytes without texts and other extras.
 * Refuses: logo_not_png (another format, damaged, interlaced), logo_too_large (pixels, or bytes after writing).
 */
export function readLogo(sent: Buffer, mostBytes: number): Logo | Refusal<LogoRefusal> {
  const chunks = readChunks(sent);
  const [header] = chunks ?? [];
  if (chunks === undefined || header?.name !== 'IHDR' || header.data.length !== 13 || chunks.at(-1)?.name !== 'IEND')
    return refuse('logo_not_png');
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  if (width > MOST_PIXELS_A_SIDE || height > MOST_PIXELS_A_SIDE) return refuse('logo_too_large');
  if (!hasItsPixels(header.data, chunks)) return refuse('logo_not_png');
  const bytes = Buffer.concat([SIGNATURE, ...chunks.filter(({ name }) => KEPT.has(name)).map(({ whole }) => whole)]);
  if (bytes.length > mostBytes) return refuse('logo_too_large');
  return { pictureId: createHash('sha256').update(bytes).digest('hex'), bytes };
}

/** Splits a PNG into its chunks. Undefined: it is none, or a chunk is damaged. */
function readChunks(sent: Buffer): readonly Chunk[] | undefined {
  if (!sent.subarray(0, 8).equals(SIGNATURE)) return undefined;
  const chunks: Chunk[] = [];
  for (let at = 8; at < sent.length;) {
    if (sent.length - at < 12) return undefined;
    const length = sent.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > sent.length || sent.readUInt32BE(end - 4) !== crc32(sent.subarray(at + 4, end - 4))) return undefined;
    chunks.push({
      name: sent.toString('latin1', at + 4, at + 8),
      data: sent.subarray(at + 8, end - 4),
      whole: sent.subarray(at, end),
    });
    at = end;
  }
  return chunks;
}

/** True where the data has exactly the rows that the header promises. A small file cannot unpack to more. */
function hasItsPixels(header: Buffer, chunks: readonly Chunk[]): boolean {
  const [width, height, depth, colour, packing, filter, interlaced] = [
    header.readUInt32BE(0),
    header.readUInt32BE(4),
    ...header.subarray(8),
  ] as number[] as [number, number, number, number, number, number, number];
  const channels = CHANNELS[colour];
  if (width === 0 || height === 0 || channels === undefined || ![1, 2, 4, 8].includes(depth) || packing + filter + interlaced !== 0)
    return false;
  if (colour === 3 && !chunks.some(({ name }) => name === 'PLTE')) return false;
  const size = height * (1 + Math.ceil((width * channels * depth) / 8));
  try {
    const packed = Buffer.concat(chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data));
    return inflateSync(packed, { maxOutputLength: size }).length === size;
  } catch {
    return false;
  }
}
