import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from '../kit/db.ts';
import type { PerCell } from '../kit/per-cell.ts';
import type { Events } from './open-events.ts';

/** Between the places of cells in the id of an event; a place has no such sign. */
const BETWEEN = '~';

/** The id at the start of a line of its own, as each event has one. */
const ID_LINE = /^id: ?(.*)$/gm;

/**
 * Makes one source of events of those of all cells. Each cell numbers its own transactions, so the id of an event holds the place in each.
 * A client that resumes goes on in all of them.
 */
export function joinEvents(cells: PerCell<Events>): Events {
  const { home, all } = cells;
  if (all.length === 1) return home;
  return {
    listen: async (listener, lastEventId) => {
      const asked = lastEventId?.split(BETWEEN);
      const places: string[] = all.map((_, index) => asked?.[index] ?? '');
      let isOver = false;
      const leaves: (() => void)[] = [];
      const leave = (): void => {
        isOver = true;
        for (const one of leaves) one();
      };
      // Where cells were added or taken away since, the numbers of places differ, and each cell says `reset`.
      const isKnown = asked === undefined || asked.length === all.length;
      for (const [index, [, events]] of all.entries()) {
        const send = (text: string): void => {
          const whole = text.replace(ID_LINE, (_, place: string) => {
            places[index] = place;
            return `id: ${places.join(BETWEEN)}`;
          });
          if (!isOver) listener.send(whole);
        };
        const place = asked && (isKnown ? places[index] : '');
        const listen = (from: string | undefined): Promise<void> =>
          events.listen({ ...listener, send }, from).then((end) => void (isOver ? end() : leaves.push(end)));
        // A cell that is away does not keep a client from what happens in the others. Once it is back it says that something was missed.
        await listen(place).catch((error: unknown) => {
          if (!(error instanceof Unavailable) || all.length === 1) throw error;
          void listenLater(
            () => listen(''),
            () => isOver,
          );
        });
      }
      return leave;
    },
    count: () => all.reduce((sum, [, events]) => sum + events.count(), 0),
    close: async () => void (await Promise.all(all.map(([, events]) => events.close()))),
  };
}

const AGAIN_MS = 5_000;

/** Listens to a cell once it is back. */
async function listenLater(listen: () => Promise<void>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await delay(AGAIN_MS, undefined, { ref: false });
    const isBack = await listen().then(
      () => true,
      () => false,
    );
    if (isBack) return;
  }
}
