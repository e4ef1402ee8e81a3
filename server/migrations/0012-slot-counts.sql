-- A page by its number skips the operations before it within one slot of five minutes, not within the whole hour: in a busy hour a merchant
-- may have hundreds of thousands. A day has at most 288 slots, which are read for such a page alone.
create table cashout_slot_counts (
  merchant_id  text collate "C" not null,
  updated_on   date not null,
  updated_slot timestamptz not null,
  pending      bigint not null,
  approved     bigint not null,
  expired      bigint not null,
  cancelled    bigint not null,
  nullified    bigint not null,
  primary key (merchant_id, updated_on, updated_slot)
) with (fillfactor = 50);
comment on table cashout_slot_counts is 'Exact, as cashout_counts, whose rows are the sums of these: changed by the same statement.';
comment on column cashout_slot_counts.updated_slot is 'The instant at which the five minutes begin.';

insert into cashout_slot_counts (merchant_id, updated_on, updated_slot, pending, approved, expired, cancelled, nullified)
select merchant_id, updated_on, date_bin('5 minutes', updated_at, 'epoch'), count(*) filter (where state = 'pending'),
       count(*) filter (where state = 'approved'), count(*) filter (where state = 'expired'), count(*) filter (where state = 'cancelled'),
       count(*) filter (where state = 'nullified')
  from cashouts group by 1, 2, 3;
drop table cashout_hour_counts;
