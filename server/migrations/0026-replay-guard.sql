-- A merchant may have updates refused that repeat what its order had before.
alter table merchants add column replay_guard boolean not null default false;
comment on column merchants.replay_guard is 'Whether an update that repeats values that its order had before needs If-Match (contract §7.1).';
create table former_terms (
  merchant_id text collate "C" not null,
  order_id    text collate "C" not null,
  terms       bytea not null,
  primary key (merchant_id, order_id, terms)
);
comment on table former_terms is 'What an order had before, of orders whose merchant has the replay guard: at most a row for each change. Deleted after the order has ended.';
comment on column former_terms.terms is 'SHA-256 of the values that the checksum covers: e-mail, country, currency and amount.';
