import type { Command } from 'commander';
import { withConnection, type Connect } from '../kit/command-line.ts';
import { distribute } from './distribute.ts';

/** Adds `caudal db …` to the program. */
export function databaseCommands(program: Command, connect: Connect): void {
  program
    .command('db')
    .description('the database as a whole')
    .command('distribute')
    .description('spread it by merchant over the machines of a Citus cluster (stop the servers first)')
    .action(() =>
      withConnection(connect, async ({ url }) => {
        const { now, before } = await distribute(url);
        process.stdout.write(
          now.length === 0
            ? `All ${before.length} tables are distributed already.\n`
            : `Distributed now: ${now.join(', ')}.\nSet CAUDAL_BATCHES=per-merchant on every server: each batch then goes to one machine.\n`,
        );
      }),
    );
}
