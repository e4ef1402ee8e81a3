// Opens a stream of live events with each token, in a process of its own, and reads what comes. It runs on the machine that is measured. So
// it looks at each stream until the first change was heard, and at no byte after that.
// It hears { origin, tokens } from its parent and says { opened }. Then it answers each message with { silent }: streams without a change.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export type StreamsToOpen = { readonly origin: string; readonly tokens: readonly string[] };
export type SaidOfStreams = { readonly opened: number } | { readonly silent: number } | { readonly fault: string };

/** Together at most, so that none waits in the line of the server for long. */
const AT_ONCE = 20;
/** A server that is busy says that a stream must come again. */
const TRIES = 20;
const TRY_AGAIN_MS = 500;

const sockets: Socket[] = [];
const silent = new Set<Socket>();
const say = (said: SaidOfStreams): void => void process.send?.(said);

async function open(origin: string, token: string, tries = TRIES): Promise<void> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`GET /manage/v1/events HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  if (!first.toString().startsWith('HTTP/1.1 200')) {
    socket.destroy();
    if (tries === 1) throw new Error(`a stream was refused: ${first.toString()}`);
    await delay(TRY_AGAIN_MS);
    return open(origin, token, tries - 1);
  }
  sockets.push(socket);
  silent.add(socket);
  socket.on('data', (chunk: Buffer) => {
    if (!chunk.includes('event: changes')) return;
    silent.delete(socket);
    socket.removeAllListeners('data').resume();
  });
}

async function openAll({ origin, tokens }: StreamsToOpen): Promise<void> {
  for (let from = 0; from < tokens.length; from += AT_ONCE)
    await Promise.all(tokens.slice(from, from + AT_ONCE).map((token) => open(origin, token)));
  process.on('message', () => say({ silent: silent.size }));
  say({ opened: sockets.length });
}

process.once('message', (asked: StreamsToOpen) => void openAll(asked).catch((error: Error) => say({ fault: error.message })));
