-- Every table that belongs to a merchant has the merchant first in its primary key, so that the same schema can be distributed by
-- merchant. What must be unique across merchants has a table of its own (open_references).
-- Ids compare by bytes (collate "C"): the same order on every server, whatever its locale.
-- A database that carries out each statement where its tables are (Citus) must understand the functions too. So a statement of theirs reads
-- the new rows of a trigger or names tables, and never both: what it needs of the rows is put into arrays first (docs/decisions/0074).

-- What changed. Written by triggers in the transaction that changed something: at most a row for each statement, however many orders it changed.
-- Identifiers and instants do not follow the order of commits. Neither do the numbers of transactions, but for these the database knows
-- which ones had ended.

create table changes (
  written_in   xid8 not null default pg_current_xact_id(),
  change_id    bigint generated always as identity,
  written_at   timestamptz not null default clock_timestamp(),
  kind         text not null,
  merchant_ids text[] not null,
  ids          text[] not null,
  versions     integer[] not null,
  events       text[] not null,
  states       text[] not null,
  constraint changes_pkey primary key (written_in, change_id)
);
comment on table changes is 'What changed, one element of each array per change. Read by the position of a reader, and deleted after an hour.';
comment on column changes.written_in is 'The transaction that wrote the row. A reader has a position: a snapshot of those that had ended.';
comment on column changes.ids is 'The merchant''s id of the order or cashout, the number of the notice, the transaction of the ledger.';
comment on column changes.states is 'The state after the change. Null: as it was.';
-- A portion of many changes would be compressed, which costs more than it saves in an hour.
alter table changes
  alter merchant_ids set storage external,
  alter ids set storage external,
  alter versions set storage external,
  alter events set storage external,
  alter states set storage external;

create table change_readers (
  reader      text not null,
  position    pg_snapshot not null,
  complete_to timestamptz not null,
  cluster     text not null,
  constraint change_readers_pkey primary key (reader)
);
comment on table change_readers is 'Who must see every change once, and which transactions it has seen.';
comment on column change_readers.complete_to is 'On the clock of the service: all that was written until then is seen.';
comment on column change_readers.cluster is 'Of the database cluster that numbers the transactions. A restored dump has another one.';

-- A snapshot of the database, once a minute. What one of an hour ago has seen is deleted from the list of changes.
create table change_marks (
  marked_at timestamptz not null default clock_timestamp(),
  position  pg_snapshot not null,
  cluster   text not null,
  constraint change_marks_pkey primary key (marked_at)
);
comment on table change_marks is 'Which transactions had ended, minute by minute. A reader of the last hour has seen all that a mark before it has.';

-- Counted from the list of changes, so that nobody scans histories for them.
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
  constraint figures_pkey primary key (merchant_id, hour, event, currency, source, step)
) with (fillfactor=70);
comment on table figures is 'How often something happened within an hour, counted once for each change.';
comment on column figures.source is 'Who holds the money, as network:efectivo; empty: nobody between.';
comment on column figures.step is 'How long it took until an order was paid, as a place in a row of times; 0: it is not timed.';
create index figures_by_hour on figures (hour);


-- Merchants

create function note_merchant_change() returns trigger language plpgsql as $$
declare
  event text := case tg_op when 'INSERT' then 'merchant.created' else 'merchant.changed' end;
begin
  insert into changes (kind, merchant_ids, ids, versions, events, states)
  values ('merchant', array[new.merchant_id], array[new.merchant_id], array[0], array[event], array[null]);
  return null;
end $$;

create table merchants (
  merchant_id      text collate "C" not null,
  name             text not null,
  country          text not null,
  language         text not null,
  currencies       text[] not null,
  created_at       timestamptz not null,
  disabled_at      timestamptz,
  notice_url       text,
  signing          text not null default 'off',
  frozen_at        timestamptz,
  replay_guard     boolean not null default false,
  limits           jsonb,
  update_notices   boolean not null default false,
  contact          text,
  empty_emails     boolean,
  notice_checksum  text not null default 'sha256',
  return_url       text,
  open_amounts     jsonb not null default '[]'::jsonb,
  strict_amounts   boolean not null default false,
  letter_documents boolean not null default false,
  keeps_fees       boolean not null default false,
  constraint merchants_pkey primary key (merchant_id),
  constraint merchants_notice_checksum_check check (notice_checksum in ('sha256', 'sha512')),
  constraint merchants_signing_check check (signing in ('off', 'accept', 'require-writes', 'require'))
);
comment on column merchants.country is 'Three digits, contract §6; names the time zone of the merchant''s days.';
comment on column merchants.notice_url is 'Where notices are sent; null: nowhere, they are given up unsent and can be redelivered later.';
comment on column merchants.signing is 'Whether requests carry a signature beside the checksum: never looked at, checked when present, required of what changes something, or required (contract §7.5).';
comment on column merchants.frozen_at is 'Since then nothing new is accepted and nothing is paid out; reads go on. Null: not frozen.';
comment on column merchants.replay_guard is 'Whether an update that repeats values that its order had before needs If-Match (contract §7.1).';
comment on column merchants.limits is 'Its limits of requests: perSecond, burst, concurrent. Null: the defaults.';
comment on column merchants.update_notices is 'Whether updates of orders, and what is done about refunds and settlements, send notices (contract §3.6).';
comment on column merchants.contact is 'The e-mail address of a person at the merchant, for the operator to write to. Null: none is known.';
comment on column merchants.empty_emails is 'Whether its orders may have no e-mail address, so that no mail is sent; null: as the service''s dialect has it.';
comment on column merchants.notice_checksum is 'The hash of the checksum in notices of orders.';
comment on column merchants.return_url is 'Where the checkout page leads the payer back to after a payment; null: nowhere.';
comment on column merchants.open_amounts is 'For each currency in which its orders may leave the amount to the payer: the least and the most that may be paid.';
comment on column merchants.strict_amounts is 'Whether an amount of its requests may have no more decimals than its currency, not even zeros (contract §2.8).';
comment on column merchants.letter_documents is 'Whether documents of its cashouts may have capital letters beside digits (contract §4.3).';
comment on column merchants.keeps_fees is 'Whether fee and tax of a payment stay with the service when money of it goes back.';
create trigger merchants_are_told after insert or update on merchants
  for each row
  execute function note_merchant_change();

create table merchant_secrets (
  merchant_id   text collate "C" not null,
  kind          text not null,
  generation    integer not null,
  master_key_id text not null,
  sealed        bytea not null,
  created_at    timestamptz not null,
  expires_at    timestamptz,
  constraint merchant_secrets_pkey primary key (merchant_id, kind, generation),
  constraint merchant_secrets_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint merchant_secrets_kind_check check (kind in ('fixed', 'notice', 'signing'))
);
comment on column merchant_secrets.sealed is 'AES-256-GCM under the master key that master_key_id names: nonce, tag, ciphertext.';
comment on column merchant_secrets.expires_at is 'Null: the newest. A rotated secret stays valid until then, at most seven days (contract §7.4).';

-- A checksum that was used is forgotten once the secret that made it has ended. Were the secret to come back, its checksums would be good
-- again: so an operator cannot bring back one that the merchant had.
create table former_secrets (
  merchant_id text collate "C" not null,
  kind        text not null,
  digest      bytea not null,
  constraint former_secrets_pkey primary key (merchant_id, kind, digest),
  constraint former_secrets_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint former_secrets_kind_check check (kind in ('fixed', 'notice'))
);
comment on column former_secrets.digest is 'scrypt of a secret that was replaced, with the merchant and the kind for salt.';

create table pictures (
  picture_id text not null,
  bytes      bytea not null,
  created_at timestamptz not null,
  constraint pictures_pkey primary key (picture_id),
  constraint pictures_bytes_check check (octet_length(bytes) <= 8192),
  constraint pictures_picture_id_check check (picture_id ~ '^[0-9a-f]{64}$')
);
comment on table pictures is 'PNG pictures by the SHA-256 of their bytes. A picture is never deleted: pages of earlier versions show it.';

create table merchant_brands (
  merchant_id text not null,
  colour      text,
  contact     text,
  website     text,
  logo        text,
  constraint merchant_brands_pkey primary key (merchant_id),
  constraint merchant_brands_logo_fkey foreign key (logo) references pictures(picture_id),
  constraint merchant_brands_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint merchant_brands_colour_check check (colour ~ '^#[0-9a-f]{6}$')
);
comment on table merchant_brands is 'What payers see of a merchant beside its name. A null is not shown.';
comment on column merchant_brands.contact is 'Where payers ask: an e-mail address or a telephone number.';
comment on column merchant_brands.website is 'Where the page leads back to: https.';


-- The ledger. Double entry, per merchant: whom the money belongs to, and every movement of it. The database itself keeps the law: what a transaction
-- takes from one account it gives to another, nothing written is ever changed, balances are what their entries add up to, and a merchant's
-- funds do not go below zero. Where the code is wrong, the transaction fails.

create function note_ledger_change() returns trigger language plpgsql as $$
begin
  insert into changes (kind, merchant_ids, ids, versions, events, states)
  values ('ledger', array[new.merchant_id], array[new.transaction_id], array[0], array['ledger.' || new.kind], array[null]);
  return null;
end $$;

-- Once per statement, not per row: 128 transactions of a batch cost one pass over their entries and one update per balance.
-- Lines numbered from 1 without a gap mean that a later statement cannot add to a transaction: its line 1 is taken.
-- Balances are locked in one order everywhere, account first: whoever holds the available rows of many merchants (lockFunds) holds the first
-- of that order, and so several servers never wait for each other in a circle.
-- It runs as the owner of the tables, who alone may change balances, and a later statement of this file gives it a search path of its own.
create function ledger_apply_entries() returns trigger language plpgsql security definer as $$
declare
  wrong record;
  change record;
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
  select array_agg(account) as accounts, array_agg(merchant_id) as merchant_ids, array_agg(currency) as currencies,
         array_agg(amount_minor) as amounts, count(*) as balances into change
    from (select account, merchant_id, currency, sum(amount_minor)::bigint as amount_minor from new_entries
           group by account, merchant_id, currency order by account, merchant_id, currency) as summed;
  if change.balances = 0 then
    return null;
  end if;
  -- Locked before they are changed: an update by place does not follow a row that somebody else has just changed.
  loop
    select count(locked.is_held) into held
      from unnest(change.accounts, change.merchant_ids, change.currencies) as changed (account, merchant_id, currency)
      left join lateral (
        select true as is_held from ledger_balances b
         where b.merchant_id = changed.merchant_id and b.account = changed.account
           and b.currency = changed.currency
         order by b.changed_in desc limit 1 for no key update) as locked on true;
    exit when held = change.balances;
    perform pg_advisory_xact_lock(hashtext('new balances'), hashtext(merchant_id))
       from (select distinct merchant_id from new_entries order by merchant_id) as changed;
    insert into ledger_balances (merchant_id, account, currency, balance_minor, changed_in)
    select merchant_id, account, currency, 0, now_in
      from unnest(change.accounts, change.merchant_ids, change.currencies) as changed (account, merchant_id, currency)
     where not exists (
       select from ledger_balances b
        where b.merchant_id = changed.merchant_id and b.account = changed.account and b.currency = changed.currency);
  end loop;
  update ledger_balances as kept set balance_minor = kept.balance_minor + changed.amount_minor,
         changed_in = greatest(kept.changed_in, now_in)
    from unnest(change.accounts, change.merchant_ids, change.currencies, change.amounts)
           as changed (account, merchant_id, currency, amount_minor)
   cross join lateral (
      select b.ctid as place from ledger_balances b
       where b.merchant_id = changed.merchant_id and b.account = changed.account
         and b.currency = changed.currency
       order by b.changed_in desc limit 1) as newest
   where kept.ctid = newest.place;
  return null;
end $$;

create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: it is append-only', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create table ledger_entries (
  merchant_id    text collate "C" not null,
  transaction_id text collate "C" not null,
  line           integer not null,
  kind           text not null,
  account        text collate "C" not null,
  currency       text collate "C" not null,
  amount_minor   bigint not null,
  posted_at      timestamptz not null,
  reason         text,
  constraint ledger_entries_pkey primary key (merchant_id, transaction_id, line),
  constraint ledger_entries_adjustment_has_reason check (kind <> 'adjustment' or reason is not null),
  constraint ledger_entries_amount_minor_check check (amount_minor <> 0)
);
comment on table ledger_entries is 'Append-only. All entries of a transaction are inserted by one statement, numbered from 1.';
comment on column ledger_entries.transaction_id is 'Made of what happened (cashout/W-1/registered): nothing can be posted twice.';
comment on column ledger_entries.amount_minor is 'Positive: owed to the account''s owner from now on.';
-- For the movements of a fund, which are served. What the command line asks reads the merchant's entries, or with --from and --until only the
-- pages of that time, which an append-only table keeps together: an index of every account would cost a batch of payouts 0.5 ms more of 2.5.
create index ledger_entries_by_fund on ledger_entries (merchant_id, posted_at) where account = 'available';
create index ledger_entries_by_merchant on ledger_entries (merchant_id, posted_at);
create index ledger_entries_by_time on ledger_entries using brin (posted_at) with (autosummarize='on');
create trigger ledger_changes_are_told after insert on ledger_entries
  for each row when (new.line = 1 and (new.kind in ('top_up', 'adjustment', 'moved_to_fund', 'hold_placed', 'hold_released')))
  execute function note_ledger_change();
create trigger ledger_entries_apply after insert on ledger_entries
  referencing new table as new_entries
  for each statement
  execute function ledger_apply_entries();
create trigger ledger_entries_are_append_only before delete or update or truncate on ledger_entries
  for each statement
  execute function ledger_refuse_change();

-- A user that serves could write balances by hand, from a trigger on a temporary table of its own, if only the depth of triggers were checked.
-- So a trigger changes balances only with the right to change their triggers, which the owner has and the user that serves is never given.
-- That check takes no query.
create function ledger_refuse_balance_by_hand() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() > 1 and pg_catalog.has_table_privilege(tg_relid, 'trigger') then
    return null;
  end if;
  raise exception '% of % is refused: it follows the entries', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

-- Not a check constraint: PostgreSQL checks the row that an upsert proposes, and taking from a fund proposes a negative one.
create function ledger_refuse_below_zero() returns trigger language plpgsql as $$
begin
  raise exception 'the account % of % in % would be below zero', new.account, new.merchant_id, new.currency
    using errcode = 'check_violation', constraint = 'ledger_balances_never_below_zero';
end $$;

-- Balances and kept counts change with every batch. While any old transaction is open, PostgreSQL keeps all former versions of a row, and
-- puts new ones on any page with room. A search that begins with the oldest passes every one, and so do "on conflict" and the check of a
-- unique index. So each row says when it changed last, and the index has that behind the key: a search backwards meets what changed last
-- (docs/decisions/0053). No second row of a key: a row takes its key when it is made, from a table that is only inserted into, whose
-- primary key has no former versions. Updates of busy rows never touch it.
create function busy_row_keeps_key()
 returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: a key stays as it is', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create table ledger_balance_keys (
  merchant_id text collate "C" not null,
  account     text collate "C" not null,
  currency    text collate "C" not null,
  constraint ledger_balance_keys_pkey primary key (merchant_id, account, currency),
  constraint ledger_balance_keys_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id)
);
comment on table ledger_balance_keys is 'Which rows ledger_balances has. Rows are only added.';
create trigger ledger_balance_keys_stay before update or truncate on ledger_balance_keys
  for each statement
  execute function busy_row_keeps_key();

create function ledger_balance_takes_key()
 returns trigger language plpgsql security definer as $$
begin
  insert into ledger_balance_keys values (new.merchant_id, new.account, new.currency);
  return new;
end $$;

create table ledger_balances (
  merchant_id   text collate "C" not null,
  account       text collate "C" not null,
  currency      text collate "C" not null,
  balance_minor bigint not null,
  changed_in    bigint not null default 0,
  constraint ledger_balances_pkey primary key (merchant_id, account, currency, changed_in),
  constraint ledger_balances_key_fkey foreign key (merchant_id, account, currency) references ledger_balance_keys,
  constraint ledger_balances_account_check check (
    (
      account in (
        'available', 'reserved', 'collected', 'refunds', 'settlements', 'held',
        'service:fees', 'service:tax', 'service:withheld', 'service:bank', 'service:adjustments'
      )
    )
    or account ~ '^network:.'
  )
) with (fillfactor=50);
comment on table ledger_balances is 'Written by the trigger of ledger_entries alone. A network''s or the service''s total is the sum over the merchants.';
comment on column ledger_balances.changed_in is 'The quarter of a second in which it changed last, since 1970. It never falls.';
create trigger ledger_balances_follow_entries before insert or delete or update or truncate on ledger_balances
  for each statement
  execute function ledger_refuse_balance_by_hand();
create trigger ledger_balances_never_below_zero after insert or update on ledger_balances
  for each row when (new.balance_minor < 0 and (new.account in ('available', 'reserved', 'refunds', 'settlements', 'held')))
  execute function ledger_refuse_below_zero();
create trigger ledger_balances_keep_key before update of merchant_id, account, currency on ledger_balances
  for each statement
  execute function busy_row_keeps_key();
create trigger ledger_balances_take_key before insert on ledger_balances
  for each row
  execute function ledger_balance_takes_key();

-- What each account moved on each day in UTC, so that a balance of long ago is a sum of days. A job sums hours that are over.
create table ledger_days (
  merchant_id  text collate "C" not null,
  day          date not null,
  account      text collate "C" not null,
  currency     text collate "C" not null,
  amount_minor numeric not null,
  constraint ledger_days_pkey primary key (merchant_id, day, account, currency),
  constraint ledger_days_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id)
) with (fillfactor=70);
comment on table ledger_days is 'Sums of ledger_entries by day in UTC. An account that did not move on a day has no row.';

create table ledger_summed (
  only_row  boolean not null default true,
  summed_to timestamptz not null,
  constraint ledger_summed_pkey primary key (only_row),
  constraint ledger_summed_only_row_check check (only_row)
);
comment on column ledger_summed.summed_to is 'Each entry that was posted before this instant is in ledger_days, and no other.';

-- A row of its own for every change, so that what was in force when is on record; the newest of (merchant, operation kind, currency) is in force.
create table merchant_fees (
  merchant_id    text collate "C" not null,
  operation_kind text collate "C" not null,
  currency       text collate "C" not null,
  fee_id         bigint generated always as identity,
  percent_ppm    integer not null,
  fixed_minor    bigint not null,
  tax_ppm        integer not null,
  set_at         timestamptz not null,
  constraint merchant_fees_pkey primary key (merchant_id, operation_kind, currency, fee_id),
  constraint merchant_fees_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint merchant_fees_fixed_minor_check check (fixed_minor >= 0),
  constraint merchant_fees_operation_kind_check check (operation_kind in ('order', 'cashout')),
  constraint merchant_fees_percent_ppm_check check (percent_ppm >= 0 and percent_ppm <= 1000000),
  constraint merchant_fees_tax_ppm_check check (tax_ppm >= 0 and tax_ppm <= 1000000)
);
comment on column merchant_fees.percent_ppm is 'Of the amount, in millionths: 2.5 % is 25000.';
comment on column merchant_fees.tax_ppm is 'On the fee, in millionths.';
create trigger merchant_fees_are_append_only before delete or update or truncate on merchant_fees
  for each statement
  execute function ledger_refuse_change();

-- When what a merchant has collected moves to its fund by itself, and how much of it.
create table fund_rules (
  merchant_id  text collate "C" not null,
  currency     text collate "C" not null,
  low_minor    bigint,
  target_minor bigint,
  due_at       timestamptz,
  set_at       timestamptz not null,
  constraint fund_rules_pkey primary key (merchant_id, currency),
  constraint fund_rules_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint fund_rules_low_minor_check check (low_minor > 0),
  constraint fund_rules_target_minor_check check (target_minor > 0 and low_minor <= target_minor),
  constraint fund_rules_due_at_check check ((low_minor is null) = (due_at is not null))
);
comment on table fund_rules is 'No row: nothing moves by itself.';
comment on column fund_rules.low_minor is 'It moves whenever the fund holds less. Null: once a day.';
comment on column fund_rules.target_minor is 'Up to which the fund is filled. Null: all that is collected moves.';
comment on column fund_rules.due_at is 'Of a rule that moves once a day: when it does next.';


-- Settlements: what merchants have collected, on its way to their bank accounts. Each settlement names the entries of `collected` that it is
-- made of, and each entry is in one at most. Entries and lines are written first, then the settlement, whose trigger adds them up: what is
-- committed is whole. After that neither changes. Only a draft that is cancelled gives its entries back.

create function settlement_parts_come_first() returns trigger language plpgsql as $$
declare
  of_merchants text[] := array(select merchant_id from (select distinct merchant_id, settlement_id from new_parts) as part order by merchant_id, settlement_id);
  ids bigint[] := array(select settlement_id from (select distinct merchant_id, settlement_id from new_parts) as part order by merchant_id, settlement_id);
  made record;
begin
  select s.merchant_id, s.settlement_id into made
    from unnest(of_merchants, ids) as part (merchant_id, settlement_id)
    join settlements s on s.merchant_id = part.merchant_id and s.settlement_id = part.settlement_id limit 1;
  if found then
    raise exception 'the settlement % of % is made: nothing is added to it', made.settlement_id, made.merchant_id
      using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create function settlement_entries_leave_cancelled() returns trigger language plpgsql as $$
declare
  of_merchants text[] := array(select merchant_id from (select distinct merchant_id, settlement_id from old_parts) as part order by merchant_id, settlement_id);
  ids bigint[] := array(select settlement_id from (select distinct merchant_id, settlement_id from old_parts) as part order by merchant_id, settlement_id);
  kept record;
begin
  select part.merchant_id, part.settlement_id into kept
    from unnest(of_merchants, ids) as part (merchant_id, settlement_id)
    left join settlements s on s.merchant_id = part.merchant_id and s.settlement_id = part.settlement_id
   where s.state is distinct from 'cancelled' limit 1;
  if found then
    raise exception 'the settlement % of % is not cancelled: it keeps its entries', kept.settlement_id, kept.merchant_id
      using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create function settlement_parts_stay() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: a settlement keeps what it is made of', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create function settlement_is_whole() returns trigger language plpgsql as $$
declare
  member record;
  deducted numeric;
begin
  select count(*) as entries, sum(entry.amount_minor) as gross, count(entry.amount_minor) as own into member
    from settlement_entries s
    left join lateral (
      select e.amount_minor from ledger_entries e
       where e.merchant_id = s.merchant_id and e.transaction_id = s.transaction_id and e.line = s.line
         and e.account = 'collected' and e.currency = new.currency and e.kind <> 'settlement_approved'
         and e.posted_at < new.cutoff_at limit 1) as entry on true
   where s.merchant_id = new.merchant_id and s.settlement_id = new.settlement_id;
  select coalesce(sum(l.amount_minor + l.tax_minor), 0) into deducted
    from settlement_lines l where l.merchant_id = new.merchant_id and l.settlement_id = new.settlement_id;
  if new.state <> 'draft' or member.own <> member.entries or member.entries <> new.entries
     or member.gross is distinct from new.gross_minor or new.gross_minor - deducted <> new.net_minor then
    raise exception 'the settlement % of % is not what its entries and lines add up to', new.settlement_id, new.merchant_id
      using errcode = 'check_violation', constraint = 'settlements_are_whole';
  end if;
  return new;
end $$;

create function settlement_moves_on() returns trigger language plpgsql as $$
begin
  if row(new.merchant_id, new.settlement_id, new.currency, new.cutoff_at, new.settled_on, new.due_on, new.entries, new.gross_minor,
         new.net_minor, new.made_at)
     is distinct from row(old.merchant_id, old.settlement_id, old.currency, old.cutoff_at, old.settled_on, old.due_on, old.entries,
         old.gross_minor, old.net_minor, old.made_at)
     or not (old.state || ' ' || new.state = any (array[
       'draft approved', 'draft cancelled', 'approved sent', 'approved returned', 'sent paid', 'sent returned', 'paid returned'])) then
    raise exception 'update of % is refused: a settlement goes on from state to state, and its amounts stay', tg_table_name
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create function settlements_stay() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: what was settled stays', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create function note_settlement_change() returns trigger language plpgsql as $$
begin
  insert into changes (kind, merchant_ids, ids, versions, events, states)
  values ('settlement', array[new.merchant_id], array[new.settlement_id::text], array[0], array['settlement.' || new.state], array[new.state]);
  return null;
end $$;

create table settlements (
  merchant_id    text collate "C" not null,
  settlement_id  bigint generated by default as identity,
  currency       text collate "C" not null,
  state          text collate "C" not null,
  cutoff_at      timestamptz not null,
  settled_on     date not null,
  due_on         date,
  entries        integer not null,
  gross_minor    bigint not null,
  net_minor      bigint not null,
  made_at        timestamptz not null,
  approved_at    timestamptz,
  sent_at        timestamptz,
  file_id        text collate "C",
  paid_at        timestamptz,
  bank_reference text,
  returned_at    timestamptz,
  problem        text,
  cancelled_at   timestamptz,
  constraint settlements_pkey primary key (merchant_id, settlement_id),
  constraint settlements_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint settlements_amounts_check check (net_minor > 0),
  constraint settlements_times_check check (
    (approved_at is not null) = (state in ('approved', 'sent', 'paid', 'returned'))
    and (sent_at is not null or state not in ('sent', 'paid'))
    and (sent_at is null or state in ('sent', 'paid', 'returned'))
    and (paid_at is not null or state <> 'paid')
    and (paid_at is null or sent_at is not null)
    and (paid_at is null or state in ('paid', 'returned'))
    and (returned_at is not null) = (state = 'returned')
    and (cancelled_at is not null) = (state = 'cancelled')
  ),
  constraint settlements_texts_check check (
    (paid_at is null) = (bank_reference is null)
    and (returned_at is null) = (problem is null)
    and (file_id is null or sent_at is not null)
  )
) with (fillfactor=80);
comment on table settlements is 'What a merchant has collected, on its way to its bank account.';
comment on column settlements.cutoff_at is 'Its entries were posted before this instant.';
comment on column settlements.settled_on is 'The day on which it was made, in the merchant''s zone.';
comment on column settlements.due_on is 'The day of the schedule that it was made for. Null: it was made by hand.';
comment on column settlements.gross_minor is 'What its entries add up to.';
comment on column settlements.net_minor is 'What the merchant gets: the gross amount less its lines.';
comment on column settlements.file_id is 'The bank file that it was sent in. Null: not sent, or sent without a file.';
comment on column settlements.problem is 'Why it was returned: by the bank, or before the bank was told.';
create index settlements_by_time on settlements (made_at, merchant_id, settlement_id);
create unique index settlements_by_id on settlements (settlement_id);
create index settlements_by_file on settlements (file_id, merchant_id, settlement_id) where file_id is not null;
create index settlements_by_state on settlements (state, made_at, merchant_id, settlement_id) where state in ('draft', 'approved', 'sent');
create index settlements_of_merchant on settlements (merchant_id, made_at, settlement_id);
create unique index settlements_once_a_day on settlements (merchant_id, currency, due_on) where due_on is not null;
create trigger settlements_are_told after insert or update of state on settlements
  for each row
  execute function note_settlement_change();
create trigger settlements_are_whole before insert on settlements
  for each row
  execute function settlement_is_whole();
create trigger settlements_move_on before update on settlements
  for each row
  execute function settlement_moves_on();
create trigger settlements_stay before delete or truncate on settlements
  for each statement
  execute function settlements_stay();

create table bank_file_layouts (
  layout   text collate "C" not null,
  version  integer not null,
  document jsonb not null,
  set_at   timestamptz not null,
  constraint bank_file_layouts_pkey primary key (layout)
);
comment on table bank_file_layouts is 'At home. How a bank takes a file of payments, and from which account it pays them.';

create table settlement_files (
  file_id        text collate "C" not null,
  layout         text collate "C" not null,
  layout_version integer not null,
  format         text not null,
  currency       text collate "C" not null,
  pay_on         date not null,
  payments       integer not null,
  total_minor    bigint not null,
  sha256         text not null,
  content        bytea not null,
  made_at        timestamptz not null,
  constraint settlement_files_pkey primary key (file_id),
  constraint settlement_files_payments_check check (payments > 0),
  constraint settlement_files_sha256_check check (sha256 = encode(sha256(content), 'hex'))
);
comment on table settlement_files is 'What a bank was sent, byte for byte. Its settlements are of this database and in one currency.';
create index settlement_files_by_time on settlement_files (made_at, file_id);
create trigger settlement_files_stay before delete or update or truncate on settlement_files
  for each statement
  execute function settlements_stay();

create table settlement_entries (
  merchant_id    text collate "C" not null,
  transaction_id text collate "C" not null,
  line           integer not null,
  settlement_id  bigint not null,
  constraint settlement_entries_pkey primary key (merchant_id, transaction_id, line),
  constraint settlement_entries_settlement_fkey foreign key (merchant_id, settlement_id) references settlements deferrable initially deferred
);
comment on table settlement_entries is 'Which settlement an entry of collected is in. An entry without a row is free.';
create index settlement_entries_by_settlement on settlement_entries (merchant_id, settlement_id, transaction_id, line);
create trigger settlement_entries_come_first after insert on settlement_entries
  referencing new table as new_parts
  for each statement
  execute function settlement_parts_come_first();
create trigger settlement_entries_leave_cancelled after delete on settlement_entries
  referencing old table as old_parts
  for each statement
  execute function settlement_entries_leave_cancelled();
create trigger settlement_entries_stay before update or truncate on settlement_entries
  for each statement
  execute function settlement_parts_stay();

create table settlement_lines (
  merchant_id   text collate "C" not null,
  settlement_id bigint not null,
  line          integer not null,
  kind          text not null,
  name          text not null,
  base          text not null,
  source        text,
  base_minor    bigint not null,
  rate_ppm      integer not null,
  fixed_minor   bigint not null,
  tax_ppm       integer not null,
  amount_minor  bigint not null,
  tax_minor     bigint not null,
  release_on    date,
  constraint settlement_lines_pkey primary key (merchant_id, settlement_id, line),
  constraint settlement_lines_settlement_fkey foreign key (merchant_id, settlement_id) references settlements deferrable initially deferred,
  constraint settlement_lines_base_check check (base in ('payments', 'fees', 'collected', 'payout')),
  constraint settlement_lines_kind_check check (kind in ('fee', 'withholding', 'transfer_tax', 'reserve')),
  constraint settlement_lines_reserve_check check (kind <> 'reserve' or amount_minor > 0 and release_on is not null),
  constraint settlement_lines_tax_check check (kind = 'fee' or tax_minor = 0)
);
comment on table settlement_lines is 'What a settlement takes off the gross amount, with the rule as it was.';
comment on column settlement_lines.base is 'What the rate is taken of. What was taken of the payout comes back with a payout that is returned.';
comment on column settlement_lines.source is 'Only of payments that this network or method took. Null: of all.';
comment on column settlement_lines.tax_minor is 'The tax on a fee, beside it.';
comment on column settlement_lines.release_on is 'The day on which a reserve is the merchant''s again.';
create trigger settlement_lines_come_first after insert on settlement_lines
  referencing new table as new_parts
  for each statement
  execute function settlement_parts_come_first();
create trigger settlement_lines_stay before delete or update or truncate on settlement_lines
  for each statement
  execute function settlement_parts_stay();

create table settlement_marks (
  merchant_id text collate "C" not null,
  currency    text collate "C" not null,
  settled_to  timestamptz not null,
  constraint settlement_marks_pkey primary key (merchant_id, currency),
  constraint settlement_marks_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id)
);
comment on table settlement_marks is 'Where the search for free entries begins. Its row is locked while a settlement is made, or gives its entries back.';
comment on column settlement_marks.settled_to is 'Each entry of collected that was posted at this instant or before it is in a settlement.';

create function held_money_is_released() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.released_at is null and new.released_at is not null
       and row(new.merchant_id, new.hold_id, new.currency, new.amount_minor, new.reason, new.settlement_id, new.release_on, new.held_at)
       is not distinct from row(old.merchant_id, old.hold_id, old.currency, old.amount_minor, old.reason, old.settlement_id, old.release_on,
         old.held_at) then
      return new;
    end if;
  end if;
  raise exception '% of % is refused: money that is held is only released', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create table held_money (
  merchant_id   text collate "C" not null,
  hold_id       bigint generated by default as identity,
  currency      text collate "C" not null,
  amount_minor  bigint not null,
  reason        text not null,
  settlement_id bigint,
  release_on    date,
  held_at       timestamptz not null,
  released_at   timestamptz,
  constraint held_money_pkey primary key (merchant_id, hold_id),
  constraint held_money_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint held_money_settlement_fkey foreign key (merchant_id, settlement_id) references settlements,
  constraint held_money_amount_minor_check check (amount_minor > 0)
);
comment on table held_money is 'What merchants have collected and cannot have yet. It is theirs, on the account held.';
comment on column held_money.settlement_id is 'The settlement that kept it as a reserve. Null: it was held by hand.';
comment on column held_money.release_on is 'A day of the merchant''s zone: from then on it is released. Null: by hand.';
create index held_money_due on held_money (release_on, merchant_id, hold_id) where released_at is null;
create index held_money_by_time on held_money (held_at, merchant_id, hold_id);
create index held_money_of_merchant on held_money (merchant_id, held_at, hold_id);
create trigger held_money_is_only_released before update on held_money
  for each row
  execute function held_money_is_released();
create trigger held_money_stays before delete or truncate on held_money
  for each statement
  execute function held_money_is_released();


-- The terms of settlements: on which days merchants are paid, and what is taken from it.

create table holidays (
  calendar text collate "C" not null,
  day      date not null,
  name     text not null,
  constraint holidays_pkey primary key (calendar, day)
);
comment on table holidays is 'At home. Days on which banks are closed, beside Saturdays and Sundays. A year without a row is not covered by its calendar.';

create table settlement_rules (
  rule_id     bigint generated by default as identity,
  merchant_id text collate "C",
  name        text collate "C" not null,
  kind        text not null,
  base        text not null,
  source      text collate "C",
  currency    text collate "C" not null,
  rate_ppm    integer not null,
  fixed_minor bigint not null,
  tax_ppm     integer not null,
  since       date not null,
  until       date,
  set_at      timestamptz not null,
  constraint settlement_rules_pkey primary key (rule_id),
  constraint settlement_rules_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint settlement_rules_base_check check (base in ('payments', 'fees', 'collected', 'payout')),
  constraint settlement_rules_fixed_minor_check check (fixed_minor >= 0),
  constraint settlement_rules_kind_check check (kind in ('fee', 'withholding', 'transfer_tax')),
  constraint settlement_rules_rate_ppm_check check (rate_ppm between 0 and 1000000),
  constraint settlement_rules_source_check check (source is null or base in ('payments', 'fees')),
  constraint settlement_rules_tax_ppm_check check (tax_ppm between 0 and 1000000 and (tax_ppm = 0 or kind = 'fee')),
  constraint settlement_rules_until_check check (until >= since - 1)
);
comment on table settlement_rules is 'What is taken from settlements. Those of all merchants are at home, a merchant''s own in its cell. Of one name, rules do not overlap in time.';
comment on column settlement_rules.merchant_id is 'Null: of all merchants. A merchant''s own rule stands in place of the general one of the same name.';
comment on column settlement_rules.source is 'Of payments and fees: those that it took. Null: whoever took them.';
comment on column settlement_rules.rate_ppm is 'Of the base, in millionths.';
comment on column settlement_rules.tax_ppm is 'On a fee, in millionths.';
comment on column settlement_rules.since is 'The first day, in the zone of each merchant.';
comment on column settlement_rules.until is 'The last day; null: it has no end. The day before its first one: it was withdrawn.';
create index settlement_rules_by_name on settlement_rules (merchant_id, currency, name, since);

create table settlement_schedules (
  merchant_id         text collate "C" not null,
  currency            text collate "C" not null,
  period              text not null,
  weekday             smallint,
  month_day           smallint,
  delay_days          smallint not null,
  calendar            text collate "C" not null,
  minimum_minor       bigint not null,
  reserve_ppm         integer not null,
  reserve_days        integer not null,
  bank_code           text collate "C" not null,
  bank_name           text not null,
  account_type        text not null,
  account_number      text collate "C" not null,
  holder_name         text not null,
  holder_document_type text collate "C" not null,
  holder_document     text collate "C" not null,
  set_at              timestamptz not null,
  looked_to           date not null,
  last_due            date,
  last_at             timestamptz,
  last_outcome        text,
  last_settlement_id  bigint,
  constraint settlement_schedules_pkey primary key (merchant_id, currency),
  constraint settlement_schedules_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint settlement_schedules_account_type_check check (account_type in ('savings', 'checking', 'deposit')),
  constraint settlement_schedules_delay_days_check check (delay_days between 1 and 30),
  constraint settlement_schedules_minimum_minor_check check (minimum_minor >= 0),
  constraint settlement_schedules_month_day_check check ((period = 'monthly') = (month_day is not null) and (month_day is null or month_day between 1 and 31)),
  constraint settlement_schedules_period_check check (period in ('daily', 'weekly', 'monthly', 'on_demand')),
  constraint settlement_schedules_reserve_check check (reserve_ppm between 0 and 1000000 and reserve_days between 0 and 720 and (reserve_ppm = 0) = (reserve_days = 0)),
  constraint settlement_schedules_weekday_check check ((period = 'weekly') = (weekday is not null) and (weekday is null or weekday between 1 and 7))
);
comment on table settlement_schedules is 'When and to where a merchant is paid in a currency.';
comment on column settlement_schedules.weekday is '1 is Monday.';
comment on column settlement_schedules.delay_days is 'So many business days after its day a payment is paid out, at the earliest.';
comment on column settlement_schedules.calendar is 'Its holidays are at home.';
comment on column settlement_schedules.minimum_minor is 'Less than this is not paid: it stays for the next settlement.';
comment on column settlement_schedules.reserve_ppm is 'Of what was collected, in millionths, held back for so many days.';
comment on column settlement_schedules.looked_to is 'What was due up to this day of the merchant''s zone is made, or skipped.';
comment on column settlement_schedules.last_outcome is 'Of the last due day: drafted, or why nothing was.';
create index settlement_schedules_to_look_at on settlement_schedules (looked_to) where period <> 'on_demand';


-- Collection networks. They take cash for orders and hand out cash for cashouts. They are few, and belong to no merchant.

create function note_network_change() returns trigger language plpgsql as $$
declare
  event text := case tg_op when 'INSERT' then 'network.created' else 'network.changed' end;
begin
  insert into changes (kind, merchant_ids, ids, versions, events, states)
  values ('network', array[null], array[new.network_id], array[0], array[event], array[null]);
  return null;
end $$;

create table networks (
  network_id  text collate "C" not null,
  name        text not null,
  created_at  timestamptz not null,
  disabled_at timestamptz,
  signing     text not null,
  countries   text[] not null,
  currencies  text[],
  addresses   text[],
  limits      jsonb,
  constraint networks_pkey primary key (network_id),
  constraint networks_signing_check check (signing in ('checksum', 'require'))
);
comment on column networks.network_id is 'The netname of the wire: 1 to 30 of [a-z0-9_-].';
comment on column networks.signing is 'Whether each request is signed. checksum: those on cashouts need not be.';
comment on column networks.countries is 'Codes of the countries whose merchants it serves.';
comment on column networks.currencies is 'Of its countries. Null: all of them.';
comment on column networks.addresses is 'Addresses and networks, as 10.0.0.0/8, from which alone its requests come. Null: from anywhere.';
comment on column networks.limits is 'Its limits of requests: perSecond, burst, concurrent. Null: the defaults.';
create trigger networks_are_told after insert or update on networks
  for each row
  execute function note_network_change();

create table network_secrets (
  network_id    text collate "C" not null,
  generation    integer not null,
  master_key_id text not null,
  sealed        bytea not null,
  created_at    timestamptz not null,
  expires_at    timestamptz,
  constraint network_secrets_pkey primary key (network_id, generation),
  constraint network_secrets_network_id_fkey foreign key (network_id) references networks(network_id)
);
comment on column network_secrets.sealed is 'AES-256-GCM under the master key that master_key_id names: nonce, tag, ciphertext.';
comment on column network_secrets.expires_at is 'Null: the newest. A rotated secret stays valid until then, at most seven days.';

create table network_brands (
  network_id text not null,
  fees       jsonb not null default '{}'::jsonb,
  hours      text,
  logo       text,
  constraint network_brands_pkey primary key (network_id),
  constraint network_brands_logo_fkey foreign key (logo) references pictures(picture_id),
  constraint network_brands_network_id_fkey foreign key (network_id) references networks(network_id)
);
comment on column network_brands.fees is 'What a payer pays beside the amount: currency to minor units. A currency that is absent is not known.';
comment on column network_brands.hours is 'When its points are open: mon-sat 08:00-20:00, sun 09:00-13:00. Null: not known.';

create table network_proofs (
  network_id text collate "C" not null,
  proof      bytea not null,
  used_for   bytea not null,
  forget_at  timestamptz not null,
  constraint network_proofs_pkey primary key (network_id, proof)
);
comment on table network_proofs is 'The checksum of every unsigned request of a network: it proves no other request, however its text is cut.';
comment on column network_proofs.proof is 'The first half of the checksum.';
comment on column network_proofs.used_for is 'HMAC-SHA256 of operation and values under the second half, so that the table shows neither.';
create index network_proofs_by_end on network_proofs (forget_at);


-- Orders

-- For the checkout, whose token names our id alone. The sequence makes it unique; the column never changes.
create sequence service_order_ids as bigint;

create table orders (
  merchant_id         text collate "C" not null,
  order_id            text collate "C" not null,
  service_order_id    bigint not null default nextval('service_order_ids'::regclass),
  state               text not null,
  version             integer not null,
  email               text not null,
  country             text not null,
  currency            text not null,
  amount_minor        bigint not null,
  reference           text collate "C" not null,
  description         text,
  method              text not null,
  language            text,
  recurrent           boolean not null,
  expires_on          date not null,
  expires_at          timestamptz,
  vat_rate_ppm        integer,
  user_document       text,
  user_document_type  text,
  user_name           text,
  redirect_timeout_ms integer,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  payments            integer not null default 0,
  payments_given_back integer not null default 0,
  constraint orders_pkey primary key (merchant_id, order_id),
  constraint orders_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint orders_amount_minor_check check (amount_minor >= 0),
  constraint orders_payments_given_back check (payments_given_back >= 0 and payments_given_back <= payments),
  constraint orders_state_check check (state in ('pending', 'approved', 'expired', 'cancelled', 'voided'))
) with (fillfactor=80);
comment on table orders is 'An update that leaves state, reference, expires_at, e-mail and document as they are is a heap-only one: no other column that changes is in an index, and pages keep room.';
comment on column orders.method is 'Empty text: the customer chooses at the checkout.';
comment on column orders.expires_at is 'The instant at which the day expires_on ends in the merchant''s zone; null for a recurrent order, which never expires.';
comment on column orders.vat_rate_ppm is 'VAT in millionths: 19 % is 190000.';
comment on column orders.payments is 'Counted, and so numbered; a recurrent order has many.';
-- What lists and searches go by. Each order passes the conditions. A list says the one of its index, and so gets no other index, whatever the
-- statistics say.
create index orders_by_creation on orders (merchant_id, created_at, service_order_id) where service_order_id <> 0;
create index orders_by_document on orders (merchant_id, regexp_replace(user_document, '[[:space:].,/_-]', '', 'g') collate "C", created_at, service_order_id) where user_document is not null;
create index orders_by_folded_email on orders (merchant_id, lower(email collate "C"), created_at, service_order_id);
create index orders_by_reference on orders (merchant_id, reference, service_order_id);
create index orders_by_reference_end on orders (merchant_id, reverse(reference));
create index orders_by_service_order_id on orders (service_order_id);
create index orders_by_state on orders (merchant_id, state, created_at, service_order_id);
create index orders_created on orders (created_at, service_order_id) where service_order_id > 0;
-- An update that leaves state and expires_at as they are stays heap-only: PostgreSQL compares the values of indexed columns, not who wrote them.
create index orders_due on orders (expires_at) where state = 'pending';

create function note_order_changes() returns trigger language plpgsql as $$
declare
  told record;
begin
  select array_agg(merchant_id) as merchant_ids, array_agg(order_id) as ids, array_agg(version) as versions, array_agg(event) as events,
         array_agg(changes -> 'state' ->> 1) as states into told from new_rows;
  if told.ids is not null then
    insert into changes (kind, merchant_ids, ids, versions, events, states)
    values ('order', told.merchant_ids, told.ids, told.versions, told.events, told.states);
  end if;
  return null;
end $$;

-- Replaying a history does not show who, when, and by which request: the digest does. `caudal verify` computes the digests again.
create table order_history (
  merchant_id text collate "C" not null,
  order_id    text collate "C" not null,
  version     integer not null,
  event       text not null,
  actor       text not null,
  changed_at  timestamptz not null,
  request_id  text,
  changes     jsonb not null,
  digest      bigint not null,
  constraint order_history_pkey primary key (merchant_id, order_id, version)
);
comment on column order_history.changes is 'Field to [from, to]; replayed from version 1 they give the stored order.';
comment on column order_history.digest is 'Of the event, its actor, time and request, as they were written.';
create trigger order_history_is_told after insert on order_history
  referencing new table as new_rows
  for each statement
  execute function note_order_changes();

-- Used at home alone. Each claim of a reference by a cell has a higher number than all before it.
create sequence reference_claims;

-- A reference stays with its order after the end: another merchant must not get what the payer of an old slip pays.
-- Pages keep room: the end of an order changes its row and no index.
create table open_references (
  reference   text collate "C" not null,
  merchant_id text collate "C" not null,
  order_id    text collate "C" not null,
  expires_at  timestamptz,
  ended       boolean not null default false,
  made        boolean not null default false,
  cell        smallint,
  claim       bigint,
  constraint open_references_pkey primary key (reference)
) with (fillfactor=90);
comment on table open_references is 'Two open orders never share a reference, in the whole service. A row stays when its order ends: from expires_at on the reference rests, and the row may be taken over.';
comment on column open_references.ended is 'The order was paid, was cancelled or got another reference at expires_at. An order that expired leaves its row as it is.';
comment on column open_references.cell is 'Another cell has the reference: at home, the one that claimed it; in a cell, the one that this cell gave it up for. Null: an order of this database has it.';
comment on column open_references.claim is 'The number of the claim: at home the last one, in a cell the last one that it gave up. Only a command with a higher one may take the reference.';
comment on column open_references.made is 'The service made the reference. Only the merchant that got it can take it again.';

-- The payments of a recurrent order A are called A_1, A_2 and so on. No other order may be called so.
create table order_id_starts (
  merchant_id text collate "C" not null,
  start       text collate "C" not null,
  recurrent   boolean not null,
  constraint order_id_starts_pkey primary key (merchant_id, start)
);
comment on table order_id_starts is 'What stands in front of _ and a number, in ids of orders and of payments. It belongs to one recurrent order, or to the orders whose ids end in a number (contract §3.5).';

create table order_payments (
  merchant_id    text collate "C" not null,
  order_id       text collate "C" not null,
  payment_number integer not null,
  source         text collate "C" not null,
  transaction_id text collate "C" not null,
  po_id          text not null,
  state          text collate "C" not null,
  amount_minor   bigint not null,
  currency       text not null,
  fee_minor      bigint not null,
  tax_minor      bigint not null,
  paid_at        timestamptz not null,
  given_back_at  timestamptz,
  refunded_minor bigint not null default 0,
  constraint order_payments_pkey primary key (merchant_id, order_id, payment_number),
  constraint order_payments_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint order_payments_amount_minor_check check (amount_minor > 0),
  constraint order_payments_check check ((state = 'paid') = (given_back_at is null)),
  constraint order_payments_refunded_minor_check check (
    refunded_minor >= 0 and refunded_minor <= amount_minor
    and (state <> 'voided' or refunded_minor = amount_minor) and (state <> 'reversed' or refunded_minor = 0)
  ),
  constraint order_payments_fee_minor_check check (fee_minor >= 0),
  constraint order_payments_payment_number_check check (payment_number > 0),
  constraint order_payments_source_check check (source ~ '^(network:.|method:.|operator$)'),
  constraint order_payments_state_check check (state in ('paid', 'reversed', 'voided')),
  constraint order_payments_tax_minor_check check (tax_minor >= 0)
);
comment on column order_payments.source is 'Who holds the payer''s money: network:<netname>, method:<name> of the checkout, or operator.';
comment on column order_payments.po_id is 'The order''s id in the notices of this payment: with the counter if the order was recurrent when it was paid.';
comment on column order_payments.state is 'reversed: taken back by its network; voided: its payer has the money back.';
comment on column order_payments.refunded_minor is 'What refunds have promised of it to its payer, or paid: never more than the payment.';

create table order_refunds (
  merchant_id    text collate "C" not null,
  refund_id      text collate "C" not null,
  order_id       text collate "C" not null,
  payment_number integer not null,
  state          text collate "C" not null,
  amount_minor   bigint not null,
  currency       text not null,
  fee_minor      bigint not null,
  tax_minor      bigint not null,
  keeps_fees     boolean not null,
  taken_from     text not null,
  refunded_by    text not null,
  operation_id   text collate "C",
  reason         text not null,
  requested_at   timestamptz not null,
  updated_at     timestamptz not null,
  ended_at       timestamptz,
  proof          text,
  problem        text,
  constraint order_refunds_pkey primary key (merchant_id, refund_id),
  constraint order_refunds_payment_fkey foreign key (merchant_id, order_id, payment_number) references order_payments,
  constraint order_refunds_amount_minor_check check (amount_minor > 0),
  constraint order_refunds_fee_minor_check check (fee_minor >= 0 and tax_minor >= 0 and (not keeps_fees or fee_minor + tax_minor = 0)),
  constraint order_refunds_taken_from_check check (taken_from in ('collected', 'fund')),
  constraint order_refunds_refunded_by_check check (refunded_by in ('network', 'operator', 'merchant', 'cashout')),
  constraint order_refunds_state_check check (state in ('requested', 'approved', 'paid', 'failed', 'cancelled')),
  constraint order_refunds_check check ((state in ('requested', 'approved')) = (ended_at is null)),
  constraint order_refunds_operation_id_check check (
    operation_id is null or (state in ('approved', 'paid') and refunded_by = 'cashout')
  ),
  constraint order_refunds_cashout_check check (refunded_by <> 'cashout' or state <> 'paid' or operation_id is not null),
  constraint order_refunds_problem_check check ((state = 'failed') = (problem is not null))
);
comment on table order_refunds is 'Money of payments that goes back to payers. The row of its order is locked while one changes.';
comment on column order_refunds.fee_minor is 'What comes back of the payment''s fee, and of the tax on it.';
comment on column order_refunds.keeps_fees is 'Whether the merchant bears the fee, by its setting when the refund was asked for.';
comment on column order_refunds.taken_from is 'Which of the merchant''s money bears it: what it has collected, or its fund.';
comment on column order_refunds.refunded_by is 'Who is to hand the money to the payer, or has. The ledger owes it to them.';
comment on column order_refunds.operation_id is 'The cashout with which the payer collects it, or has. Null: none, or its cashout ended unpaid.';
comment on column order_refunds.proof is 'What shows that it was paid, such as the id of a transfer.';
comment on column order_refunds.problem is 'Why it failed.';
create index order_refunds_by_payment on order_refunds (merchant_id, order_id, payment_number);
create index order_refunds_with_cashouts on order_refunds (merchant_id, refund_id) where operation_id is not null and ended_at is null;
create index order_refunds_open on order_refunds (requested_at, merchant_id, refund_id) where ended_at is null;
create index order_refunds_open_of_merchant on order_refunds (merchant_id, requested_at, refund_id) where ended_at is null;
create index order_refunds_by_request on order_refunds (requested_at, merchant_id, refund_id);
create index order_refunds_of_merchant on order_refunds (merchant_id, requested_at, refund_id);

-- In the whole service a source names each of its transactions once: asked again it is the same payment, or it is refused.
create table order_transactions (
  source         text collate "C" not null,
  transaction_id text collate "C" not null,
  merchant_id    text collate "C" not null,
  order_id       text collate "C" not null,
  payment_number integer not null,
  cell           smallint,
  constraint order_transactions_pkey primary key (source, transaction_id)
);
comment on column order_transactions.cell is 'At home: the cell that claimed the transaction for an order of its own. Null: it is a payment of this database.';
create index order_transactions_by_merchant on order_transactions (merchant_id, transaction_id);

create function note_refused_payment() returns trigger language plpgsql as $$
begin
  insert into changes (kind, merchant_ids, ids, versions, events, states)
  values ('refused_payment', array[new.merchant_id], array[new.order_id || E'\x1f' || new.source || E'\x1f' || new.transaction_id], array[0],
          array['payment.refused'], array[null]);
  return null;
end $$;

create table refused_payments (
  merchant_id    text collate "C" not null,
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
  resolved_at    timestamptz,
  resolved_by    text,
  note           text,
  constraint refused_payments_pkey primary key (merchant_id, order_id, source, transaction_id),
  constraint refused_payments_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id)
);
comment on table refused_payments is 'Somebody may have taken the payer''s money for these: an operator looks at them. A repeated try counts, and its newest reason stands.';
comment on column refused_payments.resolved_at is 'When an operator said that nothing is left to do. Null: open. A later try of the same transaction opens it again.';
create index refused_payments_by_first_try on refused_payments (first_at);
-- Lists go along these, the newest first, and what a network was refused today is counted along the last one.
create index refused_payments_by_last_try on refused_payments (last_at desc, merchant_id, order_id, source, transaction_id);
create index refused_payments_of_merchant on refused_payments (merchant_id, last_at desc, order_id, source, transaction_id);
create index refused_payments_of_source on refused_payments (source, first_at);
create trigger refused_payments_are_told after insert on refused_payments
  for each row
  execute function note_refused_payment();

-- A network that names ever new transactions would fill refused_payments for ever: beyond a number a day they are counted, not kept.
create table refused_payments_beyond (
  source       text not null,
  day          date not null,
  currency     text not null,
  tries        bigint not null,
  amount_minor numeric not null,
  last_at      timestamptz not null,
  constraint refused_payments_beyond_pkey primary key (source, day, currency)
);
comment on table refused_payments_beyond is 'What a network was refused in a day (UTC) beyond the rows that refused_payments keeps of it.';

create table former_terms (
  merchant_id text collate "C" not null,
  order_id    text collate "C" not null,
  terms       bytea not null,
  constraint former_terms_pkey primary key (merchant_id, order_id, terms)
);
comment on table former_terms is 'What an order had before, of orders whose merchant has the replay guard: at most a row for each change. Deleted after the order has ended.';
comment on column former_terms.terms is 'SHA-256 of the values that the checksum covers: e-mail, country, currency and amount.';

create table page_surroundings (
  surroundings_id text collate "C" not null,
  shown           jsonb not null,
  constraint page_surroundings_pkey primary key (surroundings_id)
);
comment on table page_surroundings is 'Names of merchant and networks as pages showed them. A row never changes: its id is the digest of what it holds.';

-- Which page of an order was served when, and what it showed that the order's history does not hold.
create table page_views (
  view_id         bigint generated always as identity,
  merchant_id     text collate "C" not null,
  order_id        text collate "C" not null,
  etag            text collate "C" not null,
  version         integer not null,
  seen_version    integer not null,
  state           text not null,
  days_left       integer not null,
  language        text not null,
  device          text not null,
  surroundings_id text collate "C" not null,
  first_at        timestamptz not null,
  last_at         timestamptz not null,
  loads           bigint not null,
  constraint page_views_pkey primary key (merchant_id, order_id, etag, seen_version, device, surroundings_id),
  constraint page_views_surroundings_id_fkey foreign key (surroundings_id) references page_surroundings(surroundings_id)
);
comment on table page_views is 'Pages of orders that were served. Equal pages of one kind of device are one row.';
comment on column page_views.seen_version is 'The page showed what had changed since that version.';
create index page_views_by_time on page_views (first_at);


-- Cashouts

-- A page of the list travels as one text, in which U+001E ends a row and U+001F a value: these columns have none of the two.
create table cashouts (
  merchant_id            text collate "C" not null,
  operation_id           text collate "C" not null,
  cashout_id             bigint generated by default as identity (cache 100),
  state                  text collate "C" not null,
  version                integer not null,
  amount_minor           bigint not null,
  transaction_cost_minor bigint not null,
  currency               text not null,
  description            text not null,
  document               text collate "C" not null,
  sms                    boolean not null,
  cellphone              text not null,
  otp_hash               bytea,
  expires_on             date not null,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  updated_on             date not null,
  expires_at             timestamptz,
  fee_minor              bigint not null default 0,
  tax_minor              bigint not null default 0,
  reserved_minor         bigint not null default 0,
  otp_wrong_tries        smallint not null default 0,
  otp_resends            smallint not null default 0,
  locked_by              text collate "C",
  locked_until           timestamptz,
  locked_at_point        text,
  otp_length             smallint not null default 4,
  refund_id              text collate "C",
  constraint cashouts_pkey primary key (merchant_id, operation_id),
  constraint cashouts_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint cashouts_amount_minor_check check (amount_minor > 0),
  constraint cashouts_check check (reserved_minor = 0 or reserved_minor = (amount_minor + fee_minor + tax_minor)),
  constraint cashouts_fee_minor_check check (fee_minor >= 0),
  constraint cashouts_refund_fkey foreign key (merchant_id, refund_id) references order_refunds,
  constraint cashouts_otp_length_check check (otp_length >= 4 and otp_length <= 12),
  constraint cashouts_state_check check (state in ('pending', 'approved', 'expired', 'cancelled', 'nullified')),
  constraint cashouts_tax_minor_check check (tax_minor >= 0),
  constraint cashouts_texts_without_separators check (
    (((((operation_id || currency) || description) || document) || cellphone) collate "C") !~ '[\x1e\x1f]'
  ),
  constraint cashouts_transaction_cost_minor_check check (transaction_cost_minor >= 0)
) with (fillfactor=90);
comment on column cashouts.otp_hash is 'HMAC-SHA256 of the one-time password under a service secret; null for an imported operation.';
comment on column cashouts.updated_on is 'The day of updated_at in the merchant''s zone: the one truth behind the list''s date filter and behind cashout_counts.';
comment on column cashouts.expires_at is 'The instant at which the day expires_on ends in the merchant''s zone: what the sweep goes by.';
comment on column cashouts.reserved_minor is 'Taken from the merchant''s fund when it was registered; 0 for an imported operation, which was never taken from this fund: nothing goes back for it, and it is not paid out here.';
comment on column cashouts.refund_id is 'The refund that it pays out: its amount was owed to the payer, and fee and tax alone are of the fund. Null: all is of the fund.';
comment on column cashouts.otp_wrong_tries is 'Of the password that is valid now: a new one starts at zero.';
comment on column cashouts.locked_by is 'The network that has found the operation by its password; it holds it until locked_until. Stays when that is over.';
comment on column cashouts.otp_length is 'Digits of the first one-time password: a new one has as many at least.';
-- The list walks these, the newest first. Each ends in the same three columns, so that a cursor fits them all.
create index cashouts_by_cellphone on cashouts (merchant_id, translate(cellphone, '+() .-', '') collate "C", updated_on, updated_at, cashout_id) where cellphone <> '';
create index cashouts_by_document on cashouts (merchant_id, document, updated_on, updated_at, cashout_id);
create index cashouts_by_state on cashouts (merchant_id, state, updated_on, updated_at, cashout_id);
create index cashouts_by_update on cashouts (merchant_id, updated_on, updated_at, cashout_id);
-- What falls due, the oldest first.
create index cashouts_due on cashouts (expires_at) where state = 'pending';
-- A network names an operation by our id, and only one that it has found before: the few that are not are left out.
create index cashouts_found on cashouts (cashout_id) where locked_by is not null;
-- What a network looks up, among the pending ones of everybody. Imported ones are not paid out here and stay out of it.
create index cashouts_to_collect on cashouts (document) where state = 'pending' and reserved_minor > 0;

create function note_cashout_changes() returns trigger language plpgsql as $$
declare
  told record;
begin
  select array_agg(merchant_id) as merchant_ids, array_agg(operation_id) as ids, array_agg(version) as versions, array_agg(event) as events,
         array_agg(changes -> 'state' ->> 1) as states into told from new_rows;
  if told.ids is not null then
    insert into changes (kind, merchant_ids, ids, versions, events, states)
    values ('cashout', told.merchant_ids, told.ids, told.versions, told.events, told.states);
  end if;
  return null;
end $$;

create table cashout_history (
  merchant_id  text collate "C" not null,
  operation_id text collate "C" not null,
  version      integer not null,
  event        text not null,
  actor        text not null,
  changed_at   timestamptz not null,
  request_id   text,
  changes      jsonb not null,
  digest       bigint not null,
  evidence     bigint,
  constraint cashout_history_pkey primary key (merchant_id, operation_id, version)
);
comment on table cashout_history is 'What happened here. An imported operation has no row for its version 1: it happened elsewhere.';
comment on column cashout_history.digest is 'As in order_history.';
comment on column cashout_history.evidence is 'Digest of what the event wrote beside the history: the hash of a new password, the point of sale of a payment.';
create trigger cashout_history_is_told after insert on cashout_history
  referencing new table as new_rows
  for each statement
  execute function note_cashout_changes();

create table cashout_payments (
  network_id     text collate "C" not null,
  transaction_id text collate "C" not null,
  merchant_id    text collate "C" not null,
  operation_id   text collate "C" not null,
  cashout_id     bigint not null,
  teller         text not null,
  dane_code      text not null,
  paid_at        timestamptz not null,
  reversed_at    timestamptz,
  cell           smallint,
  constraint cashout_payments_pkey primary key (network_id, transaction_id)
);
comment on table cashout_payments is 'A network''s transaction is unique across merchants, so it has a table of its own.';
comment on column cashout_payments.cell is 'At home: the cell that claimed the transaction for a cashout of its own; the row names no merchant, and no operation has its name. Null: a payment of this database.';
-- An operation is paid once: after a reversal it is nullified for good.
create unique index cashout_payments_by_operation on cashout_payments (merchant_id, operation_id);
create index cashout_payments_by_transaction on cashout_payments (merchant_id, transaction_id);

create table cashout_wrong_tries (
  network_id text collate "C" not null,
  document   text collate "C" not null,
  since      timestamptz not null,
  tries      integer not null,
  constraint cashout_wrong_tries_pkey primary key (network_id, document)
);
comment on table cashout_wrong_tries is 'Passwords that fitted nothing, by network and document; forgotten once the window that began at since is over.';
create index cashout_wrong_tries_by_age on cashout_wrong_tries (since);

create table cashout_wrong_tries_of_places (
  network_id text collate "C" not null,
  place      text collate "C" not null,
  since      timestamptz not null,
  tries      integer not null,
  constraint cashout_wrong_tries_of_places_pkey primary key (network_id, place)
);
comment on table cashout_wrong_tries_of_places is 'Passwords that fitted nothing, by point of sale; the empty place is the whole network. Forgotten once the window that began at since is over.';
create index cashout_wrong_tries_of_places_by_age on cashout_wrong_tries_of_places (since);

create table cashout_look_ups (
  document   text collate "C" not null,
  network_id text collate "C" not null,
  place      text collate "C" not null,
  until      timestamptz not null,
  constraint cashout_look_ups_pkey primary key (document)
);
comment on table cashout_look_ups is 'At home, where there are other cells: look-ups that several databases are being asked for. Their tries are counted before a password is compared, and taken off again where it fits.';
comment on column cashout_look_ups.until is 'By the clock of the database. Then its process is taken for dead; the try counts.';

create table cashout_limits (
  merchant_id          text collate "C" not null,
  currency             text collate "C" not null,
  least_minor          bigint,
  most_minor           bigint,
  per_document_and_day integer,
  set_at               timestamptz not null,
  constraint cashout_limits_pkey primary key (merchant_id, currency),
  constraint cashout_limits_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint cashout_limits_check check (least_minor <= most_minor),
  constraint cashout_limits_per_document_and_day_check check (per_document_and_day > 0)
);
comment on table cashout_limits is 'Null, or no row: no limit.';

-- A row per day, not per day and state: a list over a year sums some 40 rows for its last page, of months and days. A page by its number
-- skips the operations before it within one slot of five minutes, not within the whole day. A day has at most 288 slots.
create table cashout_count_keys (
  merchant_id text collate "C" not null,
  updated_on  date not null,
  constraint cashout_count_keys_pkey primary key (merchant_id, updated_on)
);
comment on table cashout_count_keys is 'Which rows cashout_counts has. Rows are only added.';
create trigger cashout_count_keys_stay before update or truncate on cashout_count_keys
  for each statement
  execute function busy_row_keeps_key();

create function cashout_count_takes_key()
 returns trigger language plpgsql security definer as $$
begin
  insert into cashout_count_keys values (new.merchant_id, new.updated_on);
  return new;
end $$;

create table cashout_counts (
  merchant_id text collate "C" not null,
  updated_on  date not null,
  pending     bigint not null,
  approved    bigint not null,
  expired     bigint not null,
  cancelled   bigint not null,
  nullified   bigint not null,
  changed_in  bigint not null default 0,
  constraint cashout_counts_pkey primary key (merchant_id, updated_on, changed_in),
  constraint cashout_counts_key_fkey foreign key (merchant_id, updated_on) references cashout_count_keys
) with (fillfactor=50);
comment on table cashout_counts is 'Exact: changed in the same transaction as the cashouts that they count. Never below zero, but without a check: PostgreSQL checks the row that an upsert proposes, and a decrement proposes a negative one.';
comment on column cashout_counts.changed_in is 'As in ledger_balances.';
create trigger cashout_counts_keep_key before update of merchant_id, updated_on on cashout_counts
  for each statement
  execute function busy_row_keeps_key();
create trigger cashout_counts_take_key before insert on cashout_counts
  for each row
  execute function cashout_count_takes_key();

create table cashout_month_count_keys (
  merchant_id text collate "C" not null,
  month_on    date not null,
  constraint cashout_month_count_keys_pkey primary key (merchant_id, month_on)
);
comment on table cashout_month_count_keys is 'Which rows cashout_month_counts has. Rows are only added.';
create trigger cashout_month_count_keys_stay before update or truncate on cashout_month_count_keys
  for each statement
  execute function busy_row_keeps_key();

create function cashout_month_count_takes_key()
 returns trigger language plpgsql security definer as $$
begin
  insert into cashout_month_count_keys values (new.merchant_id, new.month_on);
  return new;
end $$;

create table cashout_month_counts (
  merchant_id text collate "C" not null,
  month_on    date not null,
  pending     bigint not null,
  approved    bigint not null,
  expired     bigint not null,
  cancelled   bigint not null,
  nullified   bigint not null,
  changed_in  bigint not null default 0,
  constraint cashout_month_counts_pkey primary key (merchant_id, month_on, changed_in),
  constraint cashout_month_counts_key_fkey foreign key (merchant_id, month_on) references cashout_month_count_keys,
  constraint cashout_month_counts_month_on_check check (extract(day from month_on) = 1::numeric)
) with (fillfactor=50);
comment on table cashout_month_counts is 'The sums of cashout_counts over each month, changed by the same function.';
comment on column cashout_month_counts.changed_in is 'As in ledger_balances.';
create trigger cashout_month_counts_keep_key before update of merchant_id, month_on on cashout_month_counts
  for each statement
  execute function busy_row_keeps_key();
create trigger cashout_month_counts_take_key before insert on cashout_month_counts
  for each row
  execute function cashout_month_count_takes_key();

create table cashout_slot_count_keys (
  merchant_id  text collate "C" not null,
  updated_on   date not null,
  updated_slot timestamptz not null,
  constraint cashout_slot_count_keys_pkey primary key (merchant_id, updated_on, updated_slot)
);
comment on table cashout_slot_count_keys is 'Which rows cashout_slot_counts has. Rows are only added.';
create trigger cashout_slot_count_keys_stay before update or truncate on cashout_slot_count_keys
  for each statement
  execute function busy_row_keeps_key();

create function cashout_slot_count_takes_key()
 returns trigger language plpgsql security definer as $$
begin
  insert into cashout_slot_count_keys values (new.merchant_id, new.updated_on, new.updated_slot);
  return new;
end $$;

create table cashout_slot_counts (
  merchant_id  text collate "C" not null,
  updated_on   date not null,
  updated_slot timestamptz not null,
  pending      bigint not null,
  approved     bigint not null,
  expired      bigint not null,
  cancelled    bigint not null,
  nullified    bigint not null,
  changed_in   bigint not null default 0,
  constraint cashout_slot_counts_pkey primary key (merchant_id, updated_on, updated_slot, changed_in),
  constraint cashout_slot_counts_key_fkey foreign key (merchant_id, updated_on, updated_slot) references cashout_slot_count_keys
) with (fillfactor=50);
comment on table cashout_slot_counts is 'Exact, as cashout_counts, whose rows are the sums of these: changed by the same function.';
comment on column cashout_slot_counts.updated_slot is 'The instant at which the five minutes begin.';
comment on column cashout_slot_counts.changed_in is 'As in ledger_balances.';
create trigger cashout_slot_counts_keep_key before update of merchant_id, updated_on, updated_slot on cashout_slot_counts
  for each statement
  execute function busy_row_keeps_key();
create trigger cashout_slot_counts_take_key before insert on cashout_slot_counts
  for each row
  execute function cashout_slot_count_takes_key();

-- Of each change: its merchant, day and instant, the state, and how many cashouts it gains; negative: loses.
-- One transaction after the other counts for a merchant, in the order of merchants. So none waits for another in a circle.
-- A statement for each table: Citus carries out no statement that changes several of them by their rows' places.
create function count_cashouts(merchants text[], days date[], instants timestamptz[], states text[], deltas bigint[]) returns void language plpgsql as $$
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
  added as (
    update cashout_slot_counts as kept
       set pending = kept.pending + slot.pending, approved = kept.approved + slot.approved, expired = kept.expired + slot.expired,
           cancelled = kept.cancelled + slot.cancelled, nullified = kept.nullified + slot.nullified,
           changed_in = greatest(kept.changed_in, now_in)
      from slot cross join lateral (
        select b.ctid as place from cashout_slot_counts b
         where b.merchant_id = slot.merchant_id and b.updated_on = slot.updated_on and b.updated_slot = slot.updated_slot
         order by b.changed_in desc limit 1) as newest
     where kept.ctid = newest.place
    returning kept.merchant_id, kept.updated_on, kept.updated_slot)
  insert into cashout_slot_counts (merchant_id, updated_on, updated_slot, pending, approved, expired, cancelled, nullified, changed_in)
  select merchant_id, updated_on, updated_slot, pending, approved, expired, cancelled, nullified, now_in from slot
   where (merchant_id, updated_on, updated_slot) not in (select merchant_id, updated_on, updated_slot from added);
  with day as materialized (
    select merchant_id collate "C" as merchant_id, updated_on,
           coalesce(sum(delta) filter (where state = 'pending'), 0) as pending,
           coalesce(sum(delta) filter (where state = 'approved'), 0) as approved,
           coalesce(sum(delta) filter (where state = 'expired'), 0) as expired,
           coalesce(sum(delta) filter (where state = 'cancelled'), 0) as cancelled,
           coalesce(sum(delta) filter (where state = 'nullified'), 0) as nullified
      from unnest(merchants, days, instants, states, deltas) as given (merchant_id, updated_on, updated_at, state, delta)
     group by 1, 2),
  added as (
    update cashout_counts as kept
       set pending = kept.pending + day.pending, approved = kept.approved + day.approved, expired = kept.expired + day.expired,
           cancelled = kept.cancelled + day.cancelled, nullified = kept.nullified + day.nullified,
           changed_in = greatest(kept.changed_in, now_in)
      from day cross join lateral (
        select b.ctid as place from cashout_counts b
         where b.merchant_id = day.merchant_id and b.updated_on = day.updated_on
         order by b.changed_in desc limit 1) as newest
     where kept.ctid = newest.place
    returning kept.merchant_id, kept.updated_on)
  insert into cashout_counts (merchant_id, updated_on, pending, approved, expired, cancelled, nullified, changed_in)
  select merchant_id, updated_on, pending, approved, expired, cancelled, nullified, now_in from day
   where (merchant_id, updated_on) not in (select merchant_id, updated_on from added);
  with month as materialized (
    select merchant_id collate "C" as merchant_id, date_trunc('month', updated_on)::date as month_on,
           coalesce(sum(delta) filter (where state = 'pending'), 0) as pending,
           coalesce(sum(delta) filter (where state = 'approved'), 0) as approved,
           coalesce(sum(delta) filter (where state = 'expired'), 0) as expired,
           coalesce(sum(delta) filter (where state = 'cancelled'), 0) as cancelled,
           coalesce(sum(delta) filter (where state = 'nullified'), 0) as nullified
      from unnest(merchants, days, instants, states, deltas) as given (merchant_id, updated_on, updated_at, state, delta)
     group by 1, 2),
  added as (
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
   where (merchant_id, month_on) not in (select merchant_id, month_on from added);
end $$;


-- Notices and messages

create function note_notice_end() returns trigger language plpgsql as $$
begin
  insert into changes (kind, merchant_ids, ids, versions, events, states)
  values ('notice', array[new.merchant_id], array[new.notice_id::text], array[0], array['notice.' || new.state], array[new.state]);
  return null;
end $$;

-- The list of changes names each notice that waits to be sent: when it is written, and when it is sent again.
create function note_written_notices() returns trigger language plpgsql as $$
declare
  told record;
begin
  select array_agg(merchant_id order by notice_id) as merchant_ids, array_agg(notice_id::text order by notice_id) as ids,
         array_agg(0) as versions, array_agg('notice.waiting'::text) as events, array_agg('waiting'::text) as states into told from new_rows;
  if told.ids is not null then
    insert into changes (kind, merchant_ids, ids, versions, events, states)
    values ('notice', told.merchant_ids, told.ids, told.versions, told.events, told.states);
  end if;
  return null;
end $$;

create table notices (
  merchant_id      text collate "C" not null,
  notice_id        bigint generated always as identity,
  kind             text collate "C" not null,
  subject_id       text collate "C" not null,
  status           text not null,
  amount_minor     bigint not null,
  currency         text not null,
  po_id            text,
  service_order_id bigint,
  payment          text,
  document         text,
  written_at       timestamptz not null,
  state            text not null,
  due_at           timestamptz not null,
  leased_until     timestamptz,
  give_up_at       timestamptz not null,
  attempts         integer not null default 0,
  attempted_at     timestamptz,
  answer_status    integer,
  answer           text,
  problem          text,
  delivered_at     timestamptz,
  closed_at        timestamptz,
  version          integer,
  refund_id        text,
  bank_text        text,
  constraint notices_pkey primary key (merchant_id, notice_id),
  constraint notices_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint notices_check check (
    (kind = 'order') = (po_id is not null and service_order_id is not null and payment is not null)
  ),
  constraint notices_check1 check ((kind = 'cashout') = (document is not null)),
  constraint notices_kind_check check (kind in ('order', 'cashout', 'settlement')),
  constraint notices_state_check check (state in ('waiting', 'delivered', 'given_up')),
  constraint notices_version_check check ((version is not null) = (status = 'updated')),
  constraint notices_refund_id_check check ((refund_id is not null) = (status ~ '^refund_')),
  constraint notices_bank_text_check check ((kind = 'settlement') = (bank_text is not null))
) with (fillfactor=80);
comment on table notices is 'The outbox: a row is written in the transaction of what it tells. The numbers come from one sequence without a cache, and the writer holds its subject locked: so the numbers of one subject are in the order of what happened.';
comment on column notices.subject_id is 'The merchant''s id of the order or the cashout; the number of the settlement.';
comment on column notices.leased_until is 'A server is sending it and will record the answer before this instant; one that crashed will not, and it is sent again.';
comment on column notices.attempts is 'Counted when sending begins; whoever records an answer must have begun the latest attempt.';
comment on column notices.closed_at is 'When it was first delivered or given up. A redelivery leaves it as it is.';
comment on column notices.refund_id is 'Of the notice of a refund: the merchant''s id of it. The amount is that of the refund.';
comment on column notices.bank_text is 'Of the notice of a settlement: how the bank names the payment, or why it gave it back.';
comment on column notices.version is 'Of the notice of an update: the version that the update made. What changed is read from the order''s history when the notice is sent.';
create index notices_by_close on notices (closed_at) where state <> 'waiting';
create index notices_by_give_up on notices (give_up_at) where state = 'waiting';
-- For the operator, who has the number alone.
create index notices_by_id on notices (notice_id);
-- The notices of one subject, in their order.
create index notices_by_subject on notices (merchant_id, kind, subject_id, notice_id);
-- What is due at each endpoint; the first column is walked in leaps, merchant by merchant.
create index notices_waiting on notices (merchant_id, due_at, notice_id) where state = 'waiting';
create trigger notices_are_told after update of state on notices
  for each row when (old.closed_at is null and new.closed_at is not null or old.state <> 'waiting' and new.state = 'waiting')
  execute function note_notice_end();
create trigger written_notices_are_told after insert on notices
  referencing new table as new_rows
  for each statement
  execute function note_written_notices();

-- What receivers answered to each attempt of a notice, so that people see why it failed and when that changed.
create table notice_attempts (
  merchant_id   text collate "C" not null,
  notice_id     bigint not null,
  attempt       integer not null,
  attempted_at  timestamptz not null,
  answer_status integer,
  answer        text,
  problem       text,
  constraint notice_attempts_pkey primary key (merchant_id, notice_id, attempt),
  constraint notice_attempts_fkey foreign key (merchant_id, notice_id) references notices(merchant_id, notice_id) on
  delete cascade
);
comment on table notice_attempts is 'Attempts that ended, but for the one and only of a notice that its receiver took at once: the notice itself has that one.';
comment on column notice_attempts.attempt is 'The number of the attempt, from 1. Where servers crashed some are missing.';

create table notice_endpoints (
  merchant_id    text collate "C" not null,
  failing_since  timestamptz,
  failures       integer not null default 0,
  last_failed_id bigint,
  problem        text,
  paused_at      timestamptz,
  paused_by      text,
  probe_at       timestamptz,
  probes         integer not null default 0,
  constraint notice_endpoints_pkey primary key (merchant_id),
  constraint notice_endpoints_merchant_id_fkey foreign key (merchant_id) references merchants(merchant_id),
  constraint notice_endpoints_check check ((paused_at is null) = (paused_by is null)),
  constraint notice_endpoints_check1 check ((not paused_by is distinct from 'service') = (probe_at is not null)),
  constraint notice_endpoints_paused_by_check check (paused_by in ('service', 'operator'))
);
comment on table notice_endpoints is 'Only of merchants whose notices have failed, or whose endpoint an operator paused.';
comment on column notice_endpoints.failures is 'Failures since the last success, those of one notice in a row counted once: one order that a receiver never takes is no dead endpoint.';

-- Mail and SMS on their way to payers, to those who collect cash, and to users.
create table messages (
  merchant_id text collate "C" not null,
  subject_id  text collate "C" not null,
  message_id  bigint generated by default as identity,
  kind        text not null,
  channel     text not null,
  state       text not null,
  attempts    integer not null default 0,
  problem     text,
  sealed      bytea,
  created_at  timestamptz not null,
  due_at      timestamptz not null,
  gives_up_at timestamptz not null,
  ended_at    timestamptz,
  constraint messages_pkey primary key (merchant_id, subject_id, message_id),
  constraint messages_channel_check check (channel in ('mail', 'sms')),
  constraint messages_kind_check check (
    kind in ('order_created', 'order_paid', 'one_time_password', 'user_link', 'user_alert')
  ),
  constraint messages_state_check check (state in ('pending', 'sent', 'given_up', 'kept'))
) with (fillfactor=80);
comment on column messages.merchant_id is 'Empty: the message is to a user of the service.';
comment on column messages.subject_id is 'The merchant''s id of the order or the cashout that the message is about; or the id of the user.';
comment on column messages.state is 'kept: a sandbox without a channel shows it in its inbox, and nobody sends it.';
comment on column messages.problem is 'Codes of the last failure; never the other side''s text, which may name the recipient.';
comment on column messages.sealed is 'Recipient and facts, AES-256-GCM under a service secret. Null once sent or given up; the sandbox keeps them for its inbox.';
comment on column messages.due_at is 'While a server is sending it: when its lease ends.';
-- For pruning, and for the inbox of the sandbox.
create index messages_by_creation on messages (created_at, message_id);
create index messages_by_merchant on messages (merchant_id, created_at, message_id);
-- What is due; a row leaves it when it has been sent or given up.
create index messages_due on messages (channel, due_at) where state = 'pending';

create table message_recipients (
  recipient bytea not null,
  sent_at   timestamptz[] not null,
  last_at   timestamptz not null,
  constraint message_recipients_pkey primary key (recipient)
);
comment on table message_recipients is 'Counts mails and SMS to each recipient, so that nobody gets too many. Forgotten an hour after the last one.';
comment on column message_recipients.recipient is 'HMAC-SHA256 of the channel and the normal form of the address or number, under a service key.';
comment on column message_recipients.sent_at is 'When each of them was first attempted, within the last hour. As many as the limit at most.';
create index message_recipients_by_age on message_recipients (last_at);


-- Requests. Signed requests, used checksums and idempotency keys. Jobs delete what is past its time.

create table spent_signatures (
  merchant_id text collate "C" not null,
  message_id  text collate "C" not null,
  forget_at   timestamptz not null,
  constraint spent_signatures_pkey primary key (merchant_id, message_id)
);
comment on table spent_signatures is 'The id of every signed request that was let in: a second one with the same id is refused (contract §7.5).';
-- For the job that forgets them. Instants only grow, so that inserts meet the last page of it.
create index spent_signatures_by_end on spent_signatures (forget_at);

-- Checksums that were used up, so that no other request can be made of their text.
create table spent_proofs (
  merchant_id text collate "C" not null,
  proof       bytea not null,
  spent_at    timestamptz not null,
  constraint spent_proofs_pkey primary key (merchant_id, proof)
);
comment on table spent_proofs is 'The checksum of each registration of a cashout and each renewal of a password: its text is the same however it is cut into values (contract §2.2).';
comment on column spent_proofs.proof is 'SHA-256 of the checksum: who reads the table can prove no request.';
-- For the job that forgets the proofs of a fixed hash that has ended.
create index spent_proofs_by_time on spent_proofs (merchant_id, spent_at);

create table kept_answers (
  merchant_id     text collate "C" not null,
  operation       text collate "C" not null,
  idempotency_key text collate "C" not null,
  fingerprint     bytea not null,
  sealed          bytea not null,
  kept_at         timestamptz not null,
  constraint kept_answers_pkey primary key (merchant_id, operation, idempotency_key)
);
comment on table kept_answers is 'The first answer to a request with an Idempotency-Key, written in the transaction of what it answers (contract §7.3).';
comment on column kept_answers.fingerprint is 'HMAC-SHA256 of the request''s path and body under the key of the answers: a request of another content is told.';
comment on column kept_answers.sealed is 'AES-256-GCM under the service''s own key of the answers: status, version and body. A one-time password is never kept.';
create index kept_answers_by_age on kept_answers (kept_at);


-- Users. People who sign in, the programs that they give access to, and how both prove themselves.

create table users (
  user_id     text collate "C" not null,
  email       text not null,
  email_key   text collate "C" not null,
  name        text not null,
  role        text not null,
  merchant_id text collate "C",
  language    text not null,
  state       text not null,
  version     integer not null default 1,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  constraint users_pkey primary key (user_id),
  constraint users_email_key_key unique (email_key),
  constraint users_language_check check (language in ('es', 'en', 'pt')),
  constraint users_merchant_check check ((role in ('administrator', 'clerk', 'viewer')) = (merchant_id is not null)),
  constraint users_role_check check (
    role in ('owner', 'operations', 'finance', 'support', 'auditor', 'administrator', 'clerk', 'viewer')
  ),
  constraint users_state_check check (state in ('invited', 'active', 'disabled'))
);
comment on column users.email_key is 'The address in small letters. Two users never share it.';
comment on column users.merchant_id is 'The merchant that the user is bound to. Null: the user sees every merchant.';
comment on column users.version is 'The number of changes so far, plus one.';
create index users_by_merchant on users (merchant_id) where merchant_id is not null;

create table user_passwords (
  user_id    text collate "C" not null,
  hash       text not null,
  changed_at timestamptz not null,
  constraint user_passwords_pkey primary key (user_id),
  constraint user_passwords_user_id_fkey foreign key (user_id) references users(user_id) on delete cascade
);
comment on column user_passwords.hash is 'Argon2id with its parameters and salt.';

create table user_code_secrets (
  user_id       text collate "C" not null,
  is_confirmed  boolean not null,
  master_key_id text not null,
  sealed        bytea not null,
  last_step     bigint not null default 0,
  created_at    timestamptz not null,
  constraint user_code_secrets_pkey primary key (user_id, is_confirmed),
  constraint user_code_secrets_user_id_fkey foreign key (user_id) references users(user_id) on delete cascade
);
comment on table user_code_secrets is 'What the one-time codes of an authenticator app are made from. One that is not confirmed yet proves nothing.';
comment on column user_code_secrets.last_step is 'The half minute of the last accepted code. No code of it or before it is accepted again.';

create table user_recovery_codes (
  user_id text collate "C" not null,
  hash    bytea not null,
  constraint user_recovery_codes_pkey primary key (user_id, hash),
  constraint user_recovery_codes_user_id_fkey foreign key (user_id) references users(user_id) on delete cascade
);
comment on table user_recovery_codes is 'SHA-256 of recovery codes. A code that was used is gone.';

create table user_passkeys (
  credential_id text collate "C" not null,
  user_id       text collate "C" not null,
  public_key    bytea not null,
  uses          bigint not null,
  transports    text[] not null,
  created_at    timestamptz not null,
  used_at       timestamptz,
  constraint user_passkeys_pkey primary key (credential_id),
  constraint user_passkeys_user_id_fkey foreign key (user_id) references users(user_id) on delete cascade
);
comment on column user_passkeys.credential_id is 'As the authenticator names it, in base64url.';
comment on column user_passkeys.uses is 'The counter of the authenticator. Many have none: it stays 0.';
create index user_passkeys_by_user on user_passkeys (user_id);

create table spent_challenges (
  hash       bytea not null,
  expires_at timestamptz not null,
  constraint spent_challenges_pkey primary key (hash)
);
comment on table spent_challenges is 'Challenges that a passkey has answered. An answer that somebody sends again proves nothing.';
create index spent_challenges_by_end on spent_challenges (expires_at);

create table user_subjects (
  issuer     text collate "C" not null,
  subject    text collate "C" not null,
  user_id    text collate "C" not null,
  created_at timestamptz not null,
  constraint user_subjects_pkey primary key (issuer, subject),
  constraint user_subjects_user_id_fkey foreign key (user_id) references users(user_id) on delete cascade
);
comment on table user_subjects is 'By which name an identity provider knows a user.';
create index user_subjects_by_user on user_subjects (user_id);

create table user_links (
  hash       bytea not null,
  user_id    text collate "C" not null,
  purpose    text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint user_links_pkey primary key (hash),
  constraint user_links_user_id_purpose_key unique (user_id, purpose),
  constraint user_links_user_id_fkey foreign key (user_id) references users(user_id) on delete cascade,
  constraint user_links_purpose_check check (purpose in ('enrol', 'password', 'sign-in'))
);
comment on table user_links is 'One-time links. One that was used is gone; a new one of the same purpose replaces the earlier one.';
comment on column user_links.purpose is 'enrol: choose password and authenticator app. password: choose a new password. sign-in: sign in once, in a sandbox.';
create index user_links_by_end on user_links (expires_at);

create table user_sessions (
  session_id         text collate "C" not null,
  hash               bytea not null,
  user_id            text collate "C" not null,
  created_at         timestamptz not null,
  seen_at            timestamptz not null,
  expires_at         timestamptz not null,
  reauthenticated_at timestamptz not null,
  address            text not null,
  browser            text not null,
  constraint user_sessions_pkey primary key (session_id),
  constraint user_sessions_hash_key unique (hash),
  constraint user_sessions_user_id_fkey foreign key (user_id) references users(user_id) on delete cascade
);
comment on column user_sessions.hash is 'SHA-256 of what the browser holds.';
comment on column user_sessions.reauthenticated_at is 'When the user last proved who it is. Sensitive acts ask for a fresh proof.';
create index user_sessions_by_end on user_sessions (expires_at);
create index user_sessions_by_user on user_sessions (user_id);

create table sign_in_tries (
  account     text collate "C" not null,
  network     text collate "C" not null,
  since       timestamptz not null,
  tries       integer not null,
  known_until timestamptz,
  constraint sign_in_tries_pkey primary key (account, network)
);
comment on table sign_in_tries is 'Limits guesses: by account, by network address, and by both. An empty account or network means all of them.';
comment on column sign_in_tries.known_until is 'Somebody signed in to this account from this network: guesses from elsewhere do not count here until then.';
create index sign_in_tries_by_age on sign_in_tries (since);

create table access_tokens (
  token_id          text collate "C" not null,
  hash              bytea not null,
  user_id           text collate "C",
  merchant_id       text collate "C",
  name              text not null,
  permissions       text[] not null,
  created_at        timestamptz not null,
  expires_at        timestamptz not null,
  last_used_at      timestamptz,
  maker_id          text collate "C",
  acts_for_merchant boolean not null,
  constraint access_tokens_pkey primary key (token_id),
  constraint access_tokens_hash_key unique (hash),
  constraint access_tokens_user_id_fkey foreign key (user_id) references users(user_id) on delete cascade
);
comment on table access_tokens is 'What programs sign in with.';
comment on column access_tokens.hash is 'SHA-256 of the token.';
comment on column access_tokens.user_id is 'Who made it: it never may more than this user may now. Null: an operator at the command line.';
comment on column access_tokens.expires_at is 'Also when it was ended by hand.';
comment on column access_tokens.last_used_at is 'To a minute.';
comment on column access_tokens.maker_id is 'The token that made it, which it does not outlive. Null: a user or an operator made it.';
comment on column access_tokens.acts_for_merchant is 'The merchant made it for itself, or an operator for the merchant.';
create index access_tokens_by_end on access_tokens (expires_at);
create index access_tokens_by_maker on access_tokens (maker_id) where maker_id is not null;
create index access_tokens_by_user on access_tokens (user_id);

create table user_views (
  view_id    text not null,
  user_id    text not null,
  name       text not null,
  address    text not null,
  created_at timestamptz not null,
  constraint user_views_pkey primary key (view_id),
  constraint user_views_user_id_name_key unique (user_id, name),
  constraint user_views_user_id_fkey foreign key (user_id) references users(user_id) on delete cascade
);
comment on table user_views is 'Lists that users have saved, as addresses of the console.';
comment on column user_views.address is 'A path of the console with its filter, as /orders?state=pending. It names no person.';


-- The audit log. Who did what. Rows are added and never changed. A job links committed rows to a chain: writing one waits for no lock.

create function acts_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: it is append-only', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create function acts_wait_for_links() returns trigger language plpgsql as $$
declare
  act_ids bigint[] := array(select act_id from new_acts);
begin
  insert into acts_to_link (act_id) select unnest(act_ids);
  return null;
end $$;

-- An act says when it was done. Whoever writes it could say anything, so the database notes when it took the act.
-- In production the service and its database agree on the time (docs/operations/incidents.md). A sandbox runs ahead.
create function acts_note_time() returns trigger language plpgsql as $$
begin
  new.recorded_at := clock_timestamp();
  if new.acted_at not between new.recorded_at - interval '1 hour' and new.recorded_at + interval '1 hour'
     and exists (select from database_mode where mode = 'production') then
    raise exception 'an act of % was recorded at %', new.acted_at, new.recorded_at using errcode = 'check_violation', constraint = 'acts_are_of_now';
  end if;
  return new;
end $$;

-- Rows go by age alone: prune_acts lets its own transaction delete them.
create function acts_refuse_delete() returns trigger language plpgsql as $$
begin
  if current_setting('caudal.prunes_acts', true) is distinct from 'yes' then
    raise exception 'delete of % is refused: it is append-only', tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create table acts (
  act_id       bigint generated by default as identity,
  acted_at     timestamptz not null,
  actor_kind   text not null,
  actor_id     text not null,
  actor_name   text not null,
  source       text not null,
  request_id   text,
  operation    text not null,
  merchant_id  text collate "C",
  target       text,
  outcome      text not null,
  details_hash bytea,
  recorded_at  timestamptz not null,
  constraint acts_pkey primary key (act_id),
  constraint acts_actor_kind_check check (
    actor_kind in ('user', 'token', 'command', 'merchant', 'network', 'service', 'nobody')
  ),
  constraint acts_outcome_check check (outcome = 'done' or outcome ~~ 'refused:%')
);
comment on table acts is 'Append-only. Each row is written in the transaction of what it records.';
comment on column acts.source is 'The address of the request, or the host of the command.';
comment on column acts.details_hash is 'SHA-256 of the row of act_details, so that its content can be erased without a change here.';
comment on column acts.recorded_at is 'When the database took it, by its own clock: what an act goes by age by.';
create index acts_by_merchant on acts (merchant_id, acted_at, act_id) where merchant_id is not null;
create index acts_by_time on acts (acted_at, act_id);
create trigger acts_are_append_only before update or truncate on acts
  for each statement
  execute function acts_refuse_change();
create trigger acts_are_queued after insert on acts
  referencing new table as new_acts
  for each statement
  execute function acts_wait_for_links();
create trigger acts_have_their_time before insert on acts
  for each row
  execute function acts_note_time();
create trigger acts_stay before delete on acts
  for each statement
  execute function acts_refuse_delete();

-- Whoever erases details, the chain says which: details that are gone and that no act names were taken away. Twenty fit into one act.
create function name_erased_details(act_ids bigint[], pseudonyms text[]) returns void language plpgsql as $$
begin
  insert into acts (acted_at, actor_kind, actor_id, actor_name, source, operation, target, outcome)
  select clock_timestamp(), 'service', 'service', 'service', 'database', 'eraseActDetails',
         'details ' || pseudonym || ' ' || string_agg(act_id::text, ',' order by act_id), 'done'
    from (select act_id, pseudonym, (row_number() over (partition by pseudonym order by act_id) - 1) / 20 as portion
            from unnest(act_ids, pseudonyms) as erased (act_id, pseudonym)) as erased
   group by pseudonym, portion order by pseudonym, portion;
end $$;

-- Details are erased, and nothing else happens to them.
create function act_details_refuse_change() returns trigger language plpgsql as $$
begin
  if new.act_id = old.act_id and old.content is not null and new.content is null and new.salt is null and new.erased_as is not null then
    return new;
  end if;
  raise exception 'update of % is refused: details are only erased', tg_table_name using errcode = 'restrict_violation';
end $$;

create function act_details_name_erased() returns trigger language plpgsql as $$
begin
  perform name_erased_details(array_agg(act_id), array_agg(erased_as)) from erased_now having count(*) > 0;
  return null;
end $$;

create table act_details (
  act_id    bigint not null,
  salt      bytea,
  content   text,
  erased_as text,
  constraint act_details_pkey primary key (act_id),
  constraint act_details_act_id_fkey foreign key (act_id) references acts(act_id) on delete cascade,
  constraint act_details_are_whole_or_erased check (
    (salt is null) = (content is null)
    and (content is null) = (erased_as is not null)
  )
);
comment on table act_details is 'Values before and after, and reasons. Erased: the row stays without content.';
comment on column act_details.salt is 'Nobody can guess erased content by its hash.';
create trigger act_details_are_not_truncated before truncate on act_details
  for each statement
  execute function acts_refuse_change();
create trigger act_details_are_only_erased before update on act_details
  for each row
  execute function act_details_refuse_change();
create trigger act_details_erased_are_named after update on act_details
  referencing new table as erased_now
  for each statement
  execute function act_details_name_erased();
create trigger act_details_stay before delete on act_details
  for each statement
  execute function acts_refuse_delete();

create table acts_to_link (
  act_id    bigint not null,
  queued_at timestamptz not null default clock_timestamp(),
  constraint acts_to_link_pkey primary key (act_id),
  constraint acts_to_link_act_id_fkey foreign key (act_id) references acts(act_id) on delete cascade
);
comment on table acts_to_link is 'Acts without a link. The trigger of acts writes it, the job that links empties it.';

create table act_links (
  place     bigint not null,
  act_id    bigint not null,
  link_hash bytea not null,
  constraint act_links_pkey primary key (place),
  constraint act_links_act_id_key unique (act_id),
  constraint act_links_place_check check (place > 0)
);
comment on table act_links is 'Append-only. A link holds the hash of the link before it, of its place and of its act.';
create trigger act_links_are_append_only before update or truncate on act_links
  for each statement
  execute function acts_refuse_change();
create trigger act_links_stay before delete on act_links
  for each statement
  execute function acts_refuse_delete();

create table act_stubs (
  place     bigint not null,
  link_hash bytea not null,
  pruned_at timestamptz not null,
  signature text not null,
  constraint act_stubs_pkey primary key (place),
  constraint act_stubs_place_check check (place > 0)
);
comment on table act_stubs is 'Append-only. The last link of those that were deleted by age: the chain begins after it.';
create trigger act_stubs_are_append_only before delete or update or truncate on act_stubs
  for each statement
  execute function acts_refuse_change();

-- The service may not delete acts. This function may, as its owner, and only what is older than a year by the database's clock.
-- The user that serves is granted it at the start.
create function prune_acts(last_place bigint, last_hash bytea, at timestamptz, signed text) returns bigint language plpgsql security definer as $$
declare
  pruned bigint;
begin
  -- Nothing is linked meanwhile: what is looked at here is what is deleted below.
  lock table act_links in share mode;
  if not exists (select from act_links where place = last_place and link_hash = last_hash)
     or exists (select from act_links l left join acts a using (act_id)
                 where l.place <= last_place
                   and (a.act_id is null or greatest(a.acted_at, a.recorded_at) >= clock_timestamp() - interval '365 days')) then
    raise exception 'acts until place % are not to be pruned', last_place using errcode = 'restrict_violation';
  end if;
  insert into act_stubs (place, link_hash, pruned_at, signature) values (last_place, last_hash, at, signed);
  perform set_config('caudal.prunes_acts', 'yes', true);
  delete from acts a using act_links l where l.act_id = a.act_id and l.place <= last_place;
  delete from act_links where place <= last_place;
  get diagnostics pruned = row_count;
  perform set_config('caudal.prunes_acts', 'no', true);
  return pruned;
end $$;


-- Exports

-- Any server writes one, and any server hands it out: so its bytes are here, for a day.
create table exports (
  export_id    text collate "C" not null,
  actor        text not null,
  merchant_id  text collate "C",
  list         text not null,
  format       text not null,
  filter       jsonb not null,
  zone         text not null,
  state        text not null default 'waiting',
  made_at      timestamptz not null,
  leased_until timestamptz,
  tries        integer not null default 0,
  rows_total   bigint,
  rows_written bigint not null default 0,
  bytes        bigint not null default 0,
  stored_bytes bigint not null default 0,
  trailer      jsonb,
  failure      text,
  ended_at     timestamptz,
  bound_to     text,
  constraint exports_pkey primary key (export_id),
  constraint exports_state_check check (state in ('waiting', 'writing', 'done', 'failed'))
);
comment on column exports.actor is 'Who asked for it, as user:7: nobody else sees it.';
comment on column exports.merchant_id is 'Whose rows it holds; null: of all merchants.';
comment on column exports.zone is 'The time zone of the days in the filter.';
comment on column exports.leased_until is 'A server is writing it and goes on before this instant; one that died does not, and another begins again.';
comment on column exports.tries is 'Counted when writing begins; who adds a part must have begun the latest try.';
comment on column exports.bound_to is 'The merchant that whoever asked is bound to, whose share of the room it takes. Null: the service''s own side.';
create index exports_to_write on exports (made_at) where state in ('waiting', 'writing');

create table export_parts (
  export_id  text collate "C" not null,
  first_byte bigint not null,
  packed     bytea not null,
  constraint export_parts_pkey primary key (export_id, first_byte),
  constraint export_parts_export_id_fkey foreign key (export_id) references exports(export_id) on delete cascade
);
comment on column export_parts.packed is 'Compressed by zstd. The database need not try it again.';
alter table export_parts alter packed set storage external;


-- The service itself

-- The service's own keys change with an overlap: a row for each generation.
create table service_secrets (
  name          text not null,
  master_key_id text not null,
  sealed        bytea not null,
  created_at    timestamptz not null,
  generation    integer not null,
  starts_at     timestamptz,
  expires_at    timestamptz,
  constraint service_secrets_pkey primary key (name, generation),
  constraint service_secrets_generation_check check (generation > 0)
);
comment on table service_secrets is 'Keys of the service itself (checkout tokens, list cursors, one-time passwords, kept answers, messages). They outlive a rotation of the master key.';
comment on column service_secrets.starts_at is 'When it signs and seals in place of the generation before. Null: since it was made.';
comment on column service_secrets.expires_at is 'Null: the newest. After a rotation it verifies and opens until then.';

-- Proof that a person's data was erased. It does not say whose: the operator keeps the pseudonym with the request.
create table erasures (
  pseudonym text collate "C" not null,
  kind      text not null,
  erased    integer not null,
  erased_at timestamptz not null,
  constraint erasures_pkey primary key (pseudonym, kind),
  constraint erasures_erased_check check (erased > 0)
);
comment on table erasures is 'How many records of a kind each run of an erasure wrote its pseudonym over.';

-- A service that has outgrown one database has others beside it. Each cell has the same tables; these two are empty there.
create table cells (
  cell          smallint not null,
  name          text collate "C" not null,
  master_key_id text not null,
  sealed        bytea not null,
  created_at    timestamptz not null,
  constraint cells_pkey primary key (cell),
  constraint cells_name_key unique (name),
  constraint cells_cell_check check (cell between 1 and 255)
);
comment on table cells is 'Databases beside this one, each of which holds whole merchants. This one, home, is cell 0 and has no row.';
comment on column cells.sealed is 'The connection strings of its two users.';

create table merchant_cells (
  merchant_id text collate "C" not null,
  cell        smallint not null,
  placed_at   timestamptz not null,
  constraint merchant_cells_pkey primary key (merchant_id),
  constraint merchant_cells_cell_fkey foreign key (cell) references cells(cell)
);
comment on table merchant_cells is 'Where merchants of other cells are. Their ids are taken here before they are created there, so no id is in two cells.';

-- No row: no program has opened the database yet.
create table database_mode (
  only_row boolean not null default true,
  mode     text not null,
  constraint database_mode_pkey primary key (only_row),
  constraint database_mode_mode_check check (mode in ('sandbox', 'production')),
  constraint database_mode_only_row_check check (only_row)
);
comment on table database_mode is 'The mode that this database is used in. A program of the other mode refuses it.';

-- Written in sandbox mode only; empty in production.
create table sandbox_clock (
  only_row  boolean not null default true,
  offset_ms bigint not null,
  constraint sandbox_clock_pkey primary key (only_row),
  constraint sandbox_clock_offset_ms_check check (offset_ms >= 0),
  constraint sandbox_clock_only_row_check check (only_row)
);
comment on table sandbox_clock is 'How far the clock of this sandbox runs ahead of the machine''s. No row: not at all.';

-- Functions that run as the owner name the schema first: no temporary table of the caller stands in for one of these. Nobody may attach
-- one of the triggers to another table: PostgreSQL checks that right when a trigger is made, not when it runs.
do $$ begin
  execute format('alter function acts_note_time() set search_path = %I, pg_temp', current_schema());
  execute format('alter function ledger_apply_entries() set search_path = %I, pg_temp', current_schema());
  execute format('alter function cashout_count_takes_key() set search_path = %I, pg_temp', current_schema());
  execute format('alter function cashout_month_count_takes_key() set search_path = %I, pg_temp', current_schema());
  execute format('alter function cashout_slot_count_takes_key() set search_path = %I, pg_temp', current_schema());
  execute format('alter function ledger_balance_takes_key() set search_path = %I, pg_temp', current_schema());
  execute format('alter function prune_acts(bigint, bytea, timestamptz, text) set search_path = %I, pg_temp', current_schema());
end $$;
revoke execute on function ledger_apply_entries() from public;
revoke execute on function prune_acts from public;
revoke execute on function cashout_count_takes_key(), cashout_month_count_takes_key(), cashout_slot_count_takes_key(),
  ledger_balance_takes_key() from public;

insert into ledger_summed (summed_to) values ('epoch');
insert into change_readers (reader, position, complete_to, cluster)
values ('figures', pg_current_snapshot(), 'epoch', (select system_identifier::text from pg_control_system()));

comment on column schema_migrations.works_from is 'The oldest schema whose release works with this migration all the same. Null: none does.';
