import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export type Manner = 'takes' | 'hangs' | 'drips' | 'redirects';

/** The servers of all merchants, which get their notices. */
export type Receiver = {
  urlOf(merchantId: string): string;
  /** How the server of a merchant answers from now on. */
  behave(merchantId: string, manner: Manner): void;
  /** Names of orders and cashouts whose payment was reported and taken. */
  readonly taken: ReadonlySet<string>;
  /** What a receiver must never get. */
  readonly wrong: readonly string[];
  close(): Promise<void>;
};

type Body = { readonly po_id?: string; readonly operation?: string; readonly status?: string };

const DRIP_MS = 300;

/** Starts the merchants' side. Every server takes all at first. */
export async function startReceiver(): Promise<Receiver> {
  const manners = new Map<string, Manner>();
  const taken = new Set<string>();
  const wrong: string[] = [];
  const bodies = new Map<unknown, string>();

  const take = (merchantId: string, id: unknown, body: string): void => {
    const first = bodies.get(id) ?? body;
    if (first !== body) wrong.push(`one id, two bodies: ${first} ${body}`);
    bodies.set(id, body);
    const { po_id: order, operation, status } = JSON.parse(body) as Body;
    if (status === 'approved') taken.add(`order ${merchantId}/${order}`);
    else if (status === 'APROBADA') taken.add(`cashout ${merchantId}/${operation}`);
    else wrong.push(`a notice of what did not happen: ${body}`);
  };

  const server = createServer((request, response) => {
    const [, place, merchantId = ''] = (request.url ?? '').split('/');
    if (place !== 'notices') {
      wrong.push(`a redirect was followed: ${request.url}`);
      return void response.end();
    }
    void text(request).then(
      (body) => {
        const manner = manners.get(merchantId) ?? 'takes';
        if (manner === 'drips') return void drip(response);
        if (manner === 'redirects') return void response.writeHead(307, { location: '/elsewhere' }).end();
        if (manner === 'hangs') return;
        take(merchantId, request.headers['webhook-id'], body);
        response.end('ok');
      },
      () => undefined, // The server that sent it died.
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (merchantId) => `http://127.0.0.1:${port}/notices/${merchantId}`,
    behave: (merchantId, manner) => void manners.set(merchantId, manner),
    taken,
    wrong,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Sends the status byte by byte, and never its end. */
async function drip({ socket }: ServerResponse): Promise<void> {
  socket?.on('error', () => undefined);
  for (const byte of `HTTP/1.1 200 ${'O'.repeat(1_000)}`) {
    if (socket === null || socket.destroyed) return;
    socket.write(byte);
    await delay(DRIP_MS, undefined, { ref: false });
  }
}
