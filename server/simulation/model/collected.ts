/** What was posted on a merchant's account `collected`. Amounts in minor units. */
export type CollectedEntry = {
  /** What posted it; unique for a merchant. */
  readonly key: string;
  readonly merchantId: string;
  readonly currency: string;
  /** As the ledger names it. */
  readonly kind: string;
  readonly amountMinor: bigint;
  readonly at: number;
  /** Of a payment, or of one that is given back: who took it. */
  readonly source: string | null;
  /** What the payer paid, or got back; zero: it is of no payment. */
  readonly paymentsMinor: bigint;
  /** The service's fee on that. */
  readonly feesMinor: bigint;
  /** It may take only what is there: a refund, a hold, a move, an approval. */
  readonly isCovered: boolean;
};

export type Pair = { readonly merchantId: string; readonly currency: string };
export const pairOf = ({ merchantId, currency }: Pair): string => `${merchantId} ${currency}`;

/** An entry that is of no payment. */
export const otherEntry = (
  entry: Pick<CollectedEntry, 'key' | 'merchantId' | 'currency' | 'kind' | 'amountMinor' | 'at'>,
  isCovered = false,
): CollectedEntry => ({ ...entry, source: null, paymentsMinor: 0n, feesMinor: 0n, isCovered });
