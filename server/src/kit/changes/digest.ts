/**
 * SQL of the digest of a history row: who, when, what, and by which request. Replaying a history proves what changed; this is the rest.
 * Whoever alters one of these and does not compute the digest again is found. It is not a signature: the acts are signed (decision 0034).
 * `row`: a row with the columns `event`, `actor`, `changed_at` and `request_id`.
 */
export const digestOfEvent = (row: string): string =>
  `hashtextextended(${row}.event || ' ' || ${row}.actor || ' ' || coalesce(${row}.request_id, '') || ' ' || extract(epoch from ${row}.changed_at)::text, 0)`;

/** SQL of a Check: a row of a history whose digest is another. `id`: the column with the id of what it is the history of. */
export const wrongDigestText = (history: string, id: string): string =>
  `select merchant_id as "merchantId", ${id} as id, 'has another actor, time or request in version ' || version || ' of its history than was written' as problem
     from ${history} h where digest is distinct from ${digestOfEvent('h')} limit 1`;

/** SQL of the digest of a text that an event has written elsewhere. */
export const digestOfText = (text: string): string => `hashtextextended(${text}, 1)`;
