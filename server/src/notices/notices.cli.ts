import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  accept,
  columns,
  CommandRefused,
  instantText,
  JSON_OPTION,
  MAX_LISTED,
  parseInstant,
  parseLimit,
  print,
  printJson,
  withConnection,
  type Connect,
  type RefusalLines,
} from '../kit/command-line.ts';
import { refuse } from '../kit/outcome.ts';
import { requireMerchant } from '../merchants/index.ts';
import { listEndpoints, pauseEndpoint, resumeEndpoint, type ListedEndpoint } from './endpoints.ts';
import type { NoticeState } from './notice.ts';
import { listNotices, showNotice, type ListedNotice } from './notice-rows.ts';
import { noticeIdOnWire, parseNoticeId } from './notice.wire.ts';
import { redeliverNotice, redeliverSince } from './redeliver-notices.ts';

const STATES: Readonly<Record<string, NoticeState>> = { waiting: 'waiting', delivered: 'delivered', 'given-up': 'given_up' };

const REFUSALS: RefusalLines<'notice_unknown' | 'notice_waiting'> = {
  notice_unknown: (id) => [`There is no notice ${id}.`, 1],
  notice_waiting: (id) => [`Notice ${id} waits to be sent already.`, 1],
};

/** Adds `caudal notices …` to the program. */
export function noticeCommands(program: Command, connect: Connect): void {
  const notices = program.command('notices').description('the notices to merchants: list, send again, pause and resume endpoints');
  addList(notices, connect);
  addShow(notices, connect);
  addRedeliver(notices, connect);
  addEndpoints(notices, connect);
}

type ListOptions = { merchant?: string; state?: string; limit: number; json?: true };

function addList(notices: Command, connect: Connect): void {
  notices
    .command('list')
    .description('list notices, the newest first')
    .option('--merchant <id>', 'of this merchant only')
    .addOption(new Option('--state <state>', 'in this state only').choices(Object.keys(STATES)))
    .option('--limit <number>', `1 to ${MAX_LISTED}`, parseLimit, 50)
    .option(...JSON_OPTION)
    .action(({ merchant: merchantId, state, limit, json }: ListOptions) =>
      withConnection(connect, async ({ db }) => {
        const listed = await listNotices(db, { merchantId, state: STATES[state ?? ''], limit });
        if (json) return printJson(listed.map(toJson));
        print(listed.length === 0 ? 'There is no such notice.\n' : columns([HEADING, ...listed.map(toCells)]));
      }),
    );
}

function addShow(notices: Command, connect: Connect): void {
  notices
    .command('show')
    .description('show one notice and what its receiver last answered')
    .argument('<id>', 'its webhook-id, or the number in it', parseId)
    .option(...JSON_OPTION)
    .action((id: bigint, { json }: { json?: true }) =>
      withConnection(connect, async ({ db }) => {
        const shown = accept((await showNotice(db, id)) ?? refuse('notice_unknown'), REFUSALS, String(id));
        if (json) return printJson(toJson(shown));
        print(columns(Object.entries(toJson(shown)).map(([name, value]) => [name, String(value ?? '–')])));
      }),
    );
}

type RedeliverOptions = { since?: Temporal.Instant; merchant?: string; failed?: true };

function addRedeliver(notices: Command, connect: Connect): void {
  notices
    .command('redeliver')
    .description('send a notice again, or all that were written since a time; each keeps its id')
    .argument('[id]', 'its webhook-id, or the number in it', parseId)
    .option('--since <time>', 'an instant, such as 2026-11-21T10:00:00-05:00', parseInstant)
    .option('--merchant <id>', 'with --since: of this merchant only')
    .option('--failed', 'with --since: only those that were given up')
    .action((id: bigint | undefined, { since, merchant: merchantId, failed }: RedeliverOptions) => {
      if ((id === undefined) === (since === undefined)) throw new CommandRefused('Name one notice, or a time with --since.', 2);
      if (id !== undefined && (merchantId !== undefined || failed)) throw new CommandRefused('--merchant and --failed go with --since.', 2);
      return withConnection(connect, async (connection) => {
        if (since !== undefined) {
          const again = await redeliverSince(connection, { since, merchantId, onlyFailed: failed === true });
          return print(`${again} ${again === 1n ? 'notice is' : 'notices are'} sent again.\n`);
        }
        accept(await redeliverNotice(connection, id as bigint), REFUSALS, String(id));
        print(`Notice ${id} is sent again.\n`);
      });
    });
}

function addEndpoints(notices: Command, connect: Connect): void {
  notices
    .command('endpoints')
    .description('list the endpoints that have notices waiting, fail or are paused')
    .option(...JSON_OPTION)
    .action(({ json }: { json?: true }) =>
      withConnection(connect, async ({ db }) => {
        const listed = await listEndpoints(db);
        if (json) return printJson(listed.map((endpoint) => ({ ...endpoint, waiting: Number(endpoint.waiting) })));
        print(
          listed.length === 0 ? 'Nothing waits, and no endpoint fails.\n' : columns([ENDPOINT_HEADING, ...listed.map(toEndpointCells)]),
        );
      }),
    );

  notices
    .command('pause')
    .description('send a merchant nothing until it is resumed; its notices wait')
    .argument('<merchant>')
    .action((merchantId: string) =>
      withConnection(connect, async (connection) => {
        await requireMerchant(connection, merchantId);
        await pauseEndpoint(connection, merchantId);
        print(`The endpoint of ${merchantId} is paused.\n`);
      }),
    );

  notices
    .command('resume')
    .description('send a merchant again what waits, at once; also where the service has paused the endpoint')
    .argument('<merchant>')
    .action((merchantId: string) =>
      withConnection(connect, async (connection) => {
        await requireMerchant(connection, merchantId);
        const wasPaused = await resumeEndpoint(connection, merchantId);
        print(`The endpoint of ${merchantId} ${wasPaused ? 'is resumed' : 'was not paused; what waits is sent at once'}.\n`);
      }),
    );
}

function parseId(text: string): bigint {
  const id = parseNoticeId(text);
  if (id === undefined) throw new InvalidArgumentError('It takes a webhook-id such as msg_42_1763737200000, or 42.');
  return id;
}

const HEADING = ['NOTICE', 'MERCHANT', 'ABOUT', 'STATUS', 'STATE', 'ATTEMPTS', 'WRITTEN', 'PROBLEM'];

function toCells({ notice, delivery }: ListedNotice): string[] {
  const { merchantId, kind, status, at } = notice;
  const { state, attempts, problem } = delivery;
  return [
    noticeIdOnWire(notice),
    merchantId,
    `${kind} ${subjectOf(notice)}`,
    status,
    state.replace('_', '-'),
    String(attempts),
    instantText(at),
    problem ?? '',
  ];
}

const ENDPOINT_HEADING = ['MERCHANT', 'STATE', 'WAITING', 'OLDEST', 'FAILING SINCE', 'NEXT PROBE', 'PROBLEM'];

function toEndpointCells({ merchantId, waiting, oldestAt, failingSince, problem, pausedBy, probeAt }: ListedEndpoint): string[] {
  const state = pausedBy === null ? (failingSince === null ? 'taking' : 'failing') : `paused by ${pausedBy}`;
  const times = [oldestAt, failingSince, probeAt].map((time) => (time === null ? '' : instantText(time)));
  return [merchantId, state, String(waiting), times[0] as string, times[1] as string, times[2] as string, problem ?? ''];
}

/** Plain values. The number of a notice is a text, as every identifier is. */
function toJson({ notice, delivery }: ListedNotice) {
  const { merchantId, kind, status, amountMinor, currency, at } = notice;
  return {
    id: noticeIdOnWire(notice),
    merchant: merchantId,
    kind,
    subject: subjectOf(notice),
    status,
    amountMinor: amountMinor.toString(),
    currency,
    writtenAt: at.toString(),
    ...delivery,
  };
}

const subjectOf = (notice: ListedNotice['notice']): string => (notice.kind === 'order' ? notice.orderId : notice.operationId);
