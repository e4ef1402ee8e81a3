// Packs the package and tries it in an empty project against a sandbox, on each runtime that is named: `18 20 22 26 deno bun`.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = import.meta.dirname;
const SERVER = join(PACKAGE, '..', 'server', 'src', 'main');

const folder = mkdtempSync(join(tmpdir(), 'caudal-package-'));
const settings = { ...process.env, CAUDAL_DATA_DIR: join(folder, 'data'), CAUDAL_PORT: '0', CAUDAL_METRICS_ADDRESS: 'off' };
const npm = (...words: string[]): string =>
  execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const packed = JSON.parse(npm('pack', PACKAGE, '--json')) as readonly { readonly filename: string; readonly size: number }[];
writeFileSync(join(folder, 'package.json'), '{"private":true}');
npm('install', '--no-audit', '--no-fund', `./${packed[0]?.filename}`);
cpSync(join(PACKAGE, 'test', 'smoke.mjs'), join(folder, 'smoke.mjs'));
console.log(`${packed[0]?.filename}: ${packed[0]?.size} bytes`);

const server = spawn(process.execPath, [join(SERVER, 'serve.ts')], { env: settings, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      const [, address] = /^Caudal serves .* on (http:\S+)$/m.exec((printed += text)) ?? [];
      if (address !== undefined) resolve(address);
    });
    server.once('exit', () => reject(new Error('the sandbox did not start')));
  });
  const create = ['merchants', 'create', '--id', 'package', '--country', '343', '--json'];
  const made = execFileSync(process.execPath, [join(SERVER, 'cli.ts'), ...create], { env: settings, encoding: 'utf8' });
  const { merchant, fixedHash } = JSON.parse(made) as { readonly merchant: string; readonly fixedHash: string };
  for (const runtime of process.argv.slice(2)) {
    const isNode = /^\d/.test(runtime);
    const program = isNode ? 'node' : runtime;
    const words = runtime === 'deno' ? ['run', '--allow-all'] : [];
    const call = ['exec', '--yes', `--package=${isNode ? `node@${runtime}` : runtime}`, '--', program];
    npm(...call, ...words, 'smoke.mjs', url, merchant, fixedHash, `A-${runtime}`);
    console.log(`ok ${npm(...call, '--version').split('\n')[0]}${isNode ? ' node' : ''}`);
  }
} finally {
  const ended = new Promise((resolve) => void server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true });
}
