import { Type, type Static } from 'typebox';
import type { Db } from '../kit/db.ts';
import { daysBetween, refusingParameters, WRITTEN_PARAMETERS } from '../kit/lists/list-parameters.ts';
import { latestFirst, byText, mergeSorted } from '../kit/lists/merges.ts';
import { mergeSummaries } from '../kit/lists/sums.ts';
import { isRefusal, refuse } from '../kit/outcome.ts';
import { cellOfId } from '../kit/per-cell.ts';
import { countsShown, cutPage, managementOperation, mergeFound, schemas, showCounts, type ManagementOperation } from '../manage/index.ts';
import { zoneOfDays, type TimeZoneOf } from '../merchants/index.ts';
import { listEndpoints, type ListedEndpoint } from './endpoints.ts';
import { readBody, readRequest } from './read-request.ts';
import { NOTICE_KINDS, NOTICE_STATES, subjectOfNotice } from './notice.ts';
import { countNotices, listNotices, showNotice, type ListedNotice } from './notice-rows.ts';
import { listAttempts } from './notice-attempts.ts';
import { placeBefore, placeIn, placesAfter } from './notice-places.ts';
import { noticeIdOnWire, parseNoticeId } from './notice-id.wire.ts';

type Deps = { readonly db: Db };
export type ListDeps = Deps & { readonly timeZoneOf: TimeZoneOf; readonly cell: number };
/** What one notice is shown with. */
export type ReadDeps = Parameters<typeof readBody>[0];

const { amount, instant, merchantId, oneOf, orNull, answerObject, showAmount, showInstant } = schemas;

const state = oneOf(NOTICE_STATES, 'The state of its delivery.');
export const noticeId = Type.String({
  maxLength: 60,
  pattern: '^(msg_)?[0-9]{1,18}(_[0-9]{1,18})?$',
  description: 'The webhook-id of the notice.',
  examples: ['msg_42_1763737200000'],
});
/** The line of a command for a notice that is not there. */
export const NO_NOTICE = ['There is no notice {id}.', 1] as const;
const kind = oneOf(NOTICE_KINDS, 'What it is about. A test is about nothing.');
const problem = orNull(Type.String({ description: 'Why the last attempt failed.' }));

const NOTICE = {
  id: noticeId,
  merchant: merchantId,
  kind,
  subject: Type.String({ description: 'The merchant’s id of the order or the cashout; of a settlement its number.', examples: ['A-1001'] }),
  status: Type.String({ examples: ['approved'] }),
  amount,
  state,
  attempts: Type.Integer(),
  writtenAt: instant,
  attemptedAt: orNull(instant),
  dueAt: orNull(instant),
  giveUpAt: instant,
  deliveredAt: orNull(instant),
  answerStatus: orNull(Type.Integer({ description: 'The HTTP status of the last answer.' })),
  answer: orNull(Type.String({ description: 'The start of the last answer.' })),
  problem,
};

/** Shows a notice without what it says. */
export function show({ notice, delivery }: ListedNotice): object {
  const { dueAt, giveUpAt, attemptedAt, deliveredAt, ...rest } = delivery;
  return {
    id: noticeIdOnWire(notice),
    merchant: notice.merchantId,
    kind: notice.kind,
    subject: subjectOfNotice(notice),
    status: notice.status,
    amount: showAmount(notice.amountMinor, notice.currency),
    writtenAt: showInstant(notice.at),
    ...rest,
    dueAt: showInstant(rest.state === 'waiting' ? dueAt : null),
    giveUpAt: showInstant(giveUpAt),
    attemptedAt: showInstant(attemptedAt),
    deliveredAt: showInstant(deliveredAt),
  };
}

const QUERY = Type.Object({
  merchant: Type.Optional(merchantId),
  state: Type.Optional(state),
  kind: Type.Optional(Type.Array(kind, { description: 'Some kinds, with commas between them.' })),
  ...WRITTEN_PARAMETERS,
});

/** Reads the filter of a query. Its days are of the merchant's time zone. Throws: WrongParameter. */
async function filterOf(
  { state: wanted, kind: kinds, writtenFrom, writtenTo }: Static<typeof QUERY>,
  only: string | undefined,
  deps: ListDeps,
) {
  const written = await daysBetween(zoneOfDays(deps, only), 'written', writtenFrom, writtenTo);
  return { merchantId: only, state: wanted, kinds, written };
}

export const noticeList = managementOperation({
  name: 'listNotices',
  route: 'GET /manage/v1/notices',
  tag: 'Notices',
  summary: 'List notices',
  description:
    'The newest first. In a service of several cells each cell has its notices in the order of their numbers; between cells the time decides.',
  permission: 'notices:read',
  scope: 'merchant',
  query: QUERY,
  shows: answerObject(NOTICE),
  run: ({ merchantId: only, query, page: { after, limit } }, deps: ListDeps) =>
    refusingParameters(async () => {
      const filter = await filterOf(query, only, deps);
      const found = await listNotices(deps.db, { ...filter, before: placeIn(deps.cell, after), limit: limit + 1 });
      return { found, firsts: found.slice(0, 1) };
    }),
  cells: {
    merge: (outcomes, { page: { limit } }) => ({
      found: mergeSorted(
        outcomes.map(({ found }) => found),
        (one, other) => latestFirst(one.notice.at, other.notice.at),
        limit + 1,
      ),
      firsts: outcomes.flatMap(({ firsts }) => firsts),
    }),
  },
  page: ({ found, firsts }, { page: { after, limit } }) => {
    const items = found.slice(0, limit);
    const before = after ?? firsts.map(({ notice }) => placeBefore(notice.noticeId));
    const shown = items.map(({ notice }) => notice.noticeId);
    return { items: items.map(show), next: found.length > limit ? placesAfter(shown, before) : undefined };
  },
});

const summarizeNotices = managementOperation({
  name: 'summarizeNotices',
  route: 'GET /manage/v1/notices/summary',
  tag: 'Notices',
  summary: 'Count the notices of a filter',
  description: 'By the filter of `listNotices`, in all and by state. Up to 20,000 are counted, the newest first.',
  permission: 'notices:read',
  scope: 'merchant',
  query: QUERY,
  shows: countsShown(NOTICE_STATES),
  run: ({ merchantId: only, query }, deps: ListDeps) =>
    refusingParameters(async () => countNotices(deps.db, await filterOf(query, only, deps))),
  cells: { merge: mergeSummaries },
  answer: (summary) => ({ body: showCounts(summary) }),
});

/** The cell of a notice, which its number says. */
export const cellOfNotice = ({ path }: { readonly path: { readonly notice: string } }): number =>
  cellOfId(parseNoticeId(path.notice) ?? 0n);

/** Finds a notice that an actor may know of. */
async function findNotice({ db }: Deps, text: string, only: string | undefined): Promise<ListedNotice | undefined> {
  const id = parseNoticeId(text);
  const found = id === undefined ? undefined : await showNotice(db, id);
  return found === undefined || (only !== undefined && found.notice.merchantId !== only) ? undefined : found;
}

const NEEDED = { order: 'orders:read', cashout: 'cashouts:read', settlement: 'ledger:read', test: 'notices:read' } as const;
const needsToSee = ({ notice }: ListedNotice) => NEEDED[notice.kind];

export const readNotice = managementOperation({
  name: 'readNotice',
  route: 'GET /manage/v1/notices/{notice}',
  tag: 'Notices',
  summary: 'Show one notice',
  description:
    'With the attempts that have ended, the newest first, and the body as it would be sent now. `body` is null for who may not see ' +
    'what it is about: that needs orders:read, cashouts:read or ledger:read.',
  permission: 'notices:read',
  scope: 'merchant',
  cells: cellOfNotice,
  missing: NO_NOTICE,
  path: Type.Object({ notice: noticeId }),
  shows: answerObject({
    ...NOTICE,
    body: orNull(Type.String({ description: 'JSON.' })),
    attemptList: Type.Array(
      answerObject({
        attempt: Type.Integer({ description: 'From 1.' }),
        at: instant,
        answerStatus: NOTICE.answerStatus,
        answer: orNull(Type.String({ description: 'The start of the answer.' })),
        problem: orNull(Type.String({ description: 'Why it failed.' })),
      }),
    ),
  }),
  run: async ({ path, merchantId: only, actor: { permissions } }, deps: ReadDeps) => {
    const found = await findNotice(deps, path.notice, only);
    if (found === undefined) return refuse('not_found');
    const maySee = permissions.has(needsToSee(found));
    return { found, attempts: await listAttempts(deps.db, found), body: maySee ? await readBody(deps, found.notice) : null };
  },
  answer: ({ found, attempts, body }) => ({
    body: { ...show(found), body, attemptList: attempts.map(({ attemptedAt, ...rest }) => ({ ...rest, at: showInstant(attemptedAt) })) },
  }),
});

export const readSigned = managementOperation({
  name: 'readNoticeRequest',
  route: 'GET /manage/v1/notices/{notice}/request',
  tag: 'Notices',
  summary: 'Show the request that delivers a notice',
  description:
    'Headers and body as they would be sent now, signed now. Who has them can deliver the notice: a developer sends it to a receiver of his ' +
    'own. It needs orders:read, cashouts:read or ledger:read too, for what the notice is about.',
  permission: 'notices:send',
  scope: 'merchant',
  cells: cellOfNotice,
  path: Type.Object({ notice: noticeId }),
  refusals: {
    notice_unreadable: {
      status: 409,
      title: 'The notice cannot be built',
      meaning: 'The notice hash of its merchant cannot be opened, or the history lacks what an update changed.',
    },
  },
  shows: answerObject({
    ...NOTICE,
    headers: Type.Record(Type.String(), Type.String(), { description: 'By their names.' }),
    body: Type.String({ description: 'The exact bytes that the signature covers. JSON.' }),
  }),
  run: async ({ path, merchantId: only, actor: { permissions } }, deps: ReadDeps) => {
    const found = await findNotice(deps, path.notice, only);
    if (found === undefined) return refuse('not_found');
    const needed = needsToSee(found);
    if (!permissions.has(needed)) return { ...refuse('permission_missing'), detail: `It needs ${needed}.` };
    const request = await readRequest(deps, found.notice);
    return isRefusal(request) ? request : { found, request };
  },
  answer: ({ found, request }) => ({ body: { ...show(found), ...request } }),
});

const showEndpoint = ({ merchantId: merchant, waiting, oldestAt, failingSince, pausedAt, probeAt, ...rest }: ListedEndpoint) => ({
  merchant,
  waiting: Number(waiting),
  ...rest,
  oldestAt: showInstant(oldestAt),
  failingSince: showInstant(failingSince),
  pausedAt: showInstant(pausedAt),
  probeAt: showInstant(probeAt),
});

export const listReceivers = managementOperation({
  name: 'listNoticeEndpoints',
  route: 'GET /manage/v1/notice-endpoints',
  tag: 'Notices',
  summary: 'List the endpoints that need attention',
  description: 'Those that have notices waiting, fail or are paused, by merchant.',
  permission: 'notices:read',
  scope: 'merchant',
  query: Type.Object({ merchant: Type.Optional(merchantId) }),
  shows: answerObject({
    merchant: merchantId,
    waiting: Type.Integer(),
    oldestAt: orNull(instant),
    failingSince: orNull(instant),
    problem,
    pausedAt: orNull(instant),
    pausedBy: orNull(oneOf(['service', 'operator'], 'Who paused it.')),
    probeAt: orNull(instant),
  }),
  run: async ({ merchantId: only, page: { after, limit } }, { db }: Deps) => {
    const all = await listEndpoints(db);
    const wanted = all.filter((one) => (only === undefined || one.merchantId === only) && one.merchantId > (after?.[0] ?? ''));
    return { found: wanted.slice(0, limit + 1) };
  },
  cells: { merge: mergeFound<ListedEndpoint>((one, other) => byText(one.merchantId, other.merchantId)) },
  page: ({ found }, { page: { limit } }) => cutPage(found, limit, showEndpoint, ({ merchantId }) => [merchantId]),
});

/** What shows notices. */
export const noticeReads: readonly ManagementOperation<ReadDeps & ListDeps>[] = [
  noticeList,
  summarizeNotices,
  readNotice,
  readSigned,
  listReceivers,
];
