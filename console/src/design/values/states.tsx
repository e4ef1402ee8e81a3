import type { ReactElement } from 'react';
import type { ItemOf } from '../../api/client.ts';
import { defineWords, useWords } from '../../shell/language.ts';
import { Badge, type Tone } from './values.tsx';

/** The states of orders and cashouts, which many pages show. */
export const STATES = defineWords({
  es: {
    order: { pending: 'Pendiente', approved: 'Pagada', expired: 'Vencida', cancelled: 'Cancelada', voided: 'Anulada' },
    cashout: { pending: 'Pendiente', approved: 'Pagado', expired: 'Vencido', cancelled: 'Cancelado', nullified: 'Anulado' },
  },
  en: {
    order: { pending: 'Pending', approved: 'Paid', expired: 'Expired', cancelled: 'Cancelled', voided: 'Voided' },
    cashout: { pending: 'Pending', approved: 'Paid', expired: 'Expired', cancelled: 'Cancelled', nullified: 'Nullified' },
  },
  pt: {
    order: { pending: 'Pendente', approved: 'Pago', expired: 'Vencido', cancelled: 'Cancelado', voided: 'Anulado' },
    cashout: { pending: 'Pendente', approved: 'Pago', expired: 'Vencido', cancelled: 'Cancelado', nullified: 'Anulado' },
  },
});

type OrderStates = ItemOf<'listOrders'>['state'];
type CashoutStates = ItemOf<'listCashoutsByFilter'>['state'];

const TONES: Readonly<Record<OrderStates | CashoutStates, Tone>> = {
  pending: 'info',
  approved: 'good',
  expired: 'warn',
  cancelled: 'neutral',
  voided: 'bad',
  nullified: 'bad',
};

/** The state of an order. */
export const OrderState = ({ state }: { readonly state: OrderStates }): ReactElement => (
  <Badge tone={TONES[state]}>{useWords(STATES).order[state]}</Badge>
);

/** The state of a cashout. */
export const CashoutState = ({ state }: { readonly state: CashoutStates }): ReactElement => (
  <Badge tone={TONES[state]}>{useWords(STATES).cashout[state]}</Badge>
);
