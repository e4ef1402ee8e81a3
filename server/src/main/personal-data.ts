import { actPeople } from '../audit/index.ts';
import { endUserData } from '../cashouts/index.ts';
import { openDb, statement, type Db } from '../kit/db.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import type { Log } from '../kit/log.ts';
import { mapCells, requireWhole, type PerCell } from '../kit/per-cell.ts';
import { noticePeople } from '../notices/index.ts';
import { payerData } from '../orders/index.ts';
import type { OpenKinds, PersonalData } from '../people/index.ts';
import { answerPeople } from '../requests/index.ts';
import { userData } from '../users/index.ts';

/** All that holds personal data. Orders, cashouts and users come first: their messages are found by them. */
export const personalDataOf = (db: Pick<Db, 'query'>, answerKey: ServiceKey): readonly PersonalData[] => [
  payerData(db),
  endUserData(db),
  userData(db),
  noticePeople(db),
  answerPeople(db, answerKey),
  actPeople(db),
];

const IS_THERE = statement('people.is_there', 'select');

/**
 * Opens what holds personal data, for one request at a time. It has a connection of its own to each cell: its statements read whole tables.
 */
export function openPersonalKinds(
  { cells, log }: { readonly cells: PerCell<{ readonly url: string }>; readonly log: Log },
  answerKey: ServiceKey,
): OpenKinds {
  let isTaken = false;
  return () => {
    if (isTaken) return undefined;
    isTaken = true;
    const dbs = mapCells(cells, ({ url }) => openDb({ url, log, connections: 1, statementTimeoutMs: null }));
    const ofAll = (work: (db: Db) => Promise<unknown>): Promise<unknown> => Promise.all(dbs.all.map(([, db]) => work(db)));
    let ended: Promise<void> | undefined;
    return {
      kinds: mapCells(dbs, (db) => personalDataOf(db, answerKey)),
      requireAll: async () => {
        requireWhole(cells);
        await ofAll((db) => db.query(IS_THERE, []));
      },
      end: () =>
        (ended ??= ofAll((db) => db.close())
          .then(() => undefined)
          .finally(() => void (isTaken = false))),
    };
  };
}
