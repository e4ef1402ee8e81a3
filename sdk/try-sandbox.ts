import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';

const SERVER = join(import.meta.dirname, '..', 'server', 'src', 'main');

/** A sandbox of its own, and a merchant of it. */
type Sandbox = { readonly url: string; readonly merchant: string; readonly fixedHash: string; stop(): Promise<void> };

/** Starts a sandbox whose data lie in a folder, for who tries something against it. */
export async function startSandbox(folder: string): Promise<Sandbox> {
  const settings = { ...process.env, CAUDAL_DATA_DIR: join(folder, 'data'), CAUDAL_PORT: '0', CAUDAL_METRICS_ADDRESS: 'off' };
  const server = spawn(process.execPath, [join(SERVER, 'serve.ts')], { env: settings, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => void server.once('exit', () => resolve()));
  const stop = (): Promise<void> => (server.kill('SIGTERM'), ended);
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let printed = '';
      server.stdout.setEncoding('utf8').on('data', (text: string) => {
        const [, address] = /^Caudal serves .* on (http:\S+)$/m.exec((printed += text)) ?? [];
        if (address !== undefined) resolve(address);
      });
      server.once('exit', () => reject(new Error('the sandbox did not start')));
    });
    const caudal = (...words: string[]): string =>
      execFileSync(process.execPath, [join(SERVER, 'cli.ts'), ...words], { env: settings, encoding: 'utf8' });
    const made = caudal('merchants', 'create', '--id', 'tried', '--country', '343', '--json');
    caudal('ledger', 'top-up', '--merchant', 'tried', '--amount', '500000', '--currency', 'COP', '--reference', 'tried');
    const { merchant, fixedHash } = JSON.parse(made) as { readonly merchant: string; readonly fixedHash: string };
    return { url, merchant, fixedHash, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
