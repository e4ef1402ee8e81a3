// What commands offer, and operations take. Help loads this file, and none that works.

export const PERIODS = ['daily', 'weekly', 'monthly', 'on_demand'] as const;

/** `deposit`: of low value, as those of wallets. */
export const ACCOUNT_TYPES = ['savings', 'checking', 'deposit'] as const;

/** No file of holidays is larger. */
export const MOST_FILE_CHARACTERS = 200_000;

/** What a line of a settlement takes, and what of. A reserve follows from the schedule, the others from rules. */
export const RULE_KINDS = ['fee', 'withholding', 'transfer_tax'] as const;
export const LINE_KINDS = [...RULE_KINDS, 'reserve'] as const;
export const LINE_BASES = ['payments', 'fees', 'collected', 'payout'] as const;
