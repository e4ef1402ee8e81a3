import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  carryOut,
  CommandRefused,
  details,
  JSON_OPTION,
  MAX_LISTED,
  parseInstant,
  parseLimit,
  print,
  printJson,
  readFrom,
  sentInstant,
  table,
  UTC_OPTION,
  withFlatAmount,
  type Cell,
  type Connect,
  type Connection,
  type RefusalLines,
} from '../kit/command-line.ts';
import { formatAllDecimals } from '../kit/money.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import type { Remote } from '../kit/remote/remote.ts';
import type { showEndpoint } from './notices.manage.ts';
import { subjectOf, type NoticeState } from './notice.ts';
import { noticeIdOnWire, parseNoticeId } from './notice-id.wire.ts';
import type { ListedNotice } from './notice-rows.ts';
import type { NoticeRendering } from './read-request.ts';

const merchants = () => import('../merchants/index.ts');
const rows = () => import('./notice-rows.ts');
const operations = () => import('./notices.manage.ts');
const sends = () => import('./send-notices.manage.ts');
const endpoints = () => import('./endpoints.ts');

/** What a command needs to print the body of a notice. */
export type OpenNoticeRendering = (connection: Connection) => Promise<NoticeRendering>;

const STATES: Readonly<Record<string, NoticeState>> = { waiting: 'waiting', delivered: 'delivered', 'given-up': 'given_up' };

const unknown = (id: string): readonly [string, 1] => [`There is no notice ${id}.`, 1];
/** The refusal of a service that has no such merchant. */
const UNKNOWN = { not_found: (id: string): readonly [string, 1] => [`There is no merchant ${id}.`, 1] };

const REFUSALS: RefusalLines<'notice_unknown' | 'notice_waiting' | 'not_found'> = {
  notice_unknown: unknown,
  not_found: unknown,
  notice_waiting: (id) => [`Notice ${id} waits to be sent already.`, 1],
};

/** Adds `caudal notices …` to the program. */
export function noticeCommands(program: Command, connect: Connect, openRendering: OpenNoticeRendering): void {
  const notices = program.command('notices').description('the notices to merchants: list, send again, pause and resume endpoints');
  addList(notices, connect);
  addShow(notices, connect, openRendering);
  addRedeliver(notices, connect);
  addSendNow(notices, connect);
  addEndpoints(notices, connect);
  addTest(notices, connect);
}

type ShownEndpoint = ReturnType<typeof showEndpoint>;

type ListOptions = { merchant?: string; state?: string; limit: number; utc?: true; json?: true };

function addList(notices: Command, connect: Connect): void {
  notices
    .command('list')
    .description('list notices, the newest first')
    .option('--merchant <id>', 'of this merchant only')
    .addOption(new Option('--state <state>', 'in this state only').choices(Object.keys(STATES)))
    .option('--limit <number>', `1 to ${MAX_LISTED}`, parseLimit, 50)
    .option(...UTC_OPTION)
    .option(...JSON_OPTION)
    .action(async ({ utc, json, ...options }: ListOptions) => {
      const { notices: listed, zone } = await readFrom(connect, {
        here: (connection) => listHere(connection, options, utc === true),
        there: (service) => ask(service, options, utc === true),
      });
      if (json) return printJson(listed);
      if (listed.length === 0) return print('No matching notices.\n');
      print(table(HEADING, listed.map(toCells), zone));
    });
}

type Listed = { readonly notices: readonly ShownNotice[]; readonly zone: string };

async function listHere(connection: Connection, { merchant: merchantId, state, limit }: ListOptions, isUtc: boolean): Promise<Listed> {
  const { db } = connection;
  const [{ listNotices }, { readSharedZone, requireMerchant }] = await Promise.all([rows(), merchants()]);
  if (merchantId !== undefined) await requireMerchant(connection, merchantId);
  const listed = (await listNotices(db, { merchantId, state: STATES[state ?? ''], limit })).map(toJson);
  const shownIds = listed.map(({ merchant }) => merchant);
  return { notices: listed, zone: await readSharedZone(db, shownIds, isUtc) };
}

/** Lists the notices of a running service. */
async function ask(service: Remote, { merchant, state, limit }: ListOptions, isUtc: boolean): Promise<Listed> {
  const [{ listManagedNotices }, { askMerchant, askSharedZone }] = await Promise.all([import('./notices.manage.ts'), merchants()]);
  if (merchant !== undefined) await askMerchant(service, merchant);
  const { items } = await service.list(listManagedNotices, limit, { query: { merchant, state: STATES[state ?? ''] } });
  const shownIds = items.map((one) => one.merchant);
  return { notices: items.map(withFlatAmount), zone: await askSharedZone(service, shownIds, isUtc) };
}

function addShow(notices: Command, connect: Connect, openRendering: OpenNoticeRendering): void {
  notices
    .command('show')
    .description('show one notice with its body, and what its receiver last answered')
    .argument('<id>', 'its webhook-id, or the number in it', parseId)
    .option(...UTC_OPTION)
    .option(...JSON_OPTION)
    .action(async (id: bigint, { utc, json }: { utc?: true; json?: true }) => {
      const { zone, ...shown } = await carryOut(connect, REFUSALS, String(id), {
        here: async (connection): Promise<ZonedNotice | Refusal<'notice_unknown'>> => {
          const { db } = connection;
          const [{ showNotice }, { readSharedZone }, { readBody }] = await Promise.all([rows(), merchants(), import('./read-request.ts')]);
          const found = await showNotice(db, id);
          if (found === undefined) return refuse('notice_unknown');
          const body = await readBody({ ...connection, ...(await openRendering(connection)) }, found.notice);
          return { ...toJson(found), body, zone: await readSharedZone(db, [found.notice.merchantId], utc === true) };
        },
        there: async (service) => {
          const [{ readOne }, { askSharedZone }] = await Promise.all([operations(), merchants()]);
          const { attemptList: _attempts, ...found } = withFlatAmount(await service.call(readOne, { path: { notice: String(id) } }));
          return { ...found, zone: await askSharedZone(service, [found.merchant], utc === true) };
        },
      });
      if (json) return printJson(shown);
      print(details(toLines(shown), zone));
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
    .action(async (id: bigint | undefined, { since, merchant, failed, json }: RedeliverOptions) => {
      if ((id === undefined) === (since === undefined)) throw new CommandRefused('Name one notice, or a time with --since.', 2);
      if (id !== undefined && (merchant !== undefined || failed)) throw new CommandRefused('--merchant and --failed go with --since.', 2);
      if (since !== undefined) {
        const again = await readFrom(connect, {
          here: async (connection) => {
            const { redeliverSince } = await import('./redeliver-notices.ts');
            return walk(async (after) => {
              const filter = {
                since,
                merchantId: merchant,
                onlyFailed: failed === true,
                after: after === undefined ? undefined : BigInt(after),
              };
              const { notices: some, next } = await redeliverSince(connection, filter);
              return { notices: Number(some), next: next?.toString() ?? null };
            });
          },
          there: async (service) => {
            const { redeliverAll } = await sends();
            return walk((after) => service.call(redeliverAll, { body: { since, merchant, onlyFailed: failed, after } }));
          },
        });
        if (json) return printJson({ notices: again });
        const seen = again === 0 ? '' : ' "notices list" shows what became of them.';
        return print(`${again} ${again === 1 ? 'notice waits' : 'notices wait'} to be sent again.${seen}\n`);
      }
      const notice = String(id);
      await carryOut(connect, REFUSALS, notice, {
        here: async (connection) => (await import('./redeliver-notices.ts')).redeliverNotice(connection, id as bigint),
        there: async (service) => void (await service.call((await sends()).redeliver, { path: { notice } })),
      });
      if (json) return printJson({ notices: 1, id: notice });
      print(`Notice ${id} waits to be sent again by a running server. "notices show ${id}" shows what became of it.\n`);
    });
}

const SEND_REFUSALS = {
  notice_unknown: unknown,
  not_found: unknown,
  notice_ended: (id) => [`Notice ${id} does not wait. "notices redeliver ${id}" sends it again.`, 1],
  notice_under_way: (id) => [`Notice ${id} is being sent at this moment. "notices show ${id}" shows what becomes of it.`, 1],
  notice_url_missing: (id) => [`The merchant of notice ${id} has no notice URL. "merchants set-notice-url ID URL" sets it.`, 1],
  endpoint_paused: (id) => [`An operator paused the endpoint of notice ${id}. "notices resume MERCHANT" ends that.`, 1],
} satisfies RefusalLines<'notice_unknown' | 'not_found' | 'notice_ended' | 'notice_under_way' | 'notice_url_missing' | 'endpoint_paused'>;

function addSendNow(notices: Command, connect: Connect): void {
  notices
    .command('send-now')
    .description('send a notice that waits now, before its next attempt is due')
    .argument('<id>', 'its webhook-id, or the number in it', parseId)
    .option(...JSON_OPTION)
    .action(async (id: bigint, { json }: { json?: true }) => {
      const notice = String(id);
      const { earlier } = await carryOut(connect, SEND_REFUSALS, notice, {
        here: async (connection) => (await import('./redeliver-notices.ts')).sendNoticeNow(connection, id),
        there: async (service) => service.call((await sends()).sendNow, { path: { notice } }),
      });
      if (json) return printJson({ id: notice, earlier });
      const after =
        earlier === 0 ? '' : `, after ${earlier === 1 ? 'one earlier notice' : `${earlier} earlier notices`} of the same subject`;
      print(`Notice ${id} is sent now by a running server${after}. "notices show ${id}" shows what became of it.\n`);
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

function addEndpoints(notices: Command, connect: Connect): void {
  notices
    .command('endpoints')
    .description('list the endpoints that have notices waiting, fail or are paused')
    .option(...UTC_OPTION)
    .option(...JSON_OPTION)
    .action(({ utc, json }: { utc?: true; json?: true }) => printEndpoints(connect, utc === true, json));

  notices
    .command('pause')
    .description('send a merchant nothing until it is resumed; its notices wait')
    .argument('<merchant>')
    .option(...JSON_OPTION)
    .action(async (merchant: string, { json }: { json?: true }) => {
      await carryOut(connect, UNKNOWN, merchant, {
        here: async (connection) => {
          const [{ pauseEndpoint }, { requireMerchant }] = await Promise.all([endpoints(), merchants()]);
          await requireMerchant(connection, merchant);
          return pauseEndpoint(connection, merchant);
        },
        there: async (service) => void (await service.call((await sends()).pause, { path: { merchant } })),
      });
      if (json) return printJson({ merchant, isPaused: true });
      print(`The endpoint of ${merchant} is paused.\n`);
    });

  notices
    .command('resume')
    .description('send a merchant again what waits, at once; also where the service has paused the endpoint')
    .argument('<merchant>')
    .option(...JSON_OPTION)
    .action(async (merchant: string, { json }: { json?: true }) => {
      const wasPaused = await carryOut(connect, UNKNOWN, merchant, {
        here: async (connection) => {
          const [{ resumeEndpoint }, { requireMerchant }] = await Promise.all([endpoints(), merchants()]);
          await requireMerchant(connection, merchant);
          return resumeEndpoint(connection, merchant);
        },
        there: async (service) => (await service.call((await sends()).resume, { path: { merchant } })).wasPaused,
      });
      if (json) return printJson({ merchant, isPaused: false, wasPaused });
      print(`The endpoint of ${merchant} ${wasPaused ? 'is resumed' : 'was not paused; what waits is sent at once'}.\n`);
    });
}

const TEST_REFUSALS = {
  ...UNKNOWN,
  notice_url_missing: (id) => [`${id} has no notice URL. "merchants set-notice-url ${id} URL" sets it.`, 1],
  endpoint_paused: (id) => [`An operator paused the endpoint of ${id}. "notices resume ${id}" ends that.`, 1],
  test_waiting: (id) => [`A test notice of ${id} waits already. It takes a minute at most.`, 1],
} satisfies RefusalLines<'not_found' | 'notice_url_missing' | 'endpoint_paused' | 'test_waiting'>;

function addTest(notices: Command, connect: Connect): void {
  notices
    .command('test')
    .description('send a merchant a test notice, signed as any other; it is tried for one minute')
    .argument('<merchant>')
    .option(...JSON_OPTION)
    .action(async (merchant: string, { json }: { json?: true }) => {
      const notice = await carryOut(connect, TEST_REFUSALS, merchant, {
        here: async (connection) => {
          const [{ writeTestNotice }, { showMerchant }] = await Promise.all([import('./write-notices.ts'), merchants()]);
          const found = await showMerchant(connection, merchant, connection.clock.now());
          return found === undefined ? refuse('not_found') : writeTestNotice(connection, found);
        },
        there: async (service) => (await service.call((await sends()).sendTest, { path: { merchant } })).notice,
      });
      if (json) return printJson({ merchant, notice });
      print(`Test notice ${notice} waits to be sent by a running server. "notices show ${notice}" shows the answer.\n`);
    });
}

async function printEndpoints(connect: Connect, isUtc: boolean, json: true | undefined): Promise<void> {
  type Listed = { readonly items: readonly ShownEndpoint[]; readonly zone: string };
  const { items, zone } = await readFrom<Listed>(connect, {
    here: async ({ db }) => {
      const [{ listEndpoints }, { readSharedZone }, { showEndpoint }] = await Promise.all([endpoints(), merchants(), operations()]);
      const listed = (await listEndpoints(db)).map(showEndpoint);
      const ids = listed.map(({ merchant }) => merchant);
      return { items: listed, zone: await readSharedZone(db, ids, isUtc) };
    },
    there: async (service) => {
      const [{ listReceivers }, { askSharedZone }] = await Promise.all([operations(), merchants()]);
      const { items: listed } = await service.list(listReceivers, MAX_LISTED);
      const ids = listed.map(({ merchant }) => merchant);
      return { items: listed, zone: await askSharedZone(service, ids, isUtc) };
    },
  });
  if (json) return printJson(items);
  if (items.length === 0) return print('Nothing waits, and no endpoint fails.\n');
  print(table(ENDPOINT_HEADING, items.map(toEndpointCells), zone));
}

function parseId(text: string): bigint {
  const id = parseNoticeId(text);
  if (id === undefined) throw new InvalidArgumentError('It takes a webhook-id such as msg_42_1763737200000, or 42.');
  return id;
}

const HEADING = ['NOTICE', 'MERCHANT', 'ABOUT', 'STATUS', 'STATE', 'ATTEMPTS', 'WRITTEN', 'PROBLEM'];

const toCells = ({ id, merchant, kind, subject, status, state, attempts, writtenAt, problem }: ShownNotice): Cell[] => [
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

function toEndpointCells({ merchant, waiting, oldestAt, failingSince, problem, pausedBy, probeAt }: ShownEndpoint): Cell[] {
  const state = pausedBy === null ? (failingSince === null ? 'taking' : 'failing') : `paused by ${pausedBy}`;
  return [merchant, state, waiting, sentInstant(oldestAt), sentInstant(failingSince), sentInstant(probeAt), problem];
}

type WholeNotice = ShownNotice & { readonly body: string | null };
type ZonedNotice = WholeNotice & { readonly zone: string };

function toLines({ id, merchant, kind, subject, status, amount, currency, state, attempts, body, ...rest }: WholeNotice): [string, Cell][] {
  return [
    ['notice', id],
    ['merchant', merchant],
    ['about', `${kind} ${subject}`],
    ['status', status],
    ['amount', { amount, currency }],
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

/** Plain values. The number of a notice is a text, as every identifier is. */
function toJson({ notice, delivery }: ListedNotice) {
  const { merchantId, kind, status, amountMinor, currency, at } = notice;
  const { state, dueAt, giveUpAt, attemptedAt, deliveredAt, ...rest } = delivery;
  return {
    id: noticeIdOnWire(notice),
    merchant: merchantId,
    kind,
    subject: subjectOf(notice),
    status,
    amount: formatAllDecimals(amountMinor, currency),
    currency,
    writtenAt: at.toString(),
    state,
    ...rest,
    attemptedAt: attemptedAt?.toString() ?? null,
    dueAt: state === 'waiting' ? dueAt.toString() : null,
    giveUpAt: giveUpAt.toString(),
    deliveredAt: deliveredAt?.toString() ?? null,
  };
}

type ShownNotice = Omit<ReturnType<typeof toJson>, 'status'> & { readonly status: string };
