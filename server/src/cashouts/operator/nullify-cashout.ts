import type { Engine } from '../../kit/changes/engine.ts';
import { decideNullify } from '../cashout-changes.ts';
import { changeOfCashouts } from '../change-cashouts.ts';

/**
 * Nullifies a pending cashout at an operator's decision.
 * Refuses: cashout_not_registered, cashout_not_pending, cashout_locked — the first that applies.
 * Effects: the money goes back to the merchant's fund; counts move, cashout.nullified is recorded with its reason. No notice is sent.
 * Source: contract §4.6.
 */
export const createNullify = ({ engine }: { readonly engine: Engine }) => engine.alone(changeOfCashouts(decideNullify));
