import { AMOUNT_FROM, AMOUNT_TO, CURRENCY, FROM, PAID, TO, type ExportedList } from '../../exports/index.ts';
import { numbered } from '../../kit/lists/named-parameters.ts';
import { ORDER_STATES } from '../order-columns.ts';
import { ORDER_FITS, ORDER_PARAMETERS, orderValues, ORDER_STATE_NOW, type OrderFilter } from './order-filter.ts';

const SELECT = numbered(
  ORDER_PARAMETERS,
  `select o.merchant_id as merchant, o.order_id as "order", o.service_order_id as "serviceOrderId", o.reference, ${ORDER_STATE_NOW} as state,
          o.amount_minor as amount, o.currency, o.email, o.user_document as document, o.user_document_type as "documentType",
          o.user_name as name, o.description, o.country, o.method, o.language, o.recurrent, o.expires_on as "expiresOn", o.payments, last.paid_at as "paidAt", last.source,
          last.transaction_id as transaction, o.version,
          o.created_at as "createdAt", o.updated_at as "updatedAt"
     from orders o
          left join order_payments last on last.merchant_id = o.merchant_id and last.order_id = o.order_id and last.payment_number = o.payments
    where ${ORDER_FITS}`,
);

/** The orders, for whole exports, each with its last payment. Their states are those of the instant of the export. */
export const exportedOrders: ExportedList = {
  name: 'orders',
  permission: 'orders:read',
  columns: {
    merchant: 'name',
    order: 'text',
    serviceOrderId: 'number',
    reference: 'text',
    state: 'name',
    amount: 'amount',
    currency: 'name',
    email: 'text',
    document: 'text',
    documentType: 'text',
    name: 'text',
    description: 'text',
    country: 'name',
    method: 'text',
    language: 'name',
    recurrent: 'flag',
    expiresOn: 'day',
    payments: 'number',
    paidAt: 'instant',
    source: 'name',
    transaction: 'text',
    version: 'number',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  order: ['merchant', 'order'],
  isOfMoney: true,
  filters: {
    from: { ...FROM, about: 'created from this day or instant on' },
    to: { ...TO, about: 'created to the end of this day, or before this instant' },
    state: { kind: 'choices', of: ORDER_STATES, about: 'in these states' },
    order: { kind: 'text', about: 'with this id of its merchant' },
    serviceOrderId: { kind: 'number', about: 'with this id of the service' },
    email: { kind: 'text', about: 'of this payer' },
    document: { kind: 'text', about: 'of the payer with this document' },
    reference: { kind: 'text', about: 'with this reference' },
    updatedFrom: { kind: 'moment', about: 'changed last on this day or after this instant' },
    updatedTo: { kind: 'moment', about: 'changed last by the end of this day, or before this instant' },
    ...PAID,
    network: { kind: 'text', about: 'paid at this network' },
    transaction: { kind: 'text', about: 'paid by this transaction' },
    currency: CURRENCY,
    amountFrom: AMOUNT_FROM,
    amountTo: AMOUNT_TO,
  },
  query: (scope, { from, to, updatedFrom, updatedTo, paidFrom, paidTo, state, order, amountFrom, amountTo, ...equal }, now) => {
    const filter = {
      ...equal,
      states: state,
      orderId: order,
      created: { from, before: to },
      updated: { from: updatedFrom, before: updatedTo },
      paid: { from: paidFrom, before: paidTo },
      amountMinor: { from: amountFrom, to: amountTo },
    };
    return { text: SELECT.text, values: SELECT.valuesOf(orderValues(scope, filter as OrderFilter, now)) };
  },
};
