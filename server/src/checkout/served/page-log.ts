import { createHash } from 'node:crypto';
import type { Db } from '../../kit/db.ts';
import type { Job } from '../../kit/jobs.ts';
import type { Log } from '../../kit/log.ts';
import type { Moment, PageState } from '../page-state.ts';
import { deviceOf } from './device.ts';
import { keepViews, type PageView } from './view-rows.ts';

/** Notes a page that was served, in memory. */
export type NotePage = (
  page: Pick<PageState, 'order' | 'at' | 'seenVersion' | 'surroundings'> & Moment,
  userAgent: string | undefined,
) => void;

export type PageLog = {
  readonly note: NotePage;
  /** Writes what was noted. */
  readonly job: Job;
  /** Writes the rest. */
  close(): Promise<void>;
};

/** A view with the text of its surroundings. */
type Waiting = PageView & { readonly shown: string };

/** Different pages that wait to be written. While the database is away, pages beyond are not kept. */
const MOST_WAITING = 10_000;
/** Pages of one statement: a few milliseconds of work. */
const PORTION = 500;
/** Surroundings that this server has written. Beyond, it writes them once more. */
const MOST_KNOWN = 10_000;

/**
 * Opens the log of the pages that are served. A page costs one look at a map; a job writes them by the hundred.
 * A crash loses the pages of its last second.
 */
export function openPageLog({ db, log }: { readonly db: Db; readonly log: Log }): PageLog {
  const waiting = new Map<string, Waiting>();
  const known = new Set<string>();
  let lost = 0;

  function add(key: string, view: Waiting): void {
    const before = waiting.get(key);
    if (before !== undefined) {
      const lastAt = Temporal.Instant.compare(before.lastAt, view.lastAt) > 0 ? before.lastAt : view.lastAt;
      waiting.set(key, { ...before, lastAt, loads: before.loads + view.loads });
    } else if (waiting.size < MOST_WAITING) waiting.set(key, view);
    else lost += view.loads;
  }

  async function write(): Promise<boolean> {
    if (lost > 0) {
      log.warn({ pages: lost }, 'pages were served that the log of pages does not hold: the database was away for too long');
      lost = 0;
    }
    const taken = [...waiting].slice(0, PORTION);
    if (taken.length === 0) return false;
    for (const [key] of taken) waiting.delete(key);
    const views = taken.map(([, view]) => view);
    const fresh = new Map(views.flatMap(({ surroundingsId: id, shown }) => (known.has(id) ? [] : [[id, shown]])));
    try {
      await db.transaction(async (tx) => keepViews(tx, fresh, views));
    } catch (error) {
      for (const [key, view] of taken) add(key, view);
      throw error;
    }
    if (known.size > MOST_KNOWN) known.clear();
    for (const id of fresh.keys()) known.add(id);
    return waiting.size > 0;
  }

  return {
    note: ({ order, at, seenVersion, surroundings, ...moment }, userAgent) => {
      const shown = JSON.stringify(surroundings);
      const surroundingsId = createHash('sha256').update(shown).digest('base64url');
      const { merchantId, orderId, version } = order;
      const { etag, state, daysLeft, language } = moment;
      const device = deviceOf(userAgent);
      const view = { merchantId, orderId, version, seenVersion, etag, state, daysLeft, language, device, surroundingsId };
      add(JSON.stringify([merchantId, orderId, etag, seenVersion, device, surroundingsId]), {
        ...view,
        shown,
        firstAt: at,
        lastAt: at,
        loads: 1,
      });
    },
    job: { name: 'checkout.keep_views', step: write },
    close: async () => {
      while (await write());
    },
  };
}
