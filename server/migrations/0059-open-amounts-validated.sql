-- All orders are what the rule of 0058 says. A transaction of its own: the table is read under a lock that lets orders be written.
alter table orders validate constraint orders_amount_minor_check;
