import type { NamedValues } from '../../kit/lists/named-parameters.ts';
import type { Between, From, Scope } from '../../kit/lists/walks.ts';
import type { CashoutState } from '../cashout.ts';
import type { ListKey } from '../list-statements.ts';

/** What cashouts are looked for. What is absent asks for nothing. Each cashout that is found has all of it. */
export type CashoutFilter = {
  readonly states?: readonly CashoutState[] | undefined;
  readonly document?: string | undefined;
  /** With or without spaces, points, hyphens, brackets and +. */
  readonly cellphone?: string | undefined;
  readonly operationId?: string | undefined;
  readonly currency?: string | undefined;
  readonly amountMinor?: Between<bigint> | undefined;
  readonly created?: From<Temporal.Instant> | undefined;
  readonly updated?: From<Temporal.Instant> | undefined;
  /** One payment has all of these, whatever became of it. */
  readonly paid?: From<Temporal.Instant> | undefined;
  readonly network?: string | undefined;
  readonly transaction?: string | undefined;
};

/** The place of a cashout in the list. A change moves it to the front. */
export type CashoutPlace = ListKey;

/** The parameters of the SQL below, which writes them as `$name`. Null: not asked for. */
export const CASHOUT_PARAMETERS = {
  merchant: 'text',
  states: 'text[]',
  document: 'text',
  cellphone: 'text',
  operationId: 'text',
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
  placeOn: 'date',
  placeAt: 'timestamptz',
  placeId: 'bigint',
  most: 'bigint',
  rows: 'bigint',
} as const;
export type CashoutValues = NamedValues<keyof typeof CASHOUT_PARAMETERS>;

/** A cellphone as it is compared, and as an index has it: without the marks that people write between digits. */
export const bareCellphone = (text: string): string => `(translate(${text}, '+() .-', '') collate "C")`;

const has = (name: keyof typeof CASHOUT_PARAMETERS, condition: string): string => `($${name} is null or ${condition})`;

/** SQL: whether a cashout `o` is in the scope and passes the filter. Its values are those of cashoutValues. */
export const CASHOUT_FITS = `(${[
  has('merchant', 'o.merchant_id = $merchant'),
  has('states', 'o.state = any ($states)'),
  has('document', 'o.document = $document'),
  has('cellphone', `${bareCellphone('o.cellphone')} = ${bareCellphone('$cellphone')}`),
  has('operationId', 'o.operation_id = $operationId'),
  has('currency', 'o.currency = $currency'),
  has('amountFrom', 'o.amount_minor >= $amountFrom'),
  has('amountTo', 'o.amount_minor <= $amountTo'),
  has('createdFrom', 'o.created_at >= $createdFrom'),
  has('createdBefore', 'o.created_at < $createdBefore'),
  has('updatedFrom', 'o.updated_at >= $updatedFrom'),
  has('updatedBefore', 'o.updated_at < $updatedBefore'),
  has(
    'isPaid',
    `exists (select from cashout_payments p where p.merchant_id = o.merchant_id and p.operation_id = o.operation_id and ${[
      has('paidFrom', 'p.paid_at >= $paidFrom'),
      has('paidBefore', 'p.paid_at < $paidBefore'),
      has('network', 'p.network_id = $network'),
      has('transaction', 'p.transaction_id = $transaction'),
    ].join(' and ')})`,
  ),
].join(' and ')})`;

/** The values of CASHOUT_FITS. */
export function cashoutValues(scope: Scope, filter: CashoutFilter): CashoutValues {
  const { amountMinor, created, updated, paid, network, transaction, ...named } = filter;
  const isPaid = paid?.from !== undefined || paid?.before !== undefined || network !== undefined || transaction !== undefined;
  const given = {
    ...named,
    merchant: scope === 'everybody' ? null : scope.merchantId,
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
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
