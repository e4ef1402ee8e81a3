import { Unavailable } from './outcome.ts';

/** The number of the first cell: the database that a service starts with, which also holds what all cells share. */
export const HOME = 0;

/** Its name. No other cell may be called so. */
export const HOME_NAME = 'home';

/** What commands say of a name that no cell has. */
export const noSuchCell = (name: string): string => `There is no cell ${name}: ./caudal cells list shows them.`;

/** Cells have the numbers 0 to 255. */
export const MOST_CELLS = 256;

/** Ids that the database draws hold the number of their cell above this bit. Those of home are small numbers. */
const CELL_BIT = 40n;

/** The first id that a cell draws. */
export const firstIdOf = (cell: number): bigint => (BigInt(cell) << CELL_BIT) + 1n;

/** Ids are below this one. A Citus cluster puts the number of its node above that of the cell, from 1 to 31. */
const ID_END = 1n << 53n;

/** The cell whose database drew an id. Home where the id is too large for any: home will not find it either. */
export const cellOfId = (id: bigint): number => (id < ID_END ? Number((id >> CELL_BIT) & BigInt(MOST_CELLS - 1)) : HOME);

/** The cell of an id as a caller sends it, in digits. */
export const cellOfNumber = (digits: string): number => cellOfId(BigInt(digits));

/** One part of every cell that this process serves: a database, a directory, what a room's operations depend on. */
export type PerCell<Part> = {
  readonly home: Part;
  /** Throws: Unavailable for a cell that this process does not serve. */
  of(cell: number): Part;
  /** Whether this process serves the cell. */
  has(cell: number): boolean;
  /** Whether the service has no other cell: not in this process, and not in another one. Then nobody asks which. */
  readonly isAlone: boolean;
  /**
   * False where the service has cells that this process does not serve: what it makes of all its cells lacks theirs.
   */
  readonly isWhole: () => boolean;
  /** The cells that did not answer the last time that all were read. What is made of all cells has one such list. */
  readonly late: Set<number>;
  /** Home first, then by their numbers. */
  readonly all: readonly (readonly [cell: number, part: Part])[];
};

/** Shape: parts by the numbers of their cells, home among them; whether the service has no cell beside these, now. */
export function perCell<Part>(
  parts: ReadonlyMap<number, Part>,
  isWhole = (): boolean => true,
  late: Set<number> = new Set(),
): PerCell<Part> {
  const all = [...parts].sort(([one], [other]) => one - other);
  const [first] = all;
  if (first?.[0] !== HOME) throw new Error('home is missing among the cells');
  // An array: each request looks here.
  const byNumber: (Part | undefined)[] = Array.from({ length: MOST_CELLS }, (_, cell) => parts.get(cell));
  return {
    home: first[1],
    get isAlone() {
      return all.length === 1 && isWhole();
    },
    isWhole,
    late,
    all,
    has: (cell) => byNumber[cell] !== undefined,
    of: (cell) => {
      const part = byNumber[cell];
      if (part === undefined) throw new Unavailable(`cell ${cell} is not served here`);
      return part;
    },
  };
}

/** The parts of a service that has no other cell. */
export const homeAlone = <Part>(part: Part): PerCell<Part> => perCell(new Map([[HOME, part]]));

/** Makes one part of each cell out of another one. */
export const mapCells = <Part, Made>({ all, isWhole, late }: PerCell<Part>, make: (part: Part, cell: number) => Made): PerCell<Made> =>
  perCell(new Map(all.map(([cell, part]) => [cell, make(part, cell)])), isWhole, late);

/** Throws: Unavailable where a cell is not served here. For what must not lack any. */
export function requireWhole({ isWhole }: PerCell<unknown>): void {
  if (!isWhole()) throw new Unavailable('a cell is not served here');
}

/** The same of every cell in one list: the jobs of all. */
export const ofAllCells = <Part, Item>({ all }: PerCell<Part>, itemsOf: (part: Part) => readonly Item[]): readonly Item[] =>
  all.flatMap(([, part]) => itemsOf(part));
