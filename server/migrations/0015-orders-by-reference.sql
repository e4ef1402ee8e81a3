-- For the query of an order by its reference. Of many orders that ended with one reference, the newest is the last entry.
create index orders_by_reference on orders (merchant_id, reference, service_order_id);
comment on table orders is 'An update that leaves state, reference and expires_at as they are is a heap-only one: no other column that changes is in an index, and pages keep room.';
