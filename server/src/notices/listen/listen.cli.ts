import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import {
  askHere,
  CommandRefused,
  JSON_OPTION,
  parseInstant,
  print,
  printJson,
  ofMerchant,
  withConnection,
  type Connect,
} from '../../kit/command-line.ts';
import { oneLine } from '../../kit/one-line.ts';
import { NOTICE_EVENTS, type Forwarded, type NoticeEvent } from './forwarder.ts';
import type { NoticeSource } from './sources.ts';

type Options = {
  readonly forwardTo?: string;
  readonly route?: Readonly<Partial<Record<NoticeEvent, string>>>;
  readonly events?: readonly NoticeEvent[];
  readonly merchant?: string;
  readonly since?: Temporal.Instant | Temporal.Duration;
  readonly position?: string;
  readonly count?: number;
  readonly json?: true;
};

/** Adds `caudal listen`. */
export function listenCommand(program: Command, connect: Connect): void {
  program
    .command('listen')
    .description('show notices as they come, and forward them to your own receiver, signed as the real ones; Ctrl-C ends it')
    .option('--forward-to <url>', 'send each notice there too; the merchant gets its own all the same', parseTarget)
    .option('--route <event=url>', 'send the notices of one event there instead; may come several times', addRoute)
    .option('--events <events>', `only these, with commas: ${NOTICE_EVENTS.join(', ')}`, parseEvents)
    .option('--merchant <id>', 'of this merchant only')
    .option('--since <time>', 'begin with what was written since then: 2h, 30m, 3d, or an instant', parseSince)
    .option('--position <file>', 'where it keeps how far it is (default: a file of yours for each source and receiver)')
    .option('--count <number>', 'end after so many notices', parseCount)
    .option(...JSON_OPTION)
    .action((options: Options) => listenTo(connect, options));
}

async function listenTo(connect: Connect, options: Options): Promise<void> {
  const { merchant } = options;
  const service = await connect.service?.();
  const [{ sourceHere, sourceThere }, { askMerchant, requireMerchant }] = await Promise.all([
    import('./sources.ts'),
    import('../../merchants/index.ts'),
  ]);
  if (service !== undefined) {
    if (merchant !== undefined) await askMerchant(service, merchant);
    return follow(sourceThere(service, merchant), options);
  }
  await withConnection(connect, async (connection) => {
    const own = merchant === undefined ? connection : await ofMerchant(connection, merchant);
    if (merchant !== undefined) await requireMerchant(own, merchant);
    await askHere(connect, connection, async (here) => follow(await sourceHere(own, here, merchant), options));
  });
}

async function follow(
  source: NoticeSource,
  { forwardTo, route = {}, events, merchant, since, position, count, json }: Options,
): Promise<void> {
  const [{ listenToNotices }, { openSender }, { keep, readKept }, { printedForward, toForwardJson }] = await Promise.all([
    import('./listen.ts'),
    import('../delivery/send-notice.ts'),
    import('./kept-place.ts'),
    import('./forward-as-text.ts'),
  ]);
  const isForwarding = forwardTo !== undefined || Object.keys(route).length > 0;
  if (position !== undefined && !isForwarding) throw new CommandRefused('--position goes with --forward-to or --route.', 2);
  const path = isForwarding
    ? (position ?? defaultPosition([source.id, merchant ?? '', forwardTo ?? '', JSON.stringify(route)]))
    : undefined;
  const kept = path === undefined ? undefined : readKept(path);
  const from = since instanceof Temporal.Duration ? (await source.now()).subtract(since) : since;
  if (path !== undefined) say(`${kept === undefined || from !== undefined ? 'Keeps' : 'Goes on from'} its position in ${path}.`);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const sender = openSender({ allowsInternal: true, connectTimeoutMs: 3_000, statusTimeoutMs: 10_000, answerTimeoutMs: 500 });
  // A request that is cut is sent again by the next run.
  ending.signal.addEventListener('abort', () => void sender.close());
  let ended = 0;
  const report = (forwarded: Forwarded): void => {
    if (json) printJson(toForwardJson(forwarded));
    else print(printedForward(forwarded));
    if (forwarded.nextAt === null && ++ended === count) end();
  };
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    await listenToNotices({
      source,
      kept,
      since: from,
      keep: (place) => path !== undefined && keep(path, place),
      say,
      isWanted: (event) => events?.includes(event) ?? true,
      targetOf: (event) => route[event] ?? forwardTo,
      send: sender.send,
      report,
      signal: ending.signal,
      chance: Math.random,
    });
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    await sender.close();
  }
}

const say = (line: string): void => void process.stderr.write(`${oneLine(line)}\n`);

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** One file for each source, merchant and receiver: two listeners do not share one. */
function defaultPosition(parts: readonly string[]): string {
  const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  return join(homedir(), '.local', 'state', 'caudal', `listen-${name}.json`);
}

/** Reads the address of a receiver. */
export function parseTarget(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.hash !== '')
    throw new InvalidArgumentError('It takes an http or https address, such as http://127.0.0.1:8080/notices.');
  return url.href;
}

function parseEvent(text: string): NoticeEvent {
  const found = NOTICE_EVENTS.find((event) => event === text);
  if (found === undefined) throw new InvalidArgumentError(`${JSON.stringify(text.slice(0, 40))} is none of: ${NOTICE_EVENTS.join(', ')}.`);
  return found;
}

const parseEvents = (text: string): readonly NoticeEvent[] => text.split(',').map(parseEvent);

function addRoute(text: string, before: Options['route'] = {}): Options['route'] {
  const [, event = '', url = ''] = /^([^=]*)=(.*)$/.exec(text) ?? [];
  return { ...before, [parseEvent(event)]: parseTarget(url) };
}

function parseSince(text: string): Temporal.Instant | Temporal.Duration {
  const [, amount, unit] = /^([0-9]{1,6})([smhd])$/.exec(text) ?? [];
  if (amount === undefined) return parseInstant(text);
  const seconds = { s: 1, m: 60, h: 3_600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd'];
  return Temporal.Duration.from({ seconds: Number(amount) * seconds });
}

function parseCount(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('It takes a number from 1.');
  return Number(text);
}
