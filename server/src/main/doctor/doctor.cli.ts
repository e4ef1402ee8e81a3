import type { Command } from 'commander';
import { CommandRefused, print, printJson } from '../../kit/command-line.ts';
import type { Examination } from './examine.ts';

type Options = { readonly json?: true; readonly except?: readonly string[]; readonly backups?: string; readonly keyFile?: string };
type State = 'fault' | 'warning' | 'not seen' | 'well';

/** The worst of what a check found. */
function stateOf({ found, problem }: Examination): State {
  if (found.some(({ level }) => level === 'fault')) return 'fault';
  if (found.length > 0) return 'warning';
  return problem === undefined ? 'well' : 'not seen';
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function show({ check, found, problem }: Examination): void {
  if (problem !== undefined) print(`not seen  ${check}: ${problem}\n`);
  else if (found.length === 0) print(`well      ${check}\n`);
  for (const { level, says, remedy } of found) print(`${level.padEnd(8)}  ${check}: ${says}\n          → ${remedy}\n`);
}

/**
 * Adds `caudal doctor` to the program. It ends with 1 where it found a fault. It ends with 3 where it found only warnings, or could not look.
 * `doing` says that the command begins: it opens its own database, because others migrate theirs.
 */
export function doctorCommand(program: Command, doing: () => unknown): void {
  program
    .command('doctor')
    .description('look at settings, machine, database and service, and say what to do; it changes nothing')
    .option('--except <checks...>', 'checks to leave out, by name, such as what you watch elsewhere')
    .option('--backups <dir>', 'where backups are: looks how old the newest one is')
    .option('--key-file <file>', 'the key that seals them: 32 random bytes in hex or base64')
    .option('--json', 'print JSON, one line per check')
    .action(async ({ json, except = [], backups: dir, keyFile }: Options) => {
      doing();
      const { CHECK_NAMES, examine } = await import('./examine.ts');
      const unknown = except.find((name) => !CHECK_NAMES.includes(name));
      if (unknown !== undefined) throw new CommandRefused(`There is no check "${unknown}". Checks: ${CHECK_NAMES.join(', ')}.`, 2);
      const count = { fault: 0, warning: 0, unseen: 0 };
      for await (const seen of examine(process.env, { except, ...(dir !== undefined && { backups: { dir, keyFile } }) })) {
        if (json) printJson({ ...seen, state: stateOf(seen) });
        else show(seen);
        for (const { level } of seen.found) count[level]++;
        if (seen.problem !== undefined) count.unseen++;
      }
      if (count.fault + count.warning + count.unseen === 0) return;
      throw new CommandRefused(
        `${counted(count.fault, 'fault')} and ${counted(count.warning, 'warning')}; ${counted(count.unseen, 'check')} could not look.`,
        count.fault > 0 ? 1 : 3,
      );
    });
}
