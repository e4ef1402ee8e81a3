import type { Refusal } from '../../kit/outcome.ts';
import { decideNullify, type Decided, type NullifyCashout } from '../cashout-changes.ts';
import { changeCashouts } from '../change-cashouts.ts';
import type { CashoutDeps } from '../index.ts';

export type NullifyRefusal = Extract<ReturnType<typeof decideNullify>, Refusal>['refusal'];

/**
 * Nullifies a pending cashout at an operator's decision.
 * Refuses: cashout_not_registered, cashout_not_pending, cashout_locked — the first that applies.
 * Effects: the money goes back to the merchant's fund; counts move, cashout.nullified is recorded with its reason. No notice is sent.
 * Source: contract §4.6.
 */
export async function nullifyCashout(
  deps: Pick<CashoutDeps, 'db' | 'clock'>,
  command: NullifyCashout,
): Promise<Decided | Refusal<NullifyRefusal>> {
  const [decided] = await changeCashouts(deps, [command], decideNullify);
  return decided as Decided | Refusal<NullifyRefusal>;
}
