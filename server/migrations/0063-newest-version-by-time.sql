-- New versions of a busy row do not always come behind old ones: PostgreSQL puts them on any page with room. Then a search backwards
-- passed all of them again (docs/decisions/0053). Now each row says when it changed last, four times a second at most. The index has that
-- behind the key. So a search meets what changed last, and only versions of the last quarter of a second beside it.
alter table ledger_balances add column changed_in bigint not null default 0;
alter table cashout_slot_counts add column changed_in bigint not null default 0;
alter table cashout_counts add column changed_in bigint not null default 0;
alter table cashout_month_counts add column changed_in bigint not null default 0;
comment on column ledger_balances.changed_in is 'The quarter of a second in which it changed last, since 1970. It never falls.';
comment on column cashout_slot_counts.changed_in is 'As in ledger_balances.';
comment on column cashout_counts.changed_in is 'As in ledger_balances.';
comment on column cashout_month_counts.changed_in is 'As in ledger_balances.';

create or replace function ledger_apply_entries() returns trigger language plpgsql security definer as $$
declare
  wrong record;
  wanted bigint;
  held bigint;
  now_in bigint := floor(extract(epoch from clock_timestamp()) * 4);
begin
  select merchant_id, transaction_id into wrong
    from (select merchant_id, transaction_id, sum(amount_minor) as off, min(line) as first, max(line) as last, count(*) as lines
            from new_entries group by merchant_id, transaction_id, currency) as of_currency
   group by merchant_id, transaction_id
  having bool_or(off <> 0) or min(first) <> 1 or max(last) <> sum(lines) limit 1;
  if found then
    raise exception 'ledger transaction % of % is not whole: its entries sum to zero in each currency and are numbered from 1',
      wrong.transaction_id, wrong.merchant_id using errcode = 'check_violation', constraint = 'ledger_entries_sum_to_zero';
  end if;
  -- Locked before they are changed: an update by place does not follow a row that somebody else has just changed.
  loop
    select count(*), count(locked.is_held) into wanted, held
      from (select account, merchant_id, currency from new_entries
             group by account, merchant_id, currency order by account, merchant_id, currency) as change
      left join lateral (
        select true as is_held from ledger_balances b
         where b.merchant_id = change.merchant_id and b.account = change.account
           and b.currency = change.currency
         order by b.changed_in desc limit 1 for no key update) as locked on true;
    exit when held = wanted;
    perform pg_advisory_xact_lock(hashtext('new balances'), hashtext(merchant_id))
       from (select distinct merchant_id from new_entries order by merchant_id) as changed;
    insert into ledger_balances (merchant_id, account, currency, balance_minor, changed_in)
    select merchant_id, account, currency, 0, now_in
      from (select distinct account, merchant_id, currency from new_entries order by account, merchant_id, currency) as change
     where not exists (
       select from ledger_balances b
        where b.merchant_id = change.merchant_id and b.account = change.account and b.currency = change.currency);
  end loop;
  update ledger_balances as kept set balance_minor = kept.balance_minor + change.amount_minor,
         changed_in = greatest(kept.changed_in, now_in)
    from (select account, merchant_id, currency, sum(amount_minor) as amount_minor from new_entries
           group by account, merchant_id, currency) as change
   cross join lateral (
      select b.ctid as place from ledger_balances b
       where b.merchant_id = change.merchant_id and b.account = change.account
         and b.currency = change.currency
       order by b.changed_in desc limit 1) as newest
   where kept.ctid = newest.place;
  return null;
end $$;
-- As in 0030-balances-follow-entries.sql: a replaced function has lost its search path.
do $$ begin
  execute format('alter function ledger_apply_entries() set search_path = %I, pg_temp', current_schema());
end $$;

-- Of each change: its merchant, day and instant, the state, and how many cashouts it gains; negative: loses.
-- One transaction after the other counts for a merchant, in the order of merchants. So none waits for another in a circle.
create or replace function count_cashouts(merchants text[], days date[], instants timestamptz[], states text[], deltas bigint[])
  returns void language plpgsql as $$
declare
  now_in bigint := floor(extract(epoch from clock_timestamp()) * 4);
begin
  perform pg_advisory_xact_lock(hashtext('cashout counts'), hashtext(merchant_id))
     from (select distinct unnest(merchants) collate "C" as merchant_id order by merchant_id) as counted;
  with slot as materialized (
    select merchant_id collate "C" as merchant_id, updated_on, date_bin('5 minutes', updated_at, 'epoch') as updated_slot,
           coalesce(sum(delta) filter (where state = 'pending'), 0) as pending,
           coalesce(sum(delta) filter (where state = 'approved'), 0) as approved,
           coalesce(sum(delta) filter (where state = 'expired'), 0) as expired,
           coalesce(sum(delta) filter (where state = 'cancelled'), 0) as cancelled,
           coalesce(sum(delta) filter (where state = 'nullified'), 0) as nullified
      from unnest(merchants, days, instants, states, deltas) as given (merchant_id, updated_on, updated_at, state, delta)
     group by 1, 2, 3),
  day as materialized (
    select merchant_id, updated_on, sum(pending) as pending, sum(approved) as approved, sum(expired) as expired,
           sum(cancelled) as cancelled, sum(nullified) as nullified
      from slot group by 1, 2),
  month as materialized (
    select merchant_id, date_trunc('month', updated_on)::date as month_on,
           sum(pending) as pending, sum(approved) as approved, sum(expired) as expired, sum(cancelled) as cancelled,
           sum(nullified) as nullified
      from day group by 1, 2),
  slot_added as (
    update cashout_slot_counts as kept
       set pending = kept.pending + slot.pending, approved = kept.approved + slot.approved, expired = kept.expired + slot.expired,
           cancelled = kept.cancelled + slot.cancelled, nullified = kept.nullified + slot.nullified,
           changed_in = greatest(kept.changed_in, now_in)
      from slot cross join lateral (
        select b.ctid as place from cashout_slot_counts b
         where b.merchant_id = slot.merchant_id and b.updated_on = slot.updated_on
           and b.updated_slot = slot.updated_slot
         order by b.changed_in desc limit 1) as newest
     where kept.ctid = newest.place
    returning kept.merchant_id, kept.updated_on, kept.updated_slot),
  slot_new as (
    insert into cashout_slot_counts (merchant_id, updated_on, updated_slot, pending, approved, expired, cancelled, nullified, changed_in)
    select merchant_id, updated_on, updated_slot, pending, approved, expired, cancelled, nullified, now_in from slot
     where (merchant_id, updated_on, updated_slot) not in (select merchant_id, updated_on, updated_slot from slot_added)),
  day_added as (
    update cashout_counts as kept
       set pending = kept.pending + day.pending, approved = kept.approved + day.approved, expired = kept.expired + day.expired,
           cancelled = kept.cancelled + day.cancelled, nullified = kept.nullified + day.nullified,
           changed_in = greatest(kept.changed_in, now_in)
      from day cross join lateral (
        select b.ctid as place from cashout_counts b
         where b.merchant_id = day.merchant_id and b.updated_on = day.updated_on
         order by b.changed_in desc limit 1) as newest
     where kept.ctid = newest.place
    returning kept.merchant_id, kept.updated_on),
  day_new as (
    insert into cashout_counts (merchant_id, updated_on, pending, approved, expired, cancelled, nullified, changed_in)
    select merchant_id, updated_on, pending, approved, expired, cancelled, nullified, now_in from day
     where (merchant_id, updated_on) not in (select merchant_id, updated_on from day_added)),
  month_added as (
    update cashout_month_counts as kept
       set pending = kept.pending + month.pending, approved = kept.approved + month.approved, expired = kept.expired + month.expired,
           cancelled = kept.cancelled + month.cancelled, nullified = kept.nullified + month.nullified,
           changed_in = greatest(kept.changed_in, now_in)
      from month cross join lateral (
        select b.ctid as place from cashout_month_counts b
         where b.merchant_id = month.merchant_id and b.month_on = month.month_on
         order by b.changed_in desc limit 1) as newest
     where kept.ctid = newest.place
    returning kept.merchant_id, kept.month_on)
  insert into cashout_month_counts (merchant_id, month_on, pending, approved, expired, cancelled, nullified, changed_in)
  select merchant_id, month_on, pending, approved, expired, cancelled, nullified, now_in from month
   where (merchant_id, month_on) not in (select merchant_id, month_on from month_added);
end $$;
