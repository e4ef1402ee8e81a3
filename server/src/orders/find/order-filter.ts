import type { NamedValues } from '../../kit/lists/named-parameters.ts';
import type { Between, From, Scope } from '../../kit/lists/walks.ts';
import type { OrderState } from '../order.ts';

/** What orders are looked for. What is absent asks for nothing. Each order that is found has all of it. */
export type OrderFilter = {
  /** The states now: an order whose time has run out is expired. */
  readonly states?: readonly OrderState[] | undefined;
  /** Capital letters are as small ones. */
  readonly email?: string | undefined;
  readonly reference?: string | undefined;
  readonly orderId?: string | undefined;
  readonly serviceOrderId?: bigint | undefined;
  /** The payer's document, with or without spaces, points and hyphens. */
  readonly document?: string | undefined;
  readonly currency?: string | undefined;
  readonly amountMinor?: Between<bigint> | undefined;
  readonly created?: From<Temporal.Instant> | undefined;
  readonly updated?: From<Temporal.Instant> | undefined;
  /** One payment has all of these, whatever became of it. */
  readonly paid?: From<Temporal.Instant> | undefined;
  readonly network?: string | undefined;
  readonly transaction?: string | undefined;
};

/** The place of an order in a list. It never changes. */
export type OrderPlace = { readonly createdAt: Temporal.Instant; readonly serviceOrderId: bigint };

/** The parameters of the SQL below, which writes them as `$name`. Null: not asked for. */
export const ORDER_PARAMETERS = {
  merchant: 'text',
  states: 'text[]',
  storedStates: 'text[]',
  now: 'timestamptz',
  email: 'text',
  reference: 'text',
  orderId: 'text',
  serviceOrderId: 'bigint',
  document: 'text',
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
  source: 'text',
  transaction: 'text',
  placeAt: 'timestamptz',
  placeId: 'bigint',
  most: 'bigint',
  rows: 'bigint',
} as const;
export type OrderValues = NamedValues<keyof typeof ORDER_PARAMETERS>;

/** An e-mail address as it is compared. An index has it so. */
export const foldedEmail = (text: string): string => `(lower(${text}) collate "C")`;
/** A document as it is compared: merchants send it as people write it, `52.998.877`. An index has it so. */
export const bareDocument = (text: string): string => `(regexp_replace(${text}, '[[:space:].,/_-]', '', 'g') collate "C")`;

/** SQL: the state of an order `o` now. The sweep writes `expired` a while after the time has run out. */
export const STATE_NOW = `case when o.state = 'pending' and o.expires_at <= $now then 'expired' else o.state end`;

const has = (name: keyof typeof ORDER_PARAMETERS, condition: string): string => `($${name} is null or ${condition})`;

/** SQL: whether an order `o` is in the scope and passes the filter. Its values are those of orderValues. */
export const ORDER_FITS = `(${[
  has('merchant', 'o.merchant_id = $merchant'),
  has('states', `${STATE_NOW} = any ($states)`),
  has('email', `${foldedEmail('o.email')} = ${foldedEmail('$email')}`),
  has('reference', 'o.reference = $reference'),
  has('orderId', 'o.order_id = $orderId'),
  has('serviceOrderId', 'o.service_order_id = $serviceOrderId'),
  has('document', `${bareDocument('o.user_document')} = ${bareDocument('$document')}`),
  has('currency', 'o.currency = $currency'),
  has('amountFrom', 'o.amount_minor >= $amountFrom'),
  has('amountTo', 'o.amount_minor <= $amountTo'),
  has('createdFrom', 'o.created_at >= $createdFrom'),
  has('createdBefore', 'o.created_at < $createdBefore'),
  has('updatedFrom', 'o.updated_at >= $updatedFrom'),
  has('updatedBefore', 'o.updated_at < $updatedBefore'),
  has(
    'isPaid',
    `exists (select from order_payments p where p.merchant_id = o.merchant_id and p.order_id = o.order_id and ${[
      has('paidFrom', 'p.paid_at >= $paidFrom'),
      has('paidBefore', 'p.paid_at < $paidBefore'),
      has('source', 'p.source = $source'),
      has('transaction', 'p.transaction_id = $transaction'),
    ].join(' and ')})`,
  ),
].join(' and ')})`;

/** The values of ORDER_FITS. */
export function orderValues(scope: Scope, filter: OrderFilter, now: Temporal.Instant): OrderValues {
  const { states, amountMinor, created, updated, paid, network, transaction, ...named } = filter;
  const isPaid = paid?.from !== undefined || paid?.before !== undefined || network !== undefined || transaction !== undefined;
  const given = {
    ...named,
    merchant: scope === 'everybody' ? null : scope.merchantId,
    states,
    storedStates: states && storedStates(states),
    now,
    amountFrom: amountMinor?.from,
    amountTo: amountMinor?.to,
    createdFrom: created?.from,
    createdBefore: created?.before,
    updatedFrom: updated?.from,
    updatedBefore: updated?.before,
    isPaid: isPaid ? true : null,
    paidFrom: paid?.from,
    paidBefore: paid?.before,
    source: network === undefined ? undefined : `network:${network}`,
    transaction,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The states in the column of such orders. The sweep writes `expired` a while after the time has run out. */
const storedStates = (states: readonly OrderState[]): readonly OrderState[] =>
  states.includes('expired') ? [...new Set<OrderState>([...states, 'pending'])] : states;
