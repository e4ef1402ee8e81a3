import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

type OpenStreams = {
  /** How many heard of no change yet. */
  silent(): number;
  close(): void;
};

/** Together at most, so that none waits in the line of the server for long. */
const AT_ONCE = 20;
/** A server that is busy says that a stream must come again. */
const TRIES = 20;
const TRY_AGAIN_MS = 500;

/** Opens a stream of live events with each token. It reads what comes and looks at little of it: the load runs on the same machine. */
export async function openStreams(origin: string, tokens: readonly string[]): Promise<OpenStreams> {
  const { hostname, port } = new URL(origin);
  const sockets: Socket[] = [];
  const heard = new Set<Socket>();

  async function open(token: string, tries = TRIES): Promise<void> {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(`GET /manage/v1/events HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    if (!first.toString().startsWith('HTTP/1.1 200')) {
      socket.destroy();
      if (tries === 1) throw new Error(`a stream was refused: ${first.toString()}`);
      await delay(TRY_AGAIN_MS);
      return open(token, tries - 1);
    }
    sockets.push(socket);
    socket.on('data', (chunk: Buffer) => {
      if (!heard.has(socket) && chunk.includes('event: changes')) heard.add(socket);
    });
  }

  for (let from = 0; from < tokens.length; from += AT_ONCE)
    await Promise.all(tokens.slice(from, from + AT_ONCE).map((token) => open(token)));
  return {
    silent: () => sockets.length - heard.size,
    close: () => sockets.forEach((socket) => socket.destroy()),
  };
}
