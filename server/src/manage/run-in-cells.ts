import { Unavailable } from '../kit/db.ts';
import { mergePages, mergeSorted, shareOfPage, withAllTaken } from '../kit/lists/merges.ts';
import type { Page } from '../kit/lists/walks.ts';
import { isRefusal, refuse } from '../kit/outcome.ts';
import { readAll } from '../kit/db/ask-cells.ts';
import { HOME, requireWhole, type PerCell } from '../kit/per-cell.ts';
import type { InEveryCell, ManagementOperation, ManagementRefusal, ManagementRequest } from './management-operation.ts';

/** What is known of the cells of a service. */
export type KnownCells = {
  /** The cell of a merchant. Home where there is no such merchant: its answer is that of what does not exist. */
  readonly cellOf: (merchantId: string) => Promise<number>;
  /** Whether there is a cell of this number, in this process or in another one. */
  readonly exists: (cell: number) => Promise<boolean>;
  readonly nameOf: (cell: number) => string;
  /** The names of cells that cannot be reached from here, now. */
  readonly unserved: () => readonly string[];
};

/** The cells of a service, as operations of the management API are carried out in them. */
export type CellsOf<Deps> = KnownCells & { readonly deps: PerCell<Deps> };

/** Whether there is such a cell. A made-up id may name one that never was. Another process may serve one that is missing here. */
export const isCell = async <Deps>({ deps, exists }: CellsOf<Deps>, cell: number): Promise<boolean> => deps.has(cell) || exists(cell);

/** Asks all cells at once, as `readAll`. `missing`: the names of those that gave no answer, or are not reached from here. */
export async function askCells<Deps, Answer>(
  { deps, nameOf, unserved }: CellsOf<Deps>,
  ask: (own: Deps) => Answer | Promise<Answer>,
): Promise<{ readonly answers: readonly Answer[]; readonly missing: readonly string[] }> {
  const { answers, away } = await readAll(deps, ask);
  return { answers, missing: [...unserved(), ...away.map(nameOf)] };
}

/** An outcome, with what the answer is made with. `missing`: the names of the cells that should have been asked and could not be. */
export type RanInCells<Deps> = {
  readonly outcome: object;
  readonly deps: Deps;
  readonly missing: readonly string[];
};

/** Where an operation is carried out: in one cell, or in all of them. */
async function placeOf<Deps>(
  { cells }: Pick<ManagementOperation<Deps>, 'cells'>,
  request: ManagementRequest,
  known: CellsOf<Deps>,
): Promise<number | 'all' | ManagementRefusal> {
  if (cells === 'home') return HOME;
  if (typeof cells === 'function') {
    const found = await cells(request, known.deps.home);
    return typeof found !== 'number' || (await isCell(known, found)) ? found : refuse('not_found');
  }
  if (request.merchantId !== undefined && cells?.asks !== 'all') return known.cellOf(request.merchantId);
  return cells === undefined ? HOME : 'all';
}

type Asked = Pick<ManagementRequest, 'page'>;
/** Which of the outcomes, each of which was asked for `share` items of a list, may have more for a page of `limit`. */
type Lacking<Outcome = never> = (outcomes: readonly Outcome[], share: number, limit: number) => readonly Outcome[];

/**
 * By what merges lists whose cells may be asked for a share of a page. As members of one object the two would not compile: the compiler infers
 * the outcome of an operation through a lone generic function alone.
 */
const lackingOf = new WeakMap<object, Lacking>();
function ofShares<Merge extends object, Outcome>(merge: Merge, lacking: Lacking<Outcome>): Merge {
  lackingOf.set(merge, lacking as unknown as Lacking);
  return merge;
}

/** The outcomes of all cells, and the names of those that gave none. */
type Outcomes = { readonly outcomes: readonly object[]; readonly missing: readonly string[] };

/**
 * Reads a page of a list from all cells: from each its share first. Only cells of which the page may show more than that read again, and then
 * the whole page. Others may follow where one of them is away by then: its rows are not shown, so more of theirs are.
 */
async function readByShares<Deps>(
  run: ManagementOperation<Deps>['run'],
  { lacking, share }: { readonly lacking: Lacking<object>; readonly share: number },
  request: ManagementRequest,
  cellsOf: CellsOf<Deps>,
): Promise<Outcomes> {
  const { deps } = cellsOf;
  const ofShare = { ...request, page: { ...request.page, limit: share } };
  let { answers, missing } = await askCells(cellsOf, async (own) => [own, await run(ofShare, own)] as const);
  const areWhole = new Set<object>();
  for (;;) {
    const known = new Map(answers);
    const outcomes = [...known.values()];
    if (outcomes.some(isRefusal)) return { outcomes, missing };
    const again = new Set(lacking(outcomes, share, request.page.limit).filter((outcome) => !areWhole.has(outcome)));
    if (again.size === 0) return { outcomes, missing };
    const answering = { ...cellsOf, deps: { ...deps, all: deps.all.filter(([, own]) => known.has(own)) } };
    const second = await askCells(answering, async (own) => {
      const outcome = known.get(own) as object;
      if (!again.has(outcome)) return [own, outcome] as const;
      const read = await run(request, own);
      areWhole.add(read);
      return [own, read] as const;
    });
    answers = second.answers;
    missing = [...new Set([...missing, ...second.missing])];
  }
}

/** Carries an operation out in all cells at once. What there is about one merchant is not spread over the cells, so it has no shares. */
async function runInAll<Deps>(
  run: ManagementOperation<Deps>['run'],
  merge: InEveryCell<object>['merge'],
  request: ManagementRequest,
  cellsOf: CellsOf<Deps>,
): Promise<Outcomes> {
  const lacking = lackingOf.get(merge) as Lacking<object> | undefined;
  if (lacking !== undefined && request.merchantId === undefined) {
    const share = shareOfPage(request.page.limit, cellsOf.deps.all.length);
    if (share < request.page.limit) return readByShares(run, { lacking, share }, request, cellsOf);
  }
  const { answers: outcomes, missing } = await askCells(cellsOf, (own): object | Promise<object> => run(request, own));
  return { outcomes, missing };
}

/**
 * Carries an operation out where it belongs: at home, in the cell of its merchant or of what it names, or in all cells at once, whose
 * outcomes become one.
 * A refusal of one cell is that of all. Of all cells, those that are away are left out and named.
 * Throws: Unavailable where the one cell is away, or all of them are, or one of them where `isWhole` says so.
 */
export async function runInCells<Deps>(
  operation: Pick<ManagementOperation<Deps>, 'cells' | 'run'>,
  request: ManagementRequest,
  cellsOf: CellsOf<Deps>,
): Promise<RanInCells<Deps>> {
  const { cells, run } = operation;
  const { deps } = cellsOf;
  const alone = async (cell: number): Promise<RanInCells<Deps>> => {
    const own = deps.of(cell);
    return { outcome: await run(request, own), deps: own, missing: [] };
  };
  if (deps.isAlone) return alone(HOME);
  const place = await placeOf(operation, request, cellsOf);
  if (typeof place === 'number') return alone(place);
  if (place !== 'all') return { outcome: place, deps: deps.home, missing: [] };
  const { merge, isWhole } = cells as InEveryCell<object>;
  if (isWhole) requireWhole(deps);
  const { outcomes, missing } = await runInAll(run, merge, request, cellsOf);
  if (isWhole && missing.length > 0) throw new Unavailable(`these cells gave no answer: ${missing.join(', ')}`);
  const refused = outcomes.find(isRefusal);
  return { outcome: refused ?? merge(outcomes, request), deps: deps.home, missing };
}

type Merged<Found> = { readonly found: Found };

/** Merges lists: each outcome has `found` in the order of `compare`, and one item more than the page where there are more. */
export const mergeFound = <Item extends object>(compare: (one: Item, other: Item) => number) =>
  ofShares(
    <Outcome extends Merged<readonly Item[]>>(outcomes: readonly Outcome[], { page }: Asked): Outcome => ({
      ...(outcomes[0] as Outcome),
      found: mergeSorted(
        outcomes.map(({ found }) => found),
        compare,
        page.limit + 1,
      ),
    }),
    (outcomes: readonly Merged<readonly Item[]>[], share, limit) =>
      withAllTaken(outcomes, ({ found }) => found, compare, limit).filter(({ found }) => found.length > share),
  );

/** Merges pages that may be short: each outcome has one as `found`. `most`: every page has so many items at most, whatever is asked for. */
export function mergeFoundPages<Item extends Place, Place extends object>(compare: (one: Place, other: Place) => number, most?: number) {
  const merge = <Outcome extends Merged<Page<Item, Place>>>(outcomes: readonly Outcome[], { page }: Asked): Outcome => ({
    ...(outcomes[0] as Outcome),
    found: mergePages(
      outcomes.map(({ found }) => found),
      compare,
      most ?? page.limit,
    ),
  });
  if (most !== undefined) return merge;
  // A page that is shorter than its share would be so again.
  return ofShares(merge, (outcomes: readonly Merged<Page<Item, Place>>[], share, limit) =>
    withAllTaken(outcomes, ({ found }) => found.items, compare, limit).filter(
      ({ found: { items, next } }) => next !== undefined && items.length >= share,
    ),
  );
}
