/**
 * The data to load. `sharedBy`: how many merchants have the orders, in turn; one where it is absent. `createdFrom`: an instant from which on
 * the orders were created, a hundred a second; all at once where it is absent.
 */
export type Sizes = {
  readonly orders: number;
  readonly cashouts: number;
  readonly cashoutsOfOne: number;
  readonly sharedBy?: number;
  readonly createdFrom?: string | undefined;
};

/** The merchants, all of Colombia: one has the orders, one has many cashouts, and the others have the cashouts between. */
export const MERCHANTS = { orders: 'bench-orders', cashouts: 'bench-cashouts', others: 'bench-other-', otherCount: 31 } as const;
/** The merchant that has the order of this number, where so many merchants share the orders. */
export const merchantOf = (order: number, sharedBy: number): string =>
  order % sharedBy === 0 ? MERCHANTS.orders : `${MERCHANTS.others}${(order % sharedBy) - 1}`;

export const TIME_ZONE = 'America/Bogota';
export const ORDER_EMAIL = 'payer@example.com';

/** A loaded database, and what a server and a client of it need to know. */
export type BenchDatabase = {
  readonly url: string;
  readonly sizes: Sizes;
  readonly masterKeyHex: string;
  /** The fixed hash of all merchants. */
  readonly fixedHash: string;
  /** The first day on which a loaded cashout was updated. */
  readonly firstDay: string;
};

/** SQL of a row with what a merchant's history says of an event beside its changes. Shape: SQL of its name, and of its time. */
export const eventOf = (event: string, at: string): string =>
  `(select ${event} as event, 'merchant' as actor, ${at} as changed_at, null::text as request_id)`;
