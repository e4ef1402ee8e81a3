-- What each account moved on each day in UTC, so that a balance of long ago is a sum of days. A job sums hours that are over.
create table ledger_days (
  merchant_id  text collate "C" not null references merchants,
  day          date not null,
  account      text collate "C" not null,
  currency     text collate "C" not null,
  amount_minor numeric not null,
  primary key (merchant_id, day, account, currency)
) with (fillfactor = 70);
comment on table ledger_days is 'Sums of ledger_entries by day in UTC. An account that did not move on a day has no row.';

create table ledger_summed (
  summed_to timestamptz not null
);
create unique index ledger_summed_is_one_row on ledger_summed ((true));
comment on column ledger_summed.summed_to is 'Each entry that was posted before this instant is in ledger_days, and no other.';
insert into ledger_summed values ('epoch');
