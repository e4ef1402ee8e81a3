import { InvalidArgumentError, type Command } from 'commander';
import { JSON_OPTION, parseInstant, type Connect } from '../../kit/command-line.ts';
import type { Doing } from '../commands/command-acts.ts';
import type { JsonOption, KeyOption, RehearseOptions, RestoreOptions, UpgradeOptions } from './run-backup-commands.ts';

const KEY_OPTION = ['--key-file <file>', 'the key that seals the backup: 32 random bytes in hex or base64'] as const;
const TO_TIME = ['--to-time <instant>', 'every write until this instant, and none after it (default: all)', parseInstant] as const;

const TRUST = ['--trust', 'take a backup that no key seals also where others could have changed it: it may run programs'] as const;
const SCRATCH = ['--scratch <dir>', 'where that directory is made (default: the temporary directory of this system)'] as const;

const commands = () => import('./run-backup-commands.ts');

function parseKept(text: string): number {
  if (!/^[1-9][0-9]{0,3}$/.test(text)) throw new InvalidArgumentError('It takes a number, 1 to 9999.');
  return Number(text);
}

/** Adds `caudal backup …`, `caudal restore` and `caudal upgrade rehearse` to the program. */
export function backupCommands(program: Command, connect: Connect, doing: () => Doing): void {
  const backup = program.command('backup').description('back up the embedded database, and rehearse its restore; also while servers run');

  backup
    .command('make <dir>', { isDefault: true })
    .description('make a whole backup in a directory, without the master key; "backup DIR" does the same')
    .option(...KEY_OPTION)
    .option('--keep <number>', 'whole backups that stay, this one included; older ones go, with their log (default: all)', parseKept)
    .option(...JSON_OPTION)
    .action(async (dir: string, options: KeyOption & JsonOption & { keep?: number }) => (await commands()).runMake(connect, dir, options));

  backup
    .command('log <dir>')
    .description('copy the log of writes since the last time, so that each moment after the backup can be restored')
    .option(...KEY_OPTION)
    .option('--stop', 'end this: the database keeps no log for it any more')
    .option(...JSON_OPTION)
    .action(async (dir: string, options: KeyOption & JsonOption & { stop?: true }) => (await commands()).runLog(connect, dir, options));

  backup
    .command('list <dir>')
    .description('the whole backups of a directory, and until when its log goes')
    .option(...KEY_OPTION)
    .option(...JSON_OPTION)
    .action(async (dir: string, options: KeyOption & JsonOption) => {
      doing();
      await (await commands()).runList(dir, options);
    });

  backup
    .command('rehearse <dir>')
    .description('restore into a directory of its own, prove what "verify" proves, open secrets, say how long it took, remove it')
    .option(...KEY_OPTION)
    .option(...TO_TIME)
    .option(...TRUST)
    .option(...SCRATCH)
    .option(...JSON_OPTION)
    .action(async (dir: string, options: RehearseOptions) => (await commands()).runRehearse(doing(), dir, options));

  program
    .command('restore <dir>')
    .description('restore the newest backup of a directory into an empty data directory, with the master key at hand')
    .option(...KEY_OPTION)
    .option(...TO_TIME)
    .option(...TRUST)
    .option('--into <datadir>', 'the data directory; it may hold the file master-key (default: CAUDAL_DATA_DIR)')
    .option(...JSON_OPTION)
    .action(async (dir: string, options: RestoreOptions) => (await commands()).runRestore(doing(), dir, options));

  program
    .command('upgrade')
    .description('prove an upgrade before it is made')
    .command('rehearse <dir>')
    .description("restore a backup into a directory of its own, run this release's migrations, prove it, say what waits, remove it")
    .option(...KEY_OPTION)
    .option(...TRUST)
    .option('--older <dir>', 'the files of the earlier release: it must work on the new schema, or refuse it')
    .option(...SCRATCH)
    .option(...JSON_OPTION)
    .action(async (dir: string, options: UpgradeOptions) => (await commands()).runRehearseUpgrade(doing(), dir, options));
}
