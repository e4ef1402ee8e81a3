import { Readable } from 'node:stream';
import { setImmediate as afterOthers } from 'node:timers/promises';
import type { Audience } from './messages.ts';
import type { Events } from './open-events.ts';

/** Whose stream it is, and how that is looked at again. */
type Subscriber = {
  readonly actorId: string;
  /** Absent: it is of the service's own side. */
  readonly merchantId?: string | undefined;
  /** Whether it is still signed in, as the same and with the same rights. */
  readonly isStillAllowed: () => Promise<boolean>;
};

export type Streams = {
  /** Shape: → a stream of text; undefined: there are too many. Throws: Unavailable. */
  open(subscriber: Subscriber, audience: Audience, lastEventId: string | undefined): Promise<Readable | undefined>;
};

const MOST_OF_ACTOR = 20;
/** A merchant's administrator may make many tokens. They leave most of a server to others. */
const MOST_OF_MERCHANT = 200;
const MOST = 2_000;
/** What a client has not read yet. Beyond that its stream is cut, and it resumes. */
const MOST_UNREAD = 256 * 1024;
/** A session that has ended hears nothing after this time. */
const LOOK_EVERY_MS = 5_000;
/** So many are looked at together. Requests come between. */
const LOOKS_TOGETHER = 50;

/** Makes streams of one process, and ends those whose clients do not read or are signed out. */
export function openStreams(events: Events, lookEveryMs = LOOK_EVERY_MS): Streams {
  /** Actors have a colon in their names, merchants have none. */
  const byOwner = new Map<string, number>();
  const open = new Map<Readable, Subscriber>();
  let looking: NodeJS.Timeout | undefined;

  const countOf = (owner: string | undefined): number => (owner === undefined ? 0 : (byOwner.get(owner) ?? 0));

  async function lookAtAll(): Promise<void> {
    let count = 0;
    for (const [stream, { isStillAllowed }] of open) {
      // While the database is away nothing is sent. The next look decides.
      void isStillAllowed().then(
        (isAllowed) => void (isAllowed || stream.push(null)),
        () => undefined,
      );
      if (++count % LOOKS_TOGETHER === 0) await afterOthers();
    }
  }

  /** Counts a stream until it is closed. */
  function enter(stream: Readable, subscriber: Subscriber): void {
    const owners = [subscriber.actorId, ...(subscriber.merchantId === undefined ? [] : [subscriber.merchantId])];
    open.set(stream, subscriber);
    for (const owner of owners) byOwner.set(owner, countOf(owner) + 1);
    looking ??= setInterval(() => void lookAtAll(), lookEveryMs).unref();
    stream.once('close', () => {
      open.delete(stream);
      for (const owner of owners) {
        const left = countOf(owner) - 1;
        if (left > 0) byOwner.set(owner, left);
        else byOwner.delete(owner);
      }
      if (open.size > 0) return;
      clearInterval(looking);
      looking = undefined;
    });
  }

  return {
    open: async (subscriber, audience, lastEventId) => {
      if (countOf(subscriber.actorId) >= MOST_OF_ACTOR || countOf(subscriber.merchantId) >= MOST_OF_MERCHANT || open.size >= MOST)
        return undefined;
      const stream = new Readable({ read: () => undefined });
      // A client that goes away is no error.
      stream.on('error', () => undefined);
      enter(stream, subscriber);
      const end = (): void => void stream.push(null);
      const send = (text: string): void => {
        if (stream.destroyed || stream.readableEnded) return;
        stream.push(text);
        if (stream.readableLength > MOST_UNREAD) stream.destroy();
      };
      try {
        const leave = await events.listen({ ...audience, send, end }, lastEventId);
        if (stream.destroyed) leave();
        else stream.once('close', leave);
        return stream;
      } catch (error) {
        stream.destroy();
        throw error;
      }
    },
  };
}
