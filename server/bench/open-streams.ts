import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SaidOfStreams, StreamsToOpen } from './load/read-streams.ts';

export type OpenStreams = {
  /** The process that reads them. */
  readonly pid: number;
  /** How many heard of no change yet. */
  silent(): Promise<number>;
  close(): Promise<void>;
};

/** Opens a stream of live events with each token. A process of its own reads them, so that its work is not counted as that of the service. */
export async function openStreams(origin: string, tokens: readonly string[]): Promise<OpenStreams> {
  const reader = fork(join(import.meta.dirname, 'load', 'read-streams.ts'), { execArgv: [] });
  const ask = async (question: StreamsToOpen | 'silent'): Promise<SaidOfStreams> => {
    reader.send(question);
    const [said] = (await once(reader, 'message')) as [SaidOfStreams];
    return said;
  };
  const close = async (): Promise<void> => {
    const ended = once(reader, 'exit');
    reader.kill();
    await ended;
  };
  const opened = await ask({ origin, tokens });
  if ('fault' in opened) {
    await close();
    throw new Error(opened.fault);
  }
  return {
    pid: reader.pid as number,
    silent: async () => {
      const said = await ask('silent');
      return 'silent' in said ? said.silent : NaN;
    },
    close,
  };
}
