-- Releases from 0065 on work with it.
-- A network that names ever new transactions would fill refused_payments for ever: beyond a number a day they are counted, not kept.
create table refused_payments_beyond (
  source text not null,
  day date not null,
  currency text not null,
  tries bigint not null,
  amount_minor numeric not null,
  last_at timestamptz not null,
  primary key (source, day, currency)
);
comment on table refused_payments_beyond is 'What a network was refused in a day (UTC) beyond the rows that refused_payments keeps of it.';
-- Lists go along these, the newest first, and what a network was refused today is counted along the last one.
create index refused_payments_by_last_try on refused_payments (last_at desc, merchant_id, order_id, source, transaction_id);
create index refused_payments_of_merchant on refused_payments (merchant_id, last_at desc, order_id, source, transaction_id);
create index refused_payments_of_source on refused_payments (source, first_at);
