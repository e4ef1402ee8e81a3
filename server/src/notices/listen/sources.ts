import { Readable } from 'node:stream';
import type { Static } from 'typebox';
import { joinEvents, openEvents, readPlace, streamEvents } from '../../events/index.ts';
import { homeOf, type Connection } from '../../kit/command-line.ts';
import type { Db } from '../../kit/db.ts';
import { createLog } from '../../kit/log.ts';
import { homeAlone, mapCells, type PerCell } from '../../kit/per-cell.ts';
import type { Remote } from '../../kit/remote/remote.ts';
import { readSentEvents, type SentEvent } from '../../kit/remote/sent-events.ts';
import { cellsOf, readMe, runHere } from '../../manage/index.ts';
import { listNotices } from '../notice-rows.ts';
import { noticeList, readSigned, show } from '../notices.manage.ts';
import type { NoticeRendering } from '../read-request.ts';

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

const PAGE = 500;

/** Listens at the database itself. */
export async function sourceHere(
  connection: Connection,
  renderingOf: (own: Connection) => NoticeRendering,
  merchantId: string | undefined,
): Promise<NoticeSource> {
  const { actor, clock } = connection;
  const home = homeOf(connection);
  const { cluster } = await home.ownDb.transaction(readPlace);
  const cells = cellsOf(connection, (own) => ({ ...own, ...renderingOf(own) }));
  // A merchant is in one cell: that of the connection.
  const dbs = merchantId === undefined ? mapCells(cells.deps, ({ db, ownDb }) => ({ db, ownDb })) : homeAlone(connection);
  const listIn = async (db: Db, most: number, isLast: (notice: ShownNotice) => boolean): Promise<readonly ShownNotice[]> => {
    const items: ShownNotice[] = [];
    for (let before: bigint | undefined; items.length < most && !items.some(isLast);) {
      const page = await listNotices(db, { merchantId, before, limit: PAGE });
      items.push(...page.map((one) => show(one) as ShownNotice));
      before = page.at(-1)?.notice.noticeId;
      if (page.length < PAGE) break;
    }
    return items;
  };
  return {
    id: `${cluster}/${/\/([^/?]*)(?:\?|$)/.exec(home.url)?.[1]}`,
    now: async () => clock.now(),
    follow: (lastEventId, signal) => followHere(dbs, merchantId, lastEventId, signal),
    list: async (most, isLast) => {
      const lists = await Promise.all(dbs.all.map(([, { db }]) => listIn(db, most, isLast)));
      return lists.length === 1 ? (lists[0] as readonly ShownNotice[]) : lists.flat().sort(byNewest);
    },
    read: async (notice) => runHere(readSigned, { path: { notice } }, actor, cells),
  };
}

const byNewest = (one: ShownNotice, other: ShownNotice): number => Temporal.Instant.compare(other.writtenAt, one.writtenAt);

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
    list: async (most, isLast) => (await service.list(noticeList, most, { query }, isLast)).items,
    read: (notice) => service.call(readSigned, { path: { notice } }),
  };
}
