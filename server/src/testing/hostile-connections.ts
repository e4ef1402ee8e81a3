import { connect, type Socket } from 'node:net';
import { within } from './deadlines.ts';
import type { HostileRequest } from './hostile-requests.ts';
import { takeAnswers, type RawAnswer } from './raw-http.ts';
import { seed, type Random } from './seed.ts';

const PIPELINED = 32;
/** A request may take ten seconds to arrive. One that a sandbox does not answer keeps its connection for thirty. */
const CLOSE_MS = 60_000;
/** No more may be ahead of their answers. */
const UNREAD = 60;

/** What is known of a request whose answer is checked. Of one that is not HTTP only its bytes are known. */
export type Sent = Pick<HostileRequest, 'bytes'> & Partial<HostileRequest>;
/** Checks the answer to a request. Throws: where it is not one of the contract. */
type Check = (sent: Sent, answer: RawAnswer) => void;

/** A connection ends by a reset or in order. */
const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

/** Sends all requests on one connection, many at once. Opens another one when the server closes it. */
export async function keepSending(port: number, next: () => HostileRequest | undefined, check: Check): Promise<void> {
  const unanswered: HostileRequest[] = [];
  for (;;) {
    const first = unanswered[0];
    const done = await sendOnOneConnection(port, unanswered, next, check);
    if (done) return;
    if (first !== undefined && unanswered[0] === first)
      throw new Error(`seed ${seed}: no answer to ${JSON.stringify(first.bytes.slice(0, 3_000))}`);
  }
}

async function sendOnOneConnection(
  port: number,
  unanswered: HostileRequest[],
  next: () => HostileRequest | undefined,
  check: Check,
): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  let failure: unknown;
  let bytes: Buffer = Buffer.alloc(0);
  const fill = (): void => {
    let text = '';
    while (unanswered.length < PIPELINED) {
      const request = next();
      if (request === undefined) break;
      unanswered.push(request);
      text += request.bytes;
    }
    if (text !== '') socket.write(text, 'latin1');
    else if (unanswered.length === 0) socket.end();
  };
  socket.on('data', (chunk: Buffer) => {
    try {
      const taken = takeAnswers(
        bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]),
        (index) => unanswered[index]?.method === 'HEAD',
      );
      bytes = taken.rest;
      for (const answer of taken.answers) {
        const request = unanswered.shift() as HostileRequest;
        const { id, bytes: sent, method } = request;
        // With headers that are too large, neither its id nor its path was read.
        if (answer.status === 431) check({ bytes: sent, method }, answer);
        else if (answer.headers.get('x-request-id') === id) check(request, answer);
        else throw new Error(`seed ${seed}: another request's answer to ${sent.slice(0, 300)}`);
      }
      fill();
    } catch (error) {
      failure = error;
      socket.destroy();
    }
  });
  socket.on('error', () => undefined); // Whatever was not answered is sent again.
  for (const { bytes: again } of unanswered) socket.write(again, 'latin1');
  fill();
  await closed(socket);
  if (failure !== undefined) throw failure;
  return unanswered.length === 0;
}

/** Sends a text on a new connection, and nothing after it. Resolves with whatever comes until the server closes. */
export async function sendAlone(port: number, text: string): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void received.push(chunk));
  socket.on('end', () => socket.end());
  socket.on('error', () => undefined);
  socket.end(text, 'latin1');
  await within(CLOSE_MS, `seed ${seed}: the end of a connection after ${JSON.stringify(text.slice(0, 2_000))}`, closed(socket));
  return Buffer.concat(received);
}

/** Sends a text that is not HTTP. The server answers in its envelope or not at all, and closes. */
export async function sendBroken(port: number, text: string, check: Check): Promise<void> {
  const { answers, rest } = takeAnswers(await sendAlone(port, text), () => text.startsWith('HEAD '));
  if (rest.length > 0) throw new Error(`seed ${seed}: half an answer to ${JSON.stringify(text.slice(0, 2_000))}`);
  for (const answer of answers) check({ bytes: text }, answer);
}

/** Sends a part of a request, or the whole of it, and is gone before the answer. */
export async function sendAndLeave(port: number, random: Random, { bytes }: HostileRequest): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const sent = random.oneIn(3) ? bytes : bytes.slice(0, random.below(bytes.length));
  const end = random.oneIn(2) ? 'destroy' : 'resetAndDestroy';
  socket.write(sent, 'latin1', () => socket[end]());
  await within(CLOSE_MS, 'the end of a connection that was left', closed(socket));
}

/** Sends a request byte by byte until the server has had enough. */
export async function sendSlowly(port: number, text: string): Promise<readonly RawAnswer[]> {
  const socket: Socket = connect(port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void received.push(chunk));
  socket.on('error', () => undefined);
  let at = 0;
  const drip = setInterval(() => socket.write(text[at++ % text.length] as string, 'latin1'), 250);
  await within(CLOSE_MS, 'the end of a slow connection', closed(socket));
  clearInterval(drip);
  return takeAnswers(Buffer.concat(received)).answers;
}

/** Sends requests for large answers and reads none, until the caller ends it. */
export function readNothing(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(text.repeat(UNREAD), 'latin1');
  return socket;
}

/** Opens a connection, sends the beginning of a request or nothing, and is silent. Resolves with the time until the server has closed it. */
export async function staySilent(port: number, beginning: string): Promise<number> {
  const startedAt = performance.now();
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  if (beginning !== '') socket.write(beginning, 'latin1');
  await within(CLOSE_MS, 'the end of a silent connection', closed(socket));
  return performance.now() - startedAt;
}
