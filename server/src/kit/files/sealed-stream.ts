import { decrypt, encrypt, SecretUnreadable } from '../secrets.ts';

const PIECE_BYTES = 2 ** 20;
/** The nonce and the tag of each sealed piece. */
const OVERHEAD_BYTES = 28;

/** Part of a file that was sealed under another key, was altered, or is cut off. The message is one line for the operator. */
export class SealedFileUnreadable extends Error {
  override readonly name = 'SealedFileUnreadable';
}

/**
 * Seals a stream in pieces, with AES-256-GCM. Each piece knows its place and its number, and the last one that it is the last.
 * So a piece that is altered, moved or missing at the end is found.
 * Shape: bytes, key of 32 bytes, name of the place → sealed bytes. A key seals one stream for each place.
 */
export async function* sealStream(source: AsyncIterable<Buffer>, key: Buffer, place: string): AsyncGenerator<Buffer> {
  for await (const { piece, label } of inPieces(source, PIECE_BYTES, place)) yield encrypt(key, piece, label);
}

/** Opens what `sealStream` made for the same place. Throws: SealedFileUnreadable, at the first piece that does not open. */
export async function* openStream(source: AsyncIterable<Buffer>, key: Buffer, place: string): AsyncGenerator<Buffer> {
  for await (const { piece, label } of inPieces(source, PIECE_BYTES + OVERHEAD_BYTES, place)) {
    try {
      yield decrypt(key, piece, label);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      throw new SealedFileUnreadable(`${place} does not open: the key is another one, or the file was altered or cut off.`, {
        cause: error,
      });
    }
  }
}

/** Every piece but the last has the given size. An empty stream has one empty piece. */
async function* inPieces(
  source: AsyncIterable<Buffer>,
  size: number,
  place: string,
): AsyncGenerator<{ readonly piece: Buffer; readonly label: string }> {
  let held: Buffer = Buffer.alloc(0);
  let waiting: Buffer[] = [];
  let bytes = 0;
  let number = 0;
  for await (const part of source) {
    waiting.push(part);
    bytes += part.length;
    if (bytes <= size) continue;
    held = Buffer.concat(waiting, bytes);
    for (; held.length > size; held = held.subarray(size)) yield { piece: held.subarray(0, size), label: `${place} ${number++}` };
    waiting = [held];
    bytes = held.length;
  }
  yield { piece: Buffer.concat(waiting, bytes), label: `${place} ${number} end` };
}
