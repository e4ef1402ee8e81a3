import type { Config } from '../config.ts';

/** The service's own keys. */
export const SERVICE_KEYS = ['checkout-token', 'list-cursor', 'one-time-password', 'kept-answers', 'messages', 'audit-log'] as const;

export type ServiceKeyName = (typeof SERVICE_KEYS)[number];

/**
 * How many days an earlier generation is valid after a rotation. `isChosen`: an operator may choose other days. A key that only seals
 * has to open its values as long as they are kept. Ending it earlier would protect nothing: who has it opens them without the service.
 */
type Overlap = { readonly days: number; readonly isChosen: boolean };

/** Rows that the job has not deleted yet still open. */
const SPARE_DAYS = 60;
/** Contract §7.3. */
const KEPT_ANSWERS_DAYS = 30;
/** Longer than any cashout waits for its money. */
const LONGEST_DAYS = 400;

/** Longer than a checkpoint of the audit log is compared with the chain. */
const SIGNED_DAYS = 3660;

export function overlapOf(name: ServiceKeyName, { keptDays }: Pick<Config, 'keptDays'>): Overlap {
  switch (name) {
    case 'checkout-token':
    case 'one-time-password':
      return { days: LONGEST_DAYS, isChosen: true };
    case 'list-cursor':
      return { days: 7, isChosen: true };
    case 'kept-answers':
      return { days: KEPT_ANSWERS_DAYS + SPARE_DAYS, isChosen: false };
    case 'audit-log':
      return { days: SIGNED_DAYS, isChosen: false };
    case 'messages':
      return { days: keptDays.messages + SPARE_DAYS, isChosen: false };
  }
}
