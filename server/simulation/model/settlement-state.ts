import type { By } from './actors.ts';
import { otherEntry, type CollectedEntry, type Pair } from './collected.ts';
import type { SettlementLine } from './settlement-lines.ts';
import type { CellState } from './model.ts';

type SettlementState = 'draft' | 'approved' | 'sent' | 'paid' | 'returned' | 'cancelled';
export type ModelSettlement = {
  /** Null: nothing has shown it yet. */
  readonly id: string | null;
  readonly state: SettlementState;
  /** Keys of what it is made of. */
  readonly entries: readonly string[];
  readonly grossMinor: bigint;
  readonly netMinor: bigint;
  readonly lines: readonly SettlementLine[];
  readonly settledOn: string;
  readonly dueOn: string | null;
  readonly cutoffAt: number;
  readonly madeAt: number;
  readonly approvedAt: number | null;
  readonly sentAt: number | null;
  readonly paidAt: number | null;
  readonly bankReference: string | null;
  readonly returnedAt: number | null;
  readonly cancelledAt: number | null;
};

export type ModelHold = {
  /** Unique among the holds of the cell. */
  readonly reason: string;
  readonly id: string | null;
  readonly amountMinor: bigint;
  /** The place of the settlement that keeps it as a reserve. Null: it was placed by hand. */
  readonly reserveOf: number | null;
  readonly releaseOn: string | null;
  readonly heldAt: number;
  readonly releasedAt: number | null;
};

type ModelMove = { readonly reference: string; readonly amountMinor: bigint; readonly at: number };

/** What one merchant collects in one currency, and where it goes. */
export type SettlementCell = CellState & {
  /** In the order in which they were made. */
  readonly settlements: readonly ModelSettlement[];
  /** By reason. */
  readonly holds: readonly ModelHold[];
  /** By reference. */
  readonly moves: readonly ModelMove[];
  /** All days until this one were looked at by the job that makes drafts. */
  readonly lookedTo: string;
};

type OfSettlement = Pair & { readonly by: By; readonly settlement: string };
export type SettlementCommand =
  | ({ readonly do: 'run settlement'; readonly by: By; readonly until?: string | undefined } & Pair)
  | ({ readonly do: 'approve settlement' | 'cancel settlement' | 'send settlement' | 'return settlement' } & OfSettlement)
  | ({ readonly do: 'pay settlement'; readonly bankReference: string } & OfSettlement)
  | ({
      readonly do: 'place hold';
      readonly by: By;
      readonly amountMinor: bigint;
      readonly reason: string;
      readonly releaseOn?: string | undefined;
      readonly key?: string | undefined;
    } & Pair)
  | ({ readonly do: 'release hold'; readonly by: By; readonly hold: string } & Pair)
  | ({ readonly do: 'move to fund'; readonly by: By; readonly amountMinor: bigint; readonly reference: string } & Pair)
  | ({ readonly do: 'list settlements' | 'list holds'; readonly by: By } & Pair)
  /** Those of this instant and later. */
  | ({ readonly do: 'list moves to fund'; readonly by: By; readonly at: number } & Pair);

export const isSettlementCommand = (command: { readonly do: string }): command is SettlementCommand =>
  /settlement|hold|move to fund/.test(command.do);

/** What lines take, by who gets it. */
function takenBy(lines: readonly SettlementLine[]) {
  const sum = (of: (line: SettlementLine) => bigint): bigint => lines.reduce((all, line) => all + of(line), 0n);
  return {
    feeMinor: sum(({ kind, amountMinor }) => (kind === 'fee' ? amountMinor : 0n)),
    taxMinor: sum(({ taxMinor }) => taxMinor),
    withheldMinor: sum(({ kind, amountMinor }) => (kind === 'withholding' || kind === 'transfer_tax' ? amountMinor : 0n)),
    reserveMinor: sum(({ kind, amountMinor }) => (kind === 'reserve' ? amountMinor : 0n)),
  };
}

/** What comes back with a payout: its lines of the payout. */
const takenOfPayout = ({ lines }: ModelSettlement) => takenBy(lines.filter(({ base }) => base === 'payout'));

/** What the cell itself has posted on `collected`, but for what settlements take. */
export function ownEntries({ merchantId, currency }: Pair, { settlements, holds, moves }: SettlementCell): readonly CollectedEntry[] {
  const entry = (key: string, kind: string, at: number | null, amountMinor: bigint): readonly CollectedEntry[] =>
    at === null ? [] : [otherEntry({ key, merchantId, currency, kind, amountMinor, at }, amountMinor < 0n)];
  return [
    ...holds.flatMap(({ reason, reserveOf, amountMinor, heldAt, releasedAt }) => [
      ...(reserveOf === null ? entry(`hold/${reason}/placed`, 'hold_placed', heldAt, -amountMinor) : []),
      ...entry(`hold/${reason}/released`, 'hold_released', releasedAt, amountMinor),
    ]),
    ...moves.flatMap(({ reference, amountMinor, at }) => entry(`to-fund/${reference}`, 'moved_to_fund', at, -amountMinor)),
    ...settlements.flatMap((one, place) => {
      const { feeMinor, taxMinor, withheldMinor } = takenOfPayout(one);
      return entry(
        `settlement/${place}/returned`,
        'settlement_returned',
        one.returnedAt,
        one.netMinor + feeMinor + taxMinor + withheldMinor,
      );
    }),
  ];
}

/** What settlements have taken from `collected`. No settlement has these entries. */
export const approvalEntries = ({ merchantId, currency }: Pair, { settlements }: SettlementCell): readonly CollectedEntry[] =>
  settlements.flatMap(({ approvedAt: at, grossMinor }, place) =>
    at === null
      ? []
      : [
          otherEntry(
            { key: `settlement/${place}/approved`, merchantId, currency, kind: 'settlement_approved', amountMinor: -grossMinor, at },
            true,
          ),
        ],
  );

/** The balances of a cell. Positive: owed to the owner. */
export function moneyOfSettlements(pair: Pair, cell: SettlementCell): readonly (readonly [account: string, bigint])[] {
  return [
    ...ownEntries(pair, cell).map(({ amountMinor }) => ['collected', amountMinor] as const),
    ...approvalEntries(pair, cell).map(({ amountMinor }) => ['collected', amountMinor] as const),
    ...cell.holds.flatMap(({ amountMinor, releasedAt }) => (releasedAt === null ? [['held', amountMinor] as const] : [])),
    ...cell.moves.map(({ amountMinor }) => ['available', amountMinor] as const),
    ...cell.settlements.flatMap((one): (readonly [string, bigint])[] => {
      if (one.approvedAt === null) return [];
      const { feeMinor, taxMinor, withheldMinor } = takenBy(one.lines);
      const back = one.state === 'returned' ? takenOfPayout(one) : { feeMinor: 0n, taxMinor: 0n, withheldMinor: 0n };
      return [
        ['service:fees', feeMinor - back.feeMinor],
        ['service:tax', taxMinor - back.taxMinor],
        ['service:withheld', withheldMinor - back.withheldMinor],
        ...(one.state === 'returned' ? [] : [[one.state === 'paid' ? 'service:bank' : 'settlements', one.netMinor] as const]),
      ];
    }),
  ];
}
