import type { Command } from 'commander';
import {
  CommandRefused,
  everyCell,
  print,
  printJson,
  requireEveryCell,
  withConnection,
  type Connect,
  type Connection,
} from '../kit/command-line.ts';
import type { Check } from '../kit/checks/finding.ts';

/** Opens all checks. Some need a key of the service. */
type OpenChecks = (connection: Connection) => Promise<readonly Check[]>;

type VerifyOptions = { json?: true; all?: true };

/**
 * Adds `caudal verify` to the program. It runs all checks on one snapshot of each database, while servers run.
 * It ends with exit code 1 at the first finding, which it prints, or with `--all` after the last check.
 */
export function verifyCommand(program: Command, connect: Connect, openChecks: OpenChecks): void {
  program
    .command('verify')
    .description('prove that money, orders, cashouts, histories and counts agree; also while servers run')
    .option('--all', 'go on after a promise that does not hold, and show the first difference of each')
    .option('--json', 'print JSON, one line per promise')
    .action(({ json, all }: VerifyOptions) =>
      withConnection(connect, async (connection) => {
        const [{ withSnapshot }, { runCheck }] = await Promise.all([import('../kit/snapshot.ts'), import('../kit/checks/run-check.ts')]);
        const broken: string[] = [];
        let promises = 0;
        for (const [cell, own] of everyCell(connection)) {
          const { url, clock } = own;
          const inCell = cell === undefined ? '' : `${cell}: `;
          const checks = await openChecks(own);
          promises += checks.length;
          await withSnapshot(url, async (snapshot) => {
            for (const check of checks) {
              const { promise } = check;
              const { checked, finding } = await runCheck(check, snapshot, clock.now());
              if (json) printJson({ ...(cell !== undefined && { cell }), promise, holds: finding === undefined, checked, finding });
              if (finding !== undefined) {
                const line = `${inCell}Not true: ${promise}. ${finding.merchantId} ${finding.id} ${finding.problem}.`;
                if (all === undefined) throw new CommandRefused(line);
                if (!json) print(`${line}\n`);
                broken.push(line);
              } else if (!json) print(`${inCell}True: ${promise}${checked === undefined ? '' : ` (${checked.toLocaleString('en')})`}.\n`);
            }
          });
        }
        if (broken.length > 0) throw new CommandRefused(`${broken.length} of ${promises} promises do not hold.`);
        requireEveryCell(connection, 'Not proved');
      }),
    );
}
