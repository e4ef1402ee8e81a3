import { actPeople } from '../audit/index.ts';
import { endUserData } from '../cashouts/index.ts';
import { openDb, type Db } from '../kit/db.ts';
import type { ServiceKey } from '../kit/keys/service-keys.ts';
import type { Log } from '../kit/log.ts';
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

/**
 * Opens what holds personal data, for one request at a time. It has a connection of its own: its statements read whole tables.
 */
export function openPersonalKinds({ url, log }: { readonly url: string; readonly log: Log }, answerKey: ServiceKey): OpenKinds {
  let isTaken = false;
  return () => {
    if (isTaken) return undefined;
    isTaken = true;
    const db = openDb({ url, log, connections: 1, statementTimeoutMs: null });
    let ended: Promise<void> | undefined;
    return {
      kinds: personalDataOf(db, answerKey),
      end: () => (ended ??= db.close().finally(() => void (isTaken = false))),
    };
  };
}
