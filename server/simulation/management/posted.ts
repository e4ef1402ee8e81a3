/** An amount for a merchant's account. Below zero it is taken. */
export type Amount = { readonly merchantId: string; readonly currency: string; readonly amountMinor: bigint };

/** What the office posted to the ledger, and may ask for again. */
export type Posted = {
  readonly moves: (Amount & { readonly reference: string })[];
  /** By merchant and currency. */
  readonly rules: Map<string, Omit<Amount, 'amountMinor'> & { readonly lowMinor: bigint; readonly targetMinor: bigint | null }>;
  readonly topUps: (Amount & { readonly reference: string })[];
  readonly adjustments: (Amount & {
    readonly account: string;
    readonly reason: string;
    readonly key: string;
    readonly at: number;
    /** A key belongs to who sent it: a token that is made again is another. */
    readonly actorId: string;
    readonly transaction: string;
  })[];
};
