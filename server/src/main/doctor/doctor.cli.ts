import type { Command } from 'commander';
import { CommandRefused, print, printJson } from '../../kit/command-line.ts';

/**
 * Adds `caudal doctor` to the program. It ends with exit code 1 where it found something.
 * `doing` says that the command begins: it opens its own database, because others migrate theirs.
 */
export function doctorCommand(program: Command, doing: () => unknown): void {
  program
    .command('doctor')
    .description('look at settings, machine, database and service, and say what to do; it changes nothing')
    .option('--json', 'print JSON, one line per check')
    .action(async ({ json }: { json?: true }) => {
      doing();
      const { examine } = await import('./examine.ts');
      let faults = 0;
      let warnings = 0;
      for await (const { check, found, problem } of examine(process.env)) {
        faults += found.filter(({ level }) => level === 'fault').length;
        warnings += found.filter(({ level }) => level === 'warning').length;
        if (json) printJson({ check, found, ...(problem !== undefined && { problem }) });
        else if (problem !== undefined) print(`not seen  ${check}: ${problem}\n`);
        else if (found.length === 0) print(`well      ${check}\n`);
        for (const { level, says, remedy } of json ? [] : found) print(`${level.padEnd(8)}  ${check}: ${says}\n          → ${remedy}\n`);
      }
      if (faults + warnings > 0) throw new CommandRefused(`${faults} faults and ${warnings} warnings.`);
    });
}
