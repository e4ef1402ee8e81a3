import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

type OpenStreams = {
  /** How many heard of no change yet. */
  silent(): number;
  close(): void;
};

/** Together at most, so that none waits in the line of the server for long. */
const AT_ONCE = 50;

/** Opens streams of live events, so many with each token. It reads what comes and looks at little of it: the load runs on the same machine. */
export async function openStreams(origin: string, tokens: readonly string[], each: number): Promise<OpenStreams> {
  const { hostname, port } = new URL(origin);
  const sockets: Socket[] = [];
  const heard = new Set<Socket>();
  const all = tokens.flatMap((token) => Array.from({ length: each }, () => token));
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const opened = all.slice(from, from + AT_ONCE).map(async (token) => {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.write(`GET /manage/v1/events HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n\r\n`);
      const [first] = (await once(socket, 'data')) as [Buffer];
      if (!first.toString().startsWith('HTTP/1.1 200')) throw new Error(`a stream was refused: ${first.toString().split('\r\n')[0]}`);
      socket.on('data', (chunk: Buffer) => {
        if (!heard.has(socket) && chunk.includes('event: changes')) heard.add(socket);
      });
    });
    await Promise.all(opened);
  }
  return {
    silent: () => sockets.length - heard.size,
    close: () => sockets.forEach((socket) => socket.destroy()),
  };
}
