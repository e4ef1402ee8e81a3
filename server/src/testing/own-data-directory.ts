// A process that owns a data directory, for the tests that kill one: prints one JSON line when its database is up.
//   node own-data-directory.ts DIRECTORY [--beside]
import { openEmbeddedPostgres, startEmbeddedPostgres } from '../kit/embedded-postgres.ts';

const [dataDir, beside] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('Usage: own-data-directory.ts DIRECTORY [--beside]');

const say = (fields: object) => process.stdout.write(`${JSON.stringify(fields)}\n`);
const log = {
  info: (_: object, message: string) => say({ log: message }),
  warn: (_: object, message: string) => say({ log: message }),
  error: (_: object, message: string) => say({ log: message }),
};

try {
  const open = beside === '--beside' ? openEmbeddedPostgres : startEmbeddedPostgres;
  const postgres = await open({ dataDir, command: 'caudal serve', log });
  say({ url: postgres.url });
  process.once('SIGTERM', () => void postgres.stop().then(() => process.exit(0)));
  process.stdin.on('end', () => void postgres.stop().then(() => process.exit(0))).resume();
} catch (error) {
  say({ refused: (error as Error).message });
  process.exitCode = 1;
}
