import type { Clock } from '../../kit/clock.ts';
import type { Db, Tx } from '../../kit/db.ts';
import type { RowRefusal } from '../../kit/files/csv.ts';
import { isRefusal, refuse, type Refusal } from '../../kit/outcome.ts';
import { withinLedger } from '../../ledger/index.ts';
import { stepSettlements } from '../change-settlement.ts';
import { lockSettlements, readSettlements } from '../settlement-rows.ts';
import type { Settlement } from '../settlement-columns.ts';
import { judgeResults, readResults, stepOfResult, type BankResult, type JudgedResult } from './results.ts';

/** One transaction holds the rows of all of them. */
export const MOST_RESULTS = 2_000;

/** What a file of results does, or would do. Where there are faults, nothing of it. `isRepeated`: nothing was written. */
export type FileOfResults = {
  readonly judged: readonly JudgedResult[];
  readonly faults: readonly RowRefusal[];
  readonly isRecorded: boolean;
  readonly isRepeated: boolean;
};

type Deps = { readonly db: Pick<Db, 'query' | 'transaction'>; readonly clock: Clock };

/** Reads what a file of results would do. Nothing is written. */
export async function previewResults({ db, clock }: Deps, content: string): Promise<FileOfResults> {
  const { results, faults } = await read(content);
  const found = await readSettlements(db, idsOf(results));
  const { judged, faults: more } = judgeResults(results, byId(found), clock.now());
  return { judged, faults: inOrder([...faults, ...more]), isRecorded: false, isRepeated: false };
}

/**
 * Records the results of a bank, of settlements of this cell: all of a file or nothing.
 * Refuses: results_invalid, with each fault by its line.
 * Effects: locks the settlements; those that change are posted. The same file again changes nothing.
 */
export async function recordResults(
  { db, clock }: Deps,
  content: string,
): Promise<FileOfResults | (Refusal<'results_invalid'> & { readonly faults: readonly RowRefusal[] })> {
  const { results, faults } = await read(content);
  const now = clock.now();
  return withinLedger(
    db.transaction(async (tx) => {
      const settlements = await lockSettlements(tx, idsOf(results));
      const { judged, faults: more } = judgeResults(results, byId(settlements), now);
      const all = inOrder([...faults, ...more]);
      if (all.length > 0) return { ...refuse('results_invalid'), faults: all };
      const changed = judged.filter(({ isRepeated }) => !isRepeated);
      const steps = changed.map((one) => ({ settlement: one.settlement, step: stepOfResult(one) }));
      // Each of them is locked, and was judged by the same rules.
      if ((await stepSettlements(tx, steps, now)).some(isRefusal)) throw new Error('a result that was judged was refused');
      noteResults(tx, changed);
      return { judged, faults: [], isRecorded: true, isRepeated: changed.length === 0 };
    }),
  );
}

async function read(content: string): ReturnType<typeof readResults> {
  const { results, faults } = await readResults(content);
  if (results.length <= MOST_RESULTS) return { results, faults };
  return { results: [], faults: [{ line: MOST_RESULTS + 2, rule: `a file has at most ${MOST_RESULTS} results` }] };
}

const idsOf = (results: readonly BankResult[]): readonly bigint[] => results.map(({ settlementId }) => BigInt(settlementId));

const byId = (settlements: readonly Settlement[]): ReadonlyMap<string, Settlement> =>
  new Map(settlements.map((one) => [String(one.settlementId), one]));

const inOrder = (faults: readonly RowRefusal[]): readonly RowRefusal[] => faults.toSorted((one, other) => one.line - other.line);

/** The act of a file names what became of each settlement. */
function noteResults(tx: Tx, changed: readonly JudgedResult[]): void {
  const idsOf = (wanted: BankResult['result']): readonly string[] =>
    changed.filter(({ result }) => result === wanted).map(({ settlementId }) => settlementId);
  for (const result of ['paid', 'returned'] as const) if (idsOf(result).length > 0) tx.note?.({ [result]: [null, idsOf(result)] });
}
