import { Type } from 'typebox';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { refuse } from '../kit/outcome.ts';
import { HOME } from '../kit/per-cell.ts';
import { cutPage, managementOperation, ROOM_PROBLEMS, schemas, type ManagementOperation } from '../manage/index.ts';
import { cellName } from './cell-name.ts';
import { showChainLink, showStub, toCheckpoint } from './chain-file.ts';
import { readLastLink } from './link-acts.job.ts';
import type { ChainSigner } from './sign.ts';
import { selectLinks, selectStub } from './verify-chain.ts';

export type ChainDeps = {
  readonly db: Db;
  /** The machine's. */
  readonly wallClock: Clock;
  readonly signer: ChainSigner;
  readonly cellName: string;
  /** The number of a cell, by its name. Undefined: there is no such cell. */
  readonly cellNamed: (name: string) => Promise<number | undefined>;
};

const { instant, orNull, answerObject } = schemas;

/** Each cell has a chain of its own. */
const chainOf = { cell: Type.Optional({ ...cellName, description: 'Whose chain: each cell has its own. Home where absent.' }) };
const findCell = async ({ query: { cell } }: { readonly query: { readonly cell?: string } }, { cellNamed }: ChainDeps) =>
  cell === undefined ? HOME : ((await cellNamed(cell)) ?? refuse('cell_unknown'));
/** A service of one cell does not look for others. */
const isOfOther = ({ cell }: { readonly cell?: string }, { cellName: own }: ChainDeps): boolean => cell !== undefined && cell !== own;
const refusals = { cell_unknown: ROOM_PROBLEMS.cell_unknown } as const;

const place = Type.String({ maxLength: 18, pattern: '^(0|[1-9][0-9]{0,17})$', description: 'A place in the chain.', examples: ['42'] });
const hex = (description: string) => Type.String({ description, examples: ['3f9a…'] });
const part = orNull(Type.String());
const hash = hex('Of the link, in hex. It covers the hash before it.');

/** Named as in the file of an export. */
const LINK = answerObject({
  place,
  hash,
  actId: part,
  at: orNull(instant),
  actor: orNull(answerObject({ kind: Type.String(), id: Type.String(), name: Type.String() })),
  source: part,
  requestId: part,
  operation: part,
  merchantId: part,
  target: part,
  outcome: part,
  detailsHash: part,
  details: orNull(
    answerObject({
      salt: orNull(hex('In hex. Null: the details were erased.')),
      content: orNull(Type.String({ description: 'As it was hashed.' })),
    }),
  ),
});

/** A place, and who says that the chain had it. */
const SIGNED = answerObject({
  place,
  hash,
  at: instant,
  key: Type.String({ description: 'The public key of Ed25519, in base64url.' }),
  signature: Type.String({ description: 'In base64url.' }),
});

export const listLinks = managementOperation({
  name: 'listChain',
  route: 'GET /manage/v1/audit/chain',
  tag: 'Audit',
  summary: 'List the links of the chain with their acts',
  names: { es: 'Leer la cadena de auditoría', pt: 'Ler a cadeia de auditoria' },
  description: 'From the oldest on. Each item is a line of `./caudal audit export`: who hashes it again needs to trust nobody.',
  permission: 'audit:read',
  scope: 'service',
  cells: findCell,
  bulkPersonal: true,
  query: Type.Object({ ...chainOf, after: Type.Optional(place) }),
  refusals,
  shows: LINK,
  run: async ({ query, page: { after, limit } }, deps: ChainDeps) =>
    isOfOther(query, deps)
      ? refuse('cell_unknown')
      : { found: await selectLinks(deps.db, BigInt(after?.[0] ?? query.after ?? '0'), limit + 1) },
  page: ({ found }, { page: { limit } }) => cutPage(found, limit, showChainLink, ({ place: last }) => [last.toString()]),
});

export const readEnds = managementOperation({
  name: 'readChainEnds',
  route: 'GET /manage/v1/audit/chain/ends',
  tag: 'Audit',
  summary: 'Show where the chain begins and ends, signed now',
  description: 'Keep the end elsewhere: a chain that lacks it was changed. An act is linked within a second.',
  permission: 'audit:read',
  scope: 'service',
  cells: findCell,
  query: Type.Object(chainOf),
  refusals,
  shows: answerObject({ cell: cellName, after: orNull(SIGNED), end: orNull(SIGNED) }),
  run: async ({ query }, deps: ChainDeps) => {
    if (isOfOther(query, deps)) return refuse('cell_unknown');
    const { db, signer, wallClock, cellName: cell } = deps;
    const [stub, last] = [await selectStub(db), await readLastLink(db)];
    return { cell, stub: stub && showStub(signer, stub), end: last && toCheckpoint(signer, last, wallClock.now()) };
  },
  answer: ({ cell, stub, end }) => ({ body: { cell, after: stub ?? null, end: end ?? null } }),
});

/** The operations on the chain. */
export const chainManagement: readonly ManagementOperation<ChainDeps>[] = [listLinks, readEnds];
