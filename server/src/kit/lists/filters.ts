import type { NamedValues } from './named-parameters.ts';
import type { Between, From, Scope } from './walks.ts';

/** What every list with money and payments can be filtered by. What is absent asks for nothing. Each row that is found has all of it. */
export type ListFilter = {
  readonly currency?: string | undefined;
  readonly amountMinor?: Between<bigint> | undefined;
  readonly created?: From<Temporal.Instant> | undefined;
  readonly updated?: From<Temporal.Instant> | undefined;
  /** One payment has all of these, whatever became of it. */
  readonly paid?: From<Temporal.Instant> | undefined;
  readonly network?: string | undefined;
  readonly transaction?: string | undefined;
};

/** The parameters of the SQL of a list, which writes them as `$name`. Null: not asked for. */
export const LIST_PARAMETERS = {
  merchant: 'text',
  states: 'text[]',
  currency: 'text',
  amountFrom: 'bigint',
  amountTo: 'bigint',
  createdFrom: 'timestamptz',
  createdBefore: 'timestamptz',
  updatedFrom: 'timestamptz',
  updatedBefore: 'timestamptz',
  isPaid: 'boolean',
  paidFrom: 'timestamptz',
  paidBefore: 'timestamptz',
  network: 'text',
  transaction: 'text',
  placeAt: 'timestamptz',
  placeId: 'bigint',
  most: 'bigint',
  rows: 'bigint',
} as const;

/** SQL: conditions, by the name of the parameter that they compare with. */
type Conditions = Readonly<Record<string, string>>;

/** SQL: conditions, each of which holds where its parameter is null. */
const whereAsked = (conditions: Conditions): string =>
  Object.entries(conditions)
    .map(([name, condition]) => `($${name} is null or ${condition})`)
    .join(' and ');

/**
 * SQL: whether a row `o` is in the scope and passes a filter. Its values are those of listValues.
 * `payments`: the payments `p` of the row. `network`: whether `p` is of `$network`. `more`: conditions of this list alone.
 */
export function fitsOf(
  { state, payments, network }: { readonly state: string; readonly payments: string; readonly network: string },
  more: Conditions,
): string {
  const ofPayment = whereAsked({
    paidFrom: 'p.paid_at >= $paidFrom',
    paidBefore: 'p.paid_at < $paidBefore',
    network,
    transaction: 'p.transaction_id = $transaction',
  });
  const all = whereAsked({
    merchant: 'o.merchant_id = $merchant',
    states: `${state} = any ($states)`,
    ...more,
    currency: 'o.currency = $currency',
    amountFrom: 'o.amount_minor >= $amountFrom',
    amountTo: 'o.amount_minor <= $amountTo',
    createdFrom: 'o.created_at >= $createdFrom',
    createdBefore: 'o.created_at < $createdBefore',
    updatedFrom: 'o.updated_at >= $updatedFrom',
    updatedBefore: 'o.updated_at < $updatedBefore',
    isPaid: `exists (select from ${payments} and ${ofPayment})`,
  });
  return `(${all})`;
}

/** The values of fitsOf, without those of its own conditions. */
export function listValues(scope: Scope, filter: ListFilter): NamedValues<keyof typeof LIST_PARAMETERS> {
  const { currency, amountMinor, created, updated, paid, network, transaction } = filter;
  const isPaid = [paid?.from, paid?.before, network, transaction].some((asked) => asked !== undefined);
  return {
    merchant: scope === 'everybody' ? null : scope.merchantId,
    currency,
    amountFrom: amountMinor?.from,
    amountTo: amountMinor?.to,
    createdFrom: created?.from,
    createdBefore: created?.before,
    updatedFrom: updated?.from,
    updatedBefore: updated?.before,
    isPaid: isPaid ? true : null,
    paidFrom: paid?.from,
    paidBefore: paid?.before,
    network,
    transaction,
  };
}
