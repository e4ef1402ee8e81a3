import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGE = join(import.meta.dirname, '..');
const FENCE = /^```ts\n(.*?)^```$/gms;
const IMPORT = /^import .* from '@caudal\/sdk';\n/gm;

/** The programs of the README, in their order. Each may use what the ones before it imported, and `caudal` of the first one. */
export const readmeBlocks = (): readonly string[] =>
  [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(FENCE)].map(([, block]) => block as string);

/** Runs a block with what it uses beside the globals. Gives its `caudal` where it makes one. */
export async function runBlock(block: string, scope: Readonly<Record<string, unknown>>): Promise<unknown> {
  const program = stripTypeScriptTypes(block.replaceAll(IMPORT, ''));
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  const run = new AsyncFunction(...Object.keys(scope), `${program}\nreturn typeof caudal === 'undefined' ? undefined : caudal;`);
  return (run as (...values: readonly unknown[]) => Promise<unknown>)(...Object.values(scope));
}

/** What a strict compiler says of the blocks. Empty: nothing. */
export function compileBlocks(blocks: readonly string[]): string {
  const folder = mkdtempSync(join(PACKAGE, 'test', '.readme-'));
  try {
    const files = blocks.map((block, index) => {
      const names = [
        ...readmeBlocks()
          .join('')
          .matchAll(/^import \{ (.*) \} from '@caudal\/sdk';$/gm),
      ].flatMap(([, all]) => all!.split(', '));
      const own = index === 0 ? '' : 'declare const caudal: Caudal;\n';
      const program = block.replaceAll(IMPORT, '');
      const imports = `import { ${[...new Set(names)].join(', ')} } from '../../src/index.ts';\n`;
      const name = `block-${index}.ts`;
      writeFileSync(join(folder, name), `${imports}${own}${program}\nexport {};\n`);
      return name;
    });
    const options = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2022'],
      module: 'nodenext',
      types: ['node'],
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
    execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
    return '';
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
