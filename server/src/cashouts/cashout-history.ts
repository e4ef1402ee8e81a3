import { statement, type Value } from '../kit/db.ts';
import type { Cashout } from './cashout.ts';

/** A change of a cashout, as it is remembered: `changes` leads from each field to what it was and what it became. */
export type CashoutChange = {
  readonly cashout: Pick<Cashout, 'merchantId' | 'operationId' | 'version' | 'updatedAt'>;
  readonly event: 'cashout.registered' | 'cashout.cancelled';
  readonly requestId: string;
  readonly changes: Readonly<Record<string, readonly [from: unknown, to: unknown]>>;
};

/** Records changes; belongs into the transaction that makes them. */
export const RECORD_CHANGES = statement(
  'cashouts.record_changes',
  `insert into cashout_history (merchant_id, operation_id, version, event, actor, changed_at, request_id, changes)
   select merchant_id, operation_id, version, event, 'merchant', changed_at, request_id, changes
     from unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::timestamptz[], $6::text[], $7::jsonb[])
       as change (merchant_id, operation_id, version, event, changed_at, request_id, changes)`,
);

/** The values of RECORD_CHANGES. Amounts are texts: a reader of JSON may have no integers beyond 2^53. */
export function changeValues(changes: readonly CashoutChange[]): readonly Value[] {
  return [
    changes.map(({ cashout }) => cashout.merchantId),
    changes.map(({ cashout }) => cashout.operationId),
    changes.map(({ cashout }) => cashout.version),
    changes.map(({ event }) => event),
    changes.map(({ cashout }) => cashout.updatedAt),
    changes.map(({ requestId }) => requestId),
    changes.map(({ changes }) =>
      JSON.stringify(changes, (_field, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
    ),
  ];
}
