-- Outside of a transaction.
-- What a merchant's entries and messages are listed by, the newest first, and what a day of its money is read by.
drop index concurrently if exists ledger_entries_by_merchant;
create index concurrently ledger_entries_by_merchant on ledger_entries (merchant_id, posted_at);
drop index concurrently if exists messages_by_merchant;
create index concurrently messages_by_merchant on messages (merchant_id, created_at, message_id);
