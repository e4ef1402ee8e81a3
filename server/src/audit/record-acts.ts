import { randomBytes } from 'node:crypto';
import type { ActDetails, DoneAct, RecordActs } from '../kit/changes/act.ts';
import type { RecordedValue } from '../kit/changes/columns.ts';
import { plainValue } from '../kit/changes/show-history.ts';
import { columnsOf, statement } from '../kit/db.ts';
import { detailsText, hashDetails } from './chain.ts';

const SALT_BYTES = 16;
/** Longest text of a column. Ids and names are shorter. */
const MOST_CHARACTERS = 500;

/** Details are known by their hash, which no two have: each is salted. */
const RECORD = statement(
  'audit.record_acts',
  `with acted as (
     insert into acts (acted_at, actor_kind, actor_id, actor_name, source, request_id, operation, merchant_id, target, outcome, details_hash)
     select act.*
       from unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
                   $10::text[], $11::bytea[]) as act
     returning act_id, details_hash)
   insert into act_details (act_id, salt, content)
   select act_id, salt, content
     from acted join unnest($11::bytea[], $12::bytea[], $13::text[]) as kept (details_hash, salt, content) using (details_hash)`,
);

/**
 * Records acts in the transaction of what they did: neither is ever there without the other.
 * Effects: one statement, sent together with the commit. Without acts nothing is sent.
 */
export const recordActs: RecordActs = (tx, acts) => {
  if (acts.length > 0) tx.send(RECORD, columnsOf(acts.map(toRow), ...COLUMNS));
};

/**
 * Records what the engine decided. Of personal fields the act holds the name alone. The values are in the history of the record,
 * which erases them in time.
 */
export const recordDecided =
  (personalFields: ReadonlySet<string>): RecordActs =>
  (tx, acts) =>
    recordActs(
      tx,
      acts.map(({ details, ...act }) => ({
        ...act,
        details: { ...details, changes: shownChanges(details?.changes ?? {}, personalFields) },
      })),
    );

const shownChanges = (
  changes: NonNullable<ActDetails['changes']>,
  personalFields: ReadonlySet<string>,
): NonNullable<ActDetails['changes']> =>
  Object.fromEntries(
    Object.entries(changes as Record<string, readonly [RecordedValue, RecordedValue]>).map(([field, [before, after]]) => [
      field,
      personalFields.has(field) ? ['…', '…'] : [plainValue(field, before), plainValue(field, after)],
    ]),
  );

const COLUMNS = [
  'at',
  'kind',
  'id',
  'name',
  'source',
  'requestId',
  'operation',
  'merchantId',
  'target',
  'outcome',
  'detailsHash',
  'salt',
  'content',
] as const;

function toRow({ actor, details = {}, ...act }: DoneAct) {
  const content = detailsText(details);
  const salt = content === undefined ? null : randomBytes(SALT_BYTES);
  return {
    at: act.at,
    kind: actor.kind,
    id: storable(actor.id),
    name: storable(actor.name),
    source: storable(act.source),
    requestId: act.requestId && storable(act.requestId),
    operation: act.operation,
    merchantId: act.merchantId && storable(act.merchantId),
    target: act.target && storable(act.target),
    outcome: act.outcome,
    detailsHash: content === undefined || salt === null ? null : hashDetails(salt, content),
    salt,
    content: content ?? null,
  };
}

/** PostgreSQL keeps no NUL and no half of a surrogate pair. */
const storable = (text: string): string => text.slice(0, MOST_CHARACTERS).toWellFormed().replaceAll('\0', '\uFFFD');
