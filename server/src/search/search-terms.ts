import type { CashoutState } from '../cashouts/index.ts';
import type { OrderState } from '../orders/index.ts';

/** Hits of one search at most, of orders and cashouts together. */
export const MOST_HITS = 50;
/** A shorter text is searched whole, and not as the beginning of others. */
export const LEAST_PREFIX = 3;
/** Fewer digits are not searched as the end of a reference: too many references have it. */
export const LEAST_ENDING = 4;

/** The states of what is found. A command reads them without the rooms; the type demands each. */
const STATES: Readonly<Record<OrderState | CashoutState, true>> = {
  pending: true,
  approved: true,
  expired: true,
  cancelled: true,
  voided: true,
  nullified: true,
};
export type FoundState = keyof typeof STATES;
export const FOUND_STATES = Object.keys(STATES) as readonly FoundState[];

/** True for a text that can be searched: 1 to 200 characters on one line. */
export const isSearchable = (text: string): boolean => /^\P{Cc}{1,200}$/u.test(text) && text.trim() !== '';
