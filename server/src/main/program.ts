import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { auditCommands } from '../audit/audit.cli.ts';
import { brandCommands } from '../brands/brands.cli.ts';
import { cashoutCommands } from '../cashouts/cashouts.cli.ts';
import { CommandRefused, type Connect, type Connection } from '../kit/command-line.ts';
import type { Remote } from '../kit/remote/remote.ts';
import { exportCommands } from '../exports/exports.cli.ts';
import { figureCommands } from '../figures/figures.cli.ts';
import { ledgerCommands } from '../ledger/ledger.cli.ts';
import { merchantCommands } from '../merchants/merchants.cli.ts';
import { messageCommands } from '../messages/messages.cli.ts';
import type { Messages } from '../messages/index.ts';
import { listenCommand } from '../notices/listen/listen.cli.ts';
import { replayCommand } from '../notices/listen/replay.cli.ts';
import { networkCommands } from '../networks/networks.cli.ts';
import { noticeCommands } from '../notices/notices.cli.ts';
import { orderCommands } from '../orders/payments/orders.cli.ts';
import { refundCommands } from '../orders/refunds/refunds.cli.ts';
import { peopleCommands } from '../people/people.cli.ts';
import { settlementCommands } from '../settlements/settlements.cli.ts';
import { calendarCommands } from '../settlements/terms/calendars.cli.ts';
import { settlementStatementCommand, statementCommand } from '../statements/statements.cli.ts';
import { triggerCommand } from '../sandbox/trigger.cli.ts';
import { findCommand } from '../search/find.cli.ts';
import { backupCommands } from './backup/backup.cli.ts';
import { signCommand } from './commands/sign.cli.ts';
import { cellCommands } from './cells/cells.cli.ts';
import { commandAct, commandName, type Doing } from './commands/command-acts.ts';
import { WITHOUT_URL } from './commands/without-url.ts';
import type { Config } from './config.ts';
import { tryCommand } from './demo/try.cli.ts';
import { EXPORTED_LISTS } from './exported-lists.ts';
import { tokenCommands } from '../users/tokens.cli.ts';
import { userCommands } from '../users/users.cli.ts';
import { doctorCommand } from './doctor/doctor.cli.ts';
import { masterKeyCommands } from './keys/master-key.cli.ts';
import { serviceKeyCommands } from './keys/service-keys.cli.ts';
import { verifyCommand } from './verify.cli.ts';

// The program and its help load no room: only the declarations of its commands. The command that runs loads its code.

/** What commands run on. */
export type World = Omit<typeof import('./connect.ts'), 'connect' | 'connectWithAnyKey'> & {
  readonly connect: (doing: Doing) => Promise<Connection>;
  readonly connectWithAnyKey: (doing: Doing) => Promise<Connection>;
};

type GlobalOptions = { readonly as?: string; readonly url?: string };

/** Finds out what the command is about to do, before it runs. Refuses `--url` for a command that works on a database alone. */
function openDoing(program: Command): () => Doing {
  let doing: Doing = { act: undefined, as: undefined };
  let name = '';
  program.hook('preAction', (_program, command) => {
    name = commandName(command);
    doing = { act: commandAct(command), as: program.opts<GlobalOptions>().as };
  });
  return () => {
    if (program.opts<GlobalOptions>().url === undefined) return doing;
    throw new CommandRefused(`"${name}" has no --url: ${WITHOUT_URL[name]}.`, 2);
  };
}

/** Opens the service that `--url` names. The token is not an option: other users of the system see the words of a command. */
async function openNamedRemote(program: Command): Promise<Remote | undefined> {
  const { url, as } = program.opts<GlobalOptions>();
  if (url === undefined) return undefined;
  if (as !== undefined)
    throw new CommandRefused('--as goes with a database: to the service of --url the access token says who you are.', 2);
  return (await import('../kit/remote/open-remote.ts')).openRemote(url, process.env['CAUDAL_TOKEN']);
}

function parseName(text: string): string {
  if (!/^\P{Cc}{1,100}$/u.test(text) || text.trim() === '') throw new InvalidArgumentError('A name is one line of 1 to 100 characters.');
  return text;
}

function serveCommand(program: Command, doing: () => void): void {
  program
    .command('serve')
    .description('serve until a signal ends it, as npm start does; settings are variables, see docs/operations.md')
    .option('--port <number>', 'where to listen (default: CAUDAL_PORT, or else PORT, or else 3000)')
    .action(async () => {
      doing();
      await import('./serve.ts');
    });
}

/** The command line: the commands of every room in one program. A test gives a world of its own. */
export function createProgram(world: () => Promise<World> = () => import('./connect.ts')): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  const program = new Command('caudal')
    .description('Caudal: payment orders and cashouts, on your own servers.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText(
      'after',
      `\nWith --url a command asks a running service, except: ${Object.keys(WITHOUT_URL).join(', ')}.` +
        '\nThe database is that of DATABASE_URL, or else the embedded one in CAUDAL_DATA_DIR (default ./data), also while a server runs on it.' +
        '\nExit codes: 0 done, 1 could not be done, 2 wrong command line, 3 done, but rows were skipped, open records are left, a cell could not be used or the doctor has warnings.',
    )
    .option('--as <name>', 'who you are, for the audit log (default: the user of this system)', parseName)
    .option('--url <url>', 'ask a running service instead of a database, with the access token in CAUDAL_TOKEN')
    .exitOverride();
  const openOutbox = async (connection: Connection): Promise<Messages> => (await world()).openOutbox(connection);
  const readConsoleUrl = async (): Promise<string> => (await world()).readConsoleUrl();
  const doing = openDoing(program);
  const service = (): Promise<Remote | undefined> => openNamedRemote(program);
  const connect: Connect = Object.assign(
    async () => {
      const what = doing();
      return (await world()).connect(what);
    },
    { service, openHere: async (connection: Connection) => (await world()).openHere(connection) },
  );
  const connectWithAnyKey: Connect = async () => {
    const what = doing();
    return (await world()).connectWithAnyKey(what);
  };
  const readSettings = async (): Promise<Config> => {
    doing();
    return (await import('./config.ts')).readConfig(process.env);
  };
  merchantCommands(program, connect);
  networkCommands(program, connect);
  brandCommands(program, connect);
  orderCommands(program, connect, openOutbox);
  refundCommands(program, connect);
  cashoutCommands(program, connect);
  triggerCommand(program, connect);
  findCommand(program, connect);
  settlementStatementCommand(settlementCommands(program, connect), connect);
  calendarCommands(program, connect);
  statementCommand(ledgerCommands(program, connect), connect);
  noticeCommands(program, connect);
  listenCommand(program, connect);
  replayCommand(program, connect);
  signCommand(program, connect, { readServer: readConsoleUrl, readSecret: () => process.env['CAUDAL_SECRET'] });
  tryCommand(program, connect, async () => {
    doing();
    return readConsoleUrl();
  });
  auditCommands(program, connect, async (connection) => (await world()).openSigner(connection));
  verifyCommand(program, connect, async (connection) => (await world()).openChecks(connection));
  doctorCommand(program, doing);
  serveCommand(program, doing);
  figureCommands(program, connect);
  peopleCommands(program, connect, async (connection) => (await world()).openPersonalData(connection));
  exportCommands(program, connect, EXPORTED_LISTS);
  userCommands(program, connect);
  tokenCommands(program, connect);
  messageCommands(program, connect, readSettings);
  serviceKeyCommands(program, connect, readSettings);
  masterKeyCommands(program, connectWithAnyKey, readSettings);
  backupCommands(program, connect, doing);
  cellCommands(program, connect);
  return program;
}

const USAGE_EXIT_CODE = 2;

/** Runs a command line. Its end is the exit code of the process. */
export async function runWords(words: readonly string[]): Promise<void> {
  const program = createProgram();
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    // Commander has printed what was wrong, or the help.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE_EXIT_CODE;
    else {
      const { explainFault } = await import('./explain-fault.ts');
      process.stderr.write(`${explainFault(error) ?? `Caudal failed: ${(error as Error).stack}`}\n`);
      process.exitCode = error instanceof CommandRefused ? error.exitCode : 1;
    }
  }
}
