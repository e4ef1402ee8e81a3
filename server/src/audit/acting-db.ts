import { differences, type Act, type FactsBefore, type OpenActing } from '../kit/changes/act.ts';
import { Held } from '../kit/changes/engine.ts';
import type { Clock } from '../kit/clock.ts';
import { isWriteStatement, type Db, type Statement, type Tx, type Value } from '../kit/db.ts';
import type { SettledAnswer } from '../kit/once.ts';
import { isRefusal } from '../kit/outcome.ts';
import { recordActs } from './record-acts.ts';

/** A database through which one act is done. */
export type ActingDb = {
  readonly db: Db;
  /** The same database, for what the act is done on where it does not say so itself. */
  on(what: Pick<Act, 'target' | 'merchantId'>): Db;
  /** Records the act in a transaction of another connection, as the last thing before its commit. `given`: what it says beside. */
  recordIn(tx: Pick<Tx, 'send'>, given: Readonly<Record<string, unknown>>): void;
  /** True once the act was recorded as done. */
  isRecorded(): boolean;
  /** The last refusal of a transaction. It is not recorded yet. */
  refusal(): string | undefined;
};

type Options = { readonly db: Db; readonly clock: Clock; readonly facts?: FactsBefore | undefined };

/**
 * Makes a database whose every transaction records the act with what changed. A refusal writes nothing.
 * A statement that writes alone becomes such a transaction. One that reads is sent as it is.
 * Effects: as the transactions. The act and what it did are committed together, or not at all.
 */
export function openActingDb({ db, clock, facts }: Options, act: Act): ActingDb {
  let isRecorded = false;
  let refusal: string | undefined;
  const run = async <T>(doing: Act, work: (tx: Tx) => Promise<T>): Promise<T> => {
    let isDone = false;
    const result = await db.transaction(async (tx) => {
      const before = await readFacts(tx, facts);
      const noted: Record<string, readonly [unknown, unknown]> = {};
      const done = await work({ ...tx, note: (changes) => void Object.assign(noted, changes) });
      const outcome = outcomeOf(done);
      if (isRefusal(outcome)) refusal = (outcome as { readonly refusal: string }).refusal;
      isDone = !(outcome instanceof Held) && !isRefusal(outcome) && !hasDoneNothing(outcome);
      if (!isDone) return done;
      const changes = { ...differences(before, await readFacts(tx, facts)), ...noted };
      const details = { ...doing.details, ...(Object.keys(changes).length > 0 && { changes }) };
      recordActs(tx, [{ ...doing, at: clock.now(), outcome: 'done', details }]);
      return done;
    });
    isRecorded ||= isDone;
    return result;
  };
  const dbOf = (doing: Act): Db => ({
    ...db,
    transaction: (work) => run(doing, work),
    query: <Row>(statement: Statement, values: readonly Value[]) =>
      isWriteStatement(statement) ? run(doing, (tx) => tx.query<Row>(statement, values)) : db.query<Row>(statement, values),
  });
  return {
    db: dbOf(act),
    on: ({ target, merchantId }) => dbOf({ ...act, target: act.target ?? target, merchantId: act.merchantId ?? merchantId }),
    recordIn: (tx, given) => {
      recordActs(tx, [
        { ...act, at: clock.now(), outcome: 'done', details: { ...act.details, given: { ...act.details?.given, ...given } } },
      ]);
      isRecorded = true;
    },
    isRecorded: () => isRecorded,
    refusal: () => refusal,
  };
}

/** Makes what opens a database for one act of the management API. Who serves the request records a refusal. */
export const openActing =
  (db: Db, clock: Clock): OpenActing =>
  (act, facts) =>
    openActingDb({ db, clock, facts }, act).db;

/** Makes a database that refuses to write. */
export const openReadingDb = (db: Db): Db => ({
  ...db,
  transaction: refuseToWrite,
  query: (statement, values) => (isWriteStatement(statement) ? refuseToWrite() : db.query(statement, values)),
});

async function refuseToWrite(): Promise<never> {
  throw new Error('this command is declared to read, and would write');
}

/** A batch of one command has one outcome. Held: another transaction holds its row, and nothing is decided. */
const outcomeOf = (done: unknown): unknown => (Array.isArray(done) && done.length === 1 ? (done[0] as unknown) : done);

/** A request that was repeated did nothing, and neither did one whose refusal is kept under its Idempotency-Key. */
function hasDoneNothing(outcome: unknown): boolean {
  const { isRepeated, isReplay, answer } = (outcome ?? {}) as Partial<SettledAnswer> & { readonly isRepeated?: boolean };
  return isRepeated === true || isReplay === true || (isReplay === false && answer !== undefined && answer.status >= 400);
}

type Row = Readonly<Record<string, unknown>>;

const readFacts = async (tx: Tx, facts: FactsBefore | undefined): Promise<Row | undefined> =>
  facts && (await tx.query<Row>(facts.statement, facts.values))[0];
