import { FROM, TO, type ExportedList } from '../../exports/index.ts';
import { REFUND_STATES } from './refund-columns.ts';

/** Refunds of payments, for whole exports. Those that failed or were cancelled are among them, with their state. */
export const exportedRefunds: ExportedList = {
  name: 'refunds',
  permission: 'orders:read',
  columns: {
    merchant: 'name',
    refund: 'text',
    order: 'text',
    number: 'number',
    state: 'name',
    amount: 'amount',
    currency: 'name',
    fee: 'amount',
    tax: 'amount',
    refundedBy: 'name',
    cashout: 'text',
    takenFrom: 'name',
    reason: 'text',
    requestedAt: 'instant',
    endedAt: 'instant',
    proof: 'text',
    problem: 'text',
  },
  order: ['merchant', 'refund'],
  isOfMoney: true,
  filters: {
    from: { ...FROM, about: 'requested from this day or instant on' },
    to: { ...TO, about: 'requested to the end of this day, or before this instant' },
    state: { kind: 'choices', of: REFUND_STATES, about: 'in these states' },
  },
  query: (scope, { from, to, state }) => ({
    text: `select merchant_id as merchant, refund_id as refund, order_id as "order", payment_number as number, state,
                  amount_minor as amount, currency, fee_minor as fee, tax_minor as tax, refunded_by as "refundedBy", operation_id as cashout,
                  taken_from as "takenFrom", reason,
                  requested_at as "requestedAt", ended_at as "endedAt", proof, problem
             from order_refunds
            where ($1::text is null or merchant_id = $1) and ($2::timestamptz is null or requested_at >= $2)
              and ($3::timestamptz is null or requested_at < $3) and ($4::text[] is null or state = any ($4))`,
    values: [scope === 'everybody' ? null : scope.merchantId, from ?? null, to ?? null, state ?? null],
  }),
};
