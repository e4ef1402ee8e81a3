import { Argument, type Command } from 'commander';
import {
  CommandRefused,
  everyCell,
  JSON_OPTION,
  print,
  printJson,
  table,
  withConnection,
  type Cell,
  type Connect,
} from '../../kit/command-line.ts';
import { askCommand, type AnswerOf } from '../../kit/remote/client-commands.ts';
import type { CellUrls } from '../../cells/index.ts';
import type { cellList } from '../../cells/cells.manage.ts';

const operations = () => import('../../cells/cells.manage.ts');

type UrlOptions = {
  readonly databaseUrl?: string;
  readonly databaseUrlFile?: string;
  readonly ownerUrl?: string;
  readonly ownerUrlFile?: string;
  readonly json?: true;
};

/** Adds `caudal cells …` to the program: the databases of the service. */
export function cellCommands(program: Command, connect: Connect): void {
  const cells = program.command('cells').description('the databases of the service: list them, add one, prove them against each other');
  askCommand(cells, connect, {
    name: 'list',
    about: 'list the cells, home first: where each is, how large, and whether it can be used',
    operation: async () => (await operations()).cellList,
    parts: (_given: object) => ({}),
    json: ({ items }) => items,
    text: ({ items }) => table(HEADING, items.map(toCells)),
  });
  withUrls(
    cells
      .command('create')
      .description('make an empty database a cell: migrate it as its owner, and add it to the service')
      .argument('<name>', 'what it is called: small letters, digits and -'),
  ).action((name: string, options: UrlOptions) => create(connect, name, options));
  withUrls(
    cells
      .command('move')
      .description('have home use another database for a cell: a copy with the same rows, while no server uses the cell')
      .argument('<name>', 'its name'),
  ).action((name: string, options: UrlOptions) => move(connect, name, options));
  askCommand(cells, connect, {
    name: 'place',
    about: 'choose the cell of a merchant before it is created',
    args: [new Argument('<merchant>', 'its id'), new Argument('<cell>', 'the name of the cell')],
    operation: async () => (await operations()).merchantPlacing,
    parts: ({ merchant, cell }: { readonly merchant: string; readonly cell: string }) => ({ path: { merchant }, body: { cell } }),
    lines: { '/cell': ['There is no cell {cell}: ./caudal cells list shows them.', 1] },
    text: ({ merchant, cell }) => `${merchant} belongs to ${cell}: "merchants create --id ${merchant}" creates it there.\n`,
  });
  cells
    .command('verify')
    .description('prove what no single database can: that no merchant is in two cells, and that all of them fit together')
    .option(...JSON_OPTION)
    .action(({ json }: { readonly json?: true }) => verify(connect, json));
}

const withUrls = (command: Command): Command =>
  command
    .option('--database-url <url>', 'connects as the user that serves; other users of this machine see it while the command runs')
    .option('--database-url-file <path>', 'the same in a file that nobody else may read, or /dev/stdin')
    .option('--owner-url <url>', 'connects as the owner of the database, who migrates (default: the user that serves)')
    .option('--owner-url-file <path>', 'the same in a file')
    .option(...JSON_OPTION);

async function readUrls(options: UrlOptions): Promise<CellUrls> {
  const url = await readUrl('database-url', options.databaseUrl, options.databaseUrlFile);
  if (url === undefined) throw new CommandRefused('Name the database: --database-url, or --database-url-file.', 2);
  return { url, ownerUrl: (await readUrl('owner-url', options.ownerUrl, options.ownerUrlFile)) ?? url };
}

/** Reads a connection string: it holds a password, so a file is better. */
async function readUrl(name: string, url: string | undefined, path: string | undefined): Promise<string | undefined> {
  if (url !== undefined && path !== undefined) throw new CommandRefused(`--${name} and --${name}-file exclude each other.`, 2);
  if (path === undefined) return url;
  const { readPrivateFile } = await import('../../kit/files/private-file.ts');
  return readPrivateFile(path).trim();
}

async function move(connect: Connect, name: string, options: UrlOptions): Promise<void> {
  const urls = await readUrls(options);
  await withConnection(connect, async (connection) => {
    const [{ moveCell }, { describeDatabase }] = await Promise.all([import('./move-cell.ts'), import('../../kit/db.ts')]);
    const { tables } = await moveCell(connection, name, urls);
    const database = describeDatabase(urls.url);
    if (options.json) return printJson({ name, database, tables });
    print(
      `The cell ${name} is ${database} now: ${tables} tables were compared row by row.\n` +
        'Start the servers again, one by one. Nothing may write to the former database any more.\n',
    );
  });
}

async function create(connect: Connect, name: string, options: UrlOptions): Promise<void> {
  const { url, ownerUrl } = await readUrls(options);
  await withConnection(connect, async (connection) => {
    const [{ createCellDatabase }, { describeDatabase }] = await Promise.all([
      import('./create-cell-database.ts'),
      import('../../kit/db.ts'),
    ]);
    const { cell } = await createCellDatabase(connection, name, { url, ownerUrl });
    const database = describeDatabase(url);
    if (options.json) return printJson({ cell, name, database });
    print(
      `The cell ${name} is created: number ${cell}, ${database}.\n` +
        'Servers read the list of cells when they start: restart them one by one. Until then they create no merchant in it.\n' +
        'Back it up as home is backed up: docs/operations/cells.md.\n',
    );
  });
}

async function verify(connect: Connect, json: true | undefined): Promise<void> {
  await withConnection(connect, async (connection) => {
    const { verifyCells } = await import('./verify-cells.ts');
    const { promises, waiting } = await verifyCells(connection, everyCell(connection));
    const broken = promises.filter(({ finding }) => finding !== undefined);
    if (json) for (const { promise, finding } of promises) printJson({ promise, holds: finding === undefined, finding });
    else {
      for (const { promise, finding } of promises)
        print(finding === undefined ? `True: ${promise}.\n` : `Not true: ${promise}. ${finding}.\n`);
      for (const { merchant, cell } of waiting) print(`${merchant} is placed in ${cell}, and not created yet.\n`);
    }
    if (broken.length > 0) throw new CommandRefused(`${broken.length} of ${promises.length} promises do not hold.`);
    const away = connection.cells?.away ?? [];
    if (away.length > 0) throw new CommandRefused(`Not proved, because it cannot be used: ${away.map((one) => one.name).join(', ')}.`);
  });
}

const HEADING = ['CELL', 'NAME', 'DATABASE', 'POSTGRESQL', 'MERCHANTS', 'MIB', 'CONNECTIONS', 'SERVED HERE', 'STATE'];

type ShownCell = AnswerOf<typeof cellList>['items'][number];

function toCells({ cell, name, database, version, merchants, bytes, connections, isServed, state, reason }: ShownCell): Cell[] {
  return [
    cell,
    name,
    database,
    version,
    merchants,
    bytes === null ? null : Math.round(bytes / 2 ** 20),
    connections,
    isServed === null ? '' : isServed ? 'yes' : 'no',
    `${state.replace('_', ' ')}${reason === null ? '' : `: ${reason}`}`,
  ];
}
