import { appendFile } from 'node:fs/promises';
import {
  askEither,
  cellNamed,
  CommandRefused,
  everyCell,
  print,
  printJson,
  readFrom,
  ServiceRefused,
  table,
  withConnection,
  type Cell,
  type Connect,
  type Connection,
} from '../kit/command-line.ts';
import type { Finding } from '../kit/checks/finding.ts';
import { HOME_NAME } from '../kit/per-cell.ts';
import type { AnswerOf } from '../kit/remote/client-commands.ts';
import type { Remote } from '../kit/remote/remote.ts';
import { withSnapshot } from '../kit/snapshot.ts';
import type { ActsOf } from './acts-of.ts';
import { listAudit } from './audit.manage.ts';
import {
  ChainFileFault,
  checkChain,
  checkChainFile,
  checkpointLine,
  exportHead,
  exportLine,
  exportTail,
  readCheckpoints,
  showStub,
  toCheckpoint,
  UnexplainedErasure,
  type ShownCheckpoint,
} from './chain-file.ts';
import { listLinks, readEnds } from './chain.manage.ts';
import type { ChainLink } from './chain.ts';
import { linkActs, readLastLink } from './link-acts.job.ts';
import type { ChainSigner } from './sign.ts';
import { readChain, readStub, verifyChain, verifyCheckpoints } from './verify-chain.ts';

/** Opens what signs the chain. */
export type OpenSigner = (connection: Connection) => Promise<ChainSigner>;

export type AuditListOptions = {
  readonly since?: Temporal.Instant;
  readonly until?: Temporal.Instant;
  readonly actor?: string;
  readonly operation?: string;
  readonly only?: ActsOf;
  readonly merchant?: string;
  readonly limit: number;
  readonly json?: true;
};

/** Prints acts of the database, or of a running service. */
export async function list(connect: Connect, { json, ...options }: AuditListOptions): Promise<void> {
  const { since, until, limit, ...filter } = options;
  const query = { ...filter, since: since?.toString(), until: until?.toString() };
  const { items: acts } = await askEither(connect, (service) => service.list(listAudit, limit, { query }));
  if (json) return printJson(acts);
  print(acts.length === 0 ? 'No matching records.\n' : table(HEADING, acts.map(toCells)));
}

export type VerifyOptions = {
  readonly checkpoints?: string;
  readonly file?: string;
  readonly key: readonly string[];
  readonly cell?: string;
  readonly json?: true;
};

/** Checks the chain of the database, or an export. Throws: CommandRefused with the first place that does not hold. */
export async function verify(
  connect: Connect,
  openSigner: OpenSigner,
  { checkpoints: path, file, key, cell, json }: VerifyOptions,
): Promise<void> {
  const checkpoints = path === undefined ? [] : await ofFile(() => readCheckpoints(path));
  const foreignKey = key.length === 0 ? undefined : checkpoints.find((one) => !key.includes(one.key));
  if (foreignKey !== undefined)
    throw new CommandRefused(`The checkpoint of place ${foreignKey.place} is signed by a key that is not trusted: ${foreignKey.key}.`);
  const service = file === undefined ? await connect.service?.() : undefined;
  const trusted = { checkpoints, keys: key };
  if (service !== undefined) {
    const { links, erased } = await ofFile(() => checkTwice(() => checkChain(linesOf(service, cell), trusted))).catch((error: unknown) => {
      if (!(error instanceof CommandRefused) || error instanceof ServiceRefused) throw error;
      const { message } = error;
      throw new CommandRefused(`The chain is broken. ${message}`);
    });
    return printWhole({ links, erased, checkpoints }, json);
  }
  if (file !== undefined) {
    const { links, erased, keys } = await ofFile(() => checkChainFile(file, trusted));
    if (json) return printJson({ holds: true, links, erased, key: keys.at(-1) ?? null });
    return print(
      `The chain is whole: ${links} links${erasedText(erased)}. It is signed by the key ${keys.join(' and ') || 'of nobody'}.\n`,
    );
  }
  await withConnection(connect, async (every) => {
    const signer = await openSigner(every);
    const foreign = checkpoints.find((one) => signer.signedBy('checkpoint', one, one.at, one.signature) === undefined);
    if (foreign !== undefined) throw new CommandRefused(`The checkpoint of place ${foreign.place} is not signed by this service.`);
    // Checkpoints are of one chain.
    const isOfAll = cell === undefined && checkpoints.length === 0;
    const chains = isOfAll ? everyCell(every) : [[undefined, cellNamed(every, cell, HOME_NAME)] as const];
    for (const [name, connection] of chains) {
      while (await linkActs(connection.ownDb));
      await withSnapshot(connection.url, async (snapshot) => {
        const { checked: links, erased, last, finding: broken } = await verifyChain(snapshot, signer);
        const finding = broken ?? (await verifyCheckpoints(snapshot, checkpoints, last));
        if (finding === undefined) return printWhole({ links, erased, checkpoints }, json, name);
        if (json) printJson({ ...ofCell(name), holds: false, links, erased, checkpoints: checkpoints.length, finding: textOf(finding) });
        throw new CommandRefused(`${name === undefined ? '' : `${name}: `}The chain is broken. ${textOf(finding)}.`);
      });
    }
  });
}

const ofCell = (cell: string | undefined): { readonly cell?: string } => (cell === undefined ? {} : { cell });

/** Details may be erased while a service is read: the act that says so has come by the second time. */
const checkTwice = async <T>(check: () => Promise<T>): Promise<T> => {
  try {
    return await check();
  } catch (error) {
    if (error instanceof UnexplainedErasure) return check();
    throw error;
  }
};

type Whole = { readonly links: number; readonly erased: number; readonly checkpoints: readonly unknown[] };

function printWhole({ links, erased, checkpoints }: Whole, json: true | undefined, cell?: string): void {
  if (json) return printJson({ ...ofCell(cell), holds: true, links, erased, checkpoints: checkpoints.length });
  const compared = checkpoints.length === 0 ? '' : `, with ${checkpoints.length} checkpoints`;
  print(`${cell === undefined ? '' : `${cell}: `}The chain is whole: ${links} links${erasedText(erased)}${compared}.\n`);
}

/** Links that are asked for together. */
const PORTION = 1_000;

/** The lines of an export, as a service gives them: of one cell, of home where none is named. The end is signed first, so what is linked meanwhile is left out. */
async function* linesOf(service: Remote, cell: string | undefined): AsyncGenerator<string> {
  const { after: stub, end } = await service.call(readEnds, { query: { cell } });
  yield exportHead(stub);
  if (end === null) {
    // One that says so although it has links is found: its links have no end.
    for (const link of (await service.list(listLinks, 1, { query: { cell } })).items) yield `${JSON.stringify(link)}\n`;
    return;
  }
  for (let after = stub?.place ?? '0'; BigInt(after) < BigInt(end.place);) {
    const limit = Math.min(PORTION, Number(BigInt(end.place) - BigInt(after)));
    const { items } = await service.list(listLinks, limit, { query: { cell, after } });
    for (const link of items) yield `${JSON.stringify(link)}\n`;
    // The check says which place is missing.
    after = items.at(-1)?.place ?? end.place;
  }
  yield exportTail(end);
}

const textOf = ({ id, problem }: Finding): string => `${id}: ${problem}`;
const erasedText = (erased: number): string => (erased === 0 ? '' : `, the details of ${erased} erased`);

/** A file that is wrong is the command's refusal, in one line. */
async function ofFile<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ChainFileFault) throw new CommandRefused(error.message);
    throw error;
  }
}

/** Prints the whole chain, of the database or of a running service. */
export async function exportChain(connect: Connect, openSigner: OpenSigner, { cell }: { readonly cell?: string }): Promise<void> {
  await readFrom(connect, {
    here: (connection) => exportOwn(cellNamed(connection, cell, HOME_NAME), openSigner),
    there: async (service) => {
      for await (const line of linesOf(service, cell)) print(line);
    },
  });
}

async function exportOwn(connection: Connection, openSigner: OpenSigner): Promise<void> {
  const signer = await openSigner(connection);
  while (await linkActs(connection.ownDb));
  await withSnapshot(connection.url, async (snapshot) => {
    const stub = await readStub(snapshot);
    let last: ChainLink | undefined = stub;
    print(exportHead(stub === undefined ? null : showStub(signer, stub)));
    for await (const link of readChain(snapshot, stub?.place ?? 0n)) {
      const { place, act } = link;
      if (act === undefined) throw new CommandRefused(`place ${place}: its act is missing; "audit verify" says more.`);
      print(exportLine(link));
      last = link;
    }
    if (last !== undefined) print(exportTail(toCheckpoint(signer, last, connection.clock.now())));
  });
}

export type CheckpointOptions = { readonly to?: string; readonly cell?: string; readonly json?: true };

/** Prints the newest link as a checkpoint, or appends it to a file. */
export async function writeCheckpoint(connect: Connect, openSigner: OpenSigner, { to, cell, json }: CheckpointOptions): Promise<void> {
  const last = await readFrom<ShownCheckpoint | null>(connect, {
    here: async (every) => {
      const connection = cellNamed(every, cell, HOME_NAME);
      const signer = await openSigner(connection);
      while (await linkActs(connection.ownDb));
      const link = await readLastLink(connection.db);
      return link === undefined ? null : toCheckpoint(signer, link, connection.clock.now());
    },
    there: async (service) => (await service.call(readEnds, { query: { cell } })).end,
  });
  if (last === null) throw new CommandRefused('There is no act yet.');
  const line = checkpointLine(last);
  if (to === undefined) return print(line);
  await appendFile(to, line).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(`The file ${to} cannot be written: ${error.code}.`);
  });
  if (json) print(line);
  else print(`The checkpoint of place ${last.place} is in ${to}.\n`);
}

const HEADING = ['AT', 'ACTOR', 'FROM', 'OPERATION', 'MERCHANT', 'TARGET', 'OUTCOME', 'DETAILS'];

const toCells = ({ at, actor, source, operation, merchant, target, outcome, details, erasedAs }: AnswerOf<typeof listAudit>): Cell[] => [
  Temporal.Instant.from(at),
  `${actor.kind}:${actor.name}`,
  source,
  operation,
  merchant,
  target,
  outcome,
  erasedAs ?? (details && JSON.stringify(details)),
];
