#!/usr/bin/env node
// The command line of Caudal, on the pinned Node. `npx` finds that Node first; an older Node starts the pinned one.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandEnvironment, findNode, runNode } from '../../scripts/pinned-node.mjs';

const cli = new URL('../src/main/cli.ts', import.meta.url);

if (Number.parseInt(process.versions.node, 10) >= 26) {
  await import(cli.href);
} else {
  try {
    const node = findNode(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
    runNode(node, [fileURLToPath(cli), ...process.argv.slice(2)], commandEnvironment());
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
