import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { checksum } from '../src/kit/checksum.ts';
import { systemClock } from '../src/kit/clock.ts';
import { openDb } from '../src/kit/db.ts';
import { createLog } from '../src/kit/log.ts';
import { isRefusal } from '../src/kit/outcome.ts';
import { createNetwork, type CreatedNetwork } from '../src/networks/index.ts';
import { ALL_PERMISSIONS } from '../src/manage/index.ts';
import { signatureHeaders } from '../src/requests/index.ts';
import { makeToken } from '../src/users/access-tokens.ts';
import { MERCHANTS, ORDER_EMAIL, type BenchDatabase } from './bench-data.ts';
import { runLoads } from './load.ts';
import { describeRate, median, newRun, originsOf, type Bench, type Figure } from './measurement.ts';
import { ask } from './postgres.ts';
import { keysOf } from './setup.ts';
import { prepare, PREPARED_BESIDE_OTHERS, requestMaker, type Prepared } from './requests.ts';
import { commandActor } from '../src/manage/run-here.ts';

/** Connections that register cashouts of one merchant. */
const REGISTERING = [32, 128] as const;
/** Cashouts that are collected, and as many that are cancelled, while others are registered. */
const OWN = 150;
/** Requests of these at a time. */
const AT_ONCE = 2;
const WRITING = 32;
const VIEWERS = 10;
const STOPPED_MS = 8_000;

/** `signingSecret`: a network signs it. */
type Call = Pick<Prepared, 'method' | 'path' | 'body'> & { readonly signingSecret?: string };
type Room = { readonly bench: Bench; readonly origin: string; readonly network: CreatedNetwork; readonly token: string };
type Update = (make: ReturnType<typeof requestMaker>, number: number) => Prepared;

/**
 * I12 to I19: what a merchant's registrations cost its own collections and cancellations, and what readers cost those who write: one whose
 * process of the database is stopped for eight seconds, and ten viewers of the heaviest pages. The sides are measured in turn, in pairs.
 */
export async function measureSharing(bench: Bench, pairs: number, update: Update): Promise<Figure[]> {
  const room: Room = { bench, origin: originsOf(bench)[0] as string, ...(await makeCallers(bench.database)) };
  return [...(await measureOwn(room, pairs)), ...(await measureReaders(room, pairs, update))];
}

/** Makes a network, and a token that may do everything. */
export async function makeCallers({ url, masterKeyHex }: BenchDatabase): Promise<Pick<Room, 'network' | 'token'>> {
  const keys = keysOf(Buffer.from(masterKeyHex, 'hex'));
  const db = openDb({ url, log: createLog('silent'), connections: 1, statementTimeoutMs: null });
  try {
    const network = await createNetwork({ db, keys, clock: systemClock }, { netname: newRun(), countries: ['343'] });
    const terms = { name: newRun(), permissions: ALL_PERMISSIONS, merchantId: null, days: 30 };
    const made = await db.transaction(async (tx) => makeToken(tx, commandActor('test'), { userId: null }, terms, systemClock.now()));
    if (isRefusal(network) || isRefusal(made)) throw new Error('no network, or no token, for the measurement');
    // Only then does every server know the network.
    await delay(1_000);
    return { network, token: made.token };
  } finally {
    await db.close();
  }
}

/** Sends a request whose answer must be a success. Shape: the members of its answer, and how long it took. */
async function send(
  origin: string,
  { method, path, body, signingSecret }: Call,
): Promise<{ readonly data: Record<string, string>; readonly ms: number }> {
  const sinceMs = performance.now();
  const signed = { method, url: path, body: Buffer.from(body) };
  const headers = signingSecret === undefined ? {} : signatureHeaders(signingSecret, signed, systemClock.now());
  const answer = await fetch(`${origin}${path}`, { method, headers, ...(body === '' ? {} : { body }) });
  const { code, data } = (await answer.json()) as { code: string; data: Record<string, string> };
  if (code !== '0000') throw new Error(`${method} ${path}: ${answer.status} ${code}`);
  return { data, ms: performance.now() - sinceMs };
}

type Waits = { readonly collections: number; readonly cancellations: number };

async function measureOwn(room: Room, pairs: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [index, connections] of REGISTERING.entries()) {
    const waits = { own: [] as Waits[], other: [] as Waits[] };
    for (let pair = 0; pair < pairs; pair++) {
      const sides = pair % 2 === 0 ? (['other', 'own'] as const) : (['own', 'other'] as const);
      for (const side of sides) waits[side].push(await measureBeside(room, connections, side));
    }
    for (const [place, kind] of (['collections', 'cancellations'] as const).entries()) {
      figures.push({
        name: `I${12 + 2 * index + place}`,
        what: `p50, ${kind} of a merchant that registers on ${connections} connections`,
        unit: 'ms',
        ours: waits.own.map((one) => one[kind]),
        against: { what: 'beside another’s', values: waits.other.map((one) => one[kind]) },
        target: { atMost: 3 },
      });
    }
  }
  return figures;
}

/** Collects and cancels cashouts of one merchant, while it or another one registers. Shape: medians in milliseconds. */
async function measureBeside({ bench, origin, network }: Room, connections: number, side: 'own' | 'other'): Promise<Waits> {
  const [mine, flood] = [requestMaker(bench.database, newRun()), requestMaker(bench.database, `${newRun()}f`)];
  const collections: Call[] = [];
  for (let number = 0; number < OWN; number++) {
    // A person of its own: of many cashouts of one person two may have the same password.
    const document = `${Date.now()}${number}`;
    collections.push(await collectionOf(origin, network, document, mine.registerCashout(number, MERCHANTS.cashouts, document)));
  }
  for (let number = OWN; number < 2 * OWN; number++) await send(origin, mine.registerCashout(number));
  const cancellations = Array.from({ length: OWN }, (_, at) => mine.cancelCashout(2 * OWN + at, OWN + at));
  const merchant = side === 'own' ? MERCHANTS.cashouts : `${MERCHANTS.others}0`;
  const requests = prepare(bench.seconds, (number) => flood.registerCashout(number, merchant), PREPARED_BESIDE_OTHERS);
  const state = { isOver: false };
  const flooding = runLoads([{ requests, connections, origins: originsOf(bench), seconds: bench.seconds, mayRepeat: false }]).finally(
    () => (state.isOver = true),
  );
  await untilRegistered(bench.database.url, flood.registerCashout(0));
  const waits: Waits[keyof Waits][][] = [[], []];
  const work = [collections, cancellations].flatMap((calls, kind) =>
    Array.from({ length: AT_ONCE }, async () => {
      for (let call = calls.shift(); call !== undefined && !state.isOver; call = calls.shift())
        waits[kind]?.push((await send(origin, call)).ms);
    }),
  );
  await Promise.all(work);
  const [result] = await flooding;
  const [collected = [], cancelled = []] = waits;
  const medians = { collections: median(collected), cancellations: median(cancelled) };
  bench.say(
    `${connections} connections register for ${side === 'own' ? 'the same' : 'another'} merchant: ${describeRate(result!)}; ` +
      `${collected.length} collections, p50 ${medians.collections.toFixed(1)} ms; ${cancelled.length} cancellations, p50 ${medians.cancellations.toFixed(1)} ms`,
  );
  return medians;
}

/** Registers a cashout and looks it up. Shape: the request that pays it. */
async function collectionOf(
  origin: string,
  { netname, secret, signingSecret }: CreatedNetwork,
  document: string,
  registration: Prepared,
): Promise<Call> {
  const sign = (...values: string[]): string => checksum('sha512', [netname, ...values], secret);
  const { otp = '', svCode = '' } = (await send(origin, registration)).data;
  const look = { otp, document, netcode: 'P-1', checksum: sign(otp, document) };
  await send(origin, { method: 'POST', path: `/cashout/v1/order/${netname}`, body: JSON.stringify(look), signingSecret });
  const transaction = `T-${svCode}`;
  const pay = { idoperation: svCode, transaction, teller: 'C-1', danecode: '11001', checksum: sign(svCode, transaction) };
  return { method: 'POST', path: `/cashout/v1/transaction/${netname}`, body: JSON.stringify(pay), signingSecret };
}

async function untilRegistered(url: string, { id }: Prepared): Promise<void> {
  for (;;) {
    if ((await ask(url, 'select 1 from cashouts where operation_id = $1', [id])).length > 0) return;
    await delay(50);
  }
}

const SIDES = ['none', 'stopped', 'viewers'] as const;
type Side = (typeof SIDES)[number];
type Written = { readonly perSecond: number; readonly failed: number };

async function measureReaders(room: Room, pairs: number, update: Update): Promise<Figure[]> {
  const runs: Record<Side, Written[]> = { none: [], stopped: [], viewers: [] };
  for (let pair = 0; pair < pairs; pair++) {
    for (const side of pair % 2 === 0 ? SIDES : SIDES.toReversed()) runs[side].push(await writeBeside(room, side, update));
  }
  return (['stopped', 'viewers'] as const).flatMap((side, index): Figure[] => {
    const what = { stopped: 'while a reader’s backend is stopped for 8 s', viewers: `while ${VIEWERS} viewers read the heaviest pages` }[
      side
    ];
    const against = { what: 'without', values: runs.none.map(({ perSecond }) => perSecond) };
    const rate = { name: `I${16 + 2 * index}`, what: `updates ${what}`, unit: '/s', target: { atLeast: 0.9 } } as const;
    return [
      { ...rate, ours: runs[side].map(({ perSecond }) => perSecond), against },
      {
        name: `I${17 + 2 * index}`,
        what: 'refused or failed of these, per run',
        unit: '',
        ours: runs[side].map(({ failed }) => failed),
        target: { atMost: 0 },
      },
    ];
  });
}

async function writeBeside(room: Room, side: Side, update: Update): Promise<Written> {
  const { bench } = room;
  const make = requestMaker(bench.database, newRun());
  const requests = prepare(bench.seconds, (number) => update(make, number), PREPARED_BESIDE_OTHERS);
  const reading = { isOver: false, pages: 0 };
  const readers = side === 'none' ? [] : Array.from({ length: side === 'stopped' ? 1 : VIEWERS }, () => view(room, reading));
  const writing = runLoads([{ requests, connections: WRITING, origins: originsOf(bench), seconds: bench.seconds, mayRepeat: false }]);
  const stopped = side === 'stopped' ? stopReader(bench.database.url) : undefined;
  const [result] = await writing;
  reading.isOver = true;
  await stopped;
  await Promise.all(readers);
  bench.say(`updates, ${side}: ${describeRate(result!)}, ${result!.failed} failed; ${reading.pages} pages were read`);
  return result!;
}

/** Reads heavy pages, one after the other. One that is refused, or given up, counts as none. */
async function view({ origin, token }: Room, reading: { isOver: boolean; pages: number }): Promise<void> {
  const pages = [
    `orders?merchant=${MERCHANTS.orders}&limit=200`,
    `orders/summary?merchant=${MERCHANTS.orders}`,
    `cashouts/summary?merchant=${MERCHANTS.cashouts}`,
    `search?text=${encodeURIComponent(ORDER_EMAIL)}`,
    'orders/summary',
  ];
  while (!reading.isOver) {
    const page = pages[randomInt(pages.length)] as string;
    const answer = await fetch(`${origin}/manage/v1/${page}`, { headers: { authorization: `Bearer ${token}` } }).catch(() => undefined);
    await answer?.text();
    if (answer?.status === 200) reading.pages++;
    else if (answer?.status !== 503) throw new Error(`${page}: ${answer?.status}`);
  }
}

/** Stops the process of the database that reads for a viewer, and lets it go on eight seconds later. */
async function stopReader(url: string): Promise<void> {
  for (let tries = 0; tries < 10_000; tries++) {
    const [found] = await ask<{ pid: number }>(
      url,
      `select pid from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query ~ 'from (orders|cashouts) (as )?o' and query !~ 'for (no key )?update'`,
    );
    if (found === undefined) continue;
    process.kill(found.pid, 'SIGSTOP');
    await delay(STOPPED_MS);
    process.kill(found.pid, 'SIGCONT');
    return;
  }
  throw new Error('no reader was found');
}
