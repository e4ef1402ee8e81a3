import { CONTRACT_DIALECT } from '../../requests/index.ts';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Webhook } from 'standardwebhooks';
import type { Connection, Here } from '../../kit/command-line.ts';
import { statement } from '../../kit/db.ts';
import { openRemote } from '../../kit/remote/open-remote.ts';
import { openOperations } from '../../main/commands/open-operations.ts';
import { createProgram, type World } from '../../main/program.ts';
import { capturePrinted } from '../../testing/captured.ts';
import { eventually, SOON_MS } from '../../testing/deadlines.ts';
import { answering, startNoticeReceiver, type NoticeReceiver } from '../../testing/notice-receiver.ts';
import { seed, seededRandom } from '../../testing/seed.ts';
import { startTestCaudal, type TestCaudal, type TestMerchant } from '../../testing/test-caudal.ts';
import { tokenOf } from '../../testing/user-calls.ts';
import { redeliverNotice, writeNotices } from '../index.ts';
import { listNotices } from '../notice-rows.ts';
import { openSender } from '../delivery/send-notice.ts';
import { writeTestNotice } from '../write-notices.ts';
import type { Forwarded } from './forwarder.ts';
import type { KeptPlace } from './kept-place.ts';
import { listenToNotices } from './listen.ts';
import { sourceHere, sourceThere, type NoticeSource } from './sources.ts';

let service: TestCaudal;
let shop: TestMerchant;
let receiver: NoticeReceiver;
let connection: Connection;
let here: Here;
let origin: string;
let token: string;
const folder = mkdtempSync(join(tmpdir(), 'caudal-listen-'));
const printed = capturePrinted();

beforeAll(async () => {
  service = await startTestCaudal({ config: { databaseConnections: 3 } });
  shop = await service.merchant();
  receiver = await startNoticeReceiver();
  origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
  token = (await tokenOf(service, ['notices:read', 'notices:send', 'orders:read', 'cashouts:read', 'merchants:read'])).slice(
    'Bearer '.length,
  );
  const { url, db, keys, clock } = service;
  connection = { url, db, ownDb: db, actor: 'command:test', keys, clock, isSandbox: true, close: async () => undefined };
  const settings = { dialect: CONTRACT_DIALECT, referenceRestDays: 90, shortPasswordDays: 1, checkoutUrl: origin, consoleUrl: origin };
  here = openOperations(connection, async () => service.messages, { ...settings, machineClock: clock });
});
afterAll(async () => {
  await receiver.close();
  await service.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => receiver.answer(answering(200)));

let orders = 0;
/** Writes the notice of a paid order. */
async function paid(orderId = `A-${++orders}`, merchantId = shop.merchantId): Promise<void> {
  const fact = { merchantId, amountMinor: 4_500_000n, currency: 'COP', serviceOrderId: 7n, payment: 'efectivo', at: service.clock.now() };
  await service.db.transaction(async (tx) => writeNotices(tx, [{ ...fact, kind: 'order', orderId, poId: orderId, status: 'approved' }]));
}

/** Ends all notices without sending any. */
const END_ALL = statement('testing.end_all', `update notices set state = 'given_up', closed_at = now()`);
const endAll = () => service.db.query(END_ALL, []);
const newest = async (): Promise<bigint> => (await listNotices(service.db, { limit: 1 }))[0]?.notice.noticeId as bigint;
const sentOrders = (from = 0): string[] => receiver.received.slice(from).map(({ body }) => (JSON.parse(body) as { po_id: string }).po_id);

type Running = { readonly forwarded: Forwarded[]; readonly end: () => Promise<void>; readonly kept: () => KeptPlace | undefined };

/** Starts a listener that keeps its place in memory. `end` kills it: what it keeps is what a file would hold. */
function start(source: NoticeSource, kept?: KeptPlace, more: { since?: Temporal.Instant } = {}): Running {
  const forwarded: Forwarded[] = [];
  const ending = new AbortController();
  const sender = openSender({ allowsInternal: true, connectTimeoutMs: 1_000, statusTimeoutMs: 1_000, answerTimeoutMs: 100 });
  ending.signal.addEventListener('abort', () => void sender.close());
  let place = kept;
  const running = listenToNotices({
    source,
    kept,
    since: more.since,
    keep: (next) => void (ending.signal.aborted || (place = next)),
    say: () => undefined,
    isWanted: () => true,
    targetOf: () => receiver.url,
    send: sender.send,
    report: (one) => void forwarded.push(one),
    signal: ending.signal,
    chance: () => 0.5,
  });
  running.catch(() => undefined);
  return {
    forwarded,
    kept: () => place,
    end: async () => {
      ending.abort();
      await running;
    },
  };
}

const hasBegun = ({ kept }: Running): Promise<void> => eventually(SOON_MS, () => expect(kept()?.place).toEqual(expect.any(String)));

test.each(['its database', 'a running service'])(
  'a listener at %s forwards what its merchant gets, and what is sent again',
  async (where) => {
    const source =
      where === 'its database' ? await sourceHere(connection, here, undefined) : sourceThere(openRemote(origin, token), undefined);
    const before = receiver.received.length;
    const running = start(source);
    await hasBegun(running);
    await paid();
    await eventually(SOON_MS, () => expect(receiver.received.length).toBe(before + 1));
    const [{ body, headers }] = receiver.received.slice(before) as unknown as [{ body: string; headers: Record<string, string> }];
    expect(new Webhook(Buffer.from(shop.noticeHash).toString('base64')).verify(body, headers)).toMatchObject({
      status: 'approved',
    });
    await endAll();
    service.clock.advance({ seconds: 1 });
    await redeliverNotice(service, await newest());
    await eventually(SOON_MS, () => expect(receiver.received.length).toBe(before + 2));
    expect(receiver.received[before + 1]).toMatchObject({ body, id: headers['webhook-id'] });
    await eventually(SOON_MS, () =>
      expect(running.forwarded.map(({ isAgain, status }) => [isAgain, status])).toEqual([
        [false, 200],
        [true, 200],
      ]),
    );
    await running.end();
  },
);

test('a listener that is killed anywhere misses nothing, and keeps the order of each subject', async () => {
  const { next: chance } = seededRandom(seed);
  const own = await service.merchant();
  const source = await sourceHere(connection, here, own.merchantId);
  let running = start(source);
  await hasBegun(running);
  const before = receiver.received.length;
  const rounds: string[] = [];
  let seen = 0;
  for (let step = 0; step < 60; step++) {
    const [what, subject] = [chance(), `P-${Math.floor(chance() * 4)}`];
    if (what < 0.55) {
      service.clock.advance({ minutes: 2 });
      await paid(subject, own.merchantId);
      rounds.push(`msg_${await newest()}_${service.clock.now().epochMilliseconds}`);
    } else if (what < 0.7) receiver.answer(chance() < 0.5 ? answering(503) : answering(200));
    else {
      await running.end();
      // Some kills come while nothing runs for a while, and notices are written meanwhile.
      if (chance() < 0.5) {
        service.clock.advance({ minutes: 2 });
        await paid(subject, own.merchantId);
        rounds.push(`msg_${await newest()}_${service.clock.now().epochMilliseconds}`);
      }
      // The position of another database, or of more than an hour ago.
      const kept = running.kept() as KeptPlace;
      running = start(source, chance() < 0.2 ? { ...kept, place: '1/5:5:' } : kept);
      // Some are killed before they have begun, and some in the middle.
      const isNew = rounds.length > seen;
      seen = rounds.length;
      if (isNew && chance() < 0.7) await eventually(SOON_MS, () => expect(running.kept()?.place).not.toBe(kept.place));
    }
  }
  await running.end();
  receiver.answer(answering(200));
  running = start(source, running.kept());
  const taken = () => receiver.taken.filter(({ headers }) => rounds.includes(String(headers['webhook-id'])));
  await eventually(SOON_MS, () => expect(new Set(taken().map(({ id }) => id))).toEqual(new Set(rounds)));
  await running.end();
  const firsts = new Map<string, string>();
  for (const { id, body } of taken()) if (!firsts.has(id)) firsts.set(id, (JSON.parse(body) as { po_id: string }).po_id);
  const bySubject = Map.groupBy(firsts.keys(), (id) => firsts.get(id));
  for (const [subject, ofSubject] of bySubject) {
    const numbers = ofSubject.map((id) => Number(id.split('_')[1]));
    expect(numbers, subject).toEqual(numbers.toSorted((one, other) => one - other));
  }
  expect(receiver.received.length).toBeGreaterThan(before);
});

const nothing = async (): Promise<World> => {
  throw new Error('nothing may be opened');
};

/** The real program, at a running service. */
async function run(...words: string[]): Promise<string> {
  vi.stubEnv('CAUDAL_TOKEN', token);
  try {
    return await printed.by(() => createProgram(nothing).parseAsync([...words, '--url', origin], { from: 'user' }));
  } finally {
    vi.unstubAllEnvs();
  }
}

test('the command sends each event where its route says, goes on where it stopped, and keeps its place in a file of its owner', async () => {
  const position = join(folder, 'deep', 'place.json');
  const own = await service.merchant();
  const words = [
    '--forward-to',
    `${receiver.url}?all`,
    '--route',
    `order.approved=${receiver.url}?paid`,
    '--position',
    position,
    '--merchant',
    own.merchantId,
  ];
  service.clock.advance({ minutes: 10 });
  await paid('R-1', own.merchantId);
  const first = await run('listen', ...words, '--since', '5m', '--count', '1');
  expect(first).toMatch(/^2026-\S+Z {2}order\.approved {2}R-1 of \S+ {2}msg_\S+ {2}200 in [0-9]+ ms {2}http:\S+\?paid\n$/);
  expect(receiver.received.at(-1)).toMatchObject({ path: '/notices?paid' });
  await paid('R-2', own.merchantId);
  await paid('R-3', own.merchantId);
  const from = receiver.received.length;
  // Somebody else who writes to the folder would have a file of the owner overwritten.
  const other = join(folder, 'other');
  writeFileSync(other, 'kept', { mode: 0o644 });
  symlinkSync(other, `${position}.part`);
  const next = JSON.parse((await run('listen', ...words, '--count', '2', '--json')).split('\n')[0] as string) as object;
  expect(next).toMatchObject({ event: 'order.approved', subject: 'R-2', amount: '45000.00', currency: 'COP', isAgain: false, status: 200 });
  expect(sentOrders(from).toSorted()).toEqual(['R-2', 'R-3']);
  expect(JSON.parse(readFileSync(position, 'utf8'))).toMatchObject({ place: expect.any(String) as string });
  expect([readFileSync(other, 'utf8'), statSync(position).mode & 0o777]).toEqual(['kept', 0o600]);
  const rubbish = [{}, { place: null, at: '9Z', pending: [] }, { place: 'a\nb', at: '2026-11-21T15:00:00Z', pending: [] }];
  for (const kept of rubbish) {
    writeFileSync(position, JSON.stringify(kept));
    await expect(run('listen', ...words)).rejects.toThrow(/is not the file of a listener/);
  }
});

test('a test of the service is an event of its own', async () => {
  const own = await service.merchant({ noticeUrl: receiver.url });
  await writeTestNotice(service, { merchant: own.merchantId, noticeUrl: receiver.url, currencies: ['COP'] });
  const from = receiver.received.length;
  await run(
    'listen',
    '--forward-to',
    receiver.url,
    '--position',
    join(folder, 'test.json'),
    '--merchant',
    own.merchantId,
    '--since',
    '1h',
    '--events',
    'test',
    '--count',
    '1',
  );
  expect(receiver.received.slice(from).map(({ body }) => JSON.parse(body) as object)).toMatchObject([{ type: 'notice.test' }]);
});

test('a replay is sent once, is recorded nowhere, and is compared with an attempt', async () => {
  const own = await service.merchant({ noticeUrl: receiver.url });
  receiver.answer(answering(500, 'broken'));
  await paid('Y-1', own.merchantId);
  const id = String(await newest());
  for (const job of service.jobs.filter(({ name }) => name === 'notices.deliver')) while (await job.step());
  receiver.answer(answering(200, 'well'));
  const from = receiver.received.length;
  const shown = JSON.parse(await run('replay', id, '--to', receiver.url, '--diff', '1', '--json')) as object;
  expect(shown).toMatchObject({
    answerStatus: 200,
    answer: 'well',
    earlier: { answerStatus: 500, answer: 'broken', problem: 'HTTP 500' },
    differs: ['answerStatus', 'answer', 'problem'],
  });
  expect(sentOrders(from)).toEqual(['Y-1']);
  expect((await listNotices(service.db, { limit: 1 }))[0]?.delivery).toMatchObject({ state: 'waiting', attempts: 1 });
  expect(await run('replay', id, '--to', receiver.url, '--diff', '1')).toMatch(
    /status +500 +200 +differs\nanswer +broken +well +differs\n/,
  );
  await expect(run('replay', id, '--to', receiver.url, '--diff', '9')).rejects.toThrow(/no kept attempt 9/);
  expect(await run('replay', id, '--to', 'http://127.0.0.1:1/')).toMatch(/problem +connection refused\n/);
  expect(process.exitCode).toBe(1);
  process.exitCode = undefined;
});
