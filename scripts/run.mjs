// Starts Caudal, its tests and its checks: installs what is missing, then runs the pinned Node.
// Plain JavaScript without dependencies: it runs on the machine's Node (18 or newer), before anything is installed.
//
// `npm start` is `exec node …`: signals reach us, and npm ends with our exit code.
//
//   node scripts/run.mjs FILE.ts [ARGUMENT …]      node scripts/run.mjs --test|--test-long [ARGUMENT OF VITEST …]
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './build-console.mjs';
import { installMissing } from './install.mjs';
import { commandEnvironment, findNode, runNode, serverEnvironment } from './pinned-node.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SERVER = 'server/src/main/serve.ts';
const words = process.argv.slice(2);
// A server has options of Node that commands do not have.
const isServe = words[0] === 'server/src/main/cli.ts' && words[1] === 'serve' && !words.some((word) => word === '-h' || word === '--help');
const [first, ...rest] = isServe ? [SERVER, ...words.slice(2)] : words;
const isTest = first === '--test' || first === '--test-long';
const lane = first === '--test-long' && { CAUDAL_TEST_LANE: 'long' };

try {
  if (first === undefined) throw new Error('Usage: node scripts/run.mjs FILE.ts [ARGUMENT …] | --test|--test-long [ARGUMENT …]');
  await installMissing(root, !first.startsWith('server/src/main/'));
  const command = isTest ? [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', root] : [join(root, first)];
  const node = findNode(root);
  // Payments do not wait for a page: the service starts without a console too.
  const failure = first === SERVER || isTest ? buildConsole(root, node) : undefined;
  if (failure !== undefined) console.error(`The console is not built, so this start has none: ${failure}`);
  runNode(node, [...command, ...rest], first === SERVER ? serverEnvironment(root) : { ...commandEnvironment(), ...lane });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
