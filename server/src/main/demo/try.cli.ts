import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { CommandRefused, print, withConnection, type Connect } from '../../kit/command-line.ts';
import type { TryOptions } from './try.ts';

type Options = { readonly server?: string };

/** Adds `caudal try`. */
export function tryCommand(program: Command, connect: Connect, readServer: () => Promise<string>): void {
  program
    .command('try')
    .description('your first order, step by step: create it, open its page, pay it, see the notice; in a sandbox that runs')
    .option('--server <url>', 'where the server is')
    .action(async ({ server }: Options) => {
      const usual = await readServer();
      const url = (server ?? usual).replace(/\/$/, '');
      const { requireServer, walk } = await import('./try.ts');
      await requireServer(url);
      const fixedHash = await withConnection(connect, async ({ db, keys, isSandbox }) => {
        const [{ readStoredMerchant }, { DEMO_MERCHANT }] = await Promise.all([
          import('../../merchants/index.ts'),
          import('./demo.wire.ts'),
        ]);
        if (!isSandbox) throw new CommandRefused('"try" works in a sandbox alone, and this is production: nothing was made.');
        const [newest] = (await readStoredMerchant(db, keys, DEMO_MERCHANT))?.fixedHashes ?? [];
        if (newest === undefined)
          throw new CommandRefused(`There is no merchant ${DEMO_MERCHANT} here: the first start of a sandbox makes it.`);
        return newest.secret;
      });
      const order = `TRY-${randomBytes(4).toString('hex')}`;
      await walk({ server: url, fixedHash, order, say: print, ask: process.stdin.isTTY && process.stdout.isTTY ? ask : undefined });
    });
}

/** Waits for the key Enter. */
const ask: NonNullable<TryOptions['ask']> = async (question, signal) => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    await terminal.question(question, { signal });
  } finally {
    terminal.close();
  }
};
