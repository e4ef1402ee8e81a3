-- Outside of a transaction.
-- Releases from 0065 on work with it.
-- What is a small letter depends on the locale of the database, where nothing is said: in Turkish, that of I is not i.
drop index concurrently if exists orders_by_folded_email;
create index concurrently orders_by_folded_email on orders (merchant_id, lower(email collate "C"), created_at, service_order_id);
drop index concurrently if exists orders_by_email;
