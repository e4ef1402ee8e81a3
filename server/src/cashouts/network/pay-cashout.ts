import type { TransactionClaim } from '../../kit/changes/transaction-claims.ts';
import type { Acted } from '../../kit/changes/act.ts';
import { ClaimLost, withClaim } from '../../kit/changes/retry.ts';
import { statement } from '../../kit/db.ts';
import type { Change } from '../../kit/changes/engine.ts';
import { isRefusal, type Refusal } from '../../kit/outcome.ts';
import { changedRows } from '../../kit/changes/table.ts';
import { withinLedger } from '../../ledger/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import type { CashoutDeps } from '../cashout-deps.ts';
import { besideOfPayment } from '../cashout-history.ts';
import { SELECT_CASHOUT, type CashoutRow } from '../cashout-rows.ts';
import type { Cashout, CashoutKey } from '../cashout.ts';
import { cashoutRows, lockCashouts, saveCashouts } from '../change-cashouts.ts';
import { decideCollect, type DecidedPayment, type PayCashout, type Collection, type CollectRefusal } from './collection.ts';
import { insertCollections, paymentName, readCollections } from './payment-rows.ts';
import type { CollectionClaims } from './transaction-claims.ts';

/** Only a cashout that a network has found can be paid. */
const FIND = statement(
  'cashouts.find_found',
  `select merchant_id as "merchantId", operation_id as "operationId" from cashouts where cashout_id = $1 and locked_by is not null`,
);

const FIND_WHOLE = statement('cashouts.find_to_pay', `select ${SELECT_CASHOUT} from cashouts where merchant_id = $1 and operation_id = $2`);

/** `claim`: on its transaction. In one database each is ours. */
type Command = PayCashout & CashoutKey & { readonly merchant: Pick<Merchant, 'country' | 'isFrozen'>; readonly claim: TransactionClaim };
type Unclaimed = Omit<Command, 'claim'>;

/**
 * Pays a cashout out: the network that has found it hands out the money.
 * Shape: PayCashout → the payment and its cashout, paid now or before: idempotent per (network, transaction).
 * Refuses: transaction_repeated, cashout_not_registered, cashout_locked, cashout_not_pending, lock_over, cashout_not_served — the first that applies.
 * Effects: locks the cashouts of a batch until commit. What was reserved goes to the network, fee and tax to the
 * service; counts, cashout.paid and the notice are written. The same transaction on two servers at once meets at its primary key. The loser
 * runs again and then sees it.
 * Throws: Unavailable where the ledger cannot hold the sum.
 * Source: contract §4.3.
 */
export function createPay({
  db,
  clock,
  engine,
  merchants,
  claims,
}: Paying): (command: PayCashout & Acted) => Promise<DecidedPayment | Refusal<CollectRefusal>> {
  const pay = engine.batched(payment);
  return async (command) => {
    // The key of a cashout never changes; everything else is read under its lock.
    const [found] = await db.query<CashoutKey>(FIND, [command.cashoutId]);
    const merchant = found && (await merchants.find(found.merchantId));
    if (found === undefined || merchant === undefined) {
      const [stored = await seenElsewhere(claims, command)] = await readCollections(db, [command]);
      return decideCollect({ payment: stored, cashout: undefined, merchant: undefined }, command, clock.now());
    }
    const whole = { ...command, ...found, merchant };
    if (claims === undefined) return withinLedger(pay({ ...whole, claim: 'ours' }));
    return withClaim(
      () => claimFor({ db, clock }, claims, whole),
      (claim) => withinLedger(pay({ ...whole, claim })),
    );
  };
}

/** `claims`: of a cell beside home. Undefined: this database decides which transactions were used. */
type Paying = Pick<CashoutDeps, 'db' | 'clock' | 'engine' | 'merchants'> & { readonly claims: CollectionClaims | undefined };

const seenElsewhere = async (claims: CollectionClaims | undefined, command: PayCashout): Promise<'elsewhere' | undefined> =>
  (await claims?.look(command)) === 'elsewhere' ? 'elsewhere' : undefined;

/** Claims a transaction that is about to pay, as the cashout is now. One that would be refused is only looked up. */
async function claimFor(
  { db, clock }: Pick<Paying, 'db' | 'clock'>,
  claims: CollectionClaims,
  command: Unclaimed,
): Promise<TransactionClaim> {
  const { merchantId, operationId, merchant } = command;
  const [[made], [cashout]] = await Promise.all([readCollections(db, [command]), db.query<Cashout>(FIND_WHOLE, [merchantId, operationId])]);
  if (made !== undefined) return 'ours';
  const decided = decideCollect({ payment: undefined, cashout, merchant }, command, clock.now());
  return isRefusal(decided) ? claims.look(command) : claims.claim(command);
}

type World = {
  readonly rows: readonly (CashoutRow | undefined)[];
  /** By paymentName. */
  readonly paid: Map<string, Collection>;
};

const payment: Change<Command, World, DecidedPayment, Refusal<CollectRefusal>> = {
  keysOf: cashoutRows,
  ownerOf: ({ merchantId }) => merchantId,
  load: async (tx, commands, hold) => {
    const [rows, payments] = await Promise.all([lockCashouts(tx, commands, hold), readCollections(tx, commands)]);
    return { rows, paid: new Map(payments.map((one) => [paymentName(one), one])) };
  },
  decide: ({ rows, paid }, command, { now, index }) => {
    const { claim, merchant } = command;
    const made = paid.get(paymentName(command)) ?? (claim === 'elsewhere' ? claim : undefined);
    const decided = decideCollect({ payment: made, cashout: rows[index]?.after, merchant }, command, now);
    const isNew = !isRefusal(decided) && decided.event !== undefined;
    // It has become payable since it was looked at.
    if (isNew && claim !== 'ours') throw new ClaimLost('the transaction is not claimed');
    return decided;
  },
  note: ({ rows, paid }, { command, outcome }, { index }) => {
    (rows[index] as CashoutRow).after = outcome.cashout;
    paid.set(paymentName(command), outcome.payment);
  },
  save: (tx, { rows }, changes) => {
    saveCashouts(
      tx,
      changedRows(rows),
      changes.map(({ outcome: { event, payment } }) => ({ ...event, beside: besideOfPayment(payment) })),
    );
    insertCollections(
      tx,
      changes.map(({ outcome }) => outcome.payment),
    );
  },
};
