import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type ReceivedNotice = {
  readonly path: string;
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** A merchant's side: a real HTTP server that keeps what it is sent. */
export type NoticeReceiver = {
  readonly url: string;
  /** Everything that arrived, in order, whatever it was answered. */
  readonly received: readonly ReceivedNotice[];
  /** What was answered with a 2xx, in order. */
  readonly taken: readonly ReceivedNotice[];
  /** Answers so from now on; at first with 200 and `ok`. A response that is not ended keeps its caller waiting. */
  answer(how: (notice: ReceivedNotice, response: ServerResponse) => void): void;
  close(): Promise<void>;
};

const takeAll = (_notice: ReceivedNotice, response: ServerResponse): void => void response.end('ok');

/** Starts a receiver on any free port of this machine. */
export async function startNoticeReceiver(): Promise<NoticeReceiver> {
  const received: ReceivedNotice[] = [];
  const taken: ReceivedNotice[] = [];
  let how = takeAll;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { headers, url: path = '' } = request;
      const notice = { path, headers, body, id: String(headers['webhook-id']) };
      received.push(notice);
      response.once('finish', () => {
        if (response.statusCode < 300) taken.push(notice);
      });
      how(notice, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notices`,
    received,
    taken,
    answer: (next) => void (how = next),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Answers with a status and a text. */
export const answering =
  (status: number, words = ''): Parameters<NoticeReceiver['answer']>[0] =>
  (_notice, response) =>
    void response.writeHead(status).end(words);
