import { Readable } from 'node:stream';
import type { Static } from 'typebox';
import { joinEvents, openEvents, readPlace, streamEvents } from '../../events/index.ts';
import { homeOf, type Asks, type Connection } from '../../kit/command-line.ts';
import { createLog } from '../../kit/log.ts';
import { homeAlone, mapCells, type PerCell } from '../../kit/per-cell.ts';
import type { Remote } from '../../kit/remote/remote.ts';
import { readSentEvents, type SentEvent } from '../../kit/remote/sent-events.ts';
import { readMe } from '../../manage/index.ts';
import { noticeList, readSigned } from '../notices.manage.ts';

/** A notice with the request that delivers it, signed when it was read. */
export type SignedNotice = Static<NonNullable<typeof readSigned.shows>>;
type ShownNotice = Static<NonNullable<typeof noticeList.shows>>;

/** Where a listener hears of notices: a database or a running service. */
export type NoticeSource = {
  /** No other source has it. It is in the name of the file. */
  readonly id: string;
  /** The time of the service. */
  readonly now: () => Promise<Temporal.Instant>;
  /** Hears what changes, from now on or since an event. Throws: Unreachable. */
  readonly follow: (lastEventId: string | undefined, signal: AbortSignal) => AsyncIterable<SentEvent>;
  /** Lists notices, the newest first, up to one that is the last. */
  readonly list: (most: number, isLast: (notice: ShownNotice) => boolean) => Promise<readonly ShownNotice[]>;
  readonly read: (id: string) => Promise<SignedNotice>;
};

/** Lists and reads notices, of one merchant or of all. */
const readsOf = (asks: Asks, merchantId: string | undefined): Pick<NoticeSource, 'list' | 'read'> => ({
  list: async (most, isLast) => (await asks.list(noticeList, most, { query: { merchant: merchantId } }, isLast)).items,
  read: (notice) => asks.call(readSigned, { path: { notice } }),
});

/** Listens at the database itself: at that of the merchant, or at all of them. */
export async function sourceHere(connection: Connection, here: Asks, merchantId: string | undefined): Promise<NoticeSource> {
  const { clock, cells } = connection;
  const home = homeOf(connection);
  const { cluster } = await home.ownDb.transaction(readPlace);
  const followed = merchantId === undefined && cells !== undefined ? cells.connections : homeAlone(connection);
  return {
    id: `${cluster}/${/\/([^/?]*)(?:\?|$)/.exec(home.url)?.[1]}`,
    now: async () => clock.now(),
    follow: (lastEventId, signal) => followHere(followed, merchantId, lastEventId, signal),
    ...readsOf(here, merchantId),
  };
}

async function* followHere(
  dbs: PerCell<Pick<Connection, 'ownDb'>>,
  merchantId: string | undefined,
  lastEventId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<SentEvent> {
  const log = createLog('silent');
  const isOneOfSeveral = dbs.all.length > 1;
  const events = joinEvents(
    mapCells(dbs, ({ ownDb: db }) => openEvents({ db, log, isOneOfSeveral })),
    log,
  );
  const stream = new Readable({ read: () => undefined, encoding: 'utf8' });
  let isOver = signal.aborted;
  const end = (): void => {
    if (!isOver) stream.push(null);
    isOver = true;
  };
  const send = (text: string): void => void (isOver || stream.push(text));
  signal.addEventListener('abort', end);
  const leave = await events.listen({ merchantId, kinds: new Set(['notice']), send, end }, lastEventId);
  try {
    if (!isOver) yield* readSentEvents(stream);
  } finally {
    signal.removeEventListener('abort', end);
    leave();
    await events.close();
  }
}

/** Listens at a running service. */
export function sourceThere(service: Remote, merchantId: string | undefined): NoticeSource {
  const query = { merchant: merchantId };
  return {
    id: service.url,
    now: async () => Temporal.Instant.from((await service.call(readMe)).now),
    follow: (lastEventId, signal) => service.follow(streamEvents, { query, lastEventId }, signal),
    ...readsOf(service, merchantId),
  };
}
