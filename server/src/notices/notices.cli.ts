import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  askEither,
  CommandRefused,
  details,
  JSON_OPTION,
  MAX_LISTED,
  parseInstant,
  print,
  printJson,
  sentInstant,
  table,
  withFlatAmount,
  type Asks,
  type Cell,
  type Connect,
} from '../kit/command-line.ts';
import { argument, askCommand, limitOption, listCommand, utcOption, worded, type AnswerOf } from '../kit/remote/client-commands.ts';
import type { noticeList, listReceivers, readNotice } from './notices.manage.ts';
import type { NoticeState } from './notice.ts';
import { parseNoticeId } from './notice-id.wire.ts';

const merchants = () => import('../merchants/index.ts');
const operations = () => import('./notices.manage.ts');
const sends = () => import('./send-notices.manage.ts');

const STATES: Readonly<Record<string, NoticeState>> = { waiting: 'waiting', delivered: 'delivered', 'given-up': 'given_up' };

/** Adds `caudal notices …` to the program. */
export function noticeCommands(program: Command, connect: Connect): void {
  const notices = program.command('notices').description('the notices to merchants: list, send again, pause and resume endpoints');
  addList(notices, connect);
  addShow(notices, connect);
  addRedeliver(notices, connect);
  addSendNow(notices, connect);
  addEndpoints(notices, connect);
  addTest(notices, connect);
}

const oneNotice = argument('<id>', 'its webhook-id, or the number in it', parseId);
const oneMerchant = argument('<merchant>', '', String);

type Utc = { readonly utc?: true };
type OneNotice = { readonly id: bigint };
type OneMerchant = { readonly merchant: string };
const pathOf = ({ id }: OneNotice) => ({ path: { notice: String(id) } });

/** The zone of the times of what is listed. */
const zoneOf = async (service: Asks, shown: readonly OneMerchant[], { utc }: Utc): Promise<string> =>
  (await merchants()).askSharedZone(service, shown, utc);

type ListOptions = Utc & { readonly merchant?: string; readonly state?: string; readonly limit: number };

function addList(notices: Command, connect: Connect): void {
  listCommand(notices, connect, {
    name: 'list',
    about: 'list notices, the newest first',
    options: [
      new Option('--merchant <id>', 'of this merchant only'),
      new Option('--state <state>', 'in this state only').choices(Object.keys(STATES)),
      limitOption,
      utcOption,
    ],
    operation: async () => (await operations()).noticeList,
    limit: ({ limit }) => limit,
    parts: ({ merchant, state }: ListOptions) => ({ query: { merchant, state: STATES[state ?? ''] } }),
    first: async (service, { merchant, utc: isUtc }) =>
      merchant === undefined ? undefined : (await merchants()).askZone(service, merchant, isUtc),
    json: (listed) => listed.map(withFlatAmount),
    zone: zoneOf,
    text: (listed, _given, zone) => (listed.length === 0 ? 'No matching notices.\n' : table(HEADING, listed.map(toCells), zone)),
  });
}

function addShow(notices: Command, connect: Connect): void {
  askCommand(notices, connect, {
    name: 'show',
    about: 'show one notice with its body, and what its receiver last answered',
    args: [oneNotice],
    options: [utcOption],
    operation: async () => (await operations()).readNotice,
    parts: (given: OneNotice & Utc) => pathOf(given),
    json: ({ attemptList: _attempts, ...shown }) => withFlatAmount(shown),
    zone: (service, shown, given) => zoneOf(service, [shown], given),
    text: (shown, _given, zone) => details(toLines(shown), zone),
  });
}

type RedeliverOptions = { since?: Temporal.Instant; merchant?: string; failed?: true; json?: true };

function addRedeliver(notices: Command, connect: Connect): void {
  notices
    .command('redeliver')
    .description('send a notice again, or all that were written since a time; each keeps its id')
    .argument('[id]', 'its webhook-id, or the number in it', parseId)
    .option('--since <time>', 'an instant, such as 2026-11-21T10:00:00-05:00', parseInstant)
    .option('--merchant <id>', 'with --since: of this merchant only')
    .option('--failed', 'with --since: only those that were given up')
    .option(...JSON_OPTION)
    .action(async (id: bigint | undefined, { json, ...options }: RedeliverOptions) => {
      const { since, merchant, failed } = options;
      if ((id === undefined) === (since === undefined)) throw new CommandRefused('Name one notice, or a time with --since.', 2);
      if (id !== undefined && (merchant !== undefined || failed)) throw new CommandRefused('--merchant and --failed go with --since.', 2);
      const { redeliver, redeliverAll } = await sends();
      if (id === undefined) {
        const again = await askEither(connect, (service) =>
          walk((after) => {
            const body = { since, merchant, onlyFailed: failed, after };
            return worded(redeliverAll, { body, given: options }, service.call(redeliverAll, { body }));
          }),
        );
        if (json) return printJson({ notices: again });
        const seen = again === 0 ? '' : ' "notices list" shows what became of them.';
        return print(`${again} ${again === 1 ? 'notice waits' : 'notices wait'} to be sent again.${seen}\n`);
      }
      await askEither(connect, (service) => worded(redeliver, { given: { id } }, service.call(redeliver, pathOf({ id }))));
      if (json) return printJson({ notices: 1, id: String(id) });
      print(`Notice ${id} waits to be sent again by a running server. "notices show ${id}" shows what became of it.\n`);
    });
}

/** Repeats a step until none is left. Shape: → how many notices. */
async function walk(step: (after?: string) => Promise<{ readonly notices: number; readonly next: string | null }>): Promise<number> {
  let { notices, next } = await step();
  while (next !== null) {
    const one = await step(next);
    notices += one.notices;
    next = one.next;
  }
  return notices;
}

function addSendNow(notices: Command, connect: Connect): void {
  askCommand(notices, connect, {
    name: 'send-now',
    about: 'send a notice that waits now, before its next attempt is due',
    args: [oneNotice],
    operation: async () => (await sends()).noticeRedelivery,
    parts: (given: OneNotice) => pathOf(given),
    json: ({ earlier }, { id }) => ({ id: String(id), earlier }),
    text: ({ earlier }, { id }) => {
      const after =
        earlier === 0 ? '' : `, after ${earlier === 1 ? 'one earlier notice' : `${earlier} earlier notices`} of the same subject`;
      return `Notice ${id} is sent now by a running server${after}. "notices show ${id}" shows what became of it.\n`;
    },
  });
}

function addEndpoints(notices: Command, connect: Connect): void {
  listCommand(notices, connect, {
    name: 'endpoints',
    about: 'list the endpoints that have notices waiting, fail or are paused',
    options: [utcOption],
    operation: async () => (await operations()).listReceivers,
    limit: () => MAX_LISTED,
    parts: (_given: Utc) => ({}),
    zone: zoneOf,
    text: (listed, _given, zone) =>
      listed.length === 0 ? 'Nothing waits, and no endpoint fails.\n' : table(ENDPOINT_HEADING, listed.map(toEndpointCells), zone),
  });
  askCommand(notices, connect, {
    name: 'pause',
    about: 'send a merchant nothing until it is resumed; its notices wait',
    args: [oneMerchant],
    operation: async () => (await sends()).pause,
    parts: ({ merchant }: OneMerchant) => ({ path: { merchant } }),
    json: (_done, { merchant }) => ({ merchant, isPaused: true }),
    text: (_done, { merchant }) => `The endpoint of ${merchant} is paused.\n`,
  });
  askCommand(notices, connect, {
    name: 'resume',
    about: 'send a merchant again what waits, at once; also where the service has paused the endpoint',
    args: [oneMerchant],
    operation: async () => (await sends()).resume,
    parts: ({ merchant }: OneMerchant) => ({ path: { merchant } }),
    json: ({ merchant, wasPaused }) => ({ merchant, isPaused: false, wasPaused }),
    text: ({ merchant, wasPaused }) =>
      `The endpoint of ${merchant} ${wasPaused ? 'is resumed' : 'was not paused; what waits is sent at once'}.\n`,
  });
}

function addTest(notices: Command, connect: Connect): void {
  askCommand(notices, connect, {
    name: 'test',
    about: 'send a merchant a test notice, signed as any other; it is tried for one minute',
    args: [oneMerchant],
    operation: async () => (await sends()).sendTest,
    parts: ({ merchant }: OneMerchant) => ({ path: { merchant } }),
    json: ({ notice }, { merchant }) => ({ merchant, notice }),
    text: ({ notice }) => `Test notice ${notice} waits to be sent by a running server. "notices show ${notice}" shows the answer.\n`,
  });
}

function parseId(text: string): bigint {
  const id = parseNoticeId(text);
  if (id === undefined) throw new InvalidArgumentError('It takes a webhook-id such as msg_42_1763737200000, or 42.');
  return id;
}

const HEADING = ['NOTICE', 'MERCHANT', 'ABOUT', 'STATUS', 'STATE', 'ATTEMPTS', 'WRITTEN', 'PROBLEM'];

const toCells = ({ id, merchant, kind, subject, status, state, attempts, writtenAt, problem }: AnswerOf<typeof noticeList>): Cell[] => [
  id,
  merchant,
  `${kind} ${subject}`,
  status,
  state.replace('_', '-'),
  attempts,
  Temporal.Instant.from(writtenAt),
  problem,
];

const ENDPOINT_HEADING = ['MERCHANT', 'STATE', 'WAITING', 'OLDEST', 'FAILING SINCE', 'NEXT PROBE', 'PROBLEM'];

function toEndpointCells({
  merchant,
  waiting,
  oldestAt,
  failingSince,
  problem,
  pausedBy,
  probeAt,
}: AnswerOf<typeof listReceivers>): Cell[] {
  const state = pausedBy === null ? (failingSince === null ? 'taking' : 'failing') : `paused by ${pausedBy}`;
  return [merchant, state, waiting, sentInstant(oldestAt), sentInstant(failingSince), sentInstant(probeAt), problem];
}

type WholeNotice = AnswerOf<typeof readNotice>;

function toLines({ id, merchant, kind, subject, status, amount, state, attempts, body, ...rest }: WholeNotice): [string, Cell][] {
  return [
    ['notice', id],
    ['merchant', merchant],
    ['about', `${kind} ${subject}`],
    ['status', status],
    ['amount', amount],
    ['written', sentInstant(rest.writtenAt)],
    ['state', state.replace('_', '-')],
    ['attempts', attempts],
    ['last attempt', sentInstant(rest.attemptedAt)],
    ...(state === 'waiting'
      ? ([
          ['next attempt', sentInstant(rest.dueAt)],
          ['will be given up on', sentInstant(rest.giveUpAt)],
        ] as [string, Cell][])
      : []),
    ['delivered', sentInstant(rest.deliveredAt)],
    ['answer', rest.answerStatus],
    ['answer body', rest.answer],
    ['problem', rest.problem],
    ['body', body ?? 'cannot be made: a notice hash does not open here, or the history lacks the update'],
  ];
}
