-- Outside of a transaction.
-- What operators list and search by. An update of an order changes none of these columns, as a rule, and stays heap-only.
-- Each order passes the conditions. A list says the one of its index, and so gets no other index, whatever the statistics say.
drop index concurrently if exists orders_created;
create index concurrently orders_created on orders (created_at, service_order_id) where service_order_id > 0;
drop index concurrently if exists orders_by_creation;
create index concurrently orders_by_creation on orders (merchant_id, created_at, service_order_id) where service_order_id <> 0;
drop index concurrently if exists orders_by_state;
create index concurrently orders_by_state on orders (merchant_id, state, created_at, service_order_id);
drop index concurrently if exists orders_by_email;
create index concurrently orders_by_email on orders (merchant_id, (lower(email) collate "C"), created_at, service_order_id);
drop index concurrently if exists orders_by_document;
create index concurrently orders_by_document
  on orders (merchant_id, (regexp_replace(user_document, '[[:space:].,/_-]', '', 'g') collate "C"), created_at, service_order_id)
  where user_document is not null;
drop index concurrently if exists order_transactions_by_merchant;
create index concurrently order_transactions_by_merchant on order_transactions (merchant_id, transaction_id);
drop index concurrently if exists cashouts_by_cellphone;
create index concurrently cashouts_by_cellphone
  on cashouts (merchant_id, (translate(cellphone, '+() .-', '') collate "C"), updated_on, updated_at, cashout_id) where cellphone <> '';
drop index concurrently if exists cashout_payments_by_transaction;
create index concurrently cashout_payments_by_transaction on cashout_payments (merchant_id, transaction_id);
comment on table orders is 'An update that leaves state, reference, expires_at, e-mail and document as they are is a heap-only one: no other column that changes is in an index, and pages keep room.';
