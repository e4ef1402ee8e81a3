// A process that owns a data directory, for the tests that kill one. It prints one JSON line when its database runs.
//   node own-data-directory.ts DIRECTORY [--beside]
import { openEmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres.ts';
import { NAME } from './name.ts';

const [dataDir, beside] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('Usage: own-data-directory.ts DIRECTORY [--beside]');

const print = (fields: object) => process.stdout.write(`${JSON.stringify(fields)}\n`);
const printMessage = (_: object, message: string) => print({ log: message });

try {
  const open = beside === '--beside' ? openEmbeddedPostgres : startEmbeddedPostgres;
  const log = { info: printMessage, warn: printMessage, error: printMessage };
  const postgres = await open({ name: NAME, dataDir, command: 'app serve', log });
  print({ url: postgres.ownerUrl });
  process.once('SIGTERM', () => void postgres.stop().then(() => process.exit(0)));
  process.stdin.on('end', () => void postgres.stop().then(() => process.exit(0))).resume();
} catch (error) {
  print({ refused: (error as Error).message });
  process.exitCode = 1;
}
