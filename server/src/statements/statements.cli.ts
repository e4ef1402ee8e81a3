import { Argument, Option, type Command } from 'commander';
import { loadProvedFiles } from '../exports/index.ts';
import { askEither, CommandRefused, JSON_OPTION, print, printJson, type Connect } from '../kit/command-line.ts';
import { LANGUAGES, type Language } from '../kit/language.ts';
import { worded } from '../kit/remote/client-commands.ts';

type Given = {
  readonly day?: string;
  readonly month?: string;
  readonly currency?: string;
  readonly language?: Language;
  readonly pdf?: string;
  readonly csv?: string;
  readonly json?: true;
};

/** Adds `caudal ledger statement`. */
export function statementCommand(ledger: Command, connect: Connect): void {
  ledger
    .command('statement')
    .description("a merchant's statement of a day or a month as a file: balances, each kind of movement, each movement")
    .addArgument(new Argument('<merchant>', 'whose money'))
    .addOption(new Option('--month <month>', "a month in the merchant's zone, such as 2026-11"))
    .addOption(new Option('--day <day>', 'or a day, such as 2026-11-21').conflicts('month'))
    .addOption(new Option('--pdf <file>', 'write it as PDF, to read and file'))
    .addOption(new Option('--csv <file>', 'or as CSV, for spreadsheets').conflicts('pdf'))
    .addOption(new Option('--currency <code>', 'needed where money has moved in several currencies'))
    .addOption(new Option('--language <code>', 'of its words and numbers (default: es)').choices(LANGUAGES))
    .option(...JSON_OPTION)
    .addHelpText('after', '\nIts last line has the SHA-256 of all before it: "caudal export check FILE" proves it again.')
    .action((merchant: string, given: Given) => writeFile(connect, merchant, given));
}

async function writeFile(connect: Connect, merchant: string, { day, month, currency, language, pdf, csv, json }: Given): Promise<void> {
  const [period, file] = [day ?? month, pdf ?? csv];
  if (period === undefined) throw new CommandRefused('A statement takes --month or --day.', 2);
  if (file === undefined) throw new CommandRefused('A statement takes --pdf or --csv, with the file to write.', 2);
  const [{ readStatementFile }, { checkExport, describeTrailer }, { openOutputFile, partOf }] = await Promise.all([
    import('./statements.manage.ts'),
    loadProvedFiles(),
    import('../kit/files/output-file.ts'),
  ]);
  const parts = { path: { merchant, period }, query: { currency, language, format: pdf === undefined ? 'csv' : 'pdf' } };
  const output = await openOutputFile(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandRefused(`Nothing was written: ${file} cannot be written (${code}).`);
  });
  try {
    await askEither(connect, (service) =>
      worded(
        readStatementFile,
        { ...parts, given: { merchant, period } },
        service.download(readStatementFile, parts, (bytes) => output.write(Buffer.from(bytes))),
      ),
    );
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
