import type { Acted } from '../kit/changes/act.ts';
import type { Refusal } from '../kit/outcome.ts';
import { withinLedger } from '../ledger/index.ts';
import { decideCancelCashout, type CancelCashout, type DecidedCashout } from './cashout-changes.ts';
import { changeOfCashouts } from './change-cashouts.ts';
import type { CashoutDeps } from './cashout-deps.ts';

export type CancelCashoutRefusal = Extract<ReturnType<typeof decideCancelCashout>, Refusal>['refusal'];

/**
 * Cancels a pending cashout; cancelling a cancelled one is success again.
 * Refuses: cashout_not_registered, cashout_not_pending, cashout_locked — the first that applies.
 * Effects: locks the cashouts of a batch until commit; their money goes back to the merchant's fund, their
 * counts move, cashout.cancelled is recorded. No notice is sent.
 * Source: contract §4.3.
 */
export function createCancel({
  engine,
}: Pick<CashoutDeps, 'engine'>): (command: CancelCashout & Acted) => Promise<DecidedCashout | Refusal<CancelCashoutRefusal>> {
  const cancel = engine.batched(changeOfCashouts(decideCancelCashout));
  return (command) => withinLedger(cancel(command));
}
