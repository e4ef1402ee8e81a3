import { AMOUNT_FROM, AMOUNT_TO, CURRENCY, FROM, PAID, TO, type ExportedList } from '../../exports/index.ts';
import { numbered } from '../../kit/lists/named-parameters.ts';
import { CASHOUT_STATES } from '../cashout.ts';
import { CASHOUT_FITS, CASHOUT_PARAMETERS, cashoutValues, CASHOUT_STATE_NOW, type CashoutFilter } from './cashout-filter.ts';

const SELECT = numbered(
  CASHOUT_PARAMETERS,
  `select o.merchant_id as merchant, o.operation_id as cashout, ${CASHOUT_STATE_NOW} as state, o.amount_minor as amount, o.currency,
          o.transaction_cost_minor as "transactionCost", o.fee_minor as fee, o.tax_minor as tax, o.document, o.cellphone, o.description,
          o.expires_on as "expiresOn", paid.network_id as network, paid.transaction_id as transaction, paid.paid_at as "paidAt", o.version,
          o.created_at as "createdAt", o.updated_at as "updatedAt"
     from cashouts o
     left join cashout_payments paid on paid.merchant_id = o.merchant_id and paid.operation_id = o.operation_id and paid.reversed_at is null
    where ${CASHOUT_FITS}`,
);

/** The cashouts, for whole exports. Their states are those of the instant of the export. None has its one-time password. */
export const exportedCashouts: ExportedList = {
  name: 'cashouts',
  permission: 'cashouts:read',
  columns: {
    merchant: 'name',
    cashout: 'text',
    state: 'name',
    amount: 'amount',
    currency: 'name',
    transactionCost: 'amount',
    fee: 'amount',
    tax: 'amount',
    document: 'text',
    cellphone: 'text',
    description: 'text',
    expiresOn: 'day',
    network: 'name',
    transaction: 'text',
    paidAt: 'instant',
    version: 'number',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  order: ['merchant', 'cashout'],
  isOfMoney: true,
  filters: {
    from: { ...FROM, about: 'updated from this day or instant on' },
    to: { ...TO, about: 'updated to the end of this day, or before this instant' },
    state: { kind: 'choices', of: CASHOUT_STATES, about: 'in these states' },
    cashout: { kind: 'text', about: 'with this id of its merchant' },
    document: { kind: 'text', about: 'of the end user with this document' },
    cellphone: { kind: 'text', about: 'with this number' },
    createdFrom: { kind: 'moment', about: 'registered from this day or instant on' },
    createdTo: { kind: 'moment', about: 'registered to the end of this day, or before this instant' },
    ...PAID,
    network: { kind: 'text', about: 'paid at this network' },
    transaction: { kind: 'text', about: 'paid by this transaction' },
    currency: CURRENCY,
    amountFrom: AMOUNT_FROM,
    amountTo: AMOUNT_TO,
  },
  query: (scope, { from, to, createdFrom, createdTo, paidFrom, paidTo, state, cashout, amountFrom, amountTo, ...equal }, now) => {
    const filter = {
      ...equal,
      states: state,
      operationId: cashout,
      created: { from: createdFrom, before: createdTo },
      updated: { from, before: to },
      paid: { from: paidFrom, before: paidTo },
      amountMinor: { from: amountFrom, to: amountTo },
    };
    return { text: SELECT.text, values: SELECT.valuesOf(cashoutValues(scope, filter as CashoutFilter, now)) };
  },
};
