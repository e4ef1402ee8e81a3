import type { Command } from 'commander';
import { columns, withConnection, type Connect } from '../../kit/command-line.ts';
import { openMasterKeys, readKeyUse, sealingKeyId, type MasterKeySource } from './master-keys.ts';
import { rotateMasterKey } from './rotate-master-key.ts';

/** Adds `caudal master-key …` to the program. It prints ids of keys, never keys. */
export function masterKeyCommands(program: Command, connect: Connect, source: () => MasterKeySource): void {
  const masterKey = program.command('master-key').description('the key that seals all other secrets in the database');

  masterKey
    .command('rotate')
    .description('seal every secret again while servers run: under a new key, or under the first of CAUDAL_MASTER_KEY')
    .action(() =>
      withConnection(connect, async (connection) => {
        const { masterKeyId, resealed } = await rotateMasterKey(connection, source());
        process.stdout.write(`Every secret is sealed under the master key ${masterKeyId} (${resealed} were under another).\n`);
      }),
    );

  masterKey
    .command('status')
    .description('how many secrets lie under which key')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: true }) =>
      withConnection(connect, async ({ db }) => {
        const keys = openMasterKeys(source());
        const sealing = sealingKeyId(source());
        const use = (await readKeyUse(db)).map(({ masterKeyId, secrets }) => ({
          masterKeyId,
          secrets: Number(secrets),
          held: keys.find(masterKeyId) !== undefined,
          seals: masterKeyId === sealing,
        }));
        if (json) process.stdout.write(`${JSON.stringify(use)}\n`);
        else if (use.length === 0) process.stdout.write('No secret is sealed yet.\n');
        else {
          const cells = use.map((key) => [
            key.masterKeyId,
            String(key.secrets),
            key.held ? (key.seals ? 'seals from now on' : 'held') : 'not held here',
          ]);
          process.stdout.write(columns([['MASTER KEY', 'SECRETS', 'STATE'], ...cells]));
        }
      }),
    );
}
