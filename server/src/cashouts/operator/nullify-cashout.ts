import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { openEngine, type Engine } from '../../kit/changes/engine.ts';
import type { Refusal } from '../../kit/outcome.ts';
import { decideNullify, type Decided, type NullifyCashout } from '../cashout-changes.ts';
import { changeOfCashouts } from '../change-cashouts.ts';

export type NullifyRefusal = Extract<ReturnType<typeof decideNullify>, Refusal>['refusal'];

/**
 * Nullifies a pending cashout at an operator's decision.
 * Refuses: cashout_not_registered, cashout_not_pending, cashout_locked — the first that applies.
 * Effects: the money goes back to the merchant's fund; counts move, cashout.nullified is recorded with its reason. No notice is sent.
 * Source: contract §4.6.
 */
export function nullifyCashout(
  deps: { readonly db: Db; readonly clock: Clock },
  command: NullifyCashout,
): Promise<Decided | Refusal<NullifyRefusal>> {
  return createNullify({ engine: openEngine(deps) })(command);
}

/** The same beside a running server, whose engine carries it out. */
export const createNullify = ({ engine }: { readonly engine: Engine }) => engine.alone(changeOfCashouts(decideNullify));
