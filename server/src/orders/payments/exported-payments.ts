import { CURRENCY, FROM, TO, type ExportedList } from '../../exports/index.ts';
import { PAYMENT_STATES } from './payment-columns.ts';

/** The payments of orders, for whole exports. Those that were given back are among them, with their state. */
export const exportedPayments: ExportedList = {
  name: 'payments',
  permission: 'orders:read',
  columns: {
    merchant: 'name',
    order: 'text',
    number: 'number',
    source: 'name',
    transaction: 'text',
    state: 'name',
    amount: 'amount',
    currency: 'name',
    fee: 'amount',
    tax: 'amount',
    paidAt: 'instant',
    givenBackAt: 'instant',
    refunded: 'amount',
  },
  order: ['merchant', 'order', 'number'],
  isOfMoney: true,
  filters: {
    from: { ...FROM, about: 'paid from this day or instant on' },
    to: { ...TO, about: 'paid to the end of this day, or before this instant' },
    state: { kind: 'choices', of: PAYMENT_STATES, about: 'in these states' },
    source: { kind: 'text', about: 'from this source, such as network:NAME' },
    currency: CURRENCY,
  },
  query: (scope, { from, to, state, source, currency }) => ({
    text: `select merchant_id as merchant, order_id as "order", payment_number as number, source, transaction_id as transaction, state,
                  amount_minor as amount, currency, fee_minor as fee, tax_minor as tax, paid_at as "paidAt", given_back_at as "givenBackAt",
                  refunded_minor as refunded
             from order_payments
            where ($1::text is null or merchant_id = $1) and ($2::timestamptz is null or paid_at >= $2)
              and ($3::timestamptz is null or paid_at < $3) and ($4::text[] is null or state = any ($4))
              and ($5::text is null or source = $5) and ($6::text is null or currency = $6)`,
    values: [scope === 'everybody' ? null : scope.merchantId, from ?? null, to ?? null, state ?? null, source ?? null, currency ?? null],
  }),
};
