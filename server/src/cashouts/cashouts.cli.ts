import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import {
  CommandRefused,
  endIncomplete,
  JSON_OPTION,
  ofMerchant,
  withConnection,
  type Connect,
  type Connection,
} from '../kit/command-line.ts';
import type { Country } from '../merchants/index.ts';
import { listCashoutsCommand } from './find/list-cashouts.cli.ts';
import type { ImportOutcome } from './import/import-cashouts.ts';
import type { RowRefusal } from '../kit/files/csv.ts';
import type { ImportingMerchant } from './import/import-cashouts.wire.ts';
import { formatCount, createProgress, type Progress } from '../kit/files/progress.ts';
import { openRejects } from './import/rejects.ts';
import { limitsCommand } from './limits/limits.cli.ts';
import { oneCashoutCommands } from './operator/one-cashout.cli.ts';

type ImportArguments = { merchant: string; skipInvalid?: true; json?: true };

const READ_BYTES = 256 * 1024;

/** Adds `caudal cashouts …` to the program. */
export function cashoutCommands(program: Command, connect: Connect): void {
  const cashouts = program
    .command('cashouts')
    .description(
      'list, show and register cashouts, bring in those of a merchant, cancel or nullify them, renew their passwords, limit them',
    );
  cashouts
    .command('import')
    .description('import cashouts from CSV with a header, or NDJSON; all of a file or nothing')
    .argument('<file>', 'the file, or - for standard input')
    .requiredOption('--merchant <id>', 'whose cashouts they are')
    .option('--skip-invalid', 'import the good rows; write the bad ones to <file>.rejected.ndjson and exit with 3')
    .option(...JSON_OPTION)
    .addHelpText('after', HELP)
    .action((file: string, options: ImportArguments) =>
      withConnection(connect, async (connection) => runImport(await ofMerchant(connection, options.merchant), file, options)),
    );
  listCashoutsCommand(cashouts, connect);
  oneCashoutCommands(cashouts, connect);
  limitsCommand(cashouts, connect);
}

const HELP = `
Columns are named as in the list of cashouts: amount, currency, document, operation, expire,
update, status; and, where there is a value, transactionCost, description, sms, cellphone.
expire is YYYYMMDD. update is YYYYMMDD, which means the start of that day, or an instant with its offset,
such as 2026-11-21T10:15:00-05:00, which keeps the order within the day; of equal ones a later line is newer.
Importing a file again changes nothing.`;

async function runImport(
  connection: Connection,
  file: string,
  { merchant: merchantId, skipInvalid, json }: ImportArguments,
): Promise<void> {
  const { importCashouts } = await import('./import/import-cashouts.ts');
  const merchant = await readMerchant(connection, merchantId);
  const isStandardInput = file === '-';
  const totalBytes = isStandardInput ? undefined : await sizeOf(file);
  const rejectsPath = `${isStandardInput ? 'cashouts' : file}.rejected.ndjson`;
  const rejects = skipInvalid ? await openRejects(rejectsPath) : undefined;
  const progress = createProgress({
    write: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
    totalBytes,
    nowMs: () => performance.now(),
  });
  const startMs = performance.now();
  const source = counted(isStandardInput ? process.stdin : createReadStream(file, { highWaterMark: READ_BYTES }), progress);
  let outcome: ImportOutcome;
  try {
    const { url, clock, recordIn: record } = connection;
    outcome = await importCashouts({ url, merchant, now: clock.now(), source, rejects, record, onProgress: progress.report });
  } catch (error) {
    await rejects?.discard();
    throw error;
  } finally {
    progress.end();
  }
  if (outcome.outcome === 'refused') {
    await rejects?.discard();
    if (json) print({ merchant: merchantId, outcome: outcome.outcome, faults: outcome.refusals });
    else for (const refusal of outcome.refusals) process.stderr.write(`${describe(refusal)}\n`);
    throw new CommandRefused(
      `Nothing was imported: ${isStandardInput ? 'standard input' : basename(file)} has bad rows; these are the first.`,
    );
  }
  const seconds = Math.round((performance.now() - startMs) / 100) / 10;
  const rejectsFile = outcome.rejected > 0 ? rejectsPath : undefined;
  if (json) print({ merchant: merchantId, ...outcome, seconds, rejectsFile });
  else process.stdout.write(summarize(merchantId, outcome, seconds, rejectsFile));
  if (outcome.rejected > 0) endIncomplete();
}

async function readMerchant(connection: Connection, merchantId: string): Promise<ImportingMerchant> {
  const { findCountry, requireMerchant } = await import('../merchants/index.ts');
  const merchant = await requireMerchant(connection, merchantId);
  const { timeZone, region } = findCountry(merchant.country) as Country;
  const { currencies, letterDocuments, strictAmounts } = merchant;
  return { merchantId, timeZone, region, currencies, letterDocuments, strictAmounts };
}

async function sizeOf(file: string): Promise<number> {
  try {
    const found = await stat(file);
    if (!found.isDirectory()) return found.size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  throw new CommandRefused(`There is no file ${file}.`, 2);
}

async function* counted(source: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    progress.bytes(chunk.length);
    yield chunk;
  }
}

function summarize(
  merchantId: string,
  { rows, added, unchanged, rejected }: Extract<ImportOutcome, { outcome: 'imported' }>,
  seconds: number,
  rejectsFile: string | undefined,
): string {
  const rest = rejectsFile === undefined ? '' : `, ${formatCount(rejected)} rejected: see ${rejectsFile}`;
  return `${merchantId}: ${formatCount(rows)} rows in ${seconds} s: ${formatCount(added)} added, ${formatCount(unchanged)} unchanged${rest}.\n`;
}

const describe = ({ line, field, rule }: RowRefusal): string => `line ${line}: ${field === undefined ? '' : `${field} `}${rule}`;

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
