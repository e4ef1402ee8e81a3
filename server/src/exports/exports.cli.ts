import { Option, type Command } from 'commander';
import {
  cellNamed,
  CommandRefused,
  JSON_OPTION,
  ofMerchant,
  optionOf,
  print,
  printJson,
  readFrom,
  reachedCells,
  requireEveryCell,
  type Connect,
  type Connection,
} from '../kit/command-line.ts';
import { createProgress, type FileProgress } from '../kit/files/progress.ts';
import type { Scope } from '../kit/lists/walks.ts';
import type { ExportedList, FilterTexts } from './exported-list.ts';
import type { Output } from '../kit/files/output-file.ts';
import { isFaults, readFilter } from './read-filter.ts';
import { FORMATS, type Format } from './formats.ts';
import type { Trailer } from './trailer.ts';

type ExportOptions = Readonly<Record<string, string>> & {
  readonly format: Format;
  readonly output?: string;
  readonly cell?: string;
  readonly json?: true;
};

const HELP = `
An export is one snapshot of the whole list, while servers run. Its last line says what the file holds:
rows, sums by currency, filter, instant, and the SHA-256 of all before it. "caudal export check FILE" proves it.
csv-es, csv-en and csv-pt are for spreadsheets in a language: its headings, separators and decimals, times in the merchant's zone.
csv-safe is for spreadsheets too, with the names and values of programs. In all of them a quote is put before values that would run as
formulas, and an id that would become a number or a day is written as ="0102030405". csv and ndjson hold the values as they are.
A day of --from or --to is one of the time zone of the merchant. Of all merchants it is one of the zone that they share, else of UTC.`;

/** Adds `caudal export …` to the program: a command for each list, and one that checks files. */
export function exportCommands(program: Command, connect: Connect, lists: readonly ExportedList[]): void {
  const exports = program.command('export').description('whole lists as files that prove themselves; check such a file');
  for (const list of lists) addList(exports, connect, list);
  exports
    .command('check')
    .description('prove that an exported file is whole, and say what it holds')
    .argument('<file>', 'the file')
    .option(...JSON_OPTION)
    .action(check);
}

function addList(exports: Command, connect: Connect, list: ExportedList): void {
  const command = exports
    .command(list.name)
    .description(`all ${list.name} that pass the filter`)
    .option('--merchant <id>', 'of this merchant only')
    .option('--cell <name>', 'of all merchants of this cell; needed without --merchant where there are several');
  for (const [name, { kind, about, of }] of Object.entries(list.filters)) {
    const hint = of === undefined ? '' : `: ${of.join(', ')}`;
    command.option(`${optionOf(name)} <${kind === 'choices' ? 'some' : kind}>`, `${about}${hint}`);
  }
  command
    .addOption(new Option('--format <format>', 'how rows are written').choices(FORMATS).default('csv-safe'))
    .option('--output <file>', 'the file; without it, standard output')
    .option('--json', 'print the last line of the export as JSON')
    .addHelpText('after', HELP)
    .action((options: ExportOptions) => runExport(connect, list, options));
}

async function runExport(connect: Connect, list: ExportedList, options: ExportOptions): Promise<void> {
  const { output: path, json } = options;
  const progress = createProgress({
    write: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
    totalBytes: undefined,
    nowMs: () => performance.now(),
  });
  /** Opens the output once all is checked that can be checked before. */
  const into = async (write: (sink: Output['write']) => Promise<Trailer>): Promise<Trailer> => {
    const output = await openOutput(path);
    try {
      const written = await write(output.write);
      await output.keep();
      return written;
    } catch (error) {
      await output.discard();
      throw asRefusal(error, path);
    } finally {
      progress.end();
    }
  };
  const { format, merchant, cell, output: _output, json: _json, ...filter } = options;
  if (merchant !== undefined && cell !== undefined)
    throw new CommandRefused('--cell goes without --merchant: a merchant is in one cell.', 2);
  const trailer = await readFrom(connect, {
    here: (connection) => exportHere(connection, list, options, into, progress.report),
    there: async (service) => {
      if (cell !== undefined) throw new CommandRefused('--cell goes with a database, not with --url.', 2);
      const { askExport } = await import('./ask-export.ts');
      const asked = { list: list.name, format, merchant, filter: filter as FilterTexts };
      return into((sink) => askExport(service, asked, sink, progress.report));
    },
  });
  const { describeTrailer } = await import('./trailer.ts');
  // Standard output has the rows already.
  const say = path === undefined ? (text: string) => void process.stderr.write(text) : print;
  say(json ? `${JSON.stringify(trailer)}\n` : `${path ?? 'Standard output'}: ${describeTrailer(trailer)}\n`);
}

async function exportHere(
  every: Connection,
  list: ExportedList,
  { merchant, format, cell, output: _output, json: _json, ...filter }: ExportOptions,
  into: (write: (sink: Output['write']) => Promise<Trailer>) => Promise<Trailer>,
  onProgress: (progress: FileProgress) => void,
): Promise<Trailer> {
  const [{ requireMerchant, zoneOfMerchant }, { urlsOf, writeExport }] = await Promise.all([
    import('../merchants/index.ts'),
    import('./write-export.ts'),
  ]);
  const connection = merchant === undefined ? cellNamed(every, cell) : await ofMerchant(every, merchant);
  if (merchant !== undefined) await requireMerchant(connection, merchant);
  const scope: Scope = merchant === undefined ? 'everybody' : { merchantId: merchant };
  const zone = await zoneOfMerchant(connection, merchant);
  const values = readFilter(list, filter, zone);
  if (isFaults(values)) throw new CommandRefused(values.map(({ name, rule }) => `${optionOf(name)} ${rule}.`).join(' '), 2);
  if (list.isEverywhere === true && merchant !== undefined) requireEveryCell(every, 'Nothing was exported');
  const { connections: cells, cellOf } = reachedCells(every);
  const urls = merchant === undefined ? [connection.url] : await urlsOf({ cells, cellOf }, list, merchant);
  const { clock } = connection;
  const what = {
    list,
    format,
    zone,
    filter: { ...(merchant === undefined ? {} : { merchant }), ...filter } as FilterTexts,
    query: list.query(scope, values, clock.now()),
  };
  return into((sink) => writeExport({ urls, clock, what, sink, onProgress }));
}

async function openOutput(path: string | undefined): Promise<Output> {
  const { openOutputFile, outputTo } = await import('../kit/files/output-file.ts');
  if (path === undefined) return outputTo(process.stdout);
  try {
    return await openOutputFile(path);
  } catch (error) {
    throw asRefusal(error, path);
  }
}

/** A system's error about a file is one line to act on. */
function asRefusal(error: unknown, path: string | undefined): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (
    syscall === undefined ||
    syscall === 'connect' ||
    !/^E(?:NOSPC|ACCES|PERM|NOENT|ISDIR|ROFS|IO|FBIG|DQUOT|PIPE|XDEV|NOTDIR)$/.test(code ?? '')
  )
    return error;
  return new CommandRefused(`Nothing was exported: ${path ?? 'standard output'} cannot be written (${code}).`);
}

async function check(file: string, { json }: { readonly json?: true }): Promise<void> {
  const { checkExport, describeTrailer } = await import('./proved-files.ts');
  const checked = await checkExport(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(`${file} cannot be read (${error.code}).`);
  });
  if (json) printJson('problem' in checked ? { whole: false, problem: checked.problem } : { whole: true, ...checked.trailer });
  if ('problem' in checked) throw new CommandRefused(`${file} is not whole: ${checked.problem}.`);
  if (!json) print(`${file} is whole: ${describeTrailer(checked.trailer)}\n`);
}
