import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { auditCommands } from '../audit/audit.cli.ts';
import { cashoutCommands } from '../cashouts/cashouts.cli.ts';
import { systemClock } from '../kit/clock.ts';
import type { Connect, Connection } from '../kit/command-line.ts';
import { exportCommands } from '../exports/exports.cli.ts';
import { ledgerCommands } from '../ledger/ledger.cli.ts';
import { merchantCommands } from '../merchants/merchants.cli.ts';
import { messageCommands } from '../messages/messages.cli.ts';
import type { Messages } from '../messages/index.ts';
import { networkCommands } from '../networks/networks.cli.ts';
import { noticeCommands } from '../notices/notices.cli.ts';
import { orderCommands } from '../orders/payments/orders.cli.ts';
import { peopleCommands } from '../people/people.cli.ts';
import { findCommand } from '../search/find.cli.ts';
import { commandAct, type Doing } from './commands/command-acts.ts';
import type { Config } from './config.ts';
import { EXPORTED_LISTS } from './exported-lists.ts';
import { tokenCommands } from '../users/tokens.cli.ts';
import { userCommands } from '../users/users.cli.ts';
import { masterKeyCommands } from './keys/master-key.cli.ts';
import { serviceKeyCommands } from './keys/service-keys.cli.ts';
import { verifyCommand } from './verify.cli.ts';

// The program and its help load no room: only the declarations of its commands. The command that runs loads its code.

const world = () => import('./connect.ts');
const openOutbox = async (connection: Connection): Promise<Messages> => (await world()).openOutbox(connection);
const readSettings = async (): Promise<Config> => (await import('./config.ts')).readConfig(process.env);
const readConsoleUrl = async (): Promise<string> => (await world()).readConsoleUrl();

/** Finds out what the command is about to do, before it runs. */
function openDoing(program: Command): () => Doing {
  let doing: Doing = { act: undefined, as: undefined };
  program.hook('preAction', (_program, command) => {
    doing = { act: commandAct(command), as: program.opts<{ as?: string }>().as };
  });
  return () => doing;
}

function parseName(text: string): string {
  if (!/^\P{Cc}{1,100}$/u.test(text) || text.trim() === '') throw new InvalidArgumentError('It takes 1 to 100 characters on one line.');
  return text;
}

/** The command line: the commands of every room in one program. */
export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  const program = new Command('caudal')
    .description('Caudal: payment orders and cashouts, on your own servers.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText(
      'after',
      '\nThe database is that of DATABASE_URL, or else the embedded one in CAUDAL_DATA_DIR (default ./data), also while a server runs on it.' +
        '\nExit codes: 0 done, 1 could not be done, 2 wrong command line, 3 done, but rows were skipped or open records are left.',
    )
    .option('--as <name>', 'who you are, for the audit log (default: the user of this system)', parseName)
    .exitOverride();
  const doing = openDoing(program);
  const connect: Connect = async () => (await world()).connect(doing());
  const connectWithAnyKey: Connect = async () => (await world()).connectWithAnyKey(doing());
  merchantCommands(program, connect);
  networkCommands(program, connect);
  orderCommands(program, connect, openOutbox);
  cashoutCommands(program, connect, openOutbox);
  findCommand(program, connect);
  ledgerCommands(program, connect);
  noticeCommands(program, connect, async (connection) => (await world()).openNoticeRendering(connection));
  auditCommands(program, connect, async (connection) => (await world()).openSigner(connection));
  verifyCommand(program, connect, async (connection) => (await world()).openChecks(connection));
  peopleCommands(program, connect, async (connection) => (await world()).openPersonalData(connection));
  exportCommands(program, connect, EXPORTED_LISTS);
  userCommands(program, connect, { openOutbox, readConsoleUrl, clock: systemClock });
  tokenCommands(program, connect, systemClock);
  messageCommands(program, connect, readSettings);
  serviceKeyCommands(program, connect, readSettings);
  masterKeyCommands(program, connectWithAnyKey, readSettings);
  return program;
}
