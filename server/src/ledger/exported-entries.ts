import { CURRENCY, FROM, TO, type ExportedList } from '../exports/index.ts';

/** The entries of the ledger, for whole exports. Each transaction sums to zero in each currency. */
export const exportedEntries: ExportedList = {
  name: 'entries',
  permission: 'ledger:read',
  columns: {
    merchant: 'name',
    transaction: 'text',
    line: 'number',
    kind: 'name',
    account: 'name',
    amount: 'amount',
    currency: 'name',
    postedAt: 'instant',
    reason: 'text',
    settlement: 'number',
  },
  order: ['merchant', 'transaction', 'line'],
  isOfMoney: true,
  filters: {
    from: { ...FROM, about: 'posted from this day or instant on' },
    to: { ...TO, about: 'posted to the end of this day, or before this instant' },
    account: { kind: 'text', about: 'of this account, such as available or network:NAME' },
    transaction: { kind: 'text', about: 'of this transaction, such as cashout/W-77/paid' },
    currency: CURRENCY,
    settlement: { kind: 'number', about: 'in this settlement' },
  },
  query: (scope, { from, to, account, transaction, currency, settlement }) => ({
    text: `select merchant_id as merchant, transaction_id as transaction, line, kind, account, amount_minor as amount, currency,
                  posted_at as "postedAt", reason, settlement_id as settlement
             from ledger_entries left join settlement_entries using (merchant_id, transaction_id, line)
            where ($1::text is null or merchant_id = $1) and ($2::timestamptz is null or posted_at >= $2)
              and ($3::timestamptz is null or posted_at < $3) and ($4::text is null or account = $4)
              and ($5::text is null or transaction_id = $5) and ($6::text is null or currency = $6)
              and ($7::bigint is null or settlement_id = $7)`,
    values: [
      scope === 'everybody' ? null : scope.merchantId,
      from ?? null,
      to ?? null,
      account ?? null,
      transaction ?? null,
      currency ?? null,
      settlement ?? null,
    ],
  }),
};
