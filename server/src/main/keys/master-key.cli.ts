import type { Command } from 'commander';
import {
  everyCell,
  JSON_OPTION,
  print,
  printJson,
  requireEveryCell,
  table,
  withConnection,
  type Connect,
  type NamedCell,
} from '../../kit/command-line.ts';
import type { MasterKeySource } from './master-keys.ts';

/** Adds `caudal master-key …` to the program. It prints ids of keys, never keys. */
export function masterKeyCommands(program: Command, connect: Connect, source: () => Promise<MasterKeySource>): void {
  const masterKey = program.command('master-key').description('the key that seals all other secrets in the database');

  masterKey
    .command('rotate')
    .description('seal every secret again while servers run: under a new key, or under the first of CAUDAL_MASTER_KEY')
    .option(...JSON_OPTION)
    .action(({ json }: { json?: true }) =>
      withConnection(connect, async (connection) => {
        const { rotateMasterKey } = await import('./rotate-master-key.ts');
        // Its secrets would stay under a key that may leave the file.
        requireEveryCell(connection, 'Nothing was rotated');
        const [[, home], ...others] = everyCell(connection) as readonly [NamedCell, ...NamedCell[]];
        const dbs = others.map(([, { db }]) => db);
        const { masterKeyId, resealed } = await rotateMasterKey({ ...home, others: dbs }, await source());
        if (json) return printJson({ masterKeyId, resealed });
        print(
          `Every secret is sealed under the master key ${masterKeyId} (${resealed} were under another).\n` +
            'A server on another machine needs this key before it starts again, or reads a secret again.\n',
        );
      }),
    );

  masterKey
    .command('status')
    .description('how many secrets lie under which key')
    .option(...JSON_OPTION)
    .action(({ json }: { json?: true }) =>
      withConnection(connect, async (connection) => {
        const { openMasterKeys, readKeyUse, sealingKeyId } = await import('./master-keys.ts');
        const keys = openMasterKeys(await source());
        const sealing = sealingKeyId(await source());
        const use = (await readKeyUse(...everyCell(connection).map(([, { db }]) => db))).map(({ masterKeyId, secrets }) => ({
          masterKeyId,
          secrets: Number(secrets),
          held: keys.find(masterKeyId) !== undefined,
          seals: masterKeyId === sealing,
        }));
        if (json) return printJson(use);
        const rows = use.map(({ masterKeyId, secrets, held, seals }) => {
          const state = held ? (seals ? 'seals from now on' : 'held') : 'not held here';
          return [masterKeyId, secrets, state] as const;
        });
        print(rows.length === 0 ? 'No secret is sealed yet.\n' : table(['MASTER KEY', 'SECRETS', 'STATE'], rows));
      }),
    );
}
