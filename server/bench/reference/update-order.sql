-- pgbench runs this for P1, P2 and P3: what an update does to the database, one order and one transaction at a time.
-- Tables, row lock, history row and durability are the server's. In pgbench's favour it reads and writes fewer columns,
-- checks nothing and sends no answer.
\set order random(1, :orders)
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
