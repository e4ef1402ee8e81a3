import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from '../kit/db.ts';
import type { Log } from '../kit/log.ts';
import { askAll } from '../kit/db/ask-cells.ts';
import type { PerCell } from '../kit/per-cell.ts';
import type { Events, Listener } from './open-events.ts';

/** Between the places of cells in the id of an event; a place has no such sign. */
const BETWEEN = '~';

/** The id at the start of a line of its own, as each event has one. */
const ID_LINE = /^id: ?(.*)$/gm;
/** A text that is the one event `ready` or `reset` of a cell. */
const SIGNAL = /^event: (ready|reset)\n/;

/** A cell that is away is tried again so often. */
const AGAIN_MS = 5_000;

/**
 * Makes one source of events of those of all cells. Each cell numbers its own transactions, so the id of an event holds the place in each.
 * A client that resumes goes on in all of them. A cell that is away keeps nobody from what happens in the others, and says `reset` once it
 * is back: what was read meanwhile lacks it. Its place in ids is empty until then, so that it says so to a client that resumes, too.
 */
export function joinEvents(cells: PerCell<Events>, log: Log, againMs = AGAIN_MS): Events {
  const { home, all } = cells;
  if (all.length === 1) return home;
  const close = async (): Promise<void> => void (await Promise.all(all.map(([, events]) => events.close())));
  // Each listener is one of every cell that is there.
  const count = (): number => Math.max(...all.map(([, events]) => events.count()));
  const join = async (listener: Listener, lastEventId: string | undefined): Promise<() => void> => {
    const stream = openStream(listener, placesIn(lastEventId, cells));
    const listen = async (events: Events, cell: number, from: string | undefined): Promise<void> =>
      stream.leaveBy(await events.listen({ ...listener, send: (text) => stream.take(cell, text) }, from));
    const listenLater = async (cell: number): Promise<void> => {
      for (;;) {
        await delay(againMs, undefined, { ref: false });
        if (stream.isOver()) return;
        try {
          return await listen(cells.of(cell), cell, '');
        } catch (error) {
          if (!(error instanceof Unavailable)) log.error({ error }, 'listening to a cell failed');
        }
      }
    };
    const begin = (events: Events, cell: number): Promise<void> =>
      listen(events, cell, lastEventId === undefined ? undefined : stream.placeIn(cell));
    const { away } = await askAll(cells, begin).catch((error: unknown) => {
      stream.leave();
      throw error;
    });
    for (const cell of away) {
      stream.lose(cell);
      void listenLater(cell);
    }
    stream.begin();
    return stream.leave;
  };
  return { listen: join, count, close };
}

/** The place in each cell by an id. Where cells were added or taken away since, none means anything, and each cell says `reset`. */
function placesIn(lastEventId: string | undefined, { all }: PerCell<unknown>): Map<number, string> {
  const places = lastEventId?.split(BETWEEN) ?? [];
  const known = places.length === all.length ? places : [];
  return new Map(all.map(([cell], index) => [cell, known[index] ?? '']));
}

/** What one listener hears of all cells. Until all of them have begun it is kept back, so that one event says where everything begins. */
function openStream({ send }: Listener, places: Map<number, string>) {
  const leaves: (() => void)[] = [];
  let kept: { readonly cell: number; readonly text: string }[] | undefined = [];
  let isOver = false;

  /** Gives a text the places of all cells: its own is that of the text. */
  const withPlaces = (cell: number, text: string): string =>
    text.replace(ID_LINE, (_, place: string) => {
      places.set(cell, place);
      return `id: ${[...places.values()].join(BETWEEN)}`;
    });

  return {
    isOver: () => isOver,
    placeIn: (cell: number): string | undefined => places.get(cell),
    take: (cell: number, text: string): void => {
      if (kept !== undefined) kept.push({ cell, text });
      else if (!isOver) send(withPlaces(cell, text));
    },
    /** The cell is away: what happens in it now is missed. */
    lose: (cell: number): void => void places.set(cell, ''),
    begin: (): void => {
      const { signals = [], others = [] } = Object.groupBy(kept ?? [], ({ text }) => (SIGNAL.test(text) ? 'signals' : 'others'));
      kept = undefined;
      const isReset = signals.some(({ text }) => text.startsWith('event: reset'));
      // The last one has the places of all that begin here. One that has missed something speaks for all.
      const last = signals.map(({ cell, text }) => withPlaces(cell, text)).at(-1);
      if (last !== undefined) send(last.replace(SIGNAL, isReset ? 'event: reset\n' : 'event: ready\n'));
      for (const { cell, text } of others) send(withPlaces(cell, text));
    },
    leaveBy: (leave: () => void): void => {
      if (isOver) leave();
      else leaves.push(leave);
    },
    leave: (): void => {
      isOver = true;
      for (const leave of leaves) leave();
    },
  };
}
