-- The payments of a recurrent order A are called A_1, A_2 and so on. No other order may be called so.
create table order_id_starts (
  merchant_id text collate "C" not null,
  start       text collate "C" not null,
  recurrent   boolean not null,
  primary key (merchant_id, start)
);
comment on table order_id_starts is 'What stands in front of _ and a number, in ids of orders and of payments. It belongs to one recurrent order, or to the orders whose ids end in a number (contract §3.5).';
insert into order_id_starts (merchant_id, start, recurrent)
select merchant_id, start, bool_or(recurrent)
  from (select merchant_id, regexp_replace(order_id, '_[1-9][0-9]*$', '') as start, false as recurrent
          from orders where order_id ~ '._[1-9][0-9]*$'
        union all
        select merchant_id, order_id, true from orders where recurrent
        union all
        select merchant_id, order_id, true from order_payments where po_id <> order_id) as used
 group by merchant_id, start;
