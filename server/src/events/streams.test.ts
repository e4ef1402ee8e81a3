import { afterAll, beforeAll, expect, test } from 'vitest';
import { Unavailable } from '../kit/db.ts';
import type { Actor } from '../manage/index.ts';
import { eventually, SOON_MS } from '../testing/deadlines.ts';
import { serveAlone, type ServedAlone } from '../testing/served-management.ts';
import { eventManagement } from './events.manage.ts';
import type { Events, Listener } from './open-events.ts';
import { openStreams } from './streams.ts';

/** Who listens now. The events are those that a test sends. */
const listeners = new Set<Listener & { readonly lastEventId: string | undefined }>();
const events: Events = {
  listen: async (listener, lastEventId) => {
    const listening = { ...listener, lastEventId };
    listeners.add(listening);
    listener.send('event: ready\ndata: {}\n\n');
    return () => void listeners.delete(listening);
  },
  count: () => listeners.size,
  close: async () => undefined,
};
let served: ServedAlone;
let origin: string;
/** What the session may do, looked up at each request and again while a stream is open. */
let rights: Partial<Actor> | undefined;

/** What the reader sends to all, every fifteen seconds. */
const beat = (): void => {
  for (const { send } of listeners) send('id: 7/8:8:\n\n');
};

const findActor = () => (rights === undefined ? undefined : signedIn(rights));

beforeAll(async () => {
  served = serveAlone(eventManagement, { streams: openStreams(events) }, { authenticate: findActor, lookAgain: () => findActor()?.actor });
  origin = await served.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => served.app.close());

const signedIn = (given: Partial<Actor>) => ({
  actor: {
    kind: 'user' as const,
    id: '7',
    name: 'ana',
    role: undefined,
    permissions: new Set<never>(),
    merchantId: undefined,
    actsForMerchant: false,
    ...given,
  },
  isByCookie: false,
  isFresh: true,
});

async function open(headers: Record<string, string> = {}) {
  const cut = new AbortController();
  const answer = await fetch(`${origin}/manage/v1/events`, { headers, signal: cut.signal });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  return { answer, cut: () => cut.abort(), read: async () => (await reader?.read())?.value };
}

test('a stream has what its actor may see, and its last event', async () => {
  rights = { permissions: new Set(['orders:read', 'notices:read']), merchantId: 'shop', role: 'clerk' };
  const { answer, read, cut } = await open({ 'last-event-id': '7/8:8:' });
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(await read()).toBe('event: ready\ndata: {}\n\n');
  const [listener] = listeners;
  expect(listener).toMatchObject({ merchantId: 'shop', kinds: new Set(['order', 'notice']), lastEventId: '7/8:8:' });
  listener?.send('event: changes\ndata: {}\n\n');
  expect(await read()).toBe('event: changes\ndata: {}\n\n');
  cut();
  await eventually(SOON_MS, () => expect(listeners.size).toBe(0));
});

test('a stream ends with the first heartbeat after its session, and when the rights of its actor change', async () => {
  for (const next of [undefined, { permissions: new Set(['orders:read'] as const) }, { permissions: new Set([]), merchantId: 'other' }]) {
    rights = { permissions: new Set(['orders:read', 'cashouts:read']) };
    const { read } = await open();
    await read();
    rights = next;
    beat();
    expect(await read()).toBeUndefined();
    await eventually(SOON_MS, () => expect(listeners.size).toBe(0));
  }
});

test('a stream has nothing that was made after the rights of its actor changed, however soon', async () => {
  let isAllowed = true;
  let looks = 0;
  const isStillAllowed = async (): Promise<boolean> => {
    looks++;
    return isAllowed;
  };
  const stream = await openStreams(events).open(
    { actorId: 'user:9', isStillAllowed },
    { merchantId: undefined, kinds: new Set() },
    undefined,
  );
  const heard: string[] = [];
  const ended = new Promise<void>((resolve) => stream?.on('data', (text) => void heard.push(String(text))).once('end', resolve));
  const [listener] = listeners;
  listener?.send('1');
  await eventually(SOON_MS, () => expect(heard.join('')).toBe('event: ready\ndata: {}\n\n1'));
  listener?.send('2');
  // A look at the actor is under way. What comes now waits for the next one.
  listener?.send('3');
  isAllowed = false;
  await ended;
  expect([heard.join('').slice(-2), looks]).toEqual(['12', 4]);
  await eventually(SOON_MS, () => expect(listeners.size).toBe(0));
});

test('what waits while the database is away is sent after it, or never', async () => {
  let isAway = true;
  const isStillAllowed = async (): Promise<boolean> => {
    if (isAway) throw new Error('away');
    return true;
  };
  const subscriber = { actorId: 'user:9', isStillAllowed };
  const stream = await openStreams(events).open(subscriber, { merchantId: undefined, kinds: new Set() }, undefined);
  const heard: string[] = [];
  stream?.on('data', (text) => void heard.push(String(text)));
  const [listener] = listeners;
  listener?.send('1');
  await new Promise(setImmediate);
  isAway = false;
  listener?.send('2');
  await eventually(SOON_MS, () => expect(heard.join('')).toBe('event: ready\ndata: {}\n\n12'));
  listener?.end();
  await eventually(SOON_MS, () => expect(listeners.size).toBe(0));
});

test('an actor has twenty streams, and another one after one is cut', async () => {
  rights = {};
  const open20 = await Promise.all(Array.from({ length: 20 }, () => open()));
  const more = await open();
  expect([more.answer.status, await more.read()]).toEqual([429, expect.stringContaining('streams_too_many')]);
  open20[0]?.cut();
  await eventually(SOON_MS, async () => expect((await open()).answer.status).toBe(200));
  for (const { cut } of open20) cut();
  rights = undefined;
  beat();
  await eventually(SOON_MS, () => expect(listeners.size).toBe(0));
});

test('the actors of one merchant leave most streams to others', async () => {
  const streams = openStreams(events);
  const open = (actor: number, merchantId?: string) =>
    streams.open(
      { actorId: `token:${actor}`, merchantId, isStillAllowed: async () => true },
      { merchantId: 'shop', kinds: new Set() },
      undefined,
    );
  const ofShop = await Promise.all(Array.from({ length: 200 }, (_, index) => open(Math.floor(index / 20), 'shop')));
  const others = [await open(10, 'other'), await open(11)];
  expect([await open(12, 'shop'), [...ofShop, ...others].includes(undefined)]).toEqual([undefined, false]);
  await new Promise((resolve) => ofShop[0]?.once('close', resolve).destroy());
  const again = await open(12, 'shop');
  expect(again).toBeDefined();
  for (const stream of [...ofShop, ...others, again]) stream?.destroy();
  await eventually(SOON_MS, () => expect(listeners.size).toBe(0));
});

test('who asks for the head of a stream alone opens none', async () => {
  rights = {};
  for (let asked = 0; asked <= 20; asked++)
    expect((await fetch(`${origin}/manage/v1/events`, { method: 'HEAD' })).headers.get('content-type')).toBe('text/event-stream');
  rights = undefined;
  await eventually(SOON_MS, () => expect(listeners.size).toBe(0));
});

test('a client that does not read is cut', async () => {
  const stream = await openStreams(events).open(
    { actorId: 'user:8', isStillAllowed: async () => true },
    { merchantId: undefined, kinds: new Set() },
    undefined,
  );
  const [listener] = listeners;
  for (let sent = 0; sent < 4; sent++) listener?.send('x'.repeat(64 * 1024));
  expect(stream?.destroyed).toBe(true);
  await eventually(SOON_MS, () => expect(listeners.size).toBe(0));
});

test('a stream gets what waits soon after the database is back, without another text', async () => {
  let isAway = false;
  const isStillAllowed = async (): Promise<boolean> => {
    if (isAway) throw new Unavailable('away');
    return true;
  };
  const stream = await openStreams(events, 5).open(
    { actorId: 'user:9', isStillAllowed },
    { merchantId: undefined, kinds: new Set() },
    undefined,
  );
  const heard: string[] = [];
  stream?.on('data', (text) => void heard.push(String(text)));
  await eventually(SOON_MS, () => expect(heard).toHaveLength(1));
  const [listener] = listeners;
  isAway = true;
  listener?.send('1');
  await new Promise(setImmediate);
  expect(heard).toHaveLength(1);
  isAway = false;
  await eventually(SOON_MS, () => expect(heard.slice(1)).toEqual(['1']));
  stream?.destroy();
  await eventually(SOON_MS, () => expect(listeners.size).toBe(0));
});
