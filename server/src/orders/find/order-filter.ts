import { fitsOf, LIST_PARAMETERS, listValues, type ListFilter } from '../../kit/lists/filters.ts';
import type { NamedValues } from '../../kit/lists/named-parameters.ts';
import type { Scope } from '../../kit/lists/walks.ts';
import type { OrderState } from '../order.ts';

/** What orders are looked for. */
export type OrderFilter = ListFilter & {
  /** The states now: an order whose time has run out is expired. */
  readonly states?: readonly OrderState[] | undefined;
  /** Capital letters are as small ones. */
  readonly email?: string | undefined;
  readonly reference?: string | undefined;
  readonly orderId?: string | undefined;
  readonly serviceOrderId?: bigint | undefined;
  /** The payer's document, with or without spaces, points and hyphens. */
  readonly document?: string | undefined;
};

/** The place of an order in a list. It never changes. */
export type OrderPlace = { readonly createdAt: Temporal.Instant; readonly serviceOrderId: bigint };

export const ORDER_PARAMETERS = {
  ...LIST_PARAMETERS,
  storedStates: 'text[]',
  now: 'timestamptz',
  email: 'text',
  reference: 'text',
  orderId: 'text',
  serviceOrderId: 'bigint',
  document: 'text',
} as const;

/** An e-mail address as it is compared, whatever the locale of the database. An index has it so. */
export const foldedEmail = (text: string): string => `lower(${text} collate "C")`;
/** A document as it is compared: merchants send it as people write it, `52.998.877`. An index has it so. */
export const bareDocument = (text: string): string => `(regexp_replace(${text}, '[[:space:].,/_-]', '', 'g') collate "C")`;

/** SQL: the state of an order `o` now. The sweep writes `expired` a while after the time has run out. */
export const ORDER_STATE_NOW = `case when o.state = 'pending' and o.expires_at <= $now then 'expired' else o.state end`;

/** SQL: whether an order `o` is in the scope and passes the filter. Its values are those of orderValues. */
export const ORDER_FITS = fitsOf(
  {
    state: ORDER_STATE_NOW,
    payments: 'order_payments p where p.merchant_id = o.merchant_id and p.order_id = o.order_id',
    network: `p.source = 'network:' || $network`,
  },
  {
    email: `${foldedEmail('o.email')} = ${foldedEmail('$email')}`,
    reference: 'o.reference = $reference',
    orderId: 'o.order_id = $orderId',
    serviceOrderId: 'o.service_order_id = $serviceOrderId',
    document: `${bareDocument('o.user_document')} = ${bareDocument('$document')}`,
  },
);

/** The values of ORDER_FITS. */
export function orderValues(
  scope: Scope,
  { states, email, reference, orderId, serviceOrderId, document, ...filter }: OrderFilter,
  now: Temporal.Instant,
): NamedValues<keyof typeof ORDER_PARAMETERS> {
  const named = { states, email, reference, orderId, serviceOrderId, document };
  return { ...listValues(scope, filter), ...named, storedStates: states && storedStates(states), now };
}

/** The states in the column of such orders. The sweep writes `expired` a while after the time has run out. */
const storedStates = (states: readonly OrderState[]): readonly OrderState[] =>
  states.includes('expired') ? [...new Set<OrderState>([...states, 'pending'])] : states;
