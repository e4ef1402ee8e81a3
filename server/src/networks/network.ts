/** A collection network: takes cash for orders, hands out cash for cashouts. Holds the secrets that it signs with: never logged. */
export type Network = {
  readonly netname: string;
  readonly name: string;
  readonly isDisabled: boolean;
  /** Newest first; one, or two during a rotation. */
  readonly secrets: readonly { readonly secret: string; readonly expiresAt: Temporal.Instant | null }[];
};

/** It stands in paths, and in the names of the ledger's accounts. */
export const NETNAME_PATTERN = '^[a-z0-9_-]{1,30}$';

/** A name is shown to operators and payers: one line. */
export const NETWORK_NAME_PATTERN = '^[^\\p{Cc}]{1,100}$';
