import { open } from 'node:fs/promises';
import type { StoredAct, ChainLink } from './chain.ts';
import { isSignedBy, type ChainSigner } from './sign.ts';
import { startWalk, type WholeLink } from './walk-chain.ts';
import type { Checkpoint, Stub } from './verify-chain.ts';

/** A checkpoint as it is kept elsewhere: one line of JSON, of texts alone. */
export type SignedCheckpoint = Checkpoint & { readonly key: string; readonly signature: string };

/** The file is not one of ours, or a line of it was changed. The message is one line. */
export class ChainFileFault extends Error {
  override readonly name = 'ChainFileFault';
}

const showPlace = ({ place, hash }: ChainLink) => ({ place: place.toString(), hash: hash.toString('hex') });

const showSigned = ({ at, key, signature, ...link }: SignedCheckpoint) => ({ ...showPlace(link), at: at.toString(), key, signature });

/** The last link that was deleted by age, as it was signed then: the chain begins after it. An empty key: none of ours signed it. */
export const showStub = (signer: ChainSigner, stub: Stub): ShownCheckpoint =>
  showSigned({ ...stub, key: signer.signedBy('stub', stub, stub.at, stub.signature) ?? '' });

/** Signs a link as a checkpoint. Shape: as it is kept. */
export const toCheckpoint = (signer: ChainSigner, link: ChainLink, at: Temporal.Instant) =>
  showSigned({ ...link, at, key: signer.publicKey(), signature: signer.sign('checkpoint', link, at) });

export type ShownCheckpoint = ReturnType<typeof toCheckpoint>;
export const checkpointLine = (shown: ShownCheckpoint): string => `${JSON.stringify(shown)}\n`;

/**
 * Reads a file of checkpoints, in which each line is signed.
 * Throws: ChainFileFault for a line that cannot be read, or whose signature is wrong.
 */
export async function readCheckpoints(path: string): Promise<readonly SignedCheckpoint[]> {
  const checkpoints: SignedCheckpoint[] = [];
  let number = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    if (line.trim() === '') continue;
    const checkpoint = parsed(line, number, toSigned, showSigned);
    const { key, at, signature } = checkpoint;
    if (!isSignedBy(key, 'checkpoint', checkpoint, at, signature))
      throw new ChainFileFault(`Line ${number} of ${path} has a wrong signature.`);
    checkpoints.push(checkpoint);
  }
  return checkpoints;
}

type Json = Readonly<Record<string, unknown>>;

const toSigned = ({ place, hash, at, key, signature }: Json): SignedCheckpoint => ({
  place: BigInt(place as string),
  hash: Buffer.from(hash as string, 'hex'),
  at: Temporal.Instant.from(at as string),
  key: String(key),
  signature: String(signature),
});

const CHAIN = 'caudal/audit/1';

/** The first line of an export: the link after which the chain begins, the last one that was pruned. Null: it begins with place 1. */
export const exportHead = (after: ShownCheckpoint | null): string => `${JSON.stringify({ chain: CHAIN, after })}\n`;

/** A link with its act, and its details as they were hashed: a line of an export. All of an act that is missing is null. */
export const showChainLink = ({ place, hash, act, details }: WholeLink) => ({
  place: place.toString(),
  hash: hash.toString('hex'),
  actId: act?.actId.toString() ?? null,
  at: act?.at.toString() ?? null,
  actor: act === undefined ? null : { kind: act.actor.kind, id: act.actor.id, name: act.actor.name },
  source: act?.source ?? null,
  requestId: act?.requestId ?? null,
  operation: act?.operation ?? null,
  merchantId: act?.merchantId ?? null,
  target: act?.target ?? null,
  outcome: act?.outcome ?? null,
  detailsHash: act?.detailsHash?.toString('hex') ?? null,
  details: details === undefined ? null : { salt: details.salt?.toString('hex') ?? null, content: details.content },
});

export const exportLine = (link: WholeLink): string => `${JSON.stringify(showChainLink(link))}\n`;

/** The last line of an export: a checkpoint of its last link. */
export const exportTail = (end: ShownCheckpoint): string => `${JSON.stringify({ end })}\n`;

/** A line of an export, as JSON has it. */
type ExportedLink = Omit<StoredAct, 'actId' | 'at' | 'detailsHash'> & {
  readonly place: string;
  readonly hash: string;
  readonly actId: string | null;
  readonly at: string;
  readonly detailsHash: string | null;
  readonly details: { readonly salt: string | null; readonly content: string | null } | null;
};

const fromHex = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text, 'hex'));

function toWhole(line: Json): WholeLink {
  const { place, hash, actId, at, detailsHash, details, ...act } = line as unknown as ExportedLink;
  return {
    place: BigInt(place),
    hash: Buffer.from(hash, 'hex'),
    act: actId === null ? undefined : { ...act, actId: BigInt(actId), at: Temporal.Instant.from(at), detailsHash: fromHex(detailsHash) },
    details: details === null ? undefined : { salt: fromHex(details.salt), content: details.content },
  };
}

export type CheckedFile = {
  readonly links: number;
  readonly erased: number;
  /** The public keys that signed the beginning and the end. Nobody but the reader knows whether they are the service's. */
  readonly keys: readonly string[];
};

/** What the checker of an export knows beside it. */
export type Trusted = {
  readonly checkpoints: readonly SignedCheckpoint[];
  /** Public keys of the service. None: those of the checkpoints; without them any key is taken, and named. */
  readonly keys: readonly string[];
};

/** Details that are gone, in a chain that is read while it grows: the act that names the erasure may come after its end. */
export class UnexplainedErasure extends ChainFileFault {}

/** Checks an export without a database, as checkChain does. */
export const checkChainFile = (path: string, trusted: Trusted): Promise<CheckedFile> => checkChain(linesOf(path), trusted);

/**
 * Checks the lines of an export. A line that is not exactly as it is written here has something that no hash covers: it is refused.
 * Throws: ChainFileFault with the first place that is not as it was written.
 */
export async function checkChain(lines: AsyncIterable<string>, { checkpoints, keys }: Trusted): Promise<CheckedFile> {
  const ours = new Set(keys.length > 0 ? keys : checkpoints.map(({ key }) => key));
  const signers = new Set<string>();
  const requireSigned = (
    kind: 'stub' | 'checkpoint',
    where: 'beginning' | 'end',
    { key, at, signature, ...link }: SignedCheckpoint,
  ): void => {
    if (!isSignedBy(key, kind, link, at, signature)) throw new ChainFileFault(`The ${where} of the file has a wrong signature.`);
    if (ours.size > 0 && !ours.has(key))
      throw new ChainFileFault(`The ${where} of the file is signed by a key that is not trusted: ${key}.`);
    signers.add(key);
  };
  let walk: ReturnType<typeof startWalk> | undefined;
  let end: SignedCheckpoint | undefined;
  let links = 0;
  const kept = new Map(checkpoints.map(({ place, hash }) => [place, hash]));
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (walk === undefined) {
      const { after } = parsed(line, number, headOf, (head) => ({
        chain: CHAIN,
        after: head.after === undefined ? null : showSigned(head.after),
      }));
      if (after !== undefined) requireSigned('stub', 'beginning', after);
      walk = startWalk(after);
      continue;
    }
    if (end !== undefined) throw new ChainFileFault(`Line ${number} comes after the end.`);
    if (line.startsWith('{"end":')) {
      end = parsed(
        line,
        number,
        (json) => toSigned(json['end'] as Json),
        (signed) => ({ end: showSigned(signed) }),
      );
      continue;
    }
    const link = parsed(line, number, toWhole, showChainLink);
    const broken = walk.take(link);
    if (broken !== undefined) throw new ChainFileFault(`place ${broken.place}: ${broken.problem}.`);
    const expected = kept.get(link.place);
    if (expected !== undefined && !expected.equals(link.hash))
      throw new ChainFileFault(`place ${link.place}: its checkpoint has another hash.`);
    links += 1;
  }
  const last = walk?.last();
  if (walk === undefined || (end === undefined) !== (last === undefined)) throw new ChainFileFault('The file has no end: it was cut.');
  if (end !== undefined) {
    if (end.place !== last?.place || !end.hash.equals(last.hash)) throw new ChainFileFault('The end of the file is of another link.');
    requireSigned('checkpoint', 'end', end);
  }
  const unexplained = walk.unexplained();
  if (unexplained !== undefined) throw new UnexplainedErasure(`place ${unexplained.place}: ${unexplained.problem}.`);
  const vanished = checkpoints.find(({ place }) => place > (last?.place ?? 0n));
  if (vanished !== undefined)
    throw new ChainFileFault(`place ${vanished.place}: it has a checkpoint, and the file ends at place ${last?.place ?? 0n}.`);
  return { links, erased: walk.erased(), keys: [...signers] };
}

function headOf({ chain, after }: Json): { readonly after: SignedCheckpoint | undefined } {
  if (chain !== CHAIN) throw new Error('no head');
  return { after: after === null ? undefined : toSigned(after as Json) };
}

/** Reads a line, and writes it again: both are the same text, or the line says something that is not read and so not checked. */
function parsed<T>(line: string, number: number, read: (json: Json) => T, show: (value: T) => unknown): T {
  try {
    const value = read(JSON.parse(line) as Json);
    if (JSON.stringify(show(value)) === line.replace(/\n$/, '')) return value;
  } catch {
    // Below.
  }
  throw new ChainFileFault(`Line ${number} is no line of the audit log.`);
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new ChainFileFault(`The file ${path} cannot be read: ${error.code}.`);
  });
  yield* file.readLines();
}
