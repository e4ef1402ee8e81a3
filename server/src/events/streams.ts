import { Readable } from 'node:stream';
import type { Audience } from './messages.ts';
import type { Events } from './open-events.ts';

/** Whose stream it is, and how that is looked at again. */
type Subscriber = {
  readonly actorId: string;
  /** What it sent to sign in. Streams with the same are looked at together. */
  readonly credential: string;
  /** Whether it is still signed in, as the same and with the same rights. */
  readonly isStillAllowed: () => Promise<boolean>;
};

export type Streams = {
  /** Shape: → a stream of text; undefined: there are too many. Throws: Unavailable. */
  open(subscriber: Subscriber, audience: Audience, lastEventId: string | undefined): Promise<Readable | undefined>;
};

const MOST_OF_ACTOR = 20;
const MOST = 2_000;
/** What a client has not read yet. Beyond that its stream is cut, and it resumes. */
const MOST_UNREAD = 256 * 1024;
/** A session that has ended hears nothing after this time. */
const LOOK_EVERY_MS = 5_000;

/** Makes streams of one process, and ends those whose clients do not read or are signed out. */
export function openStreams(events: Events, lookEveryMs = LOOK_EVERY_MS): Streams {
  const byActor = new Map<string, number>();
  const byCredential = new Map<string, Set<Readable>>();
  let count = 0;

  function look(credential: string, isStillAllowed: () => Promise<boolean>): void {
    const timer = setInterval(() => {
      const streams = byCredential.get(credential);
      if (streams === undefined) return clearInterval(timer);
      // While the database is away nothing is sent. The next look decides.
      void isStillAllowed().then(
        (isAllowed) => void (isAllowed || streams.forEach((stream) => stream.push(null))),
        () => undefined,
      );
    }, lookEveryMs);
    timer.unref();
  }

  /** Counts a stream until it is closed. */
  function enter(stream: Readable, { actorId, credential, isStillAllowed }: Subscriber): void {
    count++;
    byActor.set(actorId, (byActor.get(actorId) ?? 0) + 1);
    const known = byCredential.get(credential);
    byCredential.set(credential, (known ?? new Set()).add(stream));
    if (known === undefined) look(credential, isStillAllowed);
    stream.once('close', () => {
      count--;
      const left = (byActor.get(actorId) as number) - 1;
      if (left > 0) byActor.set(actorId, left);
      else byActor.delete(actorId);
      const streams = byCredential.get(credential) as Set<Readable>;
      streams.delete(stream);
      if (streams.size === 0) byCredential.delete(credential);
    });
  }

  return {
    open: async (subscriber, audience, lastEventId) => {
      if (count >= MOST || (byActor.get(subscriber.actorId) ?? 0) >= MOST_OF_ACTOR) return undefined;
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
