import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { CommandRefused } from '../../kit/command-line.ts';
import { openStream, sealStream } from '../../kit/files/sealed-stream.ts';
import { fingerprintOf, parseMasterKey } from '../../kit/secrets.ts';

// A folder of backups has a directory for each, with `data` and the manifest. Its directory `log` has the segments, and where they end.

/** What names the database of a backup. A restored database has the next timeline. */
export type Origin = { readonly systemIdentifier: string; readonly timeline: number };

export type BackedUpFile = { readonly path: string; readonly bytes: number; readonly sha256: string };

/** What a backup holds. It has no secret. Without a manifest it is not a backup. */
export type Manifest = Origin & {
  readonly format: 1;
  readonly backup: string;
  readonly startedAt: string;
  /** Earlier than this, nothing can be restored from it. */
  readonly finishedAt: string;
  readonly startLsn: string;
  readonly stopLsn: string;
  readonly firstSegment: string;
  readonly lastSegment: string;
  readonly segmentBytes: number;
  readonly caudal: string;
  readonly schema: number;
  readonly postgres: string;
  /** The fingerprints of the master keys that seal secrets in it. */
  readonly masterKeys: readonly string[];
  /** The fingerprint of the key that seals the backup; null: none. */
  readonly sealedUnder: string | null;
  readonly directories: readonly string[];
  /** In the order of their contents in `data`. */
  readonly files: readonly BackedUpFile[];
};

/** Until when the kept log goes. */
export type LogEnd = Origin & { readonly through: string; readonly lastSegment: string };

/** A key of the operator that seals backups; undefined: they are not sealed. */
export type BackupKey = Buffer | undefined;

const MANIFEST = 'manifest.json';
export const DATA = 'data';
export const logOf = (folder: string): string => join(folder, 'log');

/** Reads a file with a key: 32 random bytes in hex or base64. */
export async function readKeyFile(path: string | undefined): Promise<BackupKey> {
  if (path === undefined) return undefined;
  const key = parseMasterKey(await readFile(path, 'utf8'));
  if (key === undefined) throw new CommandRefused(`${path} holds no key: 32 random bytes in hex or base64, as of "openssl rand -hex 32".`);
  return key.key;
}

export const keyName = (key: BackupKey): string | null => (key === undefined ? null : fingerprintOf(key));

/** Reads the whole backups of a folder, oldest first. Refuses: a manifest that was altered, or that another key seals. */
export async function readBackups(folder: string, key: BackupKey): Promise<readonly Manifest[]> {
  const manifests: Manifest[] = [];
  for (const name of await namesIn(folder)) {
    const text = await readIfThere(join(folder, name, MANIFEST));
    if (text !== undefined) manifests.push(readSigned(text, key, join(folder, name, MANIFEST)) as Manifest);
  }
  return manifests.toSorted((a, b) => (a.finishedAt < b.finishedAt ? -1 : 1));
}

/** Where a kept log goes to; undefined: none is kept. */
export async function readLogEnd(folder: string, key: BackupKey): Promise<LogEnd | undefined> {
  const path = join(logOf(folder), 'end.json');
  const text = await readIfThere(path);
  return text === undefined ? undefined : (readSigned(text, key, path) as LogEnd);
}

/** Removes what killed backups left. Only under the lock of backups. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await namesIn(folder))
    if (/^\d{8}T\d{6}Z-[0-9a-f]{8}$/.test(name) && (await readIfThere(join(folder, name, MANIFEST))) === undefined)
      await rm(join(folder, name), { recursive: true });
}

export const writeManifest = (folder: string, manifest: Manifest, key: BackupKey): Promise<void> =>
  writeSigned(join(folder, manifest.backup, MANIFEST), manifest, key);

export const writeLogEnd = (folder: string, end: LogEnd, key: BackupKey): Promise<void> =>
  writeSigned(join(logOf(folder), 'end.json'), end, key);

/** Packs and seals bytes into a file. It gets its name when it is whole and on the disk. `place` is what the file is, among all of the key. */
export async function writePacked(path: string, source: AsyncIterable<Buffer>, key: BackupKey, place: string): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  const file = createWriteStream(part, { mode: 0o600, flush: true });
  if (key === undefined) await pipeline(source, createZstdCompress(), file);
  else await pipeline(source, createZstdCompress(), (packed: AsyncIterable<Buffer>) => sealStream(packed, key, place), file);
  await rename(part, path);
  await flushDirectory(dirname(path));
}

/** Reads what `writePacked` wrote. Throws: where it was altered or cut off. */
export async function readPacked(
  path: string,
  key: BackupKey,
  place: string,
  take: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const file = createReadStream(path);
  try {
    if (key === undefined) await pipeline(file, createZstdDecompress(), take);
    else await pipeline(file, (sealed: AsyncIterable<Buffer>) => openStream(sealed, key, place), createZstdDecompress(), take);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code?.startsWith('ZSTD') !== true && code !== 'Z_BUF_ERROR') throw error;
    throw new CommandRefused(`${path} was altered or cut off.`);
  }
}

/** A name in a directory is durable only after the directory is flushed. */
export async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function writeSigned(path: string, body: object, key: BackupKey): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  await writeFile(part, `${JSON.stringify({ ...body, seal: sealOf(JSON.stringify(body), key).toString('hex') }, null, 1)}\n`, {
    mode: 0o600,
    flush: true,
  });
  await rename(part, path);
  await flushDirectory(dirname(path));
}

function readSigned(text: string, key: BackupKey, path: string): unknown {
  const { seal, ...body } = parseObject(text, path) as { seal?: unknown };
  const given = Buffer.from(typeof seal === 'string' ? seal : '', 'hex');
  const expected = sealOf(JSON.stringify(body), key);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return body;
  throw new CommandRefused(`${path} was altered, or is sealed under another key: give the key with --key-file.`);
}

function parseObject(text: string, path: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    throw new CommandRefused(`${path} is damaged.`);
  }
}

/** Without a key it finds accidents only. */
function sealOf(text: string, key: BackupKey): Buffer {
  if (key === undefined) return createHash('sha256').update(text).digest();
  return createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', 'caudal backup manifest', 32)))
    .update(text)
    .digest();
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** What a file of the folder is, for its seal. */
export const placeOf = ({ systemIdentifier }: Pick<Origin, 'systemIdentifier'>, path: string): string =>
  `caudal backup ${systemIdentifier} ${basename(path)}`;
