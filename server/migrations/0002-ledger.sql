-- Double entry, per merchant: whom the money belongs to, and every movement of it. The database itself keeps the law: what a transaction
-- takes from one account it gives to another, nothing written is ever changed, balances are what their entries add up to, and a merchant's
-- funds do not go below zero. Where the code is wrong, the transaction fails.

create table ledger_entries (
  merchant_id    text collate "C" not null,
  transaction_id text collate "C" not null,
  line           integer not null,
  kind           text not null,
  account        text collate "C" not null,
  currency       text collate "C" not null,
  amount_minor   bigint not null check (amount_minor <> 0),
  posted_at      timestamptz not null,
  reason         text,
  primary key (merchant_id, transaction_id, line),
  constraint ledger_entries_adjustment_has_reason check (kind <> 'adjustment' or reason is not null)
);
-- For the movements of a fund, which are served. What the command line asks reads the merchant's entries, or with --from and --until only the
-- pages of that time, which an append-only table keeps together: an index of every account would cost a batch of payouts 0.5 ms more of 2.5.
create index ledger_entries_by_fund on ledger_entries (merchant_id, posted_at) where account = 'available';
create index ledger_entries_by_time on ledger_entries using brin (posted_at) with (autosummarize = on);
comment on table ledger_entries is 'Append-only. All entries of a transaction are inserted by one statement, numbered from 1.';
comment on column ledger_entries.transaction_id is 'Made of what happened (cashout/W-1/registered): nothing can be posted twice.';
comment on column ledger_entries.amount_minor is 'Positive: owed to the account''s owner from now on.';

create table ledger_balances (
  merchant_id   text collate "C" not null references merchants,
  account       text collate "C" not null
    check (account in ('available', 'reserved', 'collected', 'service:fees', 'service:tax', 'service:bank', 'service:adjustments')
           or account ~ '^network:.'),
  currency      text collate "C" not null,
  balance_minor bigint not null,
  primary key (merchant_id, account, currency)
) with (fillfactor = 50);
comment on table ledger_balances is 'Written by the trigger of ledger_entries alone. A network''s or the service''s total is the sum over the merchants.';

-- A row of its own for every change, so that what was in force when is on record; the newest of (merchant, operation kind, currency) is in force.
create table merchant_fees (
  merchant_id    text collate "C" not null references merchants,
  operation_kind text collate "C" not null check (operation_kind in ('order', 'cashout')),
  currency       text collate "C" not null,
  fee_id         bigint not null generated always as identity,
  percent_ppm    integer not null check (percent_ppm between 0 and 1000000),
  fixed_minor    bigint not null check (fixed_minor >= 0),
  tax_ppm        integer not null check (tax_ppm between 0 and 1000000),
  set_at         timestamptz not null,
  primary key (merchant_id, operation_kind, currency, fee_id)
);
comment on column merchant_fees.percent_ppm is 'Of the amount, in millionths: 2.5 % is 25000.';
comment on column merchant_fees.tax_ppm is 'On the fee, in millionths.';

create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: %', tg_op, tg_table_name,
    case tg_table_name when 'ledger_balances' then 'it follows the entries' else 'it is append-only' end
    using errcode = 'restrict_violation';
end $$;

create trigger ledger_entries_are_append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse_change();
create trigger merchant_fees_are_append_only before update or delete or truncate on merchant_fees
  for each statement execute function ledger_refuse_change();
create trigger ledger_balances_follow_entries before insert or update or delete or truncate on ledger_balances
  for each statement when (pg_trigger_depth() = 0) execute function ledger_refuse_change();

-- Once per statement, not per row: 128 transactions of a batch cost one pass over their entries and one upsert per balance.
-- Lines numbered from 1 without a gap mean that a later statement cannot add to a transaction: its line 1 is taken.
-- Balances are locked in one order everywhere, account first: whoever holds the available rows of many merchants (lockFunds) holds the first
-- of that order, and so several servers never wait for each other in a circle.
create function ledger_apply_entries() returns trigger language plpgsql as $$
declare
  wrong record;
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
  insert into ledger_balances as kept (merchant_id, account, currency, balance_minor)
  select merchant_id, account, currency, sum(amount_minor) from new_entries
   group by account, merchant_id, currency order by account, merchant_id, currency
  on conflict (merchant_id, account, currency) do update set balance_minor = kept.balance_minor + excluded.balance_minor;
  return null;
end $$;

create trigger ledger_entries_apply after insert on ledger_entries referencing new table as new_entries
  for each statement execute function ledger_apply_entries();

-- Not a check constraint: PostgreSQL checks the row that an upsert proposes, and taking from a fund proposes a negative one.
create function ledger_refuse_below_zero() returns trigger language plpgsql as $$
begin
  raise exception 'the account % of % in % would be below zero', new.account, new.merchant_id, new.currency
    using errcode = 'check_violation', constraint = 'ledger_balances_never_below_zero';
end $$;

create trigger ledger_balances_never_below_zero after insert or update on ledger_balances
  for each row when (new.balance_minor < 0 and new.account in ('available', 'reserved')) execute function ledger_refuse_below_zero();
