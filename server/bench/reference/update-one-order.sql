-- pgbench runs this for P4: as update-order.sql, but all clients change the same order.
-- They queue for its row lock until the commit before them is on disk.
\set order 1
\set amount random(100, 1000000000)
begin;
select state, version, amount_minor as amount_before, currency, expires_at
  from orders where merchant_id = 'bench-orders' and order_id = :order for update \gset
update orders set amount_minor = :amount, version = version + 1, updated_at = now()
 where merchant_id = 'bench-orders' and order_id = :order;
insert into order_history (merchant_id, order_id, version, event, actor, changed_at, request_id, changes)
values ('bench-orders', :order, :version + 1, 'order.updated', 'merchant', now(), null,
        jsonb_build_object('amount', jsonb_build_array(:amount_before || ' COP', :amount || ' COP')));
commit;
