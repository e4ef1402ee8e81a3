-- A page by its number skips the operations before it within one hour of its day, not within the whole day: a busy day has hundreds of thousands.
create table cashout_hour_counts (
  merchant_id  text collate "C" not null,
  updated_on   date not null,
  updated_hour timestamptz not null,
  pending      bigint not null,
  approved     bigint not null,
  expired      bigint not null,
  cancelled    bigint not null,
  nullified    bigint not null,
  primary key (merchant_id, updated_on, updated_hour)
) with (fillfactor = 50);
comment on table cashout_hour_counts is 'Exact, as cashout_counts, whose rows are the sums of these: changed by the same statement.';
comment on column cashout_hour_counts.updated_hour is 'The instant at which the hour of UTC begins.';

insert into cashout_hour_counts (merchant_id, updated_on, updated_hour, pending, approved, expired, cancelled, nullified)
select merchant_id, updated_on, date_trunc('hour', updated_at, 'UTC'), count(*) filter (where state = 'pending'),
       count(*) filter (where state = 'approved'), count(*) filter (where state = 'expired'), count(*) filter (where state = 'cancelled'),
       count(*) filter (where state = 'nullified')
  from cashouts group by 1, 2, 3;
