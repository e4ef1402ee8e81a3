-- A list over a year sums some 40 rows for its last page instead of 365, one over ten years 150 instead of 3,650.
create table cashout_month_counts (
  merchant_id text collate "C" not null,
  month_on    date not null check (extract(day from month_on) = 1),
  pending     bigint not null,
  approved    bigint not null,
  expired     bigint not null,
  cancelled   bigint not null,
  nullified   bigint not null,
  primary key (merchant_id, month_on)
) with (fillfactor = 50);
comment on table cashout_month_counts is 'The sums of cashout_counts over each month, changed by the same statement.';

insert into cashout_month_counts (merchant_id, month_on, pending, approved, expired, cancelled, nullified)
select merchant_id, date_trunc('month', updated_on)::date, sum(pending), sum(approved), sum(expired), sum(cancelled), sum(nullified)
  from cashout_counts group by 1, 2;
