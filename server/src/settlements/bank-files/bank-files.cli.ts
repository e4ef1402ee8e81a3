import { writeFile } from 'node:fs/promises';
import { Argument, Option, type Command } from 'commander';
import { CommandRefused, details, moneyText, readTextFile, sentInstant, table, type Connect } from '../../kit/command-line.ts';
import { moreText } from '../../kit/lists/list-options.ts';
import { askCommand, limitOption, listCommand, needed, type AnswerOf } from '../../kit/remote/client-commands.ts';
import type { fileReading, layoutReading, resultsRecording } from './bank-files.manage.ts';

const operations = () => import('./bank-files.manage.ts');

type Layout = AnswerOf<typeof layoutReading>;
type File = AnswerOf<typeof fileReading>;
type Results = AnswerOf<typeof resultsRecording>;

/** A layout and a file of results are smaller than a request may be. */
const MOST_READ_BYTES = 200_000;
/** A file has the accounts of people: only its owner reads it. */
const OWNER_ONLY = 0o600;

const cellOption = new Option('--cell <name>', 'the cell of its settlements, in a service of several (default: home)');
const outputOption = new Option('--output <file>', 'where to write the file; one that is there is not written over');

/** Adds `caudal settlements layouts`, `layout`, `make-file`, `files`, `file` and `results`. */
export function bankFileCommands(settlements: Command, connect: Connect): void {
  addLayouts(settlements, connect);
  addFiles(settlements, connect);
  addResults(settlements, connect);
}

const layoutText = ({ layout, version, setAt, format, timeZone, payer, sample }: Layout): string =>
  `${details([
    ['layout', layout],
    ['version', version === 0 ? 'none: it was only tried' : version],
    ['set', sentInstant(setAt)],
    ['format', format],
    ['zone', timeZone],
    ['paid from', `${payer.bankCode} ${payer.bankName}, ${payer.type} ${payer.number}`],
    ['holder', `${payer.holderName}, ${payer.holderDocumentType} ${payer.holderDocument}`],
  ])}\n${sample}`;

function addLayouts(settlements: Command, connect: Connect): void {
  listCommand(settlements, connect, {
    name: 'layouts',
    about: 'how banks take files of payments, and from which account they pay them',
    operation: async () => (await operations()).layoutList,
    limit: () => Number.POSITIVE_INFINITY,
    parts: (_given: object) => ({}),
    text: (listed) =>
      listed.length === 0
        ? 'There is no layout yet: "settlements layout" sets one.\n'
        : table(
            ['LAYOUT', 'VERSION', 'FORMAT', 'BANK', 'ACCOUNT'],
            listed.map((one) => [one.layout, one.version, one.format, one.payer.bankName, one.payer.number]),
          ),
  });
  askCommand(settlements, connect, {
    name: 'layout',
    about: 'set a layout, which is tried with made-up payments first; without a file: show it',
    args: [new Argument('<layout>', 'its name'), new Argument('[file]', 'a JSON document: docs/operations/bank-files.md has one')],
    options: [new Option('--try', 'only try it: show what a file looks like, and keep nothing')],
    operation: async ({ file }: { readonly file?: string }) => {
      const { layoutReading: reading, layoutSetting: setting } = await operations();
      return file === undefined ? reading : setting;
    },
    parts: async ({ layout, file, try: isTried }: { readonly layout: string; readonly file?: string; readonly try?: true }) => ({
      path: { layout },
      ...(file !== undefined && { query: { try: isTried }, body: jsonOf(file, await readText(file)) }),
    }),
    lines: { '/layout': ['A layout is called by 1 to 30 small letters, digits or -.', 2] },
    text: layoutText,
  });
}

type Written = { readonly output?: string };

/** Writes the bytes of a file where they are wanted. */
async function written({ content }: Pick<File, 'content'>, { output }: Written): Promise<string> {
  if (output === undefined) return '';
  await writeFile(output, Buffer.from(content, 'base64'), { flag: 'wx', mode: OWNER_ONLY }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(`The file was made, but ${output} cannot be written: ${error.code}. "settlements file" reads it again.`, 1);
  });
  return ` It is in ${output}.`;
}

const linesOf = (file: Omit<File, 'settlements' | 'content'>) => [
  file.file,
  file.layout,
  file.format,
  file.payments,
  file.total,
  file.payOn,
  sentInstant(file.madeAt),
];
const HEADING = ['FILE', 'LAYOUT', 'FORMAT', 'PAYMENTS', 'TOTAL', 'PAY ON', 'MADE'];

type MakeOptions = Written & {
  readonly layout: string;
  readonly currency: string;
  readonly id?: string;
  readonly settlements?: string;
  readonly payOn?: string;
  readonly cell?: string;
};

function addFiles(settlements: Command, connect: Connect): void {
  askCommand(settlements, connect, {
    name: 'make-file',
    about: 'make a file for a bank of approved settlements; they are sent with it',
    options: [
      needed('--layout <name>', 'how the bank takes it'),
      needed('--currency <code>', 'of the settlements, such as COP'),
      new Option('--settlements <numbers>', 'some settlements, with commas between them; all that are approved where absent'),
      new Option('--id <file>', 'your id of the file: given again it is the same file'),
      new Option('--pay-on <day>', 'when the bank is to pay (default: today)'),
      new Option('--cell <name>', 'the cell of its settlements, in a service of several (default: that of --settlements, or home)'),
      outputOption,
    ],
    operation: async () => (await operations()).fileMaking,
    parts: ({ layout, currency, id: file, settlements: numbers, payOn, cell }: MakeOptions) => ({
      body: { file, layout, currency, settlements: numbers?.split(','), payOn, cell },
    }),
    lines: {
      '/file': ['--id takes 1 to 35 letters, digits or -.', 2],
      '/layout': ['--layout takes the name of a layout.', 2],
      '/settlements': ['--settlements takes numbers of settlements with commas between them, each once.', 2],
      '/payOn': ['--pay-on takes a day, such as 2026-11-30.', 2],
      file_exists: ['There is another bank file {id}.', 1],
    },
    text: async (made, given) => {
      const more = made.isMore ? ' More settlements are approved: make another file.' : '';
      const before = made.isRepeated ? ' It was made before.' : '';
      return `Bank file ${made.file} has ${made.payments} payments, ${moneyText(made.total)}.${before}${await written(made, given)}${more}\n`;
    },
  });
  listCommand(settlements, connect, {
    name: 'files',
    about: 'files that banks were sent, the newest first',
    options: [limitOption],
    operation: async () => (await operations()).fileList,
    limit: ({ limit }: { readonly limit: number }) => limit,
    parts: () => ({}),
    text: (listed, { limit }, zone, isMore) =>
      listed.length === 0 ? 'No bank file was made yet.\n' : `${table(HEADING, listed.map(linesOf), zone)}${moreText(isMore, limit)}`,
  });
  askCommand(settlements, connect, {
    name: 'file',
    about: 'show a file that a bank was sent, and write it again byte for byte',
    args: [new Argument('<file>', 'its id')],
    options: [cellOption, outputOption],
    operation: async () => (await operations()).fileReading,
    parts: ({ file, cell }: Written & { readonly file: string; readonly cell?: string }) => ({ path: { file }, query: { cell } }),
    text: async (file, given, zone) => {
      const values = HEADING.map((name, index) => [name.toLowerCase(), linesOf(file)[index] ?? null] as const);
      const where = await written(file, given);
      return (
        details([...values, ['sha256', file.sha256], ['settlements', file.settlements.join(', ')]], zone) + (where && `${where.trim()}\n`)
      );
    },
  });
}

function addResults(settlements: Command, connect: Connect): void {
  askCommand(settlements, connect, {
    name: 'results',
    about: 'what a bank says of settlements; a preview, unless it is recorded with --commit',
    args: [new Argument('<file>', 'a CSV with the columns settlement, result (paid or returned), reference, reason, and perhaps amount')],
    options: [new Option('--commit', 'record it: all of the file, or nothing')],
    operation: async () => (await operations()).resultsRecording,
    parts: async ({ file, commit }: { readonly file: string; readonly commit?: true }) => ({
      body: { csv: await readText(file), preview: commit === true ? undefined : true },
    }),
    lines: { '/csv': ['The file is empty.', 2] },
    isFine: ({ faults }) => faults.length === 0,
    text: resultsText,
  });
}

function resultsText({ isRecorded, isRepeated, results, faults }: Results): string {
  if (faults.length > 0)
    return `${faults.map(({ line, rule }) => `line ${line}: ${rule}\n`).join('')}Nothing can be recorded of this file.\n`;
  const rows = results.map((one) => [one.settlement, one.merchant, one.amount, one.result, one.isRepeated ? 'as before' : '']);
  const end = isRepeated ? 'All of it was recorded before.' : isRecorded ? 'It is recorded.' : 'Nothing is recorded yet: --commit does.';
  return `${table(['SETTLEMENT', 'MERCHANT', 'AMOUNT', 'RESULT', ''], rows)}${end}\n`;
}

const readText = (file: string): Promise<string> =>
  readTextFile(file, MOST_READ_BYTES, `has more than ${MOST_READ_BYTES} bytes: send it in parts`);

function jsonOf(file: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw new CommandRefused(`${file} is not a JSON object.`, 2);
}
