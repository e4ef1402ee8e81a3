import { Option, type Command } from 'commander';
import { JSON_OPTION, MAX_LISTED, parseInstant, parseLimit, type Connect } from '../kit/command-line.ts';
import { ACTS_OF } from './acts-of.ts';
import type { CheckpointOptions, AuditListOptions, OpenSigner, VerifyOptions } from './run-audit-commands.ts';

/** What the commands run on. Help comes without it. */
const world = () => import('./run-audit-commands.ts');

/** Each cell has a chain of its own. */
const CELL = ['--cell <name>', 'the chain of this cell (default: home)'] as const;

const collect = (one: string, before: readonly string[]): readonly string[] => [...before, one];

/** Adds `caudal audit …` to the program. */
export function auditCommands(program: Command, connect: Connect, openSigner: OpenSigner): void {
  const audit = program.command('audit').description('who did what: list acts, prove that none was changed or removed, export them');
  audit
    .command('list')
    .description('list acts, the newest first')
    .option('--since <instant>', 'at or after it, such as 2026-11-21T00:00:00-05:00', parseInstant)
    .option('--until <instant>', 'before it', parseInstant)
    .option('--actor <name>', 'of one actor: the name or the id')
    .option('--operation <name>', 'of one operation, such as "merchants disable"')
    .option('--merchant <id>', 'that concern one merchant')
    .addOption(new Option('--only <what>', 'that changed something, or that only showed data of people').choices(ACTS_OF))
    .option('--limit <number>', `1 to ${MAX_LISTED}`, parseLimit, 50)
    .option(...JSON_OPTION)
    .action(async (options: AuditListOptions) => (await world()).list(connect, options));
  audit
    .command('verify')
    .description('prove that no act was changed or removed; name the first place that does not hold')
    .option('--checkpoints <file>', 'compare with checkpoints that were kept elsewhere: the newest acts cannot have vanished')
    .option('--file <file>', 'check an export instead, without a database')
    .option('--cell <name>', 'the chain of this cell (default: those of all; with --checkpoints or --url that of home)')
    .option('--key <key>', 'a public key of the service, as a checkpoint names it: no other one is trusted; can be repeated', collect, [])
    .option(...JSON_OPTION)
    .action(async (options: VerifyOptions) => (await world()).verify(connect, openSigner, options));
  audit
    .command('export')
    .description('print all acts as NDJSON with their links, so that others can check them without this database')
    .option(...CELL)
    .action(async (options: { readonly cell?: string }) => (await world()).exportChain(connect, openSigner, options));
  audit
    .command('checkpoint')
    .description('print the newest place of the chain with its hash, signed; keep it where nobody can change it')
    .option('--to <file>', 'append it to this file')
    .option(...CELL)
    .option(...JSON_OPTION)
    .action(async (options: CheckpointOptions) => (await world()).writeCheckpoint(connect, openSigner, options));
}
