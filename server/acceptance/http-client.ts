import { Agent, request as openRequest } from 'node:http';
import { Agent as SecureAgent, request as openSecureRequest } from 'node:https';
import { connect } from 'node:net';
import { connect as connectSecure } from 'node:tls';

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
};

type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | undefined;
};

export type HttpClient = {
  /** Sends a request exactly as given: adds Host and Content-Length only, allows a body with GET, follows no redirects. */
  send(request: Sent): Promise<Answer>;
  /** Writes bytes to a new connection. Returns what comes back until the server closes it or the time is over. */
  sendBytes(bytes: string | Buffer, patienceMs: number): Promise<string>;
  close(): void;
};

/** The slowest answer of a deployment that works is 503, after five seconds without a database. */
const PATIENCE_MS = 15_000;

/** Opens a client for the server at an origin such as http://127.0.0.1:3000. */
export function openHttpClient(origin: string): HttpClient {
  const { protocol, hostname, port } = new URL(origin);
  const isSecure = protocol === 'https:';
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const open = isSecure ? openSecureRequest : openRequest;
  const portNumber = Number(port === '' ? (isSecure ? 443 : 80) : port);

  return {
    send: ({ method, path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
        const sent = { agent, hostname, port: portNumber, method, path, headers: { ...length, ...headers }, timeout: PATIENCE_MS };
        const request = open(sent, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') }),
          );
        });
        request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${path} within ${PATIENCE_MS} ms`)));
        request.on('error', reject);
        request.end(body);
      }),
    sendBytes: (bytes, patienceMs) =>
      new Promise((resolve, reject) => {
        const socket = isSecure ? connectSecure({ host: hostname, port: portNumber }) : connect(portNumber, hostname);
        let text = '';
        socket.setTimeout(patienceMs, () => socket.destroy());
        socket.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
        socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
        socket.on('close', () => resolve(text));
        socket.write(bytes);
      }),
    close: () => agent.destroy(),
  };
}
