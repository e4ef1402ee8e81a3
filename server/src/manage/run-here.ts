import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Static, TSchema } from 'typebox';
import { endIncomplete, nameOfCell, reachedCells, type Connection } from '../kit/command-line.ts';
import { isRefusal, refuse } from '../kit/outcome.ts';
import { mapCells } from '../kit/per-cell.ts';
import type { AskedParts } from '../kit/remote/remote.ts';
import { refusedBy } from '../kit/remote/refused-by.ts';
import {
  detailOf,
  type ManagementOperation,
  type ManagementRefusal,
  type ManagementRequest,
  type PagePosition,
} from './management-operation.ts';
import { ALL_PERMISSIONS, type Actor } from './permissions.ts';
import { SHARED_PROBLEMS, type Problem } from './problems.ts';
import { readEntityTags } from '../kit/http/entity-tags.ts';
import { DEFAULT_PAGE, judgeOf, merchantsNamed, type Sent } from './read-management.ts';
import { runInCells, type CellsOf } from './run-in-cells.ts';

/** Who runs a command on the database itself may do everything of the service's side. Shape: the name after `command:`. */
export const commandActor = (name: string): Actor => ({
  kind: 'command',
  id: name,
  name,
  role: undefined,
  permissions: new Set(ALL_PERMISSIONS),
  merchantId: undefined,
  actsForMerchant: false,
});

/** The cells of a command's connection, as operations are carried out in them. `make`: what they depend on in one cell. */
export const cellsOf = <Deps>(connection: Connection, make: (own: Connection, cell: number) => Deps): CellsOf<Deps> => {
  const { connections, cellOf, names, away } = reachedCells(connection);
  const deps = mapCells(connections, make);
  // The connection says why a cell cannot be used.
  const of = (cell: number): Deps => (connections.of(cell), deps.of(cell));
  const exists = async (cell: number): Promise<boolean> => names.has(cell);
  const unserved = (): readonly string[] => away.map(({ name }) => name);
  return { deps: { ...deps, of }, cellOf, exists, nameOf: (cell) => nameOfCell(connection, cell), unserved };
};

/**
 * Carries out an operation of the management API in this process, for a command on the database: the same rules, decision and answer.
 * What the operation depends on records the act: a command has one.
 * Shape: `actor` as histories name it → the body of the answer; of a list the page after a position, and the position of the next one.
 * Throws: ServiceRefused, with the line that a service would be answered with.
 */
export async function runHere<Deps, Shows extends TSchema>(
  operation: ManagementOperation<Deps, Shows>,
  { path = {}, query = {}, body = {}, ifMatch }: AskedParts,
  actor: `command:${string}`,
  cells: CellsOf<Deps>,
  after?: PagePosition,
): Promise<Static<Shows>> {
  const problems: Readonly<Record<string, Problem>> = { ...SHARED_PROBLEMS, ...operation.refusals };
  const failed = (refused: ManagementRefusal): Error => {
    const { title, status } = problems[refused.refusal] as Problem;
    return refusedBy({ type: refused.refusal, title, detail: detailOf(refused), errors: refused.errors }, status);
  };
  // As it would be sent: members without a value are absent.
  const sent = judgeOf(operation)(JSON.parse(JSON.stringify({ path, query, body })) as Sent);
  if (sent.isPathWrong) throw failed(refuse('not_found'));
  if (sent.errors.length > 0) throw failed({ ...refuse('fields_invalid'), errors: sent.errors });
  const who = commandActor(actor.slice(actor.indexOf(':') + 1));
  const requestId = `command-${randomBytes(8).toString('hex')}`;
  const request: ManagementRequest = {
    ...sent,
    actor: who,
    origin: { actor: who, source: hostname(), requestId, operation: operation.name },
    merchantId: merchantsNamed(sent)[0],
    page: { after, limit: (sent.query['limit'] as number | undefined) ?? DEFAULT_PAGE },
    ifMatch: ifMatch === undefined ? undefined : readEntityTags(ifMatch),
    once: undefined,
    requestId,
    address: '',
    header: () => undefined,
    isStillAllowed: async () => true,
  };
  const { outcome, deps, missing } = await runInCells(operation, request, cells);
  if (isRefusal(outcome)) throw failed(outcome);
  // Those that could not be used when the command began were named then.
  if (missing.length > 0) endIncomplete(missing.filter((name) => !cells.unserved().includes(name)));
  return (operation.page?.(outcome, request) ?? operation.answer?.(outcome, request, deps).body) as Static<Shows>;
}
