import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { typeOf } from '../../generate/type-text.ts';
import type { ApiDocument, ApiOperation, ApiSchema } from '../docs/index.ts';

const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

/**
 * Makes a client of types from an OpenAPI document, as generators do, and compiles calls of it under `strict`.
 * A call is `call('createOrder', { path, query, header, body })`. Gives what the compiler says; empty: nothing.
 */
export function compileCalls({ paths }: ApiDocument, calls: string): string {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const client = `type Operations = {\n${operations.map(typeOfOperation).join('\n')}\n};
declare function call<Name extends keyof Operations>(name: Name, request: Operations[Name]['request']): Promise<Operations[Name]['answer']>;
`;
  const folder = mkdtempSync(join(tmpdir(), 'caudal-calls-'));
  try {
    writeFileSync(join(folder, 'calls.ts'), `${client}\n${calls}\nexport {};\n`);
    const options = ['--strict', '--noEmit', '--ignoreConfig', '--target', 'es2022', '--module', 'esnext', '--types', ''];
    const { stdout, stderr } = spawnSync(process.execPath, [COMPILER, ...options, 'calls.ts'], { cwd: folder, encoding: 'utf8' });
    return `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function typeOfOperation({ operationId, parameters = [], requestBody, responses }: ApiOperation): string {
  const places = ['path', 'query', 'header'].flatMap((place) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    if (own.length === 0) return [];
    const needed = own.filter(({ required }) => required).map(({ name }) => name);
    const type = typeOf(
      { type: 'object', properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])), required: needed },
      2,
    );
    return [`${place}${needed.length > 0 ? '' : '?'}: ${type}`];
  });
  const content = requestBody?.content['application/json'].schema;
  const body = content === undefined ? [] : [`body${(content.required ?? []).length > 0 ? '' : '?'}: ${typeOf(content, 2)}`];
  const answer = typeOf(responses['200']?.content?.['application/json'].schema as ApiSchema, 2);
  return `  readonly ${operationId}: { readonly request: { ${[...places, ...body].join('; ')} }; readonly answer: ${answer} };`;
}
