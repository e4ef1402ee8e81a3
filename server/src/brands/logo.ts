import { createHash } from 'node:crypto';
import { crc32, inflateSync } from 'node:zlib';
import { refuse, type Refusal } from '../kit/outcome.ts';

/** A picture that may be shown. Its id is the hash of its bytes, so it never changes. */
export type Logo = { readonly pictureId: string; readonly bytes: Buffer };

export type LogoRefusal = 'logo_not_png' | 'logo_too_large';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** What a still picture consists of, in this order. All else is left out: texts, places, times, animation. */
const STILL = /^IHDR,(?:PLTE,)?(?:tRNS,)?(?:IDAT,)+IEND$/;
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
const MOST_PIXELS_A_SIDE = 512;
const MOST_COLOURS = 256;
const LAST_FILTER = 4;

/** A type of colour: samples of a pixel, the bits that each may have, and the bytes that name one colour as transparent. */
type ColourType = { readonly channels: number; readonly depths: readonly number[]; readonly transparent?: number };
const PALETTE = 3;
const COLOUR_TYPES: Readonly<Record<number, ColourType>> = {
  0: { channels: 1, depths: [1, 2, 4, 8], transparent: 2 },
  2: { channels: 3, depths: [8], transparent: 6 },
  [PALETTE]: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8] },
  6: { channels: 4, depths: [8] },
};

type Chunk = { readonly name: string; readonly data: Buffer; readonly whole: Buffer };

/**
 * Reads a logo that somebody sent, and writes it again with nothing but its pixels.
 * Shape: a PNG of at most 512 by 512 pixels → its bytes without texts and other extras.
 * Refuses: logo_not_png (another format, damaged, interlaced), logo_too_large (pixels, or bytes after writing).
 */
export function readLogo(sent: Buffer, mostBytes: number): Logo | Refusal<LogoRefusal> {
  const chunks = readChunks(sent)?.filter(({ name }) => KEPT.has(name));
  const [header] = chunks ?? [];
  if (chunks === undefined || header?.data.length !== 13 || !STILL.test(chunks.map(({ name }) => name).join(',')))
    return refuse('logo_not_png');
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  if (width > MOST_PIXELS_A_SIDE || height > MOST_PIXELS_A_SIDE) return refuse('logo_too_large');
  if (!hasItsPixels(header.data, chunks)) return refuse('logo_not_png');
  const bytes = Buffer.concat([SIGNATURE, ...chunks.map(({ whole }) => whole)]);
  if (bytes.length > mostBytes) return refuse('logo_too_large');
  return { pictureId: createHash('sha256').update(bytes).digest('hex'), bytes };
}

/** Splits a PNG into its chunks. Undefined: it is not a PNG, or a chunk is damaged. */
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

/** True where the chunks have exactly what the header promises, and not a byte more. A small file cannot unpack to more. */
function hasItsPixels(header: Buffer, chunks: readonly Chunk[]): boolean {
  const [width, height, depth, colour, packing, filter, interlaced] = [
    header.readUInt32BE(0),
    header.readUInt32BE(4),
    ...header.subarray(8),
  ] as number[] as [number, number, number, number, number, number, number];
  const type = COLOUR_TYPES[colour];
  if (width === 0 || height === 0 || packing + filter + interlaced !== 0 || !type?.depths.includes(depth)) return false;
  const partOf = (wanted: string): Buffer => Buffer.concat(chunks.filter(({ name }) => name === wanted).map(({ data }) => data));
  if (partOf('IEND').length > 0 || !hasItsColours(colour, type, partOf('PLTE').length, partOf('tRNS').length)) return false;
  const row = 1 + Math.ceil((width * type.channels * depth) / 8);
  const packed = partOf('IDAT');
  try {
    // The engine says how many bytes it took: some may follow the end of what is packed.
    const { buffer, engine } = inflateSync(packed, { maxOutputLength: height * row, info: true }) as unknown as Unpacked;
    if (buffer.length !== height * row || engine.bytesWritten !== packed.length) return false;
    return Array.from({ length: height }, (_, at) => buffer[at * row] as number).every((one) => one <= LAST_FILTER);
  } catch {
    return false;
  }
}

type Unpacked = { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };

/** True where a palette and transparent colours are there only as far as pixels can use them. */
function hasItsColours(colour: number, { transparent = 0 }: ColourType, palette: number, clear: number): boolean {
  if (colour !== PALETTE) return palette === 0 && (clear === 0 || clear === transparent);
  const colours = palette / 3;
  return Number.isInteger(colours) && colours > 0 && colours <= MOST_COLOURS && clear <= colours;
}
