import { dayOf, endOfDay, startOfDay } from '../kit/calendar.ts';
import type { Clock } from '../kit/clock.ts';
import { statement, type Db } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { zoneOfMerchant } from '../merchants/index.ts';
import { OWN_ACCOUNTS, type LedgerKind } from './postings.ts';

/** Account to amount in minor units. */
type Amounts = ReadonlyMap<string, bigint>;

/** What one kind of event moved on a day. */
export type DayMovement = {
  readonly kind: LedgerKind;
  readonly transactions: bigint;
  readonly amounts: Amounts;
  /** How many of them each account had a part in. */
  readonly parts: ReadonlyMap<string, bigint>;
};

/** A merchant's money in one currency: before the day, what moved, after it. */
export type LedgerDay = {
  readonly currency: string;
  readonly start: Amounts;
  readonly movements: readonly DayMovement[];
  readonly end: Amounts;
  /** What does not add up. Empty, unless the ledger is damaged. */
  readonly faults: readonly string[];
};

type Row = {
  readonly account: string;
  readonly currency: string;
  readonly balance: bigint;
  readonly start: string;
  /** Null: the account did not move on this day. */
  readonly kind: LedgerKind | null;
  readonly transactions: bigint;
  readonly parts: bigint;
  readonly ofDay: string;
  /** Nothing was posted after the day. So it ends with the balances that are kept. */
  readonly isLast: boolean;
};

/**
 * One statement sees one state. It reads the sums of whole days, and the entries since the last of these days ended.
 * What no job has summed yet is read from the entries.
 */
const DAY = statement(
  'ledger.day',
  `with start as (
     select account, currency, sum(amount_minor) as amount from (
       select account, currency, amount_minor from ledger_days where merchant_id = $1 and day < $4::date
       union all
       select account, currency, amount_minor from ledger_entries
        where merchant_id = $1 and posted_at >= (select least(summed_to, $5::timestamptz) from ledger_summed) and posted_at < $2) as earlier
      group by account, currency),
   moved as (
     select account, currency, kind, count(*) filter (where line = 1) as transactions, count(*) as parts, sum(amount_minor) as amount
       from ledger_entries where merchant_id = $1 and posted_at >= $2 and posted_at < $3 group by account, currency, kind)
   select account, currency, balance_minor as balance, coalesce(start.amount, 0)::text as start, kind,
          coalesce(transactions, 0) as transactions, coalesce(parts, 0) as parts, coalesce(moved.amount, 0)::text as "ofDay",
          not exists (select from ledger_entries where merchant_id = $1 and posted_at >= $3) as "isLast"
     from ledger_balances left join start using (account, currency) left join moved using (account, currency)
    where merchant_id = $1
    order by currency, account, kind`,
);

/** Reads what moved in [from, until), by currency, with the balances before and after. */
export async function readDay(
  db: Pick<Db, 'query'>,
  merchantId: string,
  from: Temporal.Instant,
  until: Temporal.Instant,
): Promise<readonly LedgerDay[]> {
  const day = from.toZonedDateTimeISO('UTC').toPlainDate();
  const rows = await db.query<Row>(DAY, [merchantId, from, until, day.toString(), startOfDay(day, 'UTC')]);
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, ofCurrency]) => dayIn(currency, ofCurrency));
}

/** Reads a merchant's day in its own zone; today where none is named. */
export async function readMerchantDay(
  { db, clock }: { readonly db: Pick<Db, 'query'>; readonly clock: Clock },
  merchantId: string,
  date?: Temporal.PlainDate,
) {
  const zone = await zoneOfMerchant({ db }, merchantId);
  const day = date ?? dayOf(clock.now(), zone);
  const [from, until] = [startOfDay(day, zone), endOfDay(day, zone)];
  const days = await readDay(db, merchantId, from, until);
  return { day, zone, from, until, days, addsUp: days.every(({ faults }) => faults.length === 0) };
}

/** What a merchant had in a currency at the end of a day. A day that has not ended has the present. */
export type FundPoint = { readonly currency: string; readonly at: Temporal.Instant; readonly amounts: Amounts };

const OWN = OWN_ACCOUNTS.map((account) => `'${account}'`).join(', ');

/**
 * Moves of the merchant's own accounts. Those of whole days in UTC, with all before the first one as one sum; and, for each day of the
 * zone, those from the last midnight in UTC until the day ends. One statement sees one state.
 */
const FUNDS = statement(
  'ledger.funds_by_day',
  `select false as "isRest", greatest(day, $2::date) as day, account, currency, sum(amount_minor)::text as amount from (
     select day, account, currency, amount_minor from ledger_days
      where merchant_id = $1 and day <= $3::date and account in (${OWN})
     union all
     select (posted_at at time zone 'UTC')::date, account, currency, amount_minor from ledger_entries
      where merchant_id = $1 and posted_at >= (select summed_to from ledger_summed) and posted_at < $4
        and account in (${OWN})) as moved
    group by 2, 3, 4
   union all
   select true, rest.day, account, currency, sum(amount_minor)::text
     from unnest($5::date[], $6::timestamptz[], $7::timestamptz[]) as rest (day, since, until)
     join ledger_entries on merchant_id = $1 and posted_at >= since and posted_at < until
    where account in (${OWN})
    group by 2, 3, 4
   order by currency, day`,
);
const MOST_DAYS = 400;
/** The hours between a midnight in UTC and the end of a day elsewhere are read entry by entry. Longer spans are in days of UTC. */
const MOST_DAYS_OF_ZONE = 62;

/** A day of a zone: the midnight in UTC up to which kept sums count, the last day in UTC before it, and its end. */
function splitDay(day: Temporal.PlainDate, zone: string) {
  const end = endOfDay(day, zone);
  const lastUtc = end.toZonedDateTimeISO('UTC').toPlainDate().subtract({ days: 1 });
  return { day, end, lastUtc, midnight: endOfDay(lastUtc, 'UTC') };
}

/**
 * Reads what a merchant had at the end of each day, of its own time zone where there are not too many.
 * Refuses: days_out_of_range.
 */
export async function readFunds(
  { db, clock }: { readonly db: Pick<Db, 'query'>; readonly clock: Clock },
  merchantId: string,
  { from, to, zone: own }: { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate; readonly zone: string },
): Promise<{ readonly zone: string; readonly points: readonly FundPoint[] } | Refusal<'days_out_of_range'>> {
  const count = from.until(to, { largestUnit: 'days' }).days + 1;
  if (count < 1 || count > MOST_DAYS) return refuse('days_out_of_range');
  const zone = count > MOST_DAYS_OF_ZONE ? 'UTC' : own;
  const now = clock.now();
  const days = Array.from({ length: count }, (_, index) => from.add({ days: index }))
    .filter((day) => Temporal.Instant.compare(startOfDay(day, zone), now) < 0)
    .map((day) => splitDay(day, zone));
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return { zone, points: [] };
  const rests = days.filter(({ midnight, end }) => Temporal.Instant.compare(midnight, end) < 0);
  type Moved = { readonly day: Temporal.PlainDate; readonly account: string; readonly currency: string; readonly amount: string };
  const moved = await db.query<Moved & { readonly isRest: boolean }>(FUNDS, [
    merchantId,
    first.lastUtc.toString(),
    last.lastUtc.toString(),
    last.midnight,
    rests.map(({ day }) => day.toString()),
    rests.map(({ midnight }) => midnight),
    rests.map(({ end }) => end),
  ]);
  const points = [...Map.groupBy(moved, ({ currency }) => currency)].flatMap(([currency, ofCurrency]) => {
    const held = new Map<string, bigint>();
    const next = ofCurrency.filter(({ isRest }) => !isRest).values();
    let move = next.next().value;
    return days.map(({ day, end, lastUtc }) => {
      for (; move !== undefined && Temporal.PlainDate.compare(move.day, lastUtc) <= 0; move = next.next().value)
        add(held, move.account, BigInt(move.amount));
      const amounts = new Map(held);
      for (const rest of ofCurrency) if (rest.isRest && rest.day.equals(day)) add(amounts, rest.account, BigInt(rest.amount));
      return { currency, at: Temporal.Instant.compare(end, now) < 0 ? end : now, amounts };
    });
  });
  return { zone, points };
}

/** A merchant may owe what it has collected: more was given back than came in. */
const NEVER_BELOW_ZERO = OWN_ACCOUNTS.filter((account) => account !== 'collected');

function dayIn(currency: string, rows: readonly Row[]): LedgerDay {
  const start = new Map(rows.map((row) => [row.account, BigInt(row.start)]));
  const end = new Map(start);
  for (const { account, ofDay } of rows) add(end, account, BigInt(ofDay));
  const kinds = Map.groupBy(
    rows.filter(({ kind }) => kind !== null),
    ({ kind }) => kind as LedgerKind,
  );
  const movements = [...kinds].map(([kind, ofKind]) => ({
    kind,
    transactions: ofKind.reduce((sum, { transactions }) => sum + transactions, 0n),
    amounts: new Map(ofKind.map(({ account, ofDay }) => [account, BigInt(ofDay)])),
    parts: new Map(ofKind.map(({ account, parts }) => [account, parts])),
  }));
  const sums = [['the start', start], ['the end', end], ...movements.map(({ kind, amounts }) => [kind, amounts] as const)] as const;
  const unlike = rows.filter(({ account, balance, isLast }) => isLast && balance !== end.get(account));
  const faults = [
    ...sums.filter(([, amounts]) => total(amounts) !== 0n).map(([what, amounts]) => `${what} is off by ${total(amounts)} in minor units`),
    ...new Set(unlike.map(({ account, balance }) => `${account} ends with ${end.get(account)} and keeps ${balance} in minor units`)),
    ...sums
      .slice(0, 2)
      .flatMap(([what, amounts]) =>
        NEVER_BELOW_ZERO.filter((fund) => (amounts.get(fund) ?? 0n) < 0n).map((fund) => `${fund} is below zero at ${what}`),
      ),
  ];
  return { currency, start, movements, end, faults };
}

const add = (amounts: Map<string, bigint>, account: string, amountMinor: bigint): void =>
  void amounts.set(account, (amounts.get(account) ?? 0n) + amountMinor);

const total = (amounts: Amounts): bigint => amounts.values().reduce((sum, one) => sum + one, 0n);
