import {
  registration,
  type RegisterDeps,
  type RegisteredCashout,
  type RegisterRefusal,
  type RegisterRequest,
  type RegisterWorld,
} from '../../cashouts/index.ts';
import type { Acted } from '../../kit/changes/act.ts';
import type { Change } from '../../kit/changes/engine.ts';
import { isRefusal, type Refusal } from '../../kit/outcome.ts';
import { withinLedger } from '../../ledger/index.ts';
import { runOnce, type Keyed, type SettledAnswer } from '../../requests/index.ts';
import { givingBack, type GivingBackCommand, type GivingBackWorld } from '../payments/give-back-payment.ts';
import type { NamedActor } from '../order-history.ts';
import type { Refund } from './refund-columns.ts';
import { decideGiveCashout, type DecidedRefund, type GiveCashoutRefusal } from './refund.ts';

/** The refund and its cashout. `event`: of the order. */
type GivenCashout = {
  readonly refund: DecidedRefund;
  readonly registered: RegisteredCashout;
  readonly event?: NonNullable<DecidedRefund['event']>;
};
type Outcome = GivenCashout | Refusal<GiveCashoutRefusal | RegisterRefusal>;
type Command = Acted & Keyed<Outcome> & { readonly giving: GivingBackCommand; readonly registering: RegisterRequest };
type World = { readonly giving: GivingBackWorld; readonly registering: RegisterWorld };

type GiveCashout = Acted &
  Keyed<Outcome> & {
    /** As it was read before. Of which payment it is, its amount and currency never change. */
    readonly refund: Refund;
    readonly registering: Omit<RegisterRequest, 'amountMinor' | 'currency' | 'refundId' | 'proof' | 'actor' | 'act'>;
    readonly actor: 'merchant' | NamedActor;
  };

/**
 * Registers a cashout with which the payer of an approved refund collects its money.
 * Shape: the refund; what a registration takes beside amount and currency, which are those of the refund, with an id of its own → both.
 * Refuses: as decideGiveCashout, then as a registration.
 * Effects: locks the order, the merchant's funds and the account of its reserve until commit. What is owed to the payer goes into reserve;
 * fee and tax of the cashout are of the fund. Writes all that a registration writes, and order.refund_cashout_registered.
 */
export function openGivingCashouts(deps: RegisterDeps): (command: GiveCashout) => Promise<Outcome | SettledAnswer | Refusal<'key_reused'>> {
  const give = deps.engine.batched(together(registration(deps)), { around: runOnce<Command, Outcome> });
  return async ({ refund: { merchantId, refundId, orderId, paymentNumber, amountMinor, currency }, registering, actor, act, once }) => {
    const by = { operationId: registering.operationId, actor, requestId: registering.requestId };
    const giving: GivingBackCommand = {
      merchantId,
      orderId,
      paymentNumber,
      refundId,
      takenFrom: 'collected',
      isTold: false,
      decide: ({ sameId, ...situation }) => decideGiveCashout(by, sameId, situation),
    };
    const whole: RegisterRequest = { ...registering, amountMinor, currency, refundId, proof: undefined, actor };
    return withinLedger(give({ giving, registering: whole, act, ...(once && { once }) }));
  };
}

const REFUND = givingBack({ isCovered: false });

/** Both changes in one transaction. Neither waits for a row; the refund posts nothing, so that the accounts are locked in one order. */
const together = (
  cashout: ReturnType<typeof registration>,
): Change<Command, World, GivenCashout, Refusal<GiveCashoutRefusal | RegisterRefusal>> => ({
  keysOf: ({ giving, registering }) => [...new Set([...REFUND.keysOf(giving), ...cashout.keysOf(registering)])],
  ownerOf: ({ giving }) => giving.merchantId,
  load: async (tx, commands, hold) => {
    const [giving, registering] = await Promise.all([
      REFUND.load(
        tx,
        commands.map((one) => one.giving),
        hold,
      ),
      cashout.load(
        tx,
        commands.map((one) => one.registering),
        hold,
      ),
    ]);
    return { giving, registering };
  },
  loadAsOf: async (tx, world, commands, now) =>
    cashout.loadAsOf?.(
      tx,
      world.registering,
      commands.map((one) => one.registering),
      now,
    ),
  decide: (world, { giving, registering }, moment) => {
    const refund = REFUND.decide(world.giving, giving, moment) as DecidedRefund | Refusal<GiveCashoutRefusal>;
    if (isRefusal(refund)) return refund;
    const registered = cashout.decide(world.registering, registering, moment);
    return isRefusal(registered) ? registered : { refund, registered, ...(refund.event && { event: refund.event }) };
  },
  note: (world, { command: { giving, registering }, outcome: { refund, registered, event } }, moment) => {
    REFUND.note(world.giving, { command: giving, outcome: { ...refund, event } }, moment);
    cashout.note(world.registering, { command: registering, outcome: registered }, moment);
  },
  save: async (tx, world, changes, now) => {
    const refunds = changes.map(({ command, outcome: { refund, event } }) => ({ command: command.giving, outcome: { ...refund, event } }));
    const cashouts = changes.map(({ command, outcome }) => ({ command: command.registering, outcome: outcome.registered }));
    await REFUND.save(tx, world.giving, refunds, now);
    await cashout.save(tx, world.registering, cashouts, now);
  },
});
