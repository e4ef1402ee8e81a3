import { connect, type Socket } from 'node:net';
import { within } from './deadlines.ts';

/** The slowest answer is 408, after ten seconds. */
const ANSWER_MS = 15_000;

export type RawAnswer = { readonly status: number; readonly headers: ReadonlyMap<string, string>; readonly body: string };

/**
 * Takes the answers off a connection's bytes, as they arrive.
 * Shape: bytes so far, whether each answer is to a HEAD request → whole answers, and the bytes that are left.
 */
export function takeAnswers(
  bytes: Buffer,
  isHead: (index: number) => boolean = () => false,
): { readonly answers: readonly RawAnswer[]; readonly rest: Buffer } {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) return { answers, rest };
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, headEnd).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const length = status === 100 || status === 304 || isHead(answers.length) ? 0 : Number(headers.get('content-length') ?? Number.NaN);
    if (Number.isNaN(length)) throw new Error(`an answer without a length: ${statusLine}`);
    const end = headEnd + 4 + length;
    if (rest.length < end) return { answers, rest };
    if (status !== 100) answers.push({ status, headers, body: rest.toString('utf8', headEnd + 4, end) });
    rest = rest.subarray(end);
  }
}

/**
 * Sends bytes as they are on a connection of their own. Waits for that many answers, or until the server closes it.
 * Shape: port, bytes in latin1, number of answers → the answers, and whether the server closed the connection afterwards.
 */
export async function sendRaw(port: number, text: string, expected = 1): Promise<{ answers: readonly RawAnswer[]; socket: Socket }> {
  const socket = connect(port, '127.0.0.1');
  const { promise, resolve, reject } = Promise.withResolvers<readonly RawAnswer[]>();
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    const { answers } = takeAnswers(bytes);
    if (answers.length >= expected) resolve(answers);
  });
  socket.on('close', () => resolve(takeAnswers(bytes).answers));
  socket.on('error', reject);
  socket.write(text, 'latin1');
  return { answers: await within(ANSWER_MS, `an answer to ${text.slice(0, 200)}`, promise), socket };
}
