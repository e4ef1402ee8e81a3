import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { serverEnvironment } from '../../scripts/pinned-node.mjs';
import { openLink, type Link } from './link.ts';
import { Contradiction } from './possible.ts';

/** A server as users run it, on a network of its own. */
export type TorturedServer = {
  readonly name: string;
  readonly link: Link;
  /** Where it serves. Empty from SIGKILL until it serves again. */
  origin(): string;
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Starts it again after SIGKILL. A start that ends is started again, as a machine's own manager does. */
  restart(): Promise<void>;
  /** Starts that ended before they served. */
  failedStarts(): number;
  stop(): Promise<void>;
};

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'server', 'src', 'main');
const MOST_STARTS = 20;

/** What a server and a command on this database need, and nothing else of our environment. */
export function environmentOf(url: string, masterKeyHex: string): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  return {
    ...serverEnvironment(ROOT, { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE }),
    DATABASE_URL: url,
    CAUDAL_MASTER_KEY: masterKeyHex,
    CAUDAL_PORT: '0',
    CAUDAL_METRICS_ADDRESS: 'off',
    CAUDAL_DATA_DIR: join(tmpdir(), 'caudal-torture-no-data'),
  };
}

/** Starts a server and waits until it serves. `report` gets what ended it where nobody killed it. */
export async function startTorturedServer(
  name: string,
  {
    urls,
    masterKeyHex,
    report,
  }: { readonly urls: readonly string[]; readonly masterKeyHex: string; readonly report: (error: Contradiction) => void },
): Promise<TorturedServer> {
  const link = await openLink(urls);
  const environment = environmentOf(link.url, masterKeyHex);
  let child: ChildProcess;
  let origin = '';
  let failedStarts = 0;
  let isEnding = false;
  let complaints = '';

  const startOnce = async (): Promise<boolean> => {
    const started = spawn(process.execPath, [join(MAIN, 'serve.ts')], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    complaints = '';
    started.stderr.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-2_000)));
    const serves = Promise.withResolvers<boolean>();
    createInterface({ input: started.stdout }).on('line', (line) => {
      const [, address] = /^Caudal serves .* on (\S+)$/.exec(line) ?? [];
      if (address === undefined) return;
      origin = address;
      serves.resolve(true);
    });
    const kill = (): void => void started.kill('SIGKILL');
    process.once('exit', kill);
    started.once('exit', (code, signal) => {
      process.off('exit', kill);
      serves.resolve(false);
      if (!isEnding && origin !== '') report(new Contradiction(`server ${name} ended with ${code ?? signal}: ${complaints}`));
    });
    return serves.promise;
  };
  const start = async (): Promise<void> => {
    for (let starts = 1; !(await startOnce()); starts++) {
      failedStarts++;
      if (starts === MOST_STARTS) throw new Contradiction(`server ${name} did not start ${MOST_STARTS} times: ${complaints}`);
    }
  };
  const ended = (): Promise<unknown> => (child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, 'exit'));
  await start();
  return {
    name,
    link,
    origin: () => origin,
    signal: (signal) => {
      // Another process may get its port.
      if (signal === 'SIGKILL') origin = '';
      child.kill(signal);
    },
    restart: async () => {
      await ended();
      await start();
    },
    failedStarts: () => failedStarts,
    stop: async () => {
      isEnding = true;
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await ended();
      await link.close();
    },
  };
}

/** Runs a command of Caudal to its end. Throws: Contradiction with what it printed, where it fails. */
export async function runCommand(environment: NodeJS.ProcessEnv, ...words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [join(MAIN, 'cli.ts'), ...words], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Contradiction(`caudal ${words.join(' ')} ended with ${code}: ${printed}`);
  return printed;
}
