import { Type, type Static } from 'typebox';
import type { Db } from '../kit/db.ts';
import { latestFirst } from '../kit/lists/merges.ts';
import { mergeSummaries } from '../kit/lists/sums.ts';
import { isRefusal, refuse } from '../kit/outcome.ts';
import { cellOfNumber } from '../kit/per-cell.ts';
import { countsShown, cutPage, managementOperation, mergeFound, schemas, showCounts, type ManagementOperation } from '../manage/index.ts';
import { ACTS_OF } from './acts-of.ts';
import { cellName } from './cell-name.ts';
import { ACT_STATES, countActs, listActs, readAct, type ListedAct } from './act-rows.ts';

type Deps = { readonly db: Db; readonly cellName: string };

const { merchantId, instant, orNull, oneOf, answerObject } = schemas;

const actId = Type.String({ maxLength: 19, pattern: '^[1-9][0-9]{0,18}$', description: 'The number of the act.', examples: ['42'] });
const name = (description: string, example: string) => Type.String({ maxLength: 254, description, examples: [example] });

const ACTOR_KINDS = ['user', 'token', 'command', 'merchant', 'network', 'service', 'nobody'] as const;

const SHOWN = answerObject({
  id: actId,
  cell: cellName,
  place: orNull(
    Type.String({
      maxLength: 19,
      description: 'Its place in the chain of its cell. Null: it is linked within a second.',
      examples: ['42'],
    }),
  ),
  at: instant,
  actor: answerObject({
    kind: oneOf(ACTOR_KINDS, 'What the actor is.'),
    id: name('Its id.', '7'),
    name: name('Its name then.', 'ana@example.com'),
  }),
  source: name('The address of the request, or the host of the command.', '192.0.2.7'),
  requestId: orNull(name('The id of the request.', 'req-1')),
  operation: name('The name of the operation, or the words of the command.', 'merchants disable'),
  merchant: orNull(merchantId),
  target: orNull(name('What it was done to: its kind and id.', 'order A-1001')),
  outcome: name('done, or refused: and the refusal.', 'done'),
  details: orNull(
    Type.Object(
      {
        reason: Type.Optional(Type.String()),
        given: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'What was asked for.' })),
        changes: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Each field with its value before and after.' })),
      },
      { description: 'Null: there are none, or they were erased.' },
    ),
  ),
  erasedAs: orNull(name('The pseudonym of the erasure that took the details.', 'erased-1f2e3d4c5b6a7988')),
});

/** An act of a cell. */
type ActOfCell = ListedAct & { readonly cell: string };

/** An act as it is shown. */
const showAct = ({ actId, cell, place, at, actor, source, requestId, operation, merchantId: merchant, ...act }: ActOfCell) => ({
  id: actId.toString(),
  cell,
  place: place?.toString() ?? null,
  at: at.toString(),
  actor,
  source,
  requestId,
  operation,
  merchant,
  target: act.target,
  outcome: act.outcome,
  details: act.content === null ? null : (JSON.parse(act.content) as object),
  erasedAs: act.erasedAs,
});

const QUERY = Type.Object({
  since: Type.Optional(instant),
  until: Type.Optional(instant),
  actor: Type.Optional(name('The id or the name of an actor.', 'ana@example.com')),
  operation: Type.Optional(name('The name of an operation.', 'merchants disable')),
  merchant: Type.Optional(merchantId),
  only: Type.Optional(oneOf(ACTS_OF, 'Acts that changed something, or that only showed data of people.')),
});

const REFUSALS = {
  instant_unknown: {
    status: 422,
    title: 'No such date',
    meaning: 'The timestamp is well formed, but the date does not exist.',
    words: { es: 'Esa fecha y hora no existe', en: 'There is no such date and time', pt: 'Essa data e hora não existe' },
  },
} as const;

/** The order of the list. */
const newestFirst = (one: ActOfCell, other: ActOfCell): number => latestFirst(one.at, other.at) || Number(other.actId - one.actId);

/** Reads the filter of a query. */
function filterOf({ since, until, merchant, ...filter }: Static<typeof QUERY>) {
  const [from, to] = [toInstant(since), toInstant(until)];
  return from === 'unknown' || to === 'unknown' ? refuse('instant_unknown') : { ...filter, merchantId: merchant, since: from, until: to };
}

export const listAudit = managementOperation({
  name: 'listActs',
  route: 'GET /manage/v1/audit',
  tag: 'Audit',
  summary: 'List acts',
  description: 'Who did what, the newest first.',
  permission: 'audit:read',
  scope: 'service',
  query: QUERY,
  refusals: REFUSALS,
  shows: SHOWN,
  run: async ({ query, page: { after, limit } }, { db, cellName: cell }: Deps) => {
    const filter = filterOf(query);
    if (isRefusal(filter)) return filter;
    const place = after === undefined ? undefined : { at: Temporal.Instant.from(after[0] ?? ''), actId: BigInt(after[1] ?? 0) };
    const found = await listActs(db, { ...filter, after: place, limit: limit + 1 });
    return { found: found.map((act) => ({ ...act, cell })) };
  },
  // Home has what was refused to somebody who wanted to change a merchant, and what was done to its users.
  cells: { merge: mergeFound(newestFirst), asks: 'all' },
  page: ({ found }, { page: { limit } }) => cutPage(found, limit, showAct, ({ at, actId: last }) => [at.toString(), last.toString()]),
});

const summarizeActs = managementOperation({
  name: 'summarizeActs',
  route: 'GET /manage/v1/audit/summary',
  tag: 'Audit',
  summary: 'Count the acts of a filter',
  description: 'By the filter of `listActs`, in all and by how they ended. Up to 20,000 are counted, the newest first.',
  permission: 'audit:read',
  scope: 'service',
  query: QUERY,
  refusals: REFUSALS,
  shows: countsShown(ACT_STATES),
  run: async ({ query }, { db }: Deps) => {
    const filter = filterOf(query);
    return isRefusal(filter) ? filter : countActs(db, filter);
  },
  cells: { merge: mergeSummaries, asks: 'all' },
  answer: (summary) => ({ body: showCounts(summary) }),
});

function toInstant(text: string | undefined): Temporal.Instant | undefined | 'unknown' {
  try {
    return text === undefined ? undefined : Temporal.Instant.from(text);
  } catch {
    return 'unknown';
  }
}

/** The greatest bigint of the database. */
const MOST = 2n ** 63n - 1n;

const readAudit = managementOperation({
  name: 'readAct',
  route: 'GET /manage/v1/audit/{act}',
  tag: 'Audit',
  summary: 'Show one act',
  permission: 'audit:read',
  scope: 'service',
  cells: ({ path: { act } }) => cellOfNumber(act),
  path: Type.Object({ act: actId }),
  shows: SHOWN,
  run: async ({ path: { act } }, { db, cellName: cell }: Deps) => {
    const found = BigInt(act) > MOST ? undefined : await readAct(db, BigInt(act));
    return found === undefined ? refuse('not_found') : { ...found, cell };
  },
  answer: (act) => ({ body: showAct(act) }),
});

/** The room's operations of the management API. */
export const auditManagement: readonly ManagementOperation<Deps>[] = [listAudit, summarizeActs, readAudit];
