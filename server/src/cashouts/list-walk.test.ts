import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bruteForce,
  cashoutStock,
  dayIn,
  listCalls,
  operationsOf,
  type ListAnswer,
  type StockedCashout,
} from '../testing/cashout-stock.ts';
import * as fc from '../testing/fast-check.ts';
import { startTestCaudal, type TestCaudal } from '../testing/test-caudal.ts';
import { CASHOUT_STATES, type CashoutState } from './cashout.ts';
import { CASHOUT_STATE_NAMES } from './cashout.wire.ts';

const NOW = Temporal.Instant.from('2026-09-08T03:30:00Z');

let service: TestCaudal;
beforeAll(async () => void (service = await startTestCaudal({ now: NOW.toString() })));
afterAll(() => service.close());

/** Bogota, and Santiago, whose clocks went forward two days before. */
const COUNTRIES = [
  { country: '343', zone: 'America/Bogota' },
  { country: '152', zone: 'America/Santiago' },
] as const;

const anyState = fc.constantFrom(...CASHOUT_STATES);
/** Mostly of the last days, some of the last four months: whole months are counted in another way than days. */
const anyHoursAgo = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3000 }) },
);
/** Many at the same instants, on few days: ties and full days are what a page breaks at. */
const anyCashouts = fc
  .array(fc.record({ state: anyState, document: fc.constantFrom('1', '2', '3'), hoursAgo: anyHoursAgo }), {
    maxLength: 120,
    size: 'max',
  })
  .map((made) =>
    made.map(({ state, document, hoursAgo }, index): StockedCashout => ({
      operationId: `W-${index}`,
      cashoutId: BigInt((index * 37) % 127),
      state,
      document,
      updatedAt: NOW.subtract({ hours: hoursAgo }),
    })),
  );
const anyStates: fc.Arbitrary<readonly CashoutState[]> = fc.oneof(
  fc.constant(CASHOUT_STATES),
  fc.subarray([...CASHOUT_STATES], { minLength: 1 }),
);
const anyCase = fc.record({
  place: fc.constantFrom(...COUNTRIES),
  cashouts: anyCashouts,
  states: anyStates,
  document: fc.constantFrom(undefined, undefined, undefined, '1', '2'),
  days: fc.tuple(fc.constantFrom(0, 1, 2, 9, 38, 99, 130), fc.constantFrom(0, 0, 0, 1, 8)),
  limit: fc.integer({ min: 10, max: 16 }),
});
type Case = typeof anyCase extends fc.Arbitrary<infer Value> ? Value : never;

/** A change between two pages: a new cashout, or an existing one with a new state. `which`: its place in the list. */
const anyChange = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), state: anyState, document: fc.constantFrom('1', '2') }),
  fc.record({ kind: fc.constant('change' as const), which: fc.nat(), state: anyState }),
);

async function prepare({ place, cashouts, states, document, days, limit }: Case) {
  const merchant = await service.merchant({ country: place.country });
  const stock = cashoutStock(service, merchant, place.zone);
  await stock.add(cashouts);
  const today = dayIn(place.zone, NOW);
  const end = today.subtract({ days: days[1] });
  const start = end.subtract({ days: days[0] });
  const filter = { start, end, states, ...(document === undefined ? {} : { document }) };
  const parameters = {
    start: start.toString().replaceAll('-', ''),
    end: end.toString().replaceAll('-', ''),
    status: states.map((state) => CASHOUT_STATE_NAMES[state]).join(','),
    document,
    limit,
  };
  return { calls: listCalls(service, merchant), stock, filter, parameters };
}

const pageOf = (link: string): number => Number(new URLSearchParams(link.split('?')[1]).get('page'));

/** Follows one kind of link until there is none, doing something before each page but the first. */
async function walk(
  first: ListAnswer,
  by: 'next' | 'previous',
  follow: (url: string) => Promise<ListAnswer>,
  between: () => Promise<void>,
): Promise<ListAnswer[]> {
  const pages = [first];
  while (pages.at(-1)![by] !== '') {
    await between();
    pages.push(await follow(pages.at(-1)![by]));
    if (pages.length > 100) throw new Error('the walk does not end');
  }
  return pages;
}

/** A failure must be reported before the test's time is over, also when it is not the smallest one. */
const RUNS = { numRuns: 40, interruptAfterTimeLimit: 12_000 };

const nothing = async (): Promise<void> => {};

describe('a walk', () => {
  test('shows, page by page, what sorting and filtering everything gives, in either direction', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async (given) => {
        const { calls, filter, parameters } = await prepare(given);
        const expected = bruteForce(given.cashouts, filter, given.place.zone);
        const first = await calls.list(parameters);
        const forward = await walk(first, 'next', calls.follow, nothing);
        expect(forward.flatMap(operationsOf)).toEqual(expected);
        for (const page of forward.slice(0, -1)) expect(page.data).toHaveLength(given.limit);
        const pages = Math.ceil(expected.length / given.limit);
        expect(forward).toHaveLength(Math.max(pages, 1));
        for (const page of forward) expect(page.end === '' ? 0 : pageOf(page.end)).toBe(pages);
        if (expected.length === 0) return;
        const backward = await walk(await calls.follow(first.end), 'previous', calls.follow, nothing);
        expect(backward.toReversed()).toEqual(forward.map((page) => expect.objectContaining({ data: page.data })));
        expect(operationsOf(await calls.follow(backward[0]!.first))).toEqual(operationsOf(first));
      }),
      { ...RUNS, numRuns: 60 },
    );
  });

  test('meets every page by its number alone, and nothing beyond', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async (given) => {
        const { calls, filter, parameters } = await prepare(given);
        const expected = bruteForce(given.cashouts, filter, given.place.zone);
        for (let page = 1; page <= Math.ceil(expected.length / given.limit) + 1; page++) {
          const shown = await calls.list({ ...parameters, page });
          const from = (page - 1) * given.limit;
          expect(operationsOf(shown)).toEqual(expected.slice(from, from + given.limit));
          expect({ hasPrevious: shown.previous !== '', hasNext: shown.next !== '' }).toEqual({
            hasPrevious: page > 1 && expected.length > 0,
            hasNext: from + given.limit < expected.length,
          });
        }
      }),
      RUNS,
    );
  });

  test.each(['next', 'previous'] as const)(
    'by %s shows each cashout that does not change exactly once, whatever else changes, and counts what there is',
    async (by) => {
      await fc.assert(
        fc.asyncProperty(
          anyCase,
          fc.array(fc.array(anyChange, { maxLength: 12 }), { minLength: 1, maxLength: 12 }),
          async (given, changes) => {
            const { calls, stock, filter, parameters } = await prepare(given);
            const books = [...given.cashouts];
            const changed = new Set<string>();
            const rounds = changes.values();
            let updatedAt = NOW;
            const disturb = async (): Promise<void> => {
              for (const change of rounds.next().value ?? []) {
                updatedAt = updatedAt.add({ milliseconds: 250 });
                if (change.kind === 'add') {
                  const added = {
                    operationId: `N-${books.length}`,
                    cashoutId: BigInt(1000 + books.length),
                    state: change.state,
                    document: change.document,
                    updatedAt,
                  };
                  books.push(added);
                  changed.add(added.operationId);
                  await stock.add([added]);
                } else if (books.length > 0) {
                  const which = change.which % books.length;
                  const after = { ...books[which]!, state: change.state, updatedAt };
                  changed.add(after.operationId);
                  await stock.change(books[which]!, after);
                  books[which] = after;
                }
              }
            };
            const first = await calls.list(parameters);
            const start = by === 'next' || first.end === '' ? first : await calls.follow(first.end);
            const pages = await walk(start, by, calls.follow, async () => {
              await disturb();
              const count = bruteForce(books, filter, given.place.zone).length;
              const now = await calls.list({ ...parameters, page: 2 });
              expect(now.end === '' ? 0 : pageOf(now.end)).toBe(Math.ceil(count / given.limit));
            });
            const shown = pages.flatMap(operationsOf);
            const unchanged = bruteForce(given.cashouts, filter, given.place.zone).filter((operation) => !changed.has(operation));
            const inOrder = by === 'next' ? shown : pages.toReversed().flatMap(operationsOf);
            expect(inOrder.filter((operation) => !changed.has(operation))).toEqual(unchanged);
            if (by === 'next') expect(new Set(shown).size).toBe(shown.length);
          },
        ),
        RUNS,
      );
    },
  );
});
