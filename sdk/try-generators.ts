// Generates clients from the OpenAPI document of a sandbox, compiles fourteen calls with each under `strict`, and sends them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { startSandbox } from './try-sandbox.ts';

const PACKAGES = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', '@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3', '@types/node@22'];

/** Calls as source: operation, method, path, and what each generator takes in its own way. No value is cast. */
const CALLS: readonly (readonly [name: string, method: string, path: string, parts: Readonly<Record<string, string>>])[] = [
  ['createOrder', 'POST', '/api/v3/porders', { body: `{ ...terms, amount: '45000', checksum: sum(...signed, '45000') }` }],
  [
    'updateOrder',
    'PATCH',
    '/api/v3/porders',
    { body: `{ ...terms, amount: '52000', description: null, checksum: sum(...signed, '52000') }` },
  ],
  ['queryOrder', 'GET', '/api/v3/porders/{order}', { path: '{ order }', query: 'ofOrder' }],
  ['queryOrderByReference', 'GET', '/api/v3/porders', { query: '{ reference, merchant, checksum: sum(reference, merchant) }' }],
  ['readOrderHistory', 'GET', '/api/v3/porders/{order}/history', { path: '{ order }', query: 'ofOrder' }],
  ['simulatePayment', 'POST', '/sandbox/v1/payments', { body: '{ reference }' }],
  [
    'createOrder',
    'POST',
    '/api/v3/porders',
    { body: `{ ...terms, order: other, amount: '1', checksum: sum(...signed.with(2, other), '1') }` },
  ],
  ['cancelOrder', 'DELETE', '/api/v3/porders/{order}', { path: '{ order: other }', body: '{ merchant, checksum: sum(other, merchant) }' }],
  [
    'registerCashout',
    'POST',
    '/cashout/v1/operation',
    {
      body: `{ merchant, operation, document, amount: '20000', currency: 'COP', checksum: sum(merchant, operation, '20000', 'COP', document) }`,
    },
  ],
  [
    'queryCashout',
    'GET',
    '/cashout/v1/operation/{merchant}/{operation}',
    { path: '{ merchant, operation }', query: '{ document, checksum: sum(merchant, operation, document) }' },
  ],
  [
    'renewOneTimePassword',
    'POST',
    '/cashout/v1/operation/{merchant}/{operation}/otp',
    { path: '{ merchant, operation }', body: "{ document, renewal: 'otp.1', checksum: sum(document, operation, merchant, 'otp.1') }" },
  ],
  [
    'listCashouts',
    'GET',
    '/cashout/v1/operation/{merchant}',
    { path: '{ merchant }', query: '{ limit: 10, page: 1, checksum: sum(merchant) }' },
  ],
  [
    'cancelCashout',
    'DELETE',
    '/cashout/v1/operation/{merchant}/{operation}',
    { path: '{ merchant, operation }', body: '{ document, checksum: sum(merchant, operation) }' },
  ],
  ['readBalance', 'GET', '/cashout/v1/operation/available/{merchant}', { path: '{ merchant }', query: '{ checksum: sum(merchant) }' }],
  [
    'listMovements',
    'GET',
    '/cashout/v1/walletmovements/{merchant}',
    { path: '{ merchant }', query: '{ limit: 10, checksum: sum(merchant) }' },
  ],
];

/** What a program needs before its calls. */
const START = `import { createHash } from 'node:crypto';
const [, , url = '', merchant = '', fixedHash = '', order = ''] = process.argv;
const sum = (...values: string[]) => createHash('sha512').update(values.join('') + fixedHash).digest('hex');
const other = order + '-2', operation = order, document = '1020304050';
const signed = ['ana@example.com', '343', order, 'COP'];
const terms = { merchant, email: 'ana@example.com', country: '343', order, money: 'COP' };
const ofOrder = { merchant, checksum: sum(order, merchant) };
let reference = '';
const done = (name: string, data: { CODE: string } | { code: string } | undefined) => {
  const code = data === undefined ? 'none' : 'CODE' in data ? data.CODE : data.code;
  if (code !== '0000') throw new Error(name + ' was answered ' + code);
};
`;

/** Calls one after another, each with what its answer is read for. */
const calls = (write: (call: (typeof CALLS)[number]) => string): string =>
  CALLS.map((call, index) => {
    const read =
      call[0] === 'createOrder'
        ? `if (a${index} !== undefined && 'Referencia' in a${index}.DATA) reference ||= a${index}.DATA.Referencia;`
        : '';
    return `const { data: a${index} } = await ${write(call)};\ndone('${call[0]}', a${index});${read}`;
  }).join('\n');

const members = (parts: Readonly<Record<string, string>>): string =>
  Object.entries(parts)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
const names = [...new Set(CALLS.map(([name]) => name))];
const PROGRAMS: Readonly<Record<string, string>> = {
  'openapi-typescript': `import createClient from 'openapi-fetch';\nimport type { paths } from './openapi';\n${START}
const api = createClient<paths>({ baseUrl: url });
${calls(([, method, path, { body, ...params }]) => `api.${method}('${path}', { params: { ${members(params)} }${body === undefined ? '' : `, body: ${body}`} })`)}`,
  'hey-api': `import { client } from './client/client.gen';\nimport { ${names.join(', ')} } from './client/sdk.gen';\n${START}
client.setConfig({ baseUrl: url });
${calls(([name, , , parts]) => `${name}({ ${members(parts)} })`)}`,
};

const folder = mkdtempSync(join(tmpdir(), 'caudal-generators-'));
const run = (program: string, ...words: readonly string[]): string =>
  execFileSync(program, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
/** Programs of these packages want a newer Node than some machines have. */
const tool = (name: string, ...words: readonly string[]): string => run(process.execPath, join(folder, 'node_modules', name), ...words);

const { url, merchant, fixedHash, stop } = await startSandbox(folder);
try {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  run('npm', 'install', '--no-audit', '--no-fund', '--silent', ...PACKAGES);
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text());
  tool('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'openapi.ts');
  tool('@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'client');
  for (const [name, program] of Object.entries(PROGRAMS)) writeFileSync(join(folder, `${name}.ts`), `${program}\n`);
  const options = { strict: true, noEmit: true, target: 'es2023', lib: ['es2023', 'dom'], module: 'preserve', types: ['node'] };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: Object.keys(PROGRAMS).map((name) => `${name}.ts`) }),
  );
  tool('typescript/bin/tsc', '-p', '.');
  for (const name of Object.keys(PROGRAMS)) {
    const file = join(folder, `${name}.mjs`);
    await build({ input: join(folder, `${name}.ts`), platform: 'node', output: { file }, logLevel: 'warn' });
    run(process.execPath, file, url, merchant, fixedHash, name);
    console.log(`ok ${name}: ${names.length} operations`);
  }
} finally {
  await stop();
  rmSync(folder, { recursive: true });
}
