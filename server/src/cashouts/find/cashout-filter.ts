import { fitsOf, LIST_PARAMETERS, listValues, type ListFilter } from '../../kit/lists/filters.ts';
import type { NamedValues } from '../../kit/lists/named-parameters.ts';
import type { Scope } from '../../kit/lists/walks.ts';
import type { CashoutState } from '../cashout.ts';
import { storedDocument } from '../end-users/documents.ts';
import type { ListKey } from '../list-statements.ts';

/** What cashouts are looked for. */
export type CashoutFilter = ListFilter & {
  /** The states now: what waits past its last day is expired. */
  readonly states?: readonly CashoutState[] | undefined;
  /** As people write it: `12.345.670-k`. */
  readonly document?: string | undefined;
  /** With or without spaces, points, hyphens, brackets and +. */
  readonly cellphone?: string | undefined;
  readonly operationId?: string | undefined;
};

/** The place of a cashout in the list. A change moves it to the front. */
export type CashoutPlace = ListKey;

export const CASHOUT_PARAMETERS = {
  ...LIST_PARAMETERS,
  storedStates: 'text[]',
  now: 'timestamptz',
  document: 'text',
  cellphone: 'text',
  operationId: 'text',
  placeOn: 'date',
} as const;

/** A cellphone as it is compared, and as an index has it: without the marks that people write between digits. */
export const bareCellphone = (text: string): string => `(translate(${text}, '+() .-', '') collate "C")`;

/** SQL: the state of a cashout `o` now. The sweep writes `expired` a while after the last day is over. */
export const CASHOUT_STATE_NOW = `case when o.state = 'pending' and o.expires_at <= $now then 'expired' else o.state end`;

/** SQL: whether a cashout `o` is in the scope and passes the filter. Its values are those of cashoutValues. */
export const CASHOUT_FITS = fitsOf(
  {
    state: CASHOUT_STATE_NOW,
    payments: 'cashout_payments p where p.merchant_id = o.merchant_id and p.operation_id = o.operation_id',
    network: 'p.network_id = $network',
  },
  {
    document: 'o.document = $document',
    cellphone: `${bareCellphone('o.cellphone')} = ${bareCellphone('$cellphone')}`,
    operationId: 'o.operation_id = $operationId',
  },
);

/** The values of CASHOUT_FITS. */
export function cashoutValues(
  scope: Scope,
  { states, document, cellphone, operationId, ...filter }: CashoutFilter,
  now: Temporal.Instant,
): NamedValues<keyof typeof CASHOUT_PARAMETERS> {
  const named = { states, document: document && storedDocument(document), cellphone, operationId };
  return { ...listValues(scope, filter), ...named, storedStates: states && storedStates(states), now };
}

/** The states in the column of such cashouts. The sweep writes `expired` a while after the last day is over. */
const storedStates = (states: readonly CashoutState[]): readonly CashoutState[] =>
  states.includes('expired') ? [...new Set<CashoutState>([...states, 'pending'])] : states;
