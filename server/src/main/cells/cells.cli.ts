import { Argument, type Command } from 'commander';
import {
  CommandRefused,
  endIncomplete,
  JSON_OPTION,
  print,
  printJson,
  reachedCells,
  requireEveryCell,
  table,
  withConnection,
  type Cell,
  type Connect,
} from '../../kit/command-line.ts';
import { noSuchCell } from '../../kit/per-cell.ts';
import { askCommand, type AnswerOf } from '../../kit/remote/client-commands.ts';
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
  const ofDatabase = (name: string, about: string): Command =>
    cells
      .command(name)
      .description(about)
      .argument('<name>', 'what it is called: small letters, digits and -')
      .option('--database-url <url>', 'connects as the user that serves; other users of this machine see it while the command runs')
      .option('--database-url-file <path>', 'the same in a file that nobody else may read, or /dev/stdin')
      .option('--owner-url <url>', 'connects as the owner of the database, who migrates (default: the user that serves)')
      .option('--owner-url-file <path>', 'the same in a file')
      .option(...JSON_OPTION);
  ofDatabase('create', 'make an empty database a cell: migrate it as its owner, and add it to the service').action(
    (name: string, options: UrlOptions) => onDatabase(connect, name, options, 'create'),
  );
  ofDatabase('reconnect', 'replace how a cell is connected to: another password, or another place of the same data').action(
    (name: string, options: UrlOptions) => onDatabase(connect, name, options, 'reconnect'),
  );
  ofDatabase('move', 'have home use another database for a cell: a copy with the same rows, while no server uses the cell').action(
    (name: string, options: UrlOptions) => onDatabase(connect, name, options, 'move'),
  );
  askCommand(cells, connect, {
    name: 'place',
    about: 'choose the cell of a merchant before it is created',
    args: [new Argument('<merchant>', 'its id'), new Argument('<cell>', 'the name of the cell')],
    operation: async () => (await operations()).merchantPlacing,
    parts: ({ merchant, cell }: { readonly merchant: string; readonly cell: string }) => ({ path: { merchant }, body: { cell } }),
    lines: { '/cell': [noSuchCell('{cell}'), 1] },
    text: ({ merchant, cell }) => `${merchant} belongs to ${cell}: "merchants create --id ${merchant}" creates it there.\n`,
  });
  cells
    .command('verify')
    .description('prove what no single database can: that no merchant is in two cells, and that all of them fit together')
    .option(...JSON_OPTION)
    .action(({ json }: { readonly json?: true }) => verify(connect, json));
  cells
    .command('claim-again')
    .description('tell home again what its cells have: merchants, references, transactions, after a restore to an earlier moment')
    .option(...JSON_OPTION)
    .action(({ json }: { readonly json?: true }) => runClaimAgain(connect, json));
}

/** Reads a connection string: it holds a password, so a file is better. */
async function readUrl(name: string, url: string | undefined, path: string | undefined): Promise<string | undefined> {
  if (url !== undefined && path !== undefined) throw new CommandRefused(`--${name} and --${name}-file exclude each other.`, 2);
  if (path === undefined) return url;
  const { readPrivateFile } = await import('../../kit/files/private-file.ts');
  return readPrivateFile(path).trim();
}

const DONE = {
  create: (name: string, cell: number, database: string) =>
    `The cell ${name} is created: number ${cell}, ${database}.\n` +
    'Servers read the list of cells when they start: restart them one by one. Until then they create no merchant in it.\n' +
    'Back it up as home is backed up: docs/operations/cells.md.\n',
  reconnect: (name: string, _cell: number, database: string) =>
    `The cell ${name} is connected to as ${database} from now on. Restart the servers one by one, then end the earlier user.\n`,
  move: (name: string, _cell: number, database: string) =>
    `The cell ${name} is ${database} now: all of its tables were compared row by row.\n` +
    'Start the servers again, one by one. Nothing may write to the former database any more.\n',
} as const;

async function onDatabase(connect: Connect, name: string, options: UrlOptions, verb: keyof typeof DONE): Promise<void> {
  const url = await readUrl('database-url', options.databaseUrl, options.databaseUrlFile);
  if (url === undefined) throw new CommandRefused('Name the database: --database-url, or --database-url-file.', 2);
  const ownerUrl = (await readUrl('owner-url', options.ownerUrl, options.ownerUrlFile)) ?? url;
  await withConnection(connect, async (connection) => {
    const [works, { describeDatabase }] = await Promise.all([import('./create-cell-database.ts'), import('../../kit/db.ts')]);
    const work = {
      create: works.createCellDatabase,
      reconnect: works.reconnectCellDatabase,
      move: async (...asked: Parameters<typeof works.createCellDatabase>) => (await import('./move-cell.ts')).moveCell(...asked),
    }[verb];
    const { cell } = await work(connection, name, { url, ownerUrl });
    const database = describeDatabase(url);
    if (options.json) printJson({ cell, name, database });
    else print(DONE[verb](name, cell, database));
  });
}

async function verify(connect: Connect, json: true | undefined): Promise<void> {
  await withConnection(connect, async (connection) => {
    const { verifyCells } = await import('./verify-cells.ts');
    const { promises, waiting } = await verifyCells(connection);
    const broken = promises.filter(({ finding }) => finding !== undefined);
    if (json) for (const { promise, finding } of promises) printJson({ promise, holds: finding === undefined, finding });
    else {
      for (const { promise, finding } of promises)
        print(finding === undefined ? `True: ${promise}.\n` : `Not true: ${promise}. ${finding}.\n`);
      for (const { merchant, cell } of waiting) print(`${merchant} is placed in ${cell}, and not created yet.\n`);
    }
    if (broken.length > 0) throw new CommandRefused(`${broken.length} of ${promises.length} promises do not hold.`);
    requireEveryCell(connection, 'Not proved');
  });
}

async function runClaimAgain(connect: Connect, json: true | undefined): Promise<void> {
  await withConnection(connect, async (connection) => {
    const { claimAgain } = await import('./claim-again.ts');
    const { claimed, left } = await claimAgain(connection);
    if (json) printJson({ claimed, left });
    else {
      for (const [what, count] of Object.entries(claimed)) print(`Claimed again: ${count} ${what}.\n`);
      for (const { cell, merchantId, id, problem, owner } of left)
        print(`${cell}: ${[merchantId, id ?? [], problem].flat().join(' ')}; home says that it belongs to ${owner}.\n`);
    }
    if (reachedCells(connection).away.length > 0) endIncomplete();
    if (left.length > 0) throw new CommandRefused(`${left.length} belong to two cells: a person has to decide.`, 3);
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
