#!/usr/bin/env node
// The command line of Caudal on the pinned Node. `npx` puts that one first in the path; started by an older one, it changes over.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode, runNode } from '../../scripts/pinned-node.mjs';

const cli = new URL('../src/main/cli.ts', import.meta.url);

if (Number.parseInt(process.versions.node, 10) >= 26) {
  await import(cli.href);
} else {
  try {
    runNode(findNode(dirname(dirname(dirname(fileURLToPath(import.meta.url))))), [fileURLToPath(cli), ...process.argv.slice(2)]);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
