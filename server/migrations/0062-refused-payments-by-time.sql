-- Outside of a transaction.
-- Reasons are counted over the days of their first try.
drop index concurrently if exists refused_payments_by_first_try;
create index concurrently refused_payments_by_first_try on refused_payments (first_at);
