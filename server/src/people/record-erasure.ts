import { statement, type Tx } from '../kit/db.ts';

const RECORD = statement(
  'people.record_erasure',
  `insert into erasures as kept (pseudonym, kind, erased, erased_at) values ($1, $2, $3, $4)
   on conflict (pseudonym, kind) do update set erased = kept.erased + excluded.erased, erased_at = excluded.erased_at`,
);

/** Records in the transaction of an erasure how many records of a kind it erased. */
export function recordErasure(tx: Tx, pseudonym: string, kind: string, erased: number, at: Temporal.Instant): void {
  tx.send(RECORD, [pseudonym, kind, erased, at]);
}
