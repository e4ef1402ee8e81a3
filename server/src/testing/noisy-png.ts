import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

type Grey = {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
  readonly interlaced?: number;
  readonly extra?: readonly Buffer[];
};

/** Makes a grey PNG of rows of pixels. */
export function greyPng({ width, height, pixels, interlaced = 0, extra = [] }: Grey): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, interlaced], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), ...extra, chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]);
}

export const pngChunk = chunk;

/** Makes a square PNG of at most so many bytes that cannot be packed into fewer. */
export function noisyPng(bytes: number): Buffer {
  const side = Math.floor(Math.sqrt(bytes - 100)) - 1;
  // A plain generator: no bytes of it repeat.
  let state = 1;
  const pixels = Buffer.alloc(side * (side + 1));
  for (let at = 0; at < pixels.length; at++) {
    state = (state * 48_271) % 2_147_483_647;
    // Each row begins with the kind of its filter: none.
    pixels[at] = at % (side + 1) === 0 ? 0 : state & 255;
  }
  return greyPng({ width: side, height: side, pixels });
}
