import { digestOfEvent, digestOfText } from '../kit/changes/digest.ts';
import { statement, type Value } from '../kit/db.ts';
import type { CashoutEvent } from './cashout-changes.ts';
import type { Collection } from './network/collection.ts';

/** Records changes; belongs into the transaction that makes them. */
export const RECORD_CHANGES = statement(
  'cashouts.record_changes',
  `insert into cashout_history (merchant_id, operation_id, version, event, actor, changed_at, request_id, changes, digest, evidence)
   select merchant_id, operation_id, version, event, actor, changed_at, request_id, changes, ${digestOfEvent('change')}, ${digestOfText('beside')}
     from unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::timestamptz[], $7::text[], $8::jsonb[], $9::text[])
       as change (merchant_id, operation_id, version, event, actor, changed_at, request_id, changes, beside)`,
);

/** The values of RECORD_CHANGES. */
export function changeValues(events: readonly CashoutEvent[]): readonly Value[] {
  return [
    events.map(({ cashout }) => cashout.merchantId),
    events.map(({ cashout }) => cashout.operationId),
    events.map(({ cashout }) => cashout.version),
    events.map(({ event }) => event),
    events.map(({ actor }) => actor),
    events.map(({ cashout }) => cashout.updatedAt),
    events.map(({ requestId }) => requestId),
    events.map(({ changes }) => JSON.stringify(changes)),
    events.map(({ beside }) => beside ?? null),
  ];
}

/** What the history proves of a password: its hash, and the proof that asked for it. */
export const besideOfPassword = (otpHash: Buffer, proof: string | undefined): string => `${otpHash.toString('hex')} ${proof ?? ''}`;
/** What the history proves of a payment: the point of sale, and the network's transaction. */
export const besideOfPayment = ({ transactionId, teller, daneCode }: Pick<Collection, 'transactionId' | 'teller' | 'daneCode'>): string =>
  `${transactionId} ${daneCode} ${teller}`;
