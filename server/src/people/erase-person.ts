import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { isRefusal, refuse } from '../kit/outcome.ts';
import type { Person } from './person.ts';
import { newPseudonym, type PersonalData, type RecordKey } from './personal-data.ts';
import { recordErasure } from './record-erasure.ts';

/** Records of one transaction. It holds their locks for some milliseconds. */
const PORTION = 100;

/** A record that keeps its data, because it is open or was in use at that moment. */
type LeftRecord = RecordKey & { readonly kind: string };

export type Erasure = {
  /** Undefined: nothing was erased. */
  readonly pseudonym: string | undefined;
  /** Kind to number. */
  readonly erased: Readonly<Record<string, number>>;
  readonly left: readonly LeftRecord[];
};

/**
 * Erases a person from all kinds of records, while servers run.
 * Shape: what was erased, and what is left: open records, which can be erased once they have ended.
 * Effects: amounts, states, times and entries stay. One pseudonym replaces everything personal. Each portion is recorded in its
 * transaction, so a run that is interrupted can be repeated. A repeated run finds nothing and changes nothing.
 */
export async function erasePerson(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  kinds: readonly PersonalData[],
  person: Person,
  pseudonym = newPseudonym(),
): Promise<Erasure> {
  const erased: Record<string, number> = {};
  const left: LeftRecord[] = [];
  for (const { kind, find, erase } of kinds) {
    const found = await find(person);
    for (let start = 0; start < found.length; start += PORTION) {
      const portion = found.slice(start, start + PORTION);
      const done = await db.transaction(async (tx) => {
        const keys = await erase(tx, portion, pseudonym);
        if (keys.length === 0) return refuse('nothing_erased');
        recordErasure(tx, pseudonym, kind, keys.length, clock.now());
        return keys;
      });
      const gone = isRefusal(done) ? [] : done;
      if (gone.length > 0) erased[kind] = (erased[kind] ?? 0) + gone.length;
      const isDone = new Set(gone.map(keyText));
      left.push(...portion.filter((key) => !isDone.has(keyText(key))).map(({ merchantId, id }) => ({ kind, merchantId, id })));
    }
  }
  return { pseudonym: Object.keys(erased).length === 0 ? undefined : pseudonym, erased, left };
}

const keyText = ({ merchantId, id }: RecordKey): string => `${merchantId} ${id}`;
