import { setTimeout as delay } from 'node:timers/promises';
import { pauseAfter } from '../../kit/backoff.ts';
import { Unavailable } from '../../kit/db.ts';
import { Unreachable } from '../../kit/remote/open-remote.ts';
import type { SentEvent } from '../../kit/remote/sent-events.ts';
import { GIVE_UP_AFTER_HOURS } from '../notice.ts';
import { openForwarder, type ForwarderOptions } from './forwarder.ts';
import type { KeptPlace } from './kept-place.ts';
import type { NoticeSource } from './sources.ts';

export type ListenOptions = Pick<ForwarderOptions, 'isWanted' | 'targetOf' | 'send' | 'report' | 'signal' | 'chance'> & {
  readonly source: NoticeSource;
  /** Where an earlier run has stopped. */
  readonly kept: KeptPlace | undefined;
  /** Begins with what was written since then, whatever an earlier run has seen. */
  readonly since: Temporal.Instant | undefined;
  readonly keep: (kept: KeptPlace) => void;
  /** Says in one line what goes on. */
  readonly say: (line: string) => void;
};

/** Notices that are looked at where the list of changes does not reach. */
const MOST_LISTED = 100_000;
/** A transaction that began earlier may commit later. Its notices are older than the newest that was seen. */
const SLACK_SECONDS = 60;
const RECONNECTS = { firstSeconds: 1, longestSeconds: 30 };

/**
 * Hears of each notice that waits to be sent, and forwards it, until the signal ends it.
 * The place in the list of changes moves only once the notices before it are among the pending ones. Both are kept together.
 * So a listener that is killed misses none, and forwards some twice at worst.
 * Throws: CommandRefused where the source refuses, or cannot be asked at the beginning.
 */
export async function listenToNotices({ source, kept, since, keep, say, ...options }: ListenOptions): Promise<void> {
  const { signal } = options;
  let place = since === undefined ? (kept?.place ?? undefined) : undefined;
  let newestAt = since ?? (kept === undefined ? await source.now() : Temporal.Instant.from(kept.at));
  let toList = since;
  const save = (): void => keep({ place: place ?? null, at: newestAt.toString(), pending: [...forwarder.pending()] });

  const read: ForwarderOptions['read'] = async (id) => {
    const notice = await patiently(() => source.read(id), signal, say);
    const writtenAt = Temporal.Instant.from(notice.writtenAt);
    if (Temporal.Instant.compare(writtenAt, newestAt) > 0) newestAt = writtenAt;
    return notice;
  };
  const forwarder = openForwarder({ ...options, read, onPending: () => save() });

  /** Takes from the list what was written since an instant, or sent again since then. */
  async function takeListed(from: Temporal.Instant, isAgainToo: boolean): Promise<void> {
    const isSince = (text: string, at = from): boolean => Temporal.Instant.compare(Temporal.Instant.from(text), at) >= 0;
    const again = from.add({ hours: GIVE_UP_AFTER_HOURS });
    const listed = await source.list(MOST_LISTED, ({ writtenAt }) => !isAgainToo && !isSince(writtenAt));
    const wanted = listed.filter(({ writtenAt, giveUpAt }) => isSince(writtenAt) || (isAgainToo && isSince(giveUpAt, again)));
    await forwarder.take(wanted.map(({ id }) => id).toReversed());
  }

  async function see({ name, id, data }: SentEvent): Promise<void> {
    if (name === 'ready' && toList !== undefined) {
      await takeListed(toList, false);
      toList = undefined;
    }
    const { changes = [], many = [] } = (data === '' ? {} : JSON.parse(data)) as Partial<Told>;
    const waiting = changes.filter(({ kind, event }) => kind === 'notice' && event === 'notice.waiting');
    if (waiting.length > 0) await forwarder.take(waiting.map((one) => one.id));
    if (name === 'reset' || many.length > 0) await takeListed(newestAt.subtract({ seconds: SLACK_SECONDS }), true);
    if (id === undefined || signal.aborted) return;
    place = id;
    save();
  }

  const following = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted;) {
      try {
        for await (const event of source.follow(place, signal)) {
          await see(event);
          failures = 0;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!isOutage(error) || place === undefined) throw error;
        say(`${(error as Error).message} Trying again.`);
        await rest(++failures, signal);
      }
    }
  };
  if (kept !== undefined && since === undefined) await forwarder.take(kept.pending);
  await following();
  await forwarder.close();
}

type Told = {
  readonly changes: readonly { readonly kind: string; readonly id: string; readonly event: string }[];
  readonly many: readonly object[];
};

const isOutage = (error: unknown): boolean => error instanceof Unreachable || error instanceof Unavailable;

const rest = (failures: number, signal: AbortSignal): Promise<unknown> =>
  delay(pauseAfter(failures, RECONNECTS, Math.random()).total('milliseconds'), undefined, { signal }).catch(() => undefined);

/** Does something again while the source is away. */
async function patiently<T>(work: () => Promise<T>, signal: AbortSignal, say: (line: string) => void): Promise<T> {
  for (let failures = 0; ;) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || signal.aborted) throw error;
      if (failures === 0) say(`${(error as Error).message} Trying again.`);
      await rest(++failures, signal);
    }
  }
}
