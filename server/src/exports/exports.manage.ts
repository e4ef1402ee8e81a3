import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { actOf, type ActOrigin, type OpenActing } from '../kit/changes/act.ts';
import { Type } from 'typebox';
import { Held } from '../kit/changes/engine.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { Keyed, Once } from '../kit/once.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { cutPage, managementOperation, schemas, type Actor, type ManagementOperation } from '../manage/index.ts';
import type { TimeZoneOf } from '../merchants/index.ts';
import { runOnce } from '../requests/index.ts';
import type { ExportedList, FilterTexts } from './exported-list.ts';
import {
  deleteExport,
  insertExport,
  listExports,
  lockUse,
  readExport,
  readPart,
  type AskedExport,
  type StoredExport,
} from './export-rows.ts';
import { isFaults, MOST_FILTER_CHARACTERS, readFilter } from './read-filter.ts';
import { isFull, MOST_OPEN } from './shares.ts';
import { FORMATS } from './formats.ts';

type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly acting: OpenActing;
  readonly timeZoneOf: TimeZoneOf;
  readonly mostStoredBytes: number;
};

const ID_BYTES = 16;

const { merchantId, instant, oneOf, orNull, answerObject, showInstant } = schemas;
const unpack = promisify(zstdDecompress);

const exportId = Type.String({
  maxLength: 22,
  pattern: '^[A-Za-z0-9_-]{22}$',
  description: 'The id of the export.',
  examples: ['V1StGXR8_Z5jdHi6B-myTw'],
});
const count = Type.Integer({ minimum: 0 });
/** The operations that a command asks for a file. */
export const EXPORT_ROUTES = {
  ask: 'POST /manage/v1/exports',
  read: 'GET /manage/v1/exports/{export}',
  download: 'GET /manage/v1/exports/{export}/content',
  remove: 'DELETE /manage/v1/exports/{export}',
} as const;
export const EXPORT_SHOWN = answerObject({
  export: exportId,
  list: Type.String(),
  format: oneOf(FORMATS, 'How rows are written.'),
  merchant: orNull(merchantId),
  filter: Type.Record(Type.String(), Type.String()),
  state: oneOf(['waiting', 'writing', 'done', 'failed'], 'It can be downloaded once it is done.'),
  madeAt: instant,
  rowsWritten: count,
  rowsTotal: orNull(count),
  bytes: count,
  trailer: orNull(Type.Object({}, { description: 'The last line of the file: rows, sums, instant, digest.' })),
  failure: orNull(oneOf(['too_large', 'interrupted'], 'Why it failed.')),
  endedAt: orNull(instant),
});

const show = (stored: StoredExport): object => ({
  export: stored.exportId,
  list: stored.list,
  format: stored.format,
  merchant: stored.merchantId,
  filter: stored.filter,
  state: stored.state,
  madeAt: stored.madeAt.toString(),
  rowsWritten: Number(stored.rowsWritten),
  rowsTotal: stored.rowsTotal === null ? null : Number(stored.rowsTotal),
  bytes: Number(stored.bytes),
  trailer: stored.trailer,
  failure: stored.failure,
  endedAt: showInstant(stored.endedAt),
});

const mayExport = ({ permissions, merchantId: bound }: Actor, { permission, isOfService }: ExportedList): boolean =>
  permissions.has(permission) && !(isOfService && bound !== undefined);
const actorOf = ({ kind, id }: Actor): string => `${kind}:${id}`;

/** The room's operations of the management API. An actor sees the exports that it asked for, and no other. */
export function exportManagement(lists: readonly ExportedList[]): readonly ManagementOperation<Deps>[] {
  /** An actor that has lost a permission or its merchant since does not see what it asked for before. */
  const readOwn: ReadOwn = async ({ actor, path }, { db }) => {
    const stored = await readExport(db, path.export, actorOf(actor));
    if (stored === undefined || (actor.merchantId !== undefined && stored.merchantId !== actor.merchantId)) return undefined;
    return lists.some((list) => list.name === stored.list && mayExport(actor, list)) ? stored : undefined;
  };
  return [askOperation(lists), listOperation(lists), readOperation(readOwn), contentOperation(readOwn), deleteOperation];
}

type ReadOwn = (
  request: { readonly actor: Actor; readonly path: { readonly export: string } },
  deps: Deps,
) => Promise<StoredExport | undefined>;

const TOO_MANY = {
  too_many_exports: {
    status: 429,
    title: 'Too many exports are running',
    meaning: `${MOST_OPEN.actor} of one actor, ${MOST_OPEN.merchant} of one merchant’s and ${MOST_OPEN.all} in all are written or wait. Try again once one of them is done.`,
    words: {
      es: 'Ya hay demasiadas exportaciones en curso. Espere a que termine una',
      en: 'Too many exports are under way. Wait until one is done',
      pt: 'Já há exportações demais em andamento. Espere uma terminar',
    },
  },
  exports_full: {
    status: 503,
    title: 'No space left for exports',
    meaning:
      'Delete exports that you have downloaded. A merchant’s may take a quarter of the space. Each is deleted a day after it was written. An operator can raise the limit.',
    words: {
      es: 'No queda espacio para más archivos. Borre los que ya descargó',
      en: 'There is no room for more files. Delete those that you have downloaded',
      pt: 'Não há mais espaço para arquivos. Apague os que já baixou',
    },
  },
} as const;

function askOperation(lists: readonly ExportedList[]) {
  const names = new Set(lists.flatMap(({ filters }) => Object.keys(filters)));
  const text = Type.Optional(Type.String({ maxLength: MOST_FILTER_CHARACTERS }));
  const filter = Type.Object(Object.fromEntries([...names].map((name) => [name, text])), {
    description: 'As the options of `./caudal export LIST`: each list knows some of these names.',
  });
  return managementOperation({
    name: 'exportList',
    route: EXPORT_ROUTES.ask,
    tag: 'Exports',
    summary: 'Export a whole list',
    names: { es: 'Exportar una lista', pt: 'Exportar uma lista' },
    description:
      'The service writes it as one snapshot, as soon as it can; of several cells there is one of each, and while a cell is away there is no file of everybody. `GET` shows how far it is. The actor also needs the permission to see the list.',
    permission: 'exports:read',
    scope: 'merchant',
    cells: 'home',
    keepsAnswersAs: 'manage-export-list',
    status: 202,
    body: Type.Object({
      list: oneOf(
        lists.map(({ name }) => name),
        'Which list.',
      ),
      format: oneOf(
        FORMATS,
        'csv-es, csv-en and csv-pt are for spreadsheets in a language; csv-safe is for spreadsheets with the names of programs; csv and ndjson hold the stored values, for programs.',
      ),
      merchant: Type.Optional(merchantId),
      filter: Type.Optional(filter),
    }),
    refusals: TOO_MANY,
    shows: EXPORT_SHOWN,
    run: async ({ actor, origin, body, merchantId: only, once }, deps: Deps) => {
      const list = lists.find(({ name }) => name === body.list) as ExportedList;
      if (!mayExport(actor, list)) return { ...refuse('permission_missing'), detail: `It needs ${list.permission}.` };
      const common = await deps.timeZoneOf(only);
      // Each merchant that exists has a zone.
      if (only !== undefined && common === undefined) return refuse('not_found');
      const texts = (body.filter ?? {}) as FilterTexts;
      const zone = common ?? 'UTC';
      const values = readFilter(list, texts, zone);
      if (isFaults(values))
        return { ...refuse('fields_invalid'), errors: values.map(({ name, rule }) => ({ pointer: `/filter/${name}`, detail: rule })) };
      const asked: AskedExport = {
        exportId: randomBytes(ID_BYTES).toString('base64url'),
        actor: actorOf(actor),
        merchantId: only ?? null,
        boundTo: actor.merchantId ?? null,
        list: list.name,
        format: body.format,
        filter: texts,
        zone,
      };
      return ask(deps, asked, { origin, once });
    },
    answer: ({ stored }) => ({ body: show(stored) }),
  });
}

type Asked = { readonly stored: StoredExport };

/** Stores what was asked for, once where the request has a key. A refusal is not kept: the same key may try again. */
async function ask(
  { clock, acting, mostStoredBytes }: Deps,
  asked: AskedExport,
  { origin, once }: { readonly origin: ActOrigin; readonly once: Once<Asked> | undefined },
) {
  // The filter may name a person: the act does not hold it.
  const target = { kind: 'export', id: asked.exportId, merchantId: asked.merchantId ?? undefined };
  const recording = acting(actOf(origin, { target, given: { list: asked.list, format: asked.format } }));
  let refused: Refusal<keyof typeof TOO_MANY> | undefined;
  const [outcome] = await recording.transaction(async (tx) => {
    const used = await lockUse(tx, asked);
    const isBusy = used.open >= MOST_OPEN.all || used.openOfActor >= MOST_OPEN.actor || used.openOfMerchant >= MOST_OPEN.merchant;
    return runOnce<Keyed<Asked>, Asked>(tx, [{ once }], async () => {
      if (isBusy) refused = refuse('too_many_exports');
      else if (isFull(used, asked.boundTo, mostStoredBytes)) refused = refuse('exports_full');
      return [refused === undefined ? { stored: await insertExport(tx, asked, clock.now()) } : new Held('exports')];
    });
  });
  return refused ?? (outcome as Exclude<typeof outcome, Held | undefined>);
}

const listOperation = (lists: readonly ExportedList[]) =>
  managementOperation({
    name: 'listExports',
    route: 'GET /manage/v1/exports',
    tag: 'Exports',
    summary: 'List the exports that you asked for',
    description: 'The newest first. Those of others do not exist.',
    permission: 'exports:read',
    scope: 'own',
    cells: 'home',
    shows: EXPORT_SHOWN,
    run: async ({ actor, page: { after, limit } }, { db }: Deps) => ({
      found: await listExports(db, {
        actor: actorOf(actor),
        lists: lists.filter((list) => mayExport(actor, list)).map(({ name }) => name),
        merchantId: actor.merchantId,
        after: after && { madeAt: Temporal.Instant.from(after[0] ?? ''), exportId: after[1] ?? '' },
        limit: limit + 1,
      }),
    }),
    page: ({ found }, { page: { limit } }) => cutPage(found, limit, show, ({ madeAt, exportId }) => [madeAt.toString(), exportId]),
  });

const readOperation = (readOwn: ReadOwn) =>
  managementOperation({
    name: 'readExport',
    route: EXPORT_ROUTES.read,
    tag: 'Exports',
    summary: 'Show how far an export is',
    description: 'Once it is done it has the trailer of its file. A day later it does not exist.',
    permission: 'exports:read',
    scope: 'own',
    cells: 'home',
    path: Type.Object({ export: exportId }),
    shows: EXPORT_SHOWN,
    run: async (request, deps: Deps) => (await readOwn(request, deps)) ?? refuse('not_found'),
    answer: (stored) => ({ body: show(stored) }),
  });

const contentOperation = (readOwn: ReadOwn) =>
  managementOperation({
    name: 'downloadExport',
    route: EXPORT_ROUTES.download,
    tag: 'Exports',
    summary: 'Download an export',
    names: { es: 'Descargar una exportación', pt: 'Baixar uma exportação' },
    description: 'Send `Range: bytes=N-` to go on where a connection broke. Any server has the file.',
    permission: 'exports:read',
    scope: 'own',
    cells: 'home',
    bulkPersonal: true,
    path: Type.Object({ export: exportId }),
    refusals: {
      export_not_done: {
        status: 409,
        title: 'The export is not ready',
        meaning: 'It is being written, or it failed. `GET` shows its state.',
      },
      range_unknown: {
        status: 416,
        title: 'Range not satisfiable',
        meaning: 'The first byte of `Range` lies beyond the end of the file.',
      },
    },
    run: async (request, deps: Deps) => {
      const stored = await readOwn(request, deps);
      if (stored === undefined) return refuse('not_found');
      if (stored.state !== 'done' || stored.trailer === null) return refuse('export_not_done');
      const size = Number(stored.bytes);
      const etag = stored.trailer.sha256;
      const ifRange = request.header('if-range');
      const isSame = ifRange === undefined || ifRange === `"${etag}"`;
      const range = isSame ? readRange(request.header('range'), size) : undefined;
      if (range !== undefined && range.first >= size) return refuse('range_unknown');
      return {
        stored,
        etag,
        size,
        range,
        content: Readable.from(contentOf(deps.db, stored.exportId, range ?? { first: 0, last: size - 1 })),
      };
    },
    streams: 'application/octet-stream',
    answer: ({ stored, etag, size, range, content }) => ({
      etag,
      headers: {
        'accept-ranges': 'bytes',
        'content-disposition': `attachment; filename="${fileNameOf(stored)}"`,
        'content-length': String(range === undefined ? size : range.last - range.first + 1),
        ...(range === undefined ? {} : { 'content-range': `bytes ${range.first}-${range.last}/${size}` }),
      },
      body: content,
    }),
  });

const deleteOperation = managementOperation({
  name: 'deleteExport',
  route: EXPORT_ROUTES.remove,
  tag: 'Exports',
  summary: 'Delete an export',
  names: { es: 'Borrar una exportación', pt: 'Apagar uma exportação' },
  description: 'Also one that is being written.',
  permission: 'exports:read',
  scope: 'own',
  cells: 'home',
  path: Type.Object({ export: exportId }),
  run: ({ actor, origin, path }, { acting }: Deps) =>
    acting(actOf(origin, { target: { kind: 'export', id: path.export } })).transaction(async (tx) =>
      (await deleteExport(tx, path.export, actorOf(actor))) ? { deleted: true } : refuse('not_found'),
    ),
  answer: (_deleted) => ({}),
});

/** What a browser calls the file: its list, its merchant, and the day it was asked for. */
const fileNameOf = ({ list, merchantId, madeAt, zone, format }: StoredExport): string => {
  const day = madeAt.toZonedDateTimeISO(zone).toPlainDate().toString();
  return `${[list, ...(merchantId === null ? [] : [merchantId]), day].join('-')}.${format === 'ndjson' ? 'ndjson' : 'csv'}`;
};

type Range = { readonly first: number; readonly last: number };

/** Reads `bytes=N-` or `bytes=N-M`. Any other Range is ignored, as RFC 9110 allows: the answer is the whole file. */
function readRange(header: string | undefined, size: number): Range | undefined {
  const [, first, last] = /^bytes=([0-9]{1,15})-([0-9]{0,15})$/.exec(header ?? '') ?? [];
  if (first === undefined) return undefined;
  const end = last === undefined || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return Number(first) > end && Number(first) < size ? undefined : { first: Number(first), last: end };
}

/** The bytes of a range, part by part. A slow reader holds neither a connection nor a snapshot meanwhile. */
async function* contentOf(db: Db, id: string, { first, last }: Range): AsyncGenerator<Buffer> {
  for (let at = first; at <= last;) {
    const part = await readPart(db, id, at);
    if (part === undefined) throw new Error('the export was deleted meanwhile');
    const bytes = await unpack(part.packed);
    const from = at - Number(part.firstByte);
    const wanted = bytes.subarray(from, from + last - at + 1);
    if (wanted.length === 0) throw new Error('the export has lost a part');
    at += wanted.length;
    yield wanted;
  }
}
