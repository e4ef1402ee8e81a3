import type { ItemOf } from '../../api/client.ts';

export type Schedule = ItemOf<'listSettlementSchedules'>;
export type Rule = ItemOf<'listSettlementRules'>;
export type Hold = ItemOf<'listHolds'>;

/** What every part of the page of a merchant's terms is about. */
export type TermsProps = { readonly merchant: string; readonly currencies: readonly string[]; readonly mayWrite: boolean };
