import { COUNT_CHANGES, countChangeValues, countMove, countNewCashout } from '../cashouts/cashout-rows.ts';
import { CASHOUT_STATES, type CashoutState } from '../cashouts/cashout.ts';
import type { Statement } from '../kit/db.ts';
import { checksumOf } from './checksum-of.ts';
import type { TestMerchant, TestCaudal } from './test-caudal.ts';

/** A cashout as a test remembers it: the model that the list is held against. */
export type StockedCashout = {
  readonly operationId: string;
  readonly cashoutId: bigint;
  readonly state: CashoutState;
  readonly document: string;
  readonly updatedAt: Temporal.Instant;
};

export type ListAnswer = {
  readonly code: string;
  readonly text: string;
  readonly first: string;
  readonly previous: string;
  readonly next: string;
  readonly end: string;
  readonly data: readonly Readonly<Record<string, string>>[];
};

const INSERT: Statement = {
  name: 'testing.stock_cashouts',
  text: `insert into cashouts (merchant_id, operation_id, cashout_id, state, version, amount_minor, transaction_cost_minor, currency, description,
           document, sms, cellphone, expires_on, created_at, updated_at, updated_on)
         select $1, operation_id, cashout_id, state, 1, 4500000 + cashout_id, 0, 'COP', 'Prize', document, false, '', '2027-01-31', updated_at, updated_at, updated_on
           from unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::timestamptz[], $7::date[])
             as row (operation_id, cashout_id, state, document, updated_at, updated_on)`,
};
const UPDATE: Statement = {
  name: 'testing.change_cashout',
  text: 'update cashouts set state = $3, updated_at = $4, updated_on = $5, version = version + 1 where merchant_id = $1 and operation_id = $2',
};

/** The day of an instant by another road than the service's: the calendar of Intl. */
export function dayIn(zone: string, at: Temporal.Instant): Temporal.PlainDate {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return Temporal.PlainDate.from(parts.format(at.epochMilliseconds));
}

/** Inserts and changes cashouts of any state and time. It keeps the counts as the operations do. */
export function cashoutStock({ db }: Pick<TestCaudal, 'db'>, { merchantId }: Pick<TestMerchant, 'merchantId'>, zone = 'America/Bogota') {
  const counted = ({ state, updatedAt }: StockedCashout) => ({ merchantId, state, updatedAt, updatedOn: dayIn(zone, updatedAt) });
  return {
    add: (cashouts: readonly StockedCashout[]): Promise<void> =>
      db.transaction(async (tx) => {
        await tx.query(INSERT, [
          merchantId,
          cashouts.map(({ operationId }) => operationId),
          cashouts.map(({ cashoutId }) => cashoutId),
          cashouts.map(({ state }) => state),
          cashouts.map(({ document }) => document),
          cashouts.map(({ updatedAt }) => updatedAt),
          cashouts.map(({ updatedAt }) => dayIn(zone, updatedAt)),
        ]);
        tx.send(COUNT_CHANGES, countChangeValues(cashouts.flatMap((cashout) => countNewCashout(counted(cashout)))));
      }),
    change: (before: StockedCashout, after: StockedCashout): Promise<void> =>
      db.transaction(async (tx) => {
        await tx.query(UPDATE, [merchantId, before.operationId, after.state, after.updatedAt, dayIn(zone, after.updatedAt)]);
        tx.send(COUNT_CHANGES, countChangeValues(countMove(counted(before), counted(after))));
      }),
  };
}

export type ListFilter = {
  readonly start: Temporal.PlainDate;
  readonly end: Temporal.PlainDate;
  readonly states?: readonly CashoutState[];
  readonly document?: string;
};

/** What the list must show, by sorting and filtering everything there is. */
export function bruteForce(
  cashouts: readonly StockedCashout[],
  { start, end, states = CASHOUT_STATES, document }: ListFilter,
  zone = 'America/Bogota',
): string[] {
  return cashouts
    .filter(({ updatedAt }) => {
      const day = dayIn(zone, updatedAt);
      return Temporal.PlainDate.compare(day, start) >= 0 && Temporal.PlainDate.compare(day, end) <= 0;
    })
    .filter((cashout) => states.includes(cashout.state) && (document === undefined || document === cashout.document))
    .toSorted((one, other) => Temporal.Instant.compare(other.updatedAt, one.updatedAt) || Number(other.cashoutId - one.cashoutId))
    .map(({ operationId }) => operationId);
}

/** Signed calls of the list; a parameter that is undefined is left out, and `checksum` given replaces the right one. */
export function listCalls({ app }: Pick<TestCaudal, 'app'>, { merchantId, fixedHash }: Pick<TestMerchant, 'merchantId' | 'fixedHash'>) {
  const sign = (start = '', end = ''): string => checksumOf([merchantId, start, end], fixedHash);
  const follow = async (url: string): Promise<ListAnswer> => {
    const reply = await app.inject({ method: 'GET', url });
    if (reply.statusCode !== 200) throw new Error(`HTTP ${reply.statusCode}: ${reply.body}`);
    return reply.json<ListAnswer>();
  };
  const urlOf = (parameters: Readonly<Record<string, string | number | undefined>>, prefix = '/cashout/v1'): string => {
    const all = { checksum: sign(String(parameters['start'] ?? ''), String(parameters['end'] ?? '')), ...parameters };
    const given = Object.entries(all).filter(([, value]) => value !== undefined);
    return `${prefix}/operation/${merchantId}?${given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
  };
  return { sign, urlOf, follow, list: (parameters: Parameters<typeof urlOf>[0] = {}) => follow(urlOf(parameters)) };
}

/** The operations of a page. */
export const operationsOf = ({ data }: ListAnswer): string[] => data.map(({ operation }) => operation as string);
