import { Readable } from 'node:stream';
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
/** When a look has failed. Long before servers and proxies end a connection on which nothing moves. */
const LOOK_AGAIN_MS = 5_000;

type Open = Subscriber & {
  readonly stream: Readable;
  /** What its actor has not been looked at for. */
  waiting: string;
  isLookedAt: boolean;
  again: NodeJS.Timeout | undefined;
  hasEnded: boolean;
};

/**
 * Makes streams of one process, and ends those whose clients do not read or are signed out.
 * Who a stream belongs to is looked at before each text, after the reading of its changes. So it has none that was made after its
 * session ended. Each heartbeat is a text, so a stream on which nothing happens ends too.
 */
export function openStreams(events: Events, lookAgainMs = LOOK_AGAIN_MS): Streams {
  /** Actors have a colon in their names, merchants have none. */
  const byOwner = new Map<string, number>();
  let open = 0;

  const countOf = (owner: string | undefined): number => (owner === undefined ? 0 : (byOwner.get(owner) ?? 0));

  /** Counts a stream until it is closed. */
  function enter({ stream, actorId, merchantId }: Open): void {
    const owners = [actorId, ...(merchantId === undefined ? [] : [merchantId])];
    open++;
    for (const owner of owners) byOwner.set(owner, countOf(owner) + 1);
    stream.once('close', () => {
      open--;
      for (const owner of owners) {
        const left = countOf(owner) - 1;
        if (left > 0) byOwner.set(owner, left);
        else byOwner.delete(owner);
      }
    });
  }

  return {
    open: async (subscriber, audience, lastEventId) => {
      if (countOf(subscriber.actorId) >= MOST_OF_ACTOR || countOf(subscriber.merchantId) >= MOST_OF_MERCHANT || open >= MOST)
        return undefined;
      const stream = new Readable({ read: () => undefined });
      // A client that goes away is not an error.
      stream.on('error', () => undefined);
      const one: Open = { ...subscriber, stream, waiting: '', isLookedAt: false, again: undefined, hasEnded: false };
      enter(one);
      const send = (text: string): void => {
        one.waiting += text;
        if (stream.readableLength + one.waiting.length > MOST_UNREAD) stream.destroy();
        void look(one, lookAgainMs);
      };
      try {
        const leave = await events.listen({ ...audience, send, end: () => end(one) }, lastEventId);
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

function end(one: Open): void {
  one.hasEnded = true;
  one.stream.push(null);
}

/** Gives a stream what waits for it, or ends it. What comes while its actor is looked at waits for another look. */
async function look(one: Open, againMs: number): Promise<void> {
  const { stream } = one;
  if (one.isLookedAt || stream.destroyed) return;
  one.isLookedAt = true;
  clearTimeout(one.again);
  try {
    do {
      const text = one.waiting;
      const isAllowed = await one.isStillAllowed();
      if (stream.destroyed || one.hasEnded) return;
      if (!isAllowed) return end(one);
      if (text !== '') stream.push(text);
      one.waiting = one.waiting.slice(text.length);
    } while (one.waiting !== '');
  } catch {
    // While the database is away nothing is sent.
    one.again = setTimeout(() => void look(one, againMs), againMs).unref();
  } finally {
    one.isLookedAt = false;
  }
}
