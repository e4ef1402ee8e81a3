-- Figures are counted from the list of changes, so that nobody scans histories for them.
create table figures (
  merchant_id  text collate "C" not null,
  hour         timestamptz not null,
  event        text collate "C" not null,
  currency     text collate "C" not null,
  source       text collate "C" not null,
  step         smallint not null,
  count        bigint not null,
  amount_minor numeric not null,
  seconds      numeric not null,
  primary key (merchant_id, hour, event, currency, source, step)
) with (fillfactor = 70);
comment on table figures is 'How often something happened within an hour, counted once for each change.';
comment on column figures.source is 'Who holds the money, as network:efectivo; empty: nobody between.';
comment on column figures.step is 'How long it took until an order was paid, as a place in a row of times; 0: it is not timed.';
create index figures_by_hour on figures (hour);
-- A database without a history has nothing to count: its figures begin here. Another one is counted once, by a job.
insert into change_readers (reader, position, complete_to, cluster)
select 'figures', pg_current_snapshot(), 'epoch', (select system_identifier::text from pg_control_system())
 where not exists (select from order_history) and not exists (select from cashout_history) and not exists (select from notices);
