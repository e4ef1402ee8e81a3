import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { pauseAfter, type Pauses } from '../kit/backoff.ts';
import type { Log } from '../kit/log.ts';

/** One of several processes that serve. It has said on standard error why it could not start. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

type ProcessesOptions = {
  readonly count: number;
  /** Settings that take the place of our own in each process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: Log;
};

type Processes = {
  /** Lets all of them end what is under way. */
  stop(): Promise<void>;
};

/** A process that ends again and again gets these pauses. After a run that was longer than the longest pause, the first one comes again. */
const PAUSES: Pauses = { firstSeconds: 0.1, longestSeconds: 10 };

/** Whether this process alone, or before all others, speaks to the person who started the service. */
export const isSpeaker = (): boolean => cluster.worker === undefined || cluster.worker.id === 1;

/** Whether another process has started this one to serve beside others. */
export const isOneOfSeveral = (): boolean => cluster.isWorker;

/**
 * Runs this program several times on one port, and starts another one for each that ends.
 * Throws: ProcessEnded where one ends before all of them serve.
 */
export async function runProcesses({ count, environment, log }: ProcessesOptions): Promise<Processes> {
  const stopping = new AbortController();
  const fork = (): Worker => cluster.fork(environment);

  async function keep(first: Worker): Promise<void> {
    let worker = first;
    for (let failures = 0; ;) {
      const startedAt = performance.now();
      const [code, signal] = (await once(worker, 'exit')) as [number | null, string | null];
      if (stopping.signal.aborted) return;
      log.error({ process: worker.process.pid, code, signal }, 'a process of the service ended; another one begins');
      failures = performance.now() - startedAt > PAUSES.longestSeconds * 1_000 ? 1 : failures + 1;
      await delay(pauseAfter(failures, PAUSES, Math.random()).total('milliseconds'));
      if (stopping.signal.aborted) return;
      worker = fork();
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.all(
      Object.values(cluster.workers ?? {}).map(async (worker) => {
        if (worker === undefined || worker.isDead()) return;
        const ended = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await ended;
      }),
    );
  }

  const kept: Worker[] = [];
  try {
    // The first one makes what a new sandbox needs. The others find it.
    while (kept.length < count) {
      const worker = fork();
      await serves(worker);
      log.info({ process: worker.process.pid }, 'a process of the service serves');
      kept.push(worker);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  for (const worker of kept) void keep(worker);
  return { stop };
}

const SERVING = 'serving';

/** Says to the process that has started this one that it serves. */
export const saySo = (): void => void process.send?.(SERVING);

/**
 * How one of several listens. The system spreads connections over them: where one is killed, its clients learn that at once.
 * Elsewhere Node hands connections over, and what it has handed to a process that is killed hangs.
 */
export const sharedPort = (): { readonly reusePort?: true } =>
  isOneOfSeveral() && process.platform === 'linux' ? { reusePort: true } : {};

function serves(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message) => message === SERVING && resolve());
    worker.once('exit', (code, signal) => reject(new ProcessEnded(`a process ended with ${code ?? signal}`)));
  });
}

/** A port that nobody uses. A process that is replaced must find the port of the others. */
export async function findFreePort(host: string): Promise<number> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
