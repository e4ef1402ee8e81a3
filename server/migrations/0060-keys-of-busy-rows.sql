-- Outside of a transaction.
-- Balances and kept counts are found by these, instead of by primary keys. The next migration says why.
drop index concurrently if exists ledger_balances_by_account;
create index concurrently ledger_balances_by_account on ledger_balances (merchant_id, account, currency);
drop index concurrently if exists cashout_slot_counts_by_slot;
create index concurrently cashout_slot_counts_by_slot on cashout_slot_counts (merchant_id, updated_on, updated_slot);
drop index concurrently if exists cashout_counts_by_day;
create index concurrently cashout_counts_by_day on cashout_counts (merchant_id, updated_on);
drop index concurrently if exists cashout_month_counts_by_month;
create index concurrently cashout_month_counts_by_month on cashout_month_counts (merchant_id, month_on);
