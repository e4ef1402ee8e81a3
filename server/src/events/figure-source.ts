import type { Db, Statement, Tx } from '../kit/db.ts';

/** How often something happened to a merchant within an hour, of which money, and through whom. */
export type FigureRow = {
  readonly merchantId: string;
  /** The instant at which the hour begins. */
  readonly hour: Temporal.Instant;
  readonly event: string;
  /** Empty: of no currency. */
  readonly currency: string;
  /** Such as network:efectivo. Empty: nobody between. */
  readonly source: string;
  /** How long it took, as a place in a row of times. 0: it is not timed. */
  readonly step: number;
  readonly count: bigint;
  /** A text: sums have more digits than one amount. */
  readonly amountMinor: string;
  readonly seconds: string;
};

/** One event, as the list of changes names it. */
export type ReportedEvent = { readonly merchantId: string; readonly id: string; readonly version: number; readonly event: string };

/** What a room's own tables say of figures. */
export type FigureSource = {
  readonly events: readonly string[];
  /** Counts these events. */
  readonly count: (tx: Pick<Tx, 'query'>, events: readonly ReportedEvent[]) => Promise<readonly FigureRow[]>;
  /** Counts all that is stored of the hours from $1 on. Merchant by merchant, in the order of their ids. */
  readonly countAll: Statement;
  /** The first hour whose rows are all there, where rows are deleted; undefined: there is none. */
  readonly countableSince?: (db: Pick<Db, 'query'>) => Promise<Temporal.Instant | undefined>;
};
