import { setImmediate as afterOthers, setTimeout as delay } from 'node:timers/promises';
import { Unavailable, type Db } from '../kit/db.ts';
import type { Log } from '../kit/log.ts';
import { heartbeat, parsePlace, render, signal, type Audience } from './messages.ts';
import { covers, type EventPosition } from './position.ts';
import { readChanges, readPlace, type Place, type Portion } from './read-changes.ts';

/** One who listens. */
export type Listener = Audience & {
  /** Takes the text of whole events. */
  readonly send: (text: string) => void;
  /** Ends it. The client comes again, here or at another server. */
  readonly end: () => void;
};

export type Events = {
  /**
   * Sends a listener what changes from now on, or since the event with that id.
   * Shape: resolves to a function that ends it.
   * Throws: Unavailable.
   */
  listen(listener: Listener, lastEventId: string | undefined): Promise<() => void>;
  /** How many listen now. */
  count(): number;
  /** Ends all listeners, and refuses new ones. */
  close(): Promise<void>;
};

/** While somebody listens, the database is asked so often. */
type Pace = {
  readonly shortestMs: number;
  readonly longestMs: number;
  /** The rest is this many times the work. So all listeners together take half a hundredth of the time of a processor. */
  readonly times: number;
  /** The rest after a reading that failed. */
  readonly afterFaultMs: number;
  /** Shorter than the time after which servers and proxies end a connection on which nothing moves. */
  readonly heartbeatMs: number;
};
const PACE: Pace = { shortestMs: 250, longestMs: 10_000, times: 200, afterFaultMs: 5_000, heartbeatMs: 15_000 };
/** What the system takes to send a text, and to look at whose it is. It does so later, so it is not measured here. */
const MS_OF_TEXT = 0.035;
/** So many texts are sent at once. Requests come between. */
const TEXTS_AT_ONCE = 50;
/** Changes that are named one by one in one event. Many listeners share the time that it takes. */
const MOST_NAMED = 500;
const LEAST_NAMED = 20;
const NAMED_TO_ALL = 20_000;

type Listening = Listener & { place: Place; readonly audience: string };

/** `isOneOfSeveral`: what is read of all cells may have been read while this one was away. */
type EventDeps = { readonly db: Pick<Db, 'transaction'>; readonly log: Log; readonly isOneOfSeveral?: boolean };

const ALL_UNKNOWN = { changes: [], many: [], isTooOld: true } as const;

/**
 * Opens the one reader of this process. It reads nothing while nobody listens.
 * Each reading is a transaction of its own. In one with a write the write would count as seen before it is committed.
 */
export function openEvents({ db, log, isOneOfSeveral = false }: EventDeps, pace = PACE): Events {
  const listeners = new Set<Listening>();
  const closing = new AbortController();
  /** How far the reader is. Undefined: it does not run. */
  let place: Place | undefined;
  let reading: Promise<void> | undefined;

  const read = (at: Place): Promise<Portion> =>
    db.transaction((tx) =>
      readChanges(tx, at, Math.max(LEAST_NAMED, Math.min(MOST_NAMED, Math.floor(NAMED_TO_ALL / (listeners.size + 1))))),
    );

  const rested = async (ms: number): Promise<boolean> => {
    await delay(ms, undefined, { signal: closing.signal }).catch(() => undefined);
    return !closing.signal.aborted && listeners.size > 0;
  };

  /** Reads for all, until nobody listens any more. */
  async function readOn(from: Place): Promise<void> {
    let restMs = pace.shortestMs;
    let heartbeatAt = performance.now() + pace.heartbeatMs;
    let isInDoubt = false;
    for (place = from; await rested(restMs);) {
      try {
        const here: Place = isInDoubt ? await db.transaction(readPlace) : place;
        // After an outage another cluster may answer, in which the position means nothing.
        const portion: Portion = isBefore(place, here) ? await read(place) : { ...ALL_UNKNOWN, position: here.position };
        const resets = portion.isTooOld || (isInDoubt && isOneOfSeveral);
        isInDoubt = false;
        // After another rest like the last one it would come late.
        const isBeat = performance.now() + restMs >= heartbeatAt;
        if (isBeat) heartbeatAt = performance.now() + pace.heartbeatMs;
        place = { cluster: here.cluster, position: portion.position };
        const workMs = await sendAll(listeners, { ...portion, resets }, place, isBeat);
        const mostMs = Math.min(pace.longestMs, heartbeatAt - performance.now());
        restMs = Math.max(pace.shortestMs, Math.min(mostMs, pace.times * workMs));
      } catch (error) {
        if (error instanceof Unavailable) log.warn({ error }, 'cannot read what changed');
        else log.error({ error }, 'reading what changed failed');
        isInDoubt = true;
        restMs = pace.afterFaultMs;
      }
    }
    place = undefined;
  }

  /** Sends a new listener what it has missed, until it has seen as much as the reader. */
  async function catchUp(listener: Listener, lastEventId: string | undefined): Promise<Listening> {
    const here = await db.transaction(readPlace);
    const asked = lastEventId === undefined ? here : parsePlace(lastEventId);
    const isKnown = asked !== undefined && isBefore(asked, here);
    const listening = { ...listener, place: isKnown ? asked : here, audience: audienceText(listener) };
    if (lastEventId === undefined || !isKnown) listener.send(signal(isKnown ? 'ready' : 'reset', here));
    // The status of the answer travels with its first text.
    else if (covers(asked.position, (place ?? here).position)) listener.send(heartbeat(asked));
    while (!covers(listening.place.position, (place ?? here).position)) {
      const portion = await read(listening.place);
      await sendAll([listening], { ...portion, resets: portion.isTooOld }, { ...here, position: portion.position }, true);
    }
    return listening;
  }

  return {
    listen: async (listener, lastEventId) => {
      const listening = await catchUp(listener, lastEventId);
      if (closing.signal.aborted) listener.end();
      // No other code ran since the last look at the place of the reader.
      else {
        listeners.add(listening);
        if (place === undefined) reading = readOn(listening.place);
      }
      return () => void listeners.delete(listening);
    },
    count: () => listeners.size,
    close: async () => {
      closing.abort();
      for (const { end } of listeners) end();
      await reading;
    },
  };
}

/** Whether the first place is of the same cluster and not after the second. */
const isBefore = (one: Place, other: Place): boolean => one.cluster === other.cluster && covers(other.position, one.position);

/** Listeners that may know the same share a text. */
const audienceText = ({ merchantId = '', kinds }: Audience): string => `${merchantId} ${[...kinds].toSorted().join()}`;

/**
 * Sends each listener what it has not seen of a portion. Those of one audience and one position get the same text.
 * Shape: `resets`: what they have read is to be read again → how many milliseconds of a processor it takes.
 */
async function sendAll(
  listeners: Iterable<Listening>,
  { resets, ...portion }: Portion & { readonly resets: boolean },
  place: Place,
  isBeat: boolean,
): Promise<number> {
  const texts = new Map<EventPosition, Map<string, string | undefined>>();
  let workMs = 0;
  let sent = 0;
  let startedAt = performance.now();
  // A listener that comes meanwhile has seen all that the reader has.
  for (const listener of listeners) {
    const { position } = listener.place;
    const isNew = resets || !covers(position, portion.position);
    let ofPosition = texts.get(position);
    if (ofPosition === undefined) texts.set(position, (ofPosition = new Map()));
    if (isNew && !ofPosition.has(listener.audience)) ofPosition.set(listener.audience, render(portion, place, listener, position));
    const changes = isNew ? ofPosition.get(listener.audience) : undefined;
    // Who is cut off between the two goes on before the changes.
    if (resets) listener.send(signal('reset', changes === undefined ? place : listener.place));
    if (isNew) listener.place = place;
    const text = changes ?? (isBeat && !resets ? heartbeat(listener.place) : undefined);
    if (text !== undefined) listener.send(text);
    if (!resets && text === undefined) continue;
    if (++sent % TEXTS_AT_ONCE > 0) continue;
    workMs += performance.now() - startedAt;
    await afterOthers();
    startedAt = performance.now();
  }
  return workMs + performance.now() - startedAt + sent * MS_OF_TEXT;
}
