-- Outside of a transaction.
-- Orders are found by the last digits of their reference.
drop index concurrently if exists orders_by_reference_end;
create index concurrently orders_by_reference_end on orders (merchant_id, (reverse(reference) collate "C"));
