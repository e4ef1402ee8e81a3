import { randomBytes } from 'node:crypto';
import type { ActDetails, DoneAct, RecordActs } from '../kit/changes/act.ts';
import type { RecordedValue } from '../kit/changes/columns.ts';
import { plainValue } from '../kit/changes/show-history.ts';
import { columnsOf, statement } from '../kit/db.ts';
import { detailsText, hashDetails } from './chain.ts';

const SALT_BYTES = 16;
/** Longest text of a column. Ids and names are shorter. */
const MOST_CHARACTERS = 500;

// Two statements: one that writes two tables needs every node of a Citus cluster.
const RECORD = statement(
  'audit.record_acts',
  `insert into acts (acted_at, actor_kind, actor_id, actor_name, source, request_id, operation, merchant_id, target, outcome, details_hash)
   select * from unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
                        $10::text[], $11::bytea[])`,
);
/** The act is known by the hash of its details, which no two have: each is salted. */
const RECORD_DETAILS = statement(
  'audit.record_act_details',
  `insert into act_details (act_id, salt, content)
   select a.act_id, k.salt, k.content
     from unnest($1::timestamptz[], $2::bytea[], $3::bytea[], $4::text[]) as k (acted_at, details_hash, salt, content)
     join acts a on a.acted_at = k.acted_at and a.details_hash = k.details_hash`,
);

/**
 * Records acts in the transaction of what they did: neither is ever there without the other.
 * Effects: at most two statements, sent together with the commit. Without acts nothing is sent.
 */
export const recordActs: RecordActs = (tx, acts) => {
  const rows = acts.map(toRow);
  if (rows.length > 0) tx.send(RECORD, columnsOf(rows, ...COLUMNS));
  const detailed = rows.filter(({ content }) => content !== null);
  if (detailed.length > 0) tx.send(RECORD_DETAILS, columnsOf(detailed, 'at', 'detailsHash', 'salt', 'content'));
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

const COLUMNS = ['at', 'kind', 'id', 'name', 'source', 'requestId', 'operation', 'merchantId', 'target', 'outcome', 'detailsHash'] as const;

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
