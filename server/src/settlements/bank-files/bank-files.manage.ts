import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import { CELL_NAME_PATTERN, isCellKnown, readCells } from '../../cells/index.ts';
import { actOf, type OpenActing } from '../../kit/changes/act.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { RowRefusal } from '../../kit/files/csv.ts';
import { byText, latestFirst } from '../../kit/lists/merges.ts';
import { isRefusal, refuse } from '../../kit/outcome.ts';
import { cellOfNumber, HOME, HOME_NAME, type PerCell } from '../../kit/per-cell.ts';
import {
  cutPage,
  managementOperation,
  mergeFound,
  ROOM_PROBLEMS,
  schemas,
  type Actor,
  type ManagementOperation,
} from '../../manage/index.ts';
import { writes } from '../settlement-forms.ts';
import { maskNumber } from '../terms/schedule.ts';
import {
  layoutFacts,
  listFiles,
  listLayouts,
  readFile,
  readLayout,
  setLayout,
  type KeptLayout,
  type SettlementFile,
  type WholeFile,
} from './file-rows.ts';
import { LAYOUT, type Layout } from './layout.ts';
import { makeFile, MOST_PAYMENTS, newFileId } from './make-file.ts';
import { MOST_RESULTS, previewResults, recordResults, type FileOfResults } from './record-results.ts';
import { tryLayout } from './render.ts';
import { readResults } from './results.ts';

/** `served`: the databases of all cells. Layouts are at home. */
type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly acting: OpenActing;
  readonly cellName: string;
  readonly served: PerCell<{ readonly db: Db }>;
};

const { amount, currency, day, instant, merchantId, oneOf, answerObject, showAmount } = schemas;

const tag = 'Settlements';

const layoutName = Type.String({
  maxLength: 30,
  pattern: '^[a-z0-9-]{1,30}$',
  description: 'The name of a layout.',
  examples: ['my-bank'],
});
const layoutPath = Type.Object({ layout: layoutName });

const layoutShown = answerObject({
  layout: layoutName,
  version: Type.Integer({ description: 'From 1. The audit log has the earlier ones.' }),
  setAt: instant,
  ...LAYOUT.properties,
  sample: Type.String({ description: 'What a file with two made-up payments looks like.' }),
});

/** Who may not change an account sees the last digits of its number. */
const showPayer = ({ payer }: Layout, { permissions }: Pick<Actor, 'permissions'>): Layout['payer'] =>
  permissions.has('settlements:write') ? payer : { ...payer, number: maskNumber(payer.number) };

/** A layout that is kept was tried. Where the account is masked, the sample has zeros for it: a format of banks may not take the mask. */
function showLayout({ layout, version, document, setAt }: KeptLayout, actor: Pick<Actor, 'permissions'>) {
  const payer = showPayer(document, actor);
  const { number } = payer;
  const ofSample = number === document.payer.number ? payer : { ...payer, number: '0'.repeat(number.length) };
  const tried = tryLayout({ ...document, payer: ofSample }, setAt);
  return { layout, version, setAt: setAt.toString(), ...document, payer, sample: 'sample' in tried ? tried.sample : '' };
}

const NO_LAYOUT = ['There is no layout {layout}.', 1] as const;

export const layoutList = managementOperation({
  name: 'listBankFileLayouts',
  route: 'GET /manage/v1/bank-file-layouts',
  tag,
  summary: 'List layouts of bank files',
  description: 'By name.',
  permission: 'ledger:read',
  scope: 'service',
  cells: 'home',
  shows: layoutShown,
  run: async ({ actor, page: { after, limit } }, { db }: Deps) => ({
    found: (await listLayouts(db, after?.[0] ?? '', limit + 1)).map((kept) => showLayout(kept, actor)),
  }),
  page: ({ found }, { page: { limit } }) =>
    cutPage(
      found,
      limit,
      (shown) => shown,
      ({ layout }) => [layout],
    ),
});

export const layoutReading = managementOperation({
  name: 'readBankFileLayout',
  route: 'GET /manage/v1/bank-file-layouts/{layout}',
  tag,
  summary: 'Show a layout of bank files',
  permission: 'ledger:read',
  scope: 'service',
  cells: 'home',
  missing: NO_LAYOUT,
  path: layoutPath,
  shows: layoutShown,
  run: async ({ path }, { db }: Deps) => (await readLayout(db, path.layout)) ?? refuse('not_found'),
  answer: (kept, { actor }) => ({ body: showLayout(kept, actor) }),
});

export const layoutSetting = managementOperation({
  ...writes,
  name: 'setBankFileLayout',
  route: 'PUT /manage/v1/bank-file-layouts/{layout}',
  summary: 'Set a layout of bank files',
  names: { es: 'Cambiar el formato de los archivos del banco', pt: 'Mudar o formato dos arquivos do banco' },
  description:
    'Of a CSV it says each column, of pain.001.001.09 the account that pays. It is tried with made-up payments before it is kept; with ' +
    '`try=true` it is only tried. Files that were made stay as they are.',
  cells: 'home',
  path: layoutPath,
  query: Type.Object({ try: Type.Optional(Type.Boolean({ description: 'True: nothing is kept, and the version is 0.' })) }),
  body: LAYOUT,
  refusals: {
    layout_invalid: {
      status: 422,
      title: 'The layout is not usable',
      meaning: '`errors` names each place and its rule, or what the trial with made-up payments could not write.',
      words: {
        es: 'Con este formato no se puede hacer un archivo',
        en: 'No file can be made with this layout',
        pt: 'Com este formato não é possível gerar um arquivo',
      },
    },
  },
  shows: layoutShown,
  run: async ({ path: { layout }, query, body, origin }, { db, clock, acting }: Deps) => {
    const now = clock.now();
    const tried = tryLayout(body, now);
    if ('faults' in tried) return { ...refuse('layout_invalid'), errors: [...tried.faults] };
    if (query.try === true) return { layout, version: 0, document: body, setAt: now };
    const before = await readLayout(db, layout);
    if (before !== undefined && isDeepStrictEqual(before.document, body)) return before;
    const act = actOf(origin, { target: { kind: 'layout', id: layout } });
    return acting(act, layoutFacts(layout)).transaction((tx) => setLayout(tx, layout, body, now));
  },
  answer: (kept, { actor }) => ({ body: showLayout(kept, actor) }),
});

const fileId = Type.String({
  maxLength: 35,
  pattern: '^[A-Za-z0-9]([A-Za-z0-9-]{0,33}[A-Za-z0-9])?$',
  description: 'Your id of the file. The bank reads it too.',
  examples: ['20261128-1'],
});
const cell = Type.String({
  pattern: CELL_NAME_PATTERN,
  description: 'The cell, in a service of several: a file has settlements of one cell. Home where absent.',
  examples: [HOME_NAME],
});
const cellOf = Type.Object({ cell: Type.Optional(cell) });
const settlementId = Type.String({ maxLength: 19, pattern: '^[1-9][0-9]{0,18}$', description: 'Of a settlement.', examples: ['1'] });

const FILE = {
  file: fileId,
  cell,
  layout: layoutName,
  layoutVersion: Type.Integer(),
  format: LAYOUT.properties.format,
  payOn: { ...day, description: 'The day on which the bank is to pay.' },
  payments: Type.Integer(),
  total: amount,
  sha256: Type.String({ description: 'Of its bytes, in hex.', examples: ['9f86d081…'] }),
  madeAt: instant,
};
const fileShown = answerObject({
  ...FILE,
  settlements: Type.Array(settlementId),
  content: Type.String({ description: 'Its bytes in base64, as they were made.' }),
});

const showFile = (file: SettlementFile, cellName: string) => ({
  file: file.fileId,
  cell: cellName,
  layout: file.layout,
  layoutVersion: file.layoutVersion,
  format: file.format as Layout['format'],
  payOn: file.payOn.toString(),
  payments: file.payments,
  total: showAmount(file.totalMinor, file.currency),
  sha256: file.sha256,
  madeAt: file.madeAt.toString(),
});
const showWholeFile = (file: WholeFile, cellName: string) => ({
  ...showFile(file, cellName),
  settlements: file.settlementIds.map(String),
  content: file.content.toString('base64'),
});

/** Finds a cell by its name. */
async function findCell(name: string | undefined, { db }: Pick<Deps, 'db'>) {
  if (name === undefined || name === HOME_NAME) return HOME;
  return (await readCells(db)).find((one) => one.name === name)?.cell ?? refuse('cell_unknown');
}
/** Ids hold the number of their cell. Home does not know an id that was made up either, and says so. */
async function cellOfSettlement(id: string | undefined, { db }: Pick<Deps, 'db'>): Promise<number> {
  const found = id === undefined ? HOME : cellOfNumber(id);
  return (await isCellKnown(db, found)) ? found : HOME;
}
/** A service of one cell does not look for others. */
const isOfOther = (name: string | undefined, { cellName }: Deps): boolean => name !== undefined && name !== cellName;
const { cell_unknown } = ROOM_PROBLEMS;

export const fileList = managementOperation({
  name: 'listSettlementFiles',
  route: 'GET /manage/v1/settlement-files',
  tag,
  summary: 'List bank files',
  names: { es: 'Ver la lista de archivos del banco', pt: 'Ver a lista de arquivos do banco' },
  description: 'The newest first.',
  permission: 'ledger:read',
  scope: 'service',
  shows: answerObject(FILE),
  run: async ({ page: { after, limit } }, { db, cellName }: Deps) => {
    const place = after && { madeAt: Temporal.Instant.from(after[0] ?? ''), fileId: after[1] ?? '' };
    return { found: (await listFiles(db, place, limit + 1)).map((file) => ({ ...file, cellName })) };
  },
  cells: {
    merge: mergeFound<SettlementFile & { readonly cellName: string }>(
      (one, other) => latestFirst(one.madeAt, other.madeAt) || byText(other.fileId, one.fileId),
    ),
  },
  page: ({ found }, { page: { limit } }) =>
    cutPage(
      found,
      limit,
      (file) => showFile(file, file.cellName),
      (last) => [last.madeAt.toString(), last.fileId],
    ),
});

export const fileReading = managementOperation({
  name: 'readSettlementFile',
  route: 'GET /manage/v1/settlement-files/{file}',
  tag,
  summary: 'Read a bank file again',
  names: { es: 'Descargar un archivo del banco', pt: 'Baixar um arquivo do banco' },
  description: 'Byte for byte as it was made. It names people with their accounts.',
  permission: 'settlements:write',
  scope: 'service',
  cells: ({ query }, home: Deps) => findCell(query.cell, home),
  bulkPersonal: true,
  missing: ['There is no bank file {file}.', 1],
  path: Type.Object({ file: fileId }),
  query: cellOf,
  refusals: { cell_unknown },
  shows: fileShown,
  run: async ({ path, query }, deps: Deps) =>
    isOfOther(query.cell, deps) ? refuse('cell_unknown') : ((await readFile(deps.db, path.file)) ?? refuse('not_found')),
  answer: (file, _request, { cellName }) => ({ body: showWholeFile(file, cellName) }),
});

export const fileMaking = managementOperation({
  ...writes,
  name: 'makeSettlementFile',
  route: 'POST /manage/v1/settlement-files',
  summary: 'Make a bank file of approved settlements',
  names: { es: 'Hacer un archivo del banco', pt: 'Gerar um arquivo do banco' },
  description:
    `Without \`settlements\` of all that are approved in the currency, ${MOST_PAYMENTS} at most: \`isMore\` says that others wait for the ` +
    'next file. Those of merchants that are frozen or disabled wait. They are sent with it, all or none. Asked again with the same `file` it is the same file.',
  status: 201,
  cells: ({ body: { cell: name, settlements } }, home: Deps) =>
    name === undefined ? cellOfSettlement(settlements?.[0], home) : findCell(name, home),
  body: Type.Object({
    file: Type.Optional(fileId),
    layout: layoutName,
    currency,
    settlements: Type.Optional(Type.Array(settlementId, { minItems: 1, maxItems: MOST_PAYMENTS })),
    payOn: Type.Optional({ ...day, description: 'The day on which the bank is to pay. Today in the zone of the layout where absent.' }),
    cell: Type.Optional({
      ...cell,
      description:
        'The cell, in a service of several: a file has settlements of one cell. That of the first of `settlements` where absent, or home.',
    }),
  }),
  takes: { file: '1 to 35 letters, digits or -', payOn: 'a day, such as 2026-11-30' },
  refusals: {
    cell_unknown,
    file_exists: {
      status: 409,
      title: 'The id was already used',
      meaning: 'Another file has it.',
      words: {
        es: 'Ya existe otro archivo con ese identificador',
        en: 'Another file already has this id',
        pt: 'Já existe outro arquivo com esse identificador',
      },
      line: ['There is another bank file {file}.', 1],
    },
    layout_unknown: {
      status: 422,
      title: 'Unknown layout',
      meaning: '`GET /manage/v1/bank-file-layouts` lists the layouts.',
      words: { es: 'No existe ese formato de archivo', en: 'There is no such layout', pt: 'Esse formato de arquivo não existe' },
      line: NO_LAYOUT,
    },
    nothing_to_send: {
      status: 409,
      title: 'No settlement is approved',
      meaning: 'A file is made of approved settlements in its currency.',
      words: {
        es: 'No hay liquidaciones aprobadas en esa moneda',
        en: 'No settlement is approved in this currency',
        pt: 'Não há liquidações aprovadas nessa moeda',
      },
      line: ['No settlement is approved in {currency}.', 1],
    },
    settlements_unfit: {
      status: 422,
      title: 'A settlement does not fit into the file',
      meaning:
        '`errors` names each: it is unknown, not approved or in another currency, its merchant is frozen, disabled or has no bank account, ' +
        'or the file cannot hold a value as it is.',
      words: {
        es: 'Alguna liquidación no cabe en el archivo',
        en: 'A settlement does not fit into the file',
        pt: 'Alguma liquidação não cabe no arquivo',
      },
    },
  },
  shows: answerObject({
    ...fileShown.properties,
    isRepeated: Type.Boolean({ description: 'It was made before: nothing was changed.' }),
    isMore: Type.Boolean({ description: 'More settlements are approved: make another file.' }),
  }),
  run: async ({ body, origin }, deps: Deps) => {
    const { file = newFileId(deps.clock.now()), layout, currency: code, settlements, payOn } = body;
    if (isOfOther(body.cell, deps)) return refuse('cell_unknown');
    const act = actOf(origin, { target: { kind: 'file', id: file }, given: { layout, currency: code } });
    const made = await makeFile(
      { db: deps.acting(act), home: deps.served.home.db, clock: deps.clock },
      {
        fileId: file,
        layout,
        currency: code,
        settlementIds: settlements && [...new Set(settlements)].map(BigInt),
        payOn: payOn === undefined ? undefined : Temporal.PlainDate.from(payOn),
      },
    );
    if (!('unfit' in made)) return made;
    return {
      ...refuse('settlements_unfit'),
      errors: made.unfit.slice(0, MOST_NAMED).map((detail) => ({ pointer: '/settlements', detail })),
    };
  },
  answer: ({ file, isRepeated, isMore }, _request, { cellName }) => ({ body: { ...showWholeFile(file, cellName), isRepeated, isMore } }),
});

/** So many faults are named. A person corrects them and sends the file again. */
const MOST_NAMED = 100;

const RESULTS_SHOWN = answerObject({
  isRecorded: Type.Boolean({ description: 'False: nothing was written.' }),
  isRepeated: Type.Boolean({ description: 'All of it was recorded before.' }),
  results: Type.Array(
    answerObject({
      settlement: settlementId,
      merchant: merchantId,
      amount,
      result: oneOf(['paid', 'returned'], 'What the bank says.'),
      isRepeated: Type.Boolean({ description: 'It was so before.' }),
    }),
  ),
  faults: Type.Array(
    answerObject({
      line: Type.Integer({ description: 'Of the file, from 1.' }),
      rule: Type.String({ description: 'What is wrong there.' }),
    }),
  ),
});

const wordsOf = ({ field, rule }: RowRefusal): string => (field === undefined ? rule : `${field} ${rule}`);

const showResults = ({ judged, faults, isRecorded, isRepeated }: FileOfResults) => ({
  isRecorded,
  isRepeated,
  results: judged.map(({ settlementId: id, settlement, result, isRepeated: wasSo }) => ({
    settlement: id,
    merchant: settlement.merchantId,
    amount: showAmount(settlement.netMinor, settlement.currency),
    result,
    isRepeated: wasSo,
  })),
  faults: faults.slice(0, MOST_NAMED).map((fault) => ({ line: fault.line, rule: wordsOf(fault) })),
});

/** The cell of the first settlement that a file names: that of all its results. */
const cellOfResults = async (csv: string, home: Deps): Promise<number> =>
  cellOfSettlement((await readResults(csv)).results[0]?.settlementId, home);

export const resultsRecording = managementOperation({
  ...writes,
  name: 'recordSettlementResults',
  route: 'POST /manage/v1/settlement-results',
  summary: 'Record what a bank says of settlements',
  names: { es: 'Registrar los resultados del banco', pt: 'Registrar os resultados do banco' },
  description:
    'A CSV with the columns settlement, result, reference and reason, and perhaps amount: what was paid with the bank’s reference, what was ' +
    `returned with the reason. At most ${MOST_RESULTS} lines, of one cell. All of a file is recorded or nothing, and the same file again ` +
    'changes nothing.',
  cells: ({ body }, home: Deps) => cellOfResults(body.csv, home),
  body: Type.Object({
    csv: Type.String({
      minLength: 1,
      maxLength: 200_000,
      examples: ['settlement,result,reference,reason\n1,paid,TRX-90311,\n2,returned,,Account closed\n'],
    }),
    preview: Type.Optional(Type.Boolean({ description: 'True: nothing is recorded. The answer has what would be, or all faults.' })),
  }),
  refusals: {
    results_invalid: {
      status: 422,
      title: 'The file of results has faults',
      meaning: '`errors` names each with its line. Nothing was recorded.',
      words: {
        es: 'El archivo de resultados tiene errores. No se registró nada',
        en: 'The file of results has faults. Nothing was recorded',
        pt: 'O arquivo de resultados tem erros. Nada foi registrado',
      },
    },
  },
  shows: RESULTS_SHOWN,
  run: async ({ body: { csv, preview }, origin }, { db, clock, acting }: Deps) => {
    if (preview === true) return previewResults({ db, clock }, csv);
    // The act names the very file.
    const id = createHash('sha256').update(csv).digest('hex').slice(0, 16);
    const recorded = await recordResults({ db: acting(actOf(origin, { target: { kind: 'results', id } })), clock }, csv);
    if (!isRefusal(recorded)) return recorded;
    const errors = recorded.faults
      .slice(0, MOST_NAMED)
      .map((fault) => ({ pointer: '/csv', detail: `line ${fault.line}: ${wordsOf(fault)}` }));
    return { ...refuse('results_invalid'), errors };
  },
  answer: (results) => ({ body: showResults(results) }),
});

/** The operations of the management API on bank files. */
export const bankFileManagement: readonly ManagementOperation<Deps>[] = [
  layoutList,
  layoutReading,
  layoutSetting,
  fileList,
  fileReading,
  fileMaking,
  resultsRecording,
];
