-- Payments of orders, and what expiry needs.

alter table orders
  add column payments integer not null default 0,
  add column payments_given_back integer not null default 0,
  add constraint orders_payments_given_back check (payments_given_back between 0 and payments);
comment on column orders.payments is 'Counted, and so numbered; a recurrent order has many.';

-- An update that leaves state and expires_at as they are stays heap-only: PostgreSQL compares the values of indexed columns, not who wrote them.
create index orders_due on orders (expires_at) where state = 'pending';

create table order_payments (
  merchant_id    text collate "C" not null references merchants,
  order_id       text collate "C" not null,
  payment_number integer not null check (payment_number > 0),
  source         text collate "C" not null check (source ~ '^(network:.|method:.|operator$)'),
  transaction_id text collate "C" not null,
  po_id          text not null,
  state          text collate "C" not null check (state in ('paid', 'reversed', 'voided')),
  amount_minor   bigint not null check (amount_minor > 0),
  currency       text not null,
  fee_minor      bigint not null check (fee_minor >= 0),
  tax_minor      bigint not null check (tax_minor >= 0),
  paid_at        timestamptz not null,
  given_back_at  timestamptz,
  primary key (merchant_id, order_id, payment_number),
  check ((state = 'paid') = (given_back_at is null))
);
comment on column order_payments.source is 'Who holds the payer''s money: network:<netname>, method:<name> of the checkout, or operator.';
comment on column order_payments.po_id is 'The order''s id in the notices of this payment: with the counter if the order was recurrent when it was paid.';
comment on column order_payments.state is 'reversed: taken back by its network; voided: given back by an operator.';

-- In the whole service a source names each of its transactions once: asked again it is the same payment, or it is refused.
create table order_transactions (
  source         text collate "C" not null,
  transaction_id text collate "C" not null,
  merchant_id    text collate "C" not null,
  order_id       text collate "C" not null,
  payment_number integer not null,
  primary key (source, transaction_id)
);

create table refused_payments (
  merchant_id    text collate "C" not null references merchants,
  order_id       text collate "C" not null,
  source         text collate "C" not null,
  transaction_id text collate "C" not null,
  refusal        text not null,
  order_state    text not null,
  amount_minor   bigint not null,
  currency       text not null,
  tries          integer not null,
  first_at       timestamptz not null,
  last_at        timestamptz not null,
  primary key (merchant_id, order_id, source, transaction_id)
);
comment on table refused_payments is 'Somebody may have taken the payer''s money for these: an operator looks at them. A repeated try counts, and its newest reason stands.';
