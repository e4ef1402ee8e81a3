/** How requests and answers look where services of the family differ. It is decided once, at the start: docs/dialect.md. */
export type Dialect = {
  /** Two capital letters in front of our order id's key. Each of several has the same text (contract §1). */
  readonly servicePrefixes: readonly string[];
  /** Whether the address of the checkout page has its scheme in answers. People always get it. */
  readonly checkoutAddress: 'absolute' | 'without-scheme';
  /** Whether the page at `/` shows an order where the address has a token. */
  readonly hasCheckoutAtRoot: boolean;
  /** How `expire` and `update` of a listed cashout are printed (contract §4.1). */
  readonly listedDateForm: 'YYYYMMDD' | 'DDMMYYYY';
  /** Digits of a one-time password whose request names no length. */
  readonly passwordDigits: number;
  /** What `expire` of a cashout means: the last day on which it can be collected, or the day after it. */
  readonly cashoutExpire: 'last-day' | 'day-after';
  /** How balance, movements, registration and cancellation are answered (contract §4.3). */
  readonly cashoutAnswers: 'contract' | 'family';
  /** Whether the two operations of a shop plugin are served. Its checksum covers neither country nor currency. */
  readonly servesShopPlugin: boolean;
  /** An amount with more decimals than its currency has: refused, or rounded half up to the currency. */
  readonly amountDecimals: 'exact' | 'rounded';
  /**
   * Days beyond the thirty of contract §3.1 and §3.2. A client in wide use creates with "one month", which may be 31 days. In UTC it is up
   * to 32 days of Bogotá.
   */
  readonly expirationAllowanceDays: { readonly onCreate: number; readonly onUpdate: number };
  /** Whether orders of a merchant may have no e-mail address where the merchant was never set. */
  readonly allowsEmptyEmails: boolean;
  /** How notices write an amount, and a payment that did not come (contract §3.6, §4.5). */
  readonly noticeBodies: 'contract' | 'family';
};

/** The contract, as docs/contract.md has it. */
export const CONTRACT_DIALECT: Dialect = {
  servicePrefixes: ['SV'],
  checkoutAddress: 'absolute',
  hasCheckoutAtRoot: false,
  listedDateForm: 'YYYYMMDD',
  passwordDigits: 6,
  cashoutExpire: 'last-day',
  cashoutAnswers: 'contract',
  servesShopPlugin: false,
  amountDecimals: 'exact',
  allowsEmptyEmails: false,
  expirationAllowanceDays: { onCreate: 1, onUpdate: 0 },
  noticeBodies: 'contract',
};

/** What clients expect that were written for another service of the family. */
export const FAMILY_DIALECT: Dialect = {
  servicePrefixes: ['PV'],
  checkoutAddress: 'without-scheme',
  hasCheckoutAtRoot: true,
  listedDateForm: 'DDMMYYYY',
  passwordDigits: 4,
  cashoutExpire: 'day-after',
  cashoutAnswers: 'family',
  servesShopPlugin: true,
  amountDecimals: 'rounded',
  allowsEmptyEmails: true,
  expirationAllowanceDays: { onCreate: 2, onUpdate: 2 },
  noticeBodies: 'family',
};

/** A member of an answer under the key of each service prefix. */
export const underPrefixes = <Value>(
  { servicePrefixes }: Pick<Dialect, 'servicePrefixes'>,
  key: string,
  value: Value,
): Record<string, Value> => Object.fromEntries(servicePrefixes.map((prefix) => [prefix + key, value]));
