import { isBuiltin } from 'node:module';
import { expect, test } from 'vitest';
import { readCode, readFiles, targetOf } from './sources.ts';

// A package of packages/ can be used by others: it knows nothing of Caudal.

const folderOf = (path: string): string => path.split('/').slice(0, 2).join('/');
const packages = readFiles(/^packages\/[^/]+\/package\.json$/).map(({ path, text }) => ({
  folder: folderOf(path),
  dependencies: Object.keys((JSON.parse(text) as { dependencies?: object }).dependencies ?? {}),
}));

test('a package imports its own files, its own dependencies and Node only', () => {
  const findings = readCode()
    .filter(({ path }) => path.startsWith('packages/') && !/\.test\.ts$|\/testing\//.test(path))
    .flatMap((file) =>
      file.imports
        .filter((specifier) => {
          const target = targetOf(file, specifier);
          if (target !== undefined) return folderOf(target) !== folderOf(file.path);
          const own = packages.find(({ folder }) => folder === folderOf(file.path))?.dependencies ?? [];
          return !isBuiltin(specifier) && !own.some((name) => `${specifier}/`.startsWith(`${name}/`));
        })
        .map((specifier) => `${file.path} imports ${specifier}: take it as an argument, or name it in the package's dependencies`),
    );
  expect(findings).toEqual([]);
});

test('a package does not name the service', () => {
  const findings = readFiles(/^packages\/.*\.(ts|mjs|sql)$/).filter(({ path, text }) => !path.endsWith('.test.ts') && /caudal/i.test(text));
  expect(findings.map(({ path }) => `${path}: the package must be usable by others: take the name as an argument`)).toEqual([]);
});

test('only a service that traces loads the library for it: by a dynamic import of one file', () => {
  const tracer = 'server/src/main/traces/open-tracer.ts';
  const findings = readCode()
    .filter(({ path }) => path !== tracer && !path.endsWith('.test.ts'))
    .flatMap((file) =>
      file.imports
        .filter((specifier) => specifier.startsWith('@opentelemetry/') || targetOf(file, specifier) === tracer)
        .map((specifier) => `${file.path} imports ${specifier}: import it where traces are on`),
    );
  expect(findings).toEqual([]);
});
