import { CURRENCY, FROM, TO, type ExportedList } from '../exports/index.ts';
import { SETTLEMENT_STATES } from './settlement-columns.ts';

/** Settlements, for whole exports. Those that were cancelled or came back are among them, with their state. `amount` is what the merchant gets. */
export const exportedSettlements: ExportedList = {
  name: 'settlements',
  permission: 'ledger:read',
  columns: {
    merchant: 'name',
    settlement: 'number',
    state: 'name',
    entries: 'number',
    gross: 'amount',
    amount: 'amount',
    currency: 'name',
    settledOn: 'day',
    madeAt: 'instant',
    approvedAt: 'instant',
    sentAt: 'instant',
    file: 'text',
    paidAt: 'instant',
    bankReference: 'text',
    returnedAt: 'instant',
    problem: 'text',
    cancelledAt: 'instant',
  },
  order: ['merchant', 'settlement'],
  isOfMoney: true,
  filters: {
    from: { ...FROM, about: 'made from this day or instant on' },
    to: { ...TO, about: 'made to the end of this day, or before this instant' },
    state: { kind: 'choices', of: SETTLEMENT_STATES, about: 'in these states' },
    currency: CURRENCY,
  },
  query: (scope, { from, to, state, currency }) => ({
    text: `select merchant_id as merchant, settlement_id as settlement, state, entries, gross_minor as gross, net_minor as amount, currency,
                  settled_on as "settledOn", made_at as "madeAt", approved_at as "approvedAt", sent_at as "sentAt", file_id as file,
                  paid_at as "paidAt", bank_reference as "bankReference", returned_at as "returnedAt", problem, cancelled_at as "cancelledAt"
             from settlements
            where ($1::text is null or merchant_id = $1) and ($2::timestamptz is null or made_at >= $2) and ($3::timestamptz is null or made_at < $3)
              and ($4::text[] is null or state = any ($4)) and ($5::text is null or currency = $5)`,
    values: [scope === 'everybody' ? null : scope.merchantId, from ?? null, to ?? null, state ?? null, currency ?? null],
  }),
};
