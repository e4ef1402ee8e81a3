import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from './program.ts';

const SOURCES = dirname(import.meta.dirname);

/** What a program loads before it does anything: its imports, and theirs. Imports of types alone are not loaded. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!file.startsWith('.')) return seen;
  const text = readFileSync(join(SOURCES, file), 'utf8');
  const { module } = parseSync(file, text);
  const values = [...module.staticImports, ...module.staticExports].filter(({ start }) => !/^(im|ex)port type\b/.test(text.slice(start)));
  for (const one of values) {
    const requests = 'moduleRequest' in one ? [one.moduleRequest] : one.entries.map(({ moduleRequest }) => moduleRequest);
    for (const request of requests) {
      const specifier = request?.value;
      if (specifier !== undefined)
        loadedBy(specifier.startsWith('.') ? `./${relative(SOURCES, join(SOURCES, dirname(file), specifier))}` : specifier, seen);
    }
  }
  return seen;
}

/** The database, the engine of changes, the server. The work of a room needs one of them. Columns only declare. */
const HEAVY = /^\.\/kit\/(db\.ts|changes\/(?!columns\.ts)|http|jobs|secrets|snapshot|log)\b/;
/** A file takes up to 5 ms to load. */
const MOST_FILES = 120;

test('the help of the program, and of every command, loads no database and no room', () => {
  const loaded = [...loadedBy('./main/cli.ts')].filter((file) => !file.startsWith('node:'));
  expect(loaded).toContain('./orders/payments/orders.cli.ts');
  const packages = loaded.filter((file) => !file.startsWith('.'));
  expect([...packages, ...loaded.filter((file) => HEAVY.test(file))], 'import what a command runs on inside its action').toEqual([
    'commander',
  ]);
  expect(loaded.length).toBeLessThan(MOST_FILES);
});

function leaves(command: Command, name = ''): readonly (readonly [name: string, command: Command])[] {
  if (command.commands.length === 0) return [[name, command]];
  return command.commands.flatMap((one) => leaves(one, `${name} ${one.name()}`.trim()));
}

test('every command prints JSON for programs', () => {
  const without = leaves(createProgram()).filter(([, command]) => !command.options.some(({ long }) => long === '--json'));
  // One is for people alone, one is the service itself, the others print nothing but JSON.
  expect(without.map(([name]) => name)).toEqual(['try', 'audit export', 'serve', 'people export']);
});
