import { createBatch } from '../kit/batch.ts';
import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { isRefusal, type Refusal } from '../kit/outcome.ts';
import { decideCancel, type CancelCashout } from './cashout-decisions.ts';
import { changeValues, RECORD_CHANGES, type CashoutChange } from './cashout-history.ts';
import { CASHOUT_COLUMNS, COUNT_CHANGES, countChangeValues, countMove } from './cashout-rows.ts';
import type { Cashout } from './cashout.ts';

export type CancelRequest = CancelCashout & { readonly requestId: string };

export type CancelRefusal = Extract<ReturnType<typeof decideCancel>, Refusal>['refusal'];

const LOCK = statement(
  'cashouts.lock',
  `select ${CASHOUT_COLUMNS} from cashouts
    where (merchant_id, operation_id) in (select merchant_id, operation_id from unnest($1::text[], $2::text[]) as wanted (merchant_id, operation_id))
    order by merchant_id, operation_id for update`,
);

const UPDATE = statement(
  'cashouts.update_states',
  `update cashouts set state = changed.state, version = changed.version, updated_at = changed.updated_at, updated_on = changed.updated_on
     from unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::timestamptz[], $6::date[])
       as changed (merchant_id, operation_id, state, version, updated_at, updated_on)
    where cashouts.merchant_id = changed.merchant_id and cashouts.operation_id = changed.operation_id`,
);

/**
 * Cancels a pending cashout.
 * Shape: CancelRequest → Cashout, cancelled now or before: cancelling again is success and writes nothing.
 * Refuses: cashout_not_registered, cashout_not_pending — the first that applies.
 * Effects: locks the cashouts of a batch in the order of their key until commit; moves their counts and records cashout.cancelled.
 * The money does not go back yet: registering took none, there is no ledger.
 * Source: contract §4.3.
 */
export function createCancel(
  db: Db,
  clock: Clock,
  isBatchPerMerchant = false,
): (request: CancelRequest) => Promise<Cashout | Refusal<CancelRefusal>> {
  return createBatch({
    run: (requests: readonly CancelRequest[]) => cancelMany(db, clock.now(), requests),
    groupOf: isBatchPerMerchant ? ({ merchant }) => merchant.merchantId : undefined,
  });
}

function cancelMany(
  db: Db,
  now: Temporal.Instant,
  requests: readonly CancelRequest[],
): Promise<readonly (Cashout | Refusal<CancelRefusal>)[]> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<Cashout>(LOCK, [
      requests.map(({ merchant }) => merchant.merchantId),
      requests.map(({ operationId }) => operationId),
    ]);
    const stored = new Map(rows.map((cashout) => [`${cashout.merchantId}/${cashout.operationId}`, cashout]));
    const moves: { readonly before: Cashout; readonly after: Cashout; readonly requestId: string }[] = [];
    const answers = requests.map(({ requestId, ...command }) => {
      const key = `${command.merchant.merchantId}/${command.operationId}`;
      const before = stored.get(key);
      const after = decideCancel(command, before, now);
      if (isRefusal(after)) return after;
      if (before !== undefined && after !== before) {
        stored.set(key, after);
        moves.push({ before, after, requestId });
      }
      return after;
    });
    if (moves.length > 0) {
      const changed = moves.map(({ after }) => after);
      tx.send(UPDATE, [
        changed.map(({ merchantId }) => merchantId),
        changed.map(({ operationId }) => operationId),
        changed.map(({ state }) => state),
        changed.map(({ version }) => version),
        changed.map(({ updatedAt }) => updatedAt),
        changed.map(({ updatedOn }) => updatedOn),
      ]);
      tx.send(RECORD_CHANGES, changeValues(moves.map(cancellation)));
      tx.send(COUNT_CHANGES, countChangeValues(moves.flatMap(({ before, after }) => countMove(before, after))));
    }
    return answers;
  });
}

function cancellation({ before, after, requestId }: { before: Cashout; after: Cashout; requestId: string }): CashoutChange {
  return { cashout: after, event: 'cashout.cancelled', requestId, changes: { state: [before.state, after.state] } };
}
