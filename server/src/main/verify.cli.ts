import type { Command } from 'commander';
import { CommandRefused, withConnection, type Connect } from '../kit/command-line.ts';
import type { Check } from '../kit/finding.ts';
import { withSnapshot } from '../kit/snapshot.ts';

/**
 * Adds `caudal verify` to the program. It runs all checks on one snapshot of the database, while servers run.
 * It ends with exit code 1 at the first finding, which it prints.
 */
export function verifyCommand(program: Command, connect: Connect, checks: readonly Check[]): void {
  program
    .command('verify')
    .description('prove that money, orders, cashouts, histories and counts agree; also while servers run')
    .option('--json', 'print JSON, one line per promise')
    .action(({ json }: { json?: true }) =>
      withConnection(connect, ({ url, clock }) =>
        withSnapshot(url, async (snapshot) => {
          for (const { promise, run } of checks) {
            const { checked, finding } = await run(snapshot, clock.now());
            if (json) process.stdout.write(`${JSON.stringify({ promise, holds: finding === undefined, checked, finding })}\n`);
            if (finding !== undefined)
              throw new CommandRefused(`Not true: ${promise}. ${finding.merchantId} ${finding.id} ${finding.problem}.`);
            if (!json) process.stdout.write(`True: ${promise}${checked === undefined ? '' : ` (${checked.toLocaleString('en')})`}.\n`);
          }
        }),
      ),
    );
}
