import { connect as connectSocket, type Socket } from 'node:net';
import type { Prepared } from '../requests.ts';

/** A persistent connection that carries one request at a time. A broken one is reopened. */
export type Connection = {
  /** Calls back once, with what is wrong with the answer; undefined for success. */
  send(request: Prepared, onAnswer: (complaint: string | undefined) => void): void;
  close(): void;
};

const END_OF_HEAD = '\r\n\r\n';
const SUCCESS = '"0000"';

/** Opens a connection. Does less than an HTTP library, so that the load generator takes little processor time. */
export async function connect(origin: string): Promise<Connection> {
  const { hostname, port, host } = new URL(origin);
  let answered: ((complaint: string | undefined) => void) | undefined;
  let received: Buffer = Buffer.alloc(0);

  const finish = (complaint: string | undefined): void => {
    const callback = answered;
    answered = undefined;
    received = Buffer.alloc(0);
    callback?.(complaint);
  };

  const open = (): Socket => {
    const socket = connectSocket({ host: hostname, port: Number(port), noDelay: true });
    let fault = 'the connection was closed';
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const complete = readAnswer(received);
      if (complete !== undefined) finish(complete.complaint);
    });
    socket.on('error', (error) => (fault = error.message));
    socket.on('close', () => finish(fault));
    return socket;
  };

  let socket = open();
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return {
    send: ({ method, path, id, body }, onAnswer) => {
      answered = onAnswer;
      if (socket.destroyed) socket = open();
      const content = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
      socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${id === '' ? '' : `x-request-id: ${id}\r\n`}${content}\r\n${body}`);
    },
    close: () => socket.destroy(),
  };
}

/** Undefined until the answer is complete. */
function readAnswer(received: Buffer): { readonly complaint: string | undefined } | undefined {
  const end = received.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  const start = end + END_OF_HEAD.length;
  if (received.length < start + length) return undefined;
  const body = received.toString('utf8', start, start + length);
  const isSuccess = head.startsWith('HTTP/1.1 200 ') && body.includes(SUCCESS);
  return { complaint: isSuccess ? undefined : `${head.slice(0, 12)} ${body.slice(0, 200)}` };
}
