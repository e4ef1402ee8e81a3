import { describe, expect, test } from 'vitest';
import { latestFirst } from '../kit/lists/merges.ts';
import { pageOf } from '../kit/lists/walks.ts';
import { Unavailable } from '../kit/outcome.ts';
import { perCell } from '../kit/per-cell.ts';
import * as fc from '../testing/fast-check.ts';
import { managementOperation, type ManagementOperation, type ManagementRequest, type PagePosition } from './management-operation.ts';
import { mergeFound, mergeFoundPages, runInCells, type CellsOf } from './run-in-cells.ts';

// A list of several cells is that of one that has all their rows, however unevenly they have them.

type Place = { readonly at: Temporal.Instant; readonly id: number };
/** One cell: what it has in the order of the list, and the limits of the pages that it was asked for. */
type Cell = { readonly rows: readonly Place[]; readonly asked: number[]; answers: number };

const newestFirst = (one: Place, other: Place): number => latestFirst(one.at, other.at) || other.id - one.id;
const positionOf = ({ at, id }: Place): PagePosition => [at.toString(), String(id)];
const placeOf = ([at, id]: PagePosition): Place => ({ at: Temporal.Instant.from(at as string), id: Number(id) });
const show = ({ id }: Place): object => ({ id });
const declared = { tag: 'Things', summary: 'List things', permission: 'orders:read', scope: 'merchant' } as const;

/** What a cell has after the place. Throws where the cell is away. */
function rowsOf({ page: { after, limit } }: Pick<ManagementRequest, 'page'>, cell: Cell): readonly Place[] {
  if (cell.answers-- <= 0) throw new Unavailable('the cell is away');
  cell.asked.push(limit);
  return after === undefined ? cell.rows : cell.rows.filter((row) => newestFirst(row, placeOf(after)) > 0);
}

const whole = managementOperation({
  ...declared,
  name: 'listThings',
  route: 'GET /manage/v1/things',
  run: (request, cell: Cell) => ({ found: rowsOf(request, cell).slice(0, request.page.limit + 1) }),
  cells: { merge: mergeFound(newestFirst) },
  page: ({ found }, { page: { limit } }) => ({
    items: found.slice(0, limit).map(show),
    next: found.length > limit ? positionOf(found[limit - 1] as Place) : undefined,
  }),
});

/** A walk reads so many rows of a cell at most. Every third one passes its filter. */
const MOST = 30;
const fits = ({ id }: Place): boolean => id % 3 === 0;
const walked = managementOperation({
  ...declared,
  name: 'listFewThings',
  route: 'GET /manage/v1/few-things',
  run: (request, cell: Cell) => {
    const { limit } = request.page;
    const read = rowsOf(request, cell)
      .slice(0, MOST)
      .map((row, index) => ({ ...row, fits: fits(row), stops: index === MOST - 1 }));
    return { found: pageOf(read.filter((row) => row.fits || row.stops).slice(0, limit + 1), limit, ({ at, id }): Place => ({ at, id })) };
  },
  cells: { merge: mergeFoundPages(newestFirst) },
  page: ({ found: { items, next } }) => ({ items: items.map(show), next: next && positionOf(next) }),
});

const START = Temporal.Instant.from('2026-11-21T15:00:00Z');
/** Shape: of each cell the seconds of its rows. Ids are unique among all cells, as those of the service are. */
const cellsWith = (seconds: readonly (readonly number[])[]): readonly Cell[] =>
  seconds.map((own, cell) => ({
    rows: own.map((second, index) => ({ at: START.add({ seconds: second }), id: index * seconds.length + cell })).toSorted(newestFirst),
    asked: [],
    answers: Number.POSITIVE_INFINITY,
  }));

const known = (cells: readonly Cell[]): CellsOf<Cell> => ({
  deps: perCell(new Map(cells.map((cell, number) => [number, cell]))),
  cellOf: async () => 1,
  exists: async () => true,
  nameOf: (cell) => `cell-${cell}`,
  unserved: () => [],
});

async function readPage(list: ManagementOperation<Cell>, cells: readonly Cell[], limit: number, after?: PagePosition) {
  const request = { page: { after, limit }, merchantId: undefined } as ManagementRequest;
  const { outcome, missing } = await runInCells(list, request, known(cells));
  const { items, next } = list.page!(outcome, request) as { items: readonly { id: number }[]; next: PagePosition | undefined };
  expect(items.length).toBeLessThanOrEqual(limit);
  return { ids: items.map(({ id }) => id), next, missing };
}

async function walk(list: ManagementOperation<Cell>, cells: readonly Cell[], limit: number): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let after: PagePosition | undefined; ;) {
    const page = await readPage(list, cells, limit, after);
    ids.push(...page.ids);
    if (page.next === undefined) return ids;
    after = page.next;
  }
}

/** Few instants, so that rows of several cells are of one instant; and each cell has a time of its own, so that some have all that is new. */
const secondsOfCell = fc
  .tuple(fc.array(fc.nat(25), { maxLength: 90 }), fc.constantFrom(0, 0, 0, 13, 60))
  .map(([seconds, offset]) => seconds.map((second) => second + offset));
const several = fc.array(secondsOfCell, { minLength: 2, maxLength: 5 });

describe.each([
  ['whole pages', whole, () => true],
  ['pages that may be short', walked, fits],
] as const)('a list of several cells, by %s', (_, list, isListed) => {
  test('has each row once, in the order of the list, wherever the share of a cell ends', async () => {
    await fc.assert(
      fc.asyncProperty(several, fc.integer({ min: 1, max: 60 }), async (seconds, limit) => {
        const cells = cellsWith(seconds);
        const all = cells
          .flatMap(({ rows }) => rows)
          .filter(isListed)
          .toSorted(newestFirst);
        expect(await walk(list, cells, limit)).toEqual(all.map(({ id }) => id));
      }),
    );
  });

  test('is full as long as rows follow, where one cell has all that are new', async () => {
    const cells = cellsWith([0, 0, 0, 1_000].map((offset) => Array.from({ length: 29 }, (_row, second) => offset + second)));
    const { ids } = await readPage(list, cells, 9);
    const newest = (cells[3] as Cell).rows.filter(isListed).slice(0, 9);
    expect(ids).toEqual(newest.map(({ id }) => id));
  });
});

const EVENLY = Array.from({ length: 4 }, (_, cell) => Array.from({ length: 100 }, (_row, second) => 4 * second + cell));
const lastIsNewest = EVENLY.map((seconds, cell) => seconds.map((second) => (cell === 3 ? 1_000 + second : second)));
const askedOf = (cells: readonly Cell[]): readonly (readonly number[])[] => cells.map(({ asked }) => asked);

test('each cell reads its share of a page, and once more the whole page where that shows more of it', async () => {
  const even = cellsWith(EVENLY);
  await readPage(whole, even, 50);
  expect(askedOf(even)).toEqual([[20], [20], [20], [20]]);
  const uneven = cellsWith(lastIsNewest);
  await readPage(whole, uneven, 50);
  expect(askedOf(uneven)).toEqual([[20], [20], [20], [20, 50]]);
  const little = cellsWith(lastIsNewest);
  await readPage(walked, little, 2);
  expect(askedOf(little)).toEqual([[2], [2], [2], [2]]);
});

test('a cell that goes away between its share and the whole page is left out, and named', async () => {
  const cells = cellsWith(lastIsNewest);
  (cells[3] as Cell).answers = 1;
  (cells[1] as Cell).answers = 0;
  const { ids, missing } = await readPage(whole, cells, 50);
  const others = [0, 2].flatMap((cell) => cells[cell]?.rows ?? []).toSorted(newestFirst);
  expect(ids).toEqual(others.slice(0, 50).map(({ id }) => id));
  expect(missing).toEqual(['cell-1', 'cell-3']);
});
