import { randomBytes } from 'node:crypto';
import { statement, type Db } from '../../kit/db.ts';
import { listen } from '../../kit/listen.ts';
import type { Log } from '../../kit/log.ts';
import { byNewest, type LoggedRequest, type RequestLog } from './request-log.ts';

const CHANNEL = 'request_log';
/** The name of the connections that hear it, by which processes are counted. */
const LISTENER = 'caudal request log';
/** A process that is busy for longer is not waited for. */
const WAIT_MS = 1_000;
/** A message of the database has 8,000 bytes at most. */
const MESSAGE_BYTES = 7_500;

const COUNT = statement(
  'requests.count_processes',
  `select count(*)::integer as processes from pg_stat_activity where datname = current_database() and application_name = '${LISTENER}'`,
);
const SEND = statement('requests.send_log', `select pg_notify('${CHANNEL}', text) from unnest($1::text[]) as text`);

type Question = { readonly ask: string; readonly merchantId: string; readonly isRefusedOnly: boolean };
type Portion = { readonly to: string; readonly lines: readonly LoggedRequest[]; readonly isLast: boolean };

/** `processes`: how many serve. `heard`: those of them whose lines are here. */
type Gathered = { readonly lines: readonly LoggedRequest[]; readonly processes: number; readonly heard: number };

export type GatherRequests = {
  /** Asks all processes on all servers for the last requests of a merchant. Shape: → the newest first. Throws: Unavailable. */
  gather(merchantId: string, isRefusedOnly: boolean): Promise<Gathered>;
  close(): Promise<void>;
};

/** Each process has the requests that it answered itself. They ask each other by messages of the database. */
export async function openGatherRequests({
  db,
  url,
  log,
  requestLog,
}: {
  readonly db: Db;
  readonly url: string;
  readonly log: Log;
  readonly requestLog: Pick<RequestLog, 'read'>;
}): Promise<GatherRequests> {
  const waiting = new Map<string, (portion: Portion) => void>();

  const answer = async ({ ask, merchantId, isRefusedOnly }: Question): Promise<void> => {
    const portions = cut(requestLog.read(merchantId, isRefusedOnly));
    const messages = portions.map((lines, index) => ({ to: ask, lines, isLast: index === portions.length - 1 }) satisfies Portion);
    await db.query(SEND, [messages.map((one) => JSON.stringify(one))]);
  };

  const listener = await listen({
    url,
    channel: CHANNEL,
    name: LISTENER,
    log,
    onMessage: (text) => {
      const message = JSON.parse(text) as Question | Portion;
      if ('to' in message) waiting.get(message.to)?.(message);
      // Who asked waits for no more than a second.
      else answer(message).catch((error: unknown) => log.warn({ error }, 'cannot tell the last requests of a merchant'));
    },
    onGap: () => undefined,
  });

  return {
    gather: async (merchantId, isRefusedOnly) => {
      const [{ processes }] = (await db.query<{ processes: number }>(COUNT, [])) as [{ processes: number }];
      const ask = randomBytes(8).toString('hex');
      const lines: LoggedRequest[] = [];
      let heard = 0;
      const all = Promise.withResolvers<void>();
      waiting.set(ask, (portion) => {
        lines.push(...portion.lines);
        if (portion.isLast && ++heard >= processes) all.resolve();
      });
      const timer = setTimeout(all.resolve, WAIT_MS);
      try {
        await db.query(SEND, [[JSON.stringify({ ask, merchantId, isRefusedOnly } satisfies Question)]]);
        await all.promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(ask);
      }
      return { lines: lines.sort(byNewest), processes: Math.max(processes, heard), heard };
    },
    close: () => listener.close(),
  };
}

/** Cuts lines into portions that fit into a message. Without any there is an empty one. */
function cut(lines: readonly LoggedRequest[]): readonly (readonly LoggedRequest[])[] {
  const portions: LoggedRequest[][] = [[]];
  let bytes = 0;
  for (const line of lines) {
    const own = JSON.stringify(line).length + 1;
    if (bytes + own > MESSAGE_BYTES) {
      portions.push([]);
      bytes = 0;
    }
    portions.at(-1)?.push(line);
    bytes += own;
  }
  return portions;
}
