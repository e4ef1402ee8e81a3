import { statement, type Tx } from '../../kit/db.ts';
import { canonicalDocument, isSameDocument } from '../../people/index.ts';
import type { CashoutLimits } from '../cashout-decisions.ts';

/** Limits hold for a merchant in a currency: they are amounts, and the lock of that fund makes them exact. */
export type LimitKey = { readonly merchantId: string; readonly currency: string };

export const NO_LIMITS: CashoutLimits = { leastMinor: null, mostMinor: null, perDocumentAndDay: null };

export const LIMIT_COLUMNS = `least_minor as "leastMinor", most_minor as "mostMinor", per_document_and_day as "perDocumentAndDay"`;

const READ = statement(
  'cashouts.read_limits',
  `select merchant_id as "merchantId", currency, ${LIMIT_COLUMNS}
     from cashout_limits where (merchant_id, currency) in (select merchant_id, currency from unnest($1::text[], $2::text[]) as wanted (merchant_id, currency))`,
);

/** What was registered today was updated today or later, so the index of the document's updates finds it. */
const COUNT_OF_DAY = statement(
  'cashouts.count_of_document_and_day',
  `select (select count(*) from cashouts
            where cashouts.merchant_id = wanted.merchant_id and ${isSameDocument('cashouts.document', 'wanted.document')} and updated_on >= wanted.today
              and cashouts.currency = wanted.currency and created_at >= wanted.since)::integer as registered
     from unnest($1::text[], $2::text[], $3::text[], $4::date[], $5::timestamptz[]) with ordinality
       as wanted (merchant_id, document, currency, today, since, place)
    order by place`,
);

export type DocumentDay = LimitKey & {
  readonly document: string;
  readonly today: Temporal.PlainDate;
  /** The first instant of that day. */
  readonly since: Temporal.Instant;
};

/** Reads limits. Shape: keys in any order, repeated or not → a function of the key; NO_LIMITS where none are set. */
export async function readLimits(tx: Pick<Tx, 'query'>, keys: readonly LimitKey[]): Promise<(key: LimitKey) => CashoutLimits> {
  const rows = await tx.query<LimitKey & CashoutLimits>(READ, [
    keys.map(({ merchantId }) => merchantId),
    keys.map(({ currency }) => currency),
  ]);
  const limits = new Map(rows.map((row) => [nameOf(row), row]));
  return (key) => limits.get(nameOf(key)) ?? NO_LIMITS;
}

/** Counts the cashouts of each document that were registered in a currency on a day. In the order of the keys. */
export async function countOfDays(tx: Tx, days: readonly DocumentDay[]): Promise<readonly number[]> {
  const rows = await tx.query<{ readonly registered: number }>(COUNT_OF_DAY, [
    days.map(({ merchantId }) => merchantId),
    days.map(({ document }) => canonicalDocument(document)),
    days.map(({ currency }) => currency),
    days.map(({ today }) => today),
    days.map(({ since }) => since),
  ]);
  return rows.map(({ registered }) => registered);
}

const nameOf = ({ merchantId, currency }: LimitKey): string => `${merchantId}/${currency}`;
