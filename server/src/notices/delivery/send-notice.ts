import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isAllowedAddress } from '../../kit/limits/allowed-address.ts';
import { NOTICE_PROBLEMS } from '../notice-problems.ts';

type NoticeRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The result of a call: the receiver's status and the beginning of its answer, or why there is none. */
type SendOutcome = { readonly status: number; readonly answer: string } | { readonly problem: string };

type SenderOptions = {
  /** Allows loopback addresses, private addresses and plain http, for the sandbox. */
  readonly allowsInternal: boolean;
  readonly connectTimeoutMs: number;
  /** From the resolution of the name to the status of the answer. */
  readonly statusTimeoutMs: number;
  /** From the status to the end of what is read of the answer. */
  readonly answerTimeoutMs: number;
};

export type Sender = {
  /** Sends one notice. Never throws: anything that fails is the receiver's to fix, and is returned as a problem. */
  send(notice: NoticeRequest): Promise<SendOutcome>;
  close(): Promise<void>;
};

/** The part of an answer that is kept (contract §3.6). */
const ANSWER_CHARACTERS = 500;
/** The part of an answer that is read, so that its connection can be used again. A longer one is cut off. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** We close idle connections before common servers close them. */
const KEEP_ALIVE_MS = 4_000;

class NoAnswerInTime extends Error {
  override readonly name = 'NoAnswerInTime';
}

class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Opens the HTTP client of notices. It follows no redirect, and connects to no internal address, whatever a name resolves to. */
export function openSender({ allowsInternal, connectTimeoutMs, statusTimeoutMs, answerTimeoutMs }: SenderOptions): Sender {
  // Loaded with the first notice: a server without receivers saves its memory.
  const open = async () => {
    const { Agent, request } = await import('undici');
    const agent = new Agent({
      // The address that was checked is the one that is connected to: nothing resolves the name a second time.
      connect: { timeout: connectTimeoutMs, lookup: allowedLookup(allowsInternal), allowH2: false },
      keepAliveTimeout: KEEP_ALIVE_MS,
      allowH2: false,
    });
    return { agent, request };
  };
  let client: ReturnType<typeof open> | undefined;
  return {
    send: async ({ url, headers, body }) => {
      try {
        requireAllowedUrl(url, allowsInternal);
        const { agent, request } = await (client ??= open());
        const ending = new AbortController();
        const until = (ms: number): NodeJS.Timeout => setTimeout(() => ending.abort(new NoAnswerInTime()), ms);
        const { signal } = ending;
        let timer = until(statusTimeoutMs);
        try {
          const reply = await request(url, { method: 'POST', headers, body, dispatcher: agent, signal });
          clearTimeout(timer);
          timer = until(answerTimeoutMs);
          return { status: reply.statusCode, answer: await readBeginning(reply.body) };
        } finally {
          clearTimeout(timer);
        }
      } catch (error) {
        return { problem: describe(error) };
      }
    },
    close: async () => (await client)?.agent.destroy(),
  };
}

/** A literal address is never looked up, so it is refused here. URL has written `2130706433` and `0x7f.1` in the usual form. */
function requireAllowedUrl(text: string, allowsInternal: boolean): void {
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'https:' && !(allowsInternal && protocol === 'http:')) throw new AddressRefused(NOTICE_PROBLEMS.notHttps);
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0 && !isAllowedAddress(literal, allowsInternal)) throw new AddressRefused(NOTICE_PROBLEMS.notAllowed);
}

const allowedLookup =
  (allowsInternal: boolean): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const allowed = found.filter(({ address }) => isAllowedAddress(address, allowsInternal));
      const [first] = allowed;
      if (first === undefined) return callback(new AddressRefused(NOTICE_PROBLEMS.notAllowed), []);
      if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

/** The first characters of an answer, without control characters: some harm a terminal, and PostgreSQL stores no NUL. */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) break; // Leaving the loop ends the connection.
    }
  } catch {
    // The status already says whether the notice was taken. An answer that stalls or breaks off after it changes nothing.
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, 4 * ANSWER_CHARACTERS));
  return Array.from(text.replaceAll(/\p{Cc}/gu, ' '))
    .slice(0, ANSWER_CHARACTERS)
    .join('');
}

/** Why an answer is not a success. Null: it is one. */
export function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return `HTTP ${status}${status >= 300 && status < 400 ? ', redirects are not followed' : ''}`;
}

/** One line without the receiver's words: the message of an error may repeat what was sent. */
function describe(error: unknown): string {
  const { name, code } = error as { name?: string; code?: string };
  const causes: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const refused = causes.find((cause) => cause instanceof AddressRefused);
  if (refused !== undefined) return refused.message;
  if (error instanceof NoAnswerInTime) return NOTICE_PROBLEMS.noAnswer;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return NOTICE_PROBLEMS.noConnection;
  if (code === 'ECONNREFUSED') return NOTICE_PROBLEMS.refused;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return NOTICE_PROBLEMS.noName;
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') return NOTICE_PROBLEMS.broken;
  return code ?? name ?? NOTICE_PROBLEMS.unknown;
}
