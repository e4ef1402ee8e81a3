import { Argument, Option, type Command } from 'commander';
import { loadProvedFiles } from '../exports/index.ts';
import { askEither, CommandRefused, JSON_OPTION, print, printJson, type Connect } from '../kit/command-line.ts';
import { LANGUAGES, type Language } from '../kit/language.ts';
import { worded } from '../kit/remote/client-commands.ts';

type Form = {
  readonly language?: Language;
  readonly pdf?: string;
  readonly csv?: string;
  readonly json?: true;
};
type Given = Form & { readonly day?: string; readonly month?: string; readonly currency?: string };

const formOptions = [
  new Option('--pdf <file>', 'write it as PDF, to read and file'),
  new Option('--csv <file>', 'or as CSV, for spreadsheets').conflicts('pdf'),
  new Option('--language <code>', 'of its words and numbers (default: es)').choices(LANGUAGES),
  new Option(...JSON_OPTION),
];
const PROVED = '\nIts last line has the SHA-256 of all before it: "caudal export check FILE" proves it again.';

/** Adds `caudal ledger statement`. */
export function statementCommand(ledger: Command, connect: Connect): void {
  const command = ledger
    .command('statement')
    .description("a merchant's statement of a day or a month as a file: balances, each kind of movement, each movement")
    .addArgument(new Argument('<merchant>', 'whose money'))
    .addOption(new Option('--month <month>', "a month in the merchant's zone, such as 2026-11"))
    .addOption(new Option('--day <day>', 'or a day, such as 2026-11-21').conflicts('month'))
    .addOption(new Option('--currency <code>', 'needed where money has moved in several currencies'));
  for (const option of formOptions) command.addOption(option);
  command.addHelpText('after', PROVED).action(async (merchant: string, { day, month, currency, ...form }: Given) => {
    const period = day ?? month;
    if (period === undefined) throw new CommandRefused('A statement takes --month or --day.', 2);
    await writeFile(form, async (query, take) => {
      const { readStatementFile } = await import('./statements.manage.ts');
      const parts = { path: { merchant, period }, query: { currency, ...query } };
      await askEither(connect, (service) =>
        worded(readStatementFile, { ...parts, given: { merchant, period } }, service.download(readStatementFile, parts, take)),
      );
    });
  });
}

/** Adds `caudal settlements statement`. */
export function settlementStatementCommand(settlements: Command, connect: Connect): void {
  const command = settlements
    .command('statement')
    .description('what a payout is made of, as a file: what was collected, what was taken off, the net amount, each movement')
    .addArgument(new Argument('<settlement>', 'its number'))
    .addOption(new Option('--merchant <id>', 'whose money it is').makeOptionMandatory());
  for (const option of formOptions) command.addOption(option);
  command.addHelpText('after', PROVED).action(async (settlement: string, { merchant, ...form }: Form & { readonly merchant: string }) => {
    await writeFile(form, async (query, take) => {
      const { readSettlementStatement } = await import('./statements.manage.ts');
      const parts = { path: { merchant, settlement }, query };
      await askEither(connect, (service) =>
        worded(readSettlementStatement, { ...parts, given: parts.path }, service.download(readSettlementStatement, parts, take)),
      );
    });
  });
}

type Query = { readonly language: Language | undefined; readonly format: 'csv' | 'pdf' };
type Take = (bytes: Uint8Array) => Promise<void>;

/** Writes what is downloaded to the file that was named, and proves it. */
async function writeFile({ language, pdf, csv, json }: Form, download: (query: Query, take: Take) => Promise<void>): Promise<void> {
  const file = pdf ?? csv;
  if (file === undefined) throw new CommandRefused('A statement takes --pdf or --csv, with the file to write.', 2);
  const [{ checkExport, describeTrailer }, { openOutputFile, partOf }] = await Promise.all([
    loadProvedFiles(),
    import('../kit/files/output-file.ts'),
  ]);
  const output = await openOutputFile(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandRefused(`Nothing was written: ${file} cannot be written (${code}).`);
  });
  try {
    await download({ language, format: pdf === undefined ? 'csv' : 'pdf' }, (bytes) => output.write(Buffer.from(bytes)));
    const checked = await checkExport(partOf(file));
    if ('problem' in checked) throw new CommandRefused(`Nothing was written: what came is not whole, ${checked.problem}.`);
    await output.keep();
    if (json) printJson(checked.trailer);
    else print(`${file}: ${describeTrailer(checked.trailer)}\n`);
  } catch (error) {
    await output.discard();
    throw error;
  }
}
