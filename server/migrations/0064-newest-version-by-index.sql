-- Outside of a transaction.
-- The migration before says why.
drop index concurrently if exists ledger_balances_newest;
create index concurrently ledger_balances_newest on ledger_balances (merchant_id, account, currency, changed_in);
drop index concurrently if exists cashout_slot_counts_newest;
create index concurrently cashout_slot_counts_newest on cashout_slot_counts (merchant_id, updated_on, updated_slot, changed_in);
drop index concurrently if exists cashout_counts_newest;
create index concurrently cashout_counts_newest on cashout_counts (merchant_id, updated_on, changed_in);
drop index concurrently if exists cashout_month_counts_newest;
create index concurrently cashout_month_counts_newest on cashout_month_counts (merchant_id, month_on, changed_in);
drop index concurrently if exists ledger_balances_by_account;
drop index concurrently if exists cashout_slot_counts_by_slot;
drop index concurrently if exists cashout_counts_by_day;
drop index concurrently if exists cashout_month_counts_by_month;
