import type { BankAccount } from '../terms/schedule.ts';

/** A settlement as a bank is asked to pay it. */
export type BankPayment = {
  readonly settlementId: string;
  readonly merchantId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly account: BankAccount;
};

/** What a bank gets: payments in one currency, from one account. */
export type BankOrder = {
  readonly fileId: string;
  readonly at: Temporal.Instant;
  /** The day on which the bank is to pay. */
  readonly payOn: Temporal.PlainDate;
  readonly currency: string;
  readonly payer: BankAccount;
  readonly payments: readonly BankPayment[];
};

/** What a payment has that its file cannot hold. `settlementId` is null where the payer's own account is meant. */
export type UnfitValue = { readonly settlementId: string | null; readonly field: string; readonly fault: UnfitFault };

/** Why a value does not fit; values that a bank knows are never cut or changed. */
export type UnfitFault = 'empty' | 'too_long' | 'has_other_characters' | 'has_separator' | 'is_formula' | 'has_no_code';

export const sumOf = (payments: readonly BankPayment[]): bigint => payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
