-- What changed, as the transaction that changed it wrote it: at most a row for each statement, however many orders it changed.
-- Triggers write it, so that servers of an earlier release do too.
-- Identifiers and instants are not in the order of commits. A transaction's number is no better, but the database knows which ones had ended.
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
  primary key (written_in, change_id)
);
comment on table changes is 'What changed, one element of each array per change. Read by the position of a reader, and deleted after an hour.';
comment on column changes.written_in is 'The transaction that wrote the row. A reader has a position: a snapshot of those that had ended.';
comment on column changes.ids is 'The merchant''s id of the order or cashout, the number of the notice, the transaction of the ledger.';
comment on column changes.states is 'The state after the change. Null: as it was.';
-- A portion of many changes would be compressed, which costs more than it saves in an hour.
alter table changes
  alter merchant_ids set storage external, alter ids set storage external, alter versions set storage external,
  alter events set storage external, alter states set storage external;

create table change_readers (
  reader            text not null primary key,
  position          pg_snapshot not null,
  complete_to       timestamptz not null,
  cluster           text not null
);
comment on table change_readers is 'Who must see every change once, and which transactions it has seen.';
comment on column change_readers.complete_to is 'On the clock of the service: all that was written until then is seen.';
comment on column change_readers.cluster is 'Of the database cluster that numbers the transactions. A restored dump has another one.';

create function note_order_changes() returns trigger language plpgsql as $$
begin
  insert into changes (kind, merchant_ids, ids, versions, events, states)
  select 'order', array_agg(merchant_id), array_agg(order_id), array_agg(version), array_agg(event), array_agg(changes -> 'state' ->> 1)
    from new_rows having count(*) > 0;
  return null;
end $$;
create trigger order_history_is_told after insert on order_history
  referencing new table as new_rows for each statement execute function note_order_changes();

create function note_cashout_changes() returns trigger language plpgsql as $$
begin
  insert into changes (kind, merchant_ids, ids, versions, events, states)
  select 'cashout', array_agg(merchant_id), array_agg(operation_id), array_agg(version), array_agg(event), array_agg(changes -> 'state' ->> 1)
    from new_rows having count(*) > 0;
  return null;
end $$;
create trigger cashout_history_is_told after insert on cashout_history
  referencing new table as new_rows for each statement execute function note_cashout_changes();

create function note_merchant_change() returns trigger language plpgsql as $$
begin
  insert into changes (kind, merchant_ids, ids, versions, events, states)
  values ('merchant', array[new.merchant_id], array[new.merchant_id], array[0],
          array[case tg_op when 'INSERT' then 'merchant.created' else 'merchant.changed' end], array[null]);
  return null;
end $$;
create trigger merchants_are_told after insert or update on merchants for each row execute function note_merchant_change();

create function note_network_change() returns trigger language plpgsql as $$
begin
  insert into changes (kind, merchant_ids, ids, versions, events, states)
  values ('network', array[null], array[new.network_id], array[0],
          array[case tg_op when 'INSERT' then 'network.created' else 'network.changed' end], array[null]);
  return null;
end $$;
create trigger networks_are_told after insert or update on networks for each row execute function note_network_change();

create function note_notice_end() returns trigger language plpgsql as $$
begin
  insert into changes (kind, merchant_ids, ids, versions, events, states)
  values ('notice', array[new.merchant_id], array[new.notice_id::text], array[0], array['notice.' || new.state], array[new.state]);
  return null;
end $$;
create trigger notices_are_told after update of state on notices
  for each row when (old.closed_at is null and new.closed_at is not null) execute function note_notice_end();

create function note_refused_payment() returns trigger language plpgsql as $$
begin
  insert into changes (kind, merchant_ids, ids, versions, events, states)
  values ('refused_payment', array[new.merchant_id], array[new.order_id || E'\x1f' || new.source || E'\x1f' || new.transaction_id], array[0],
          array['payment.refused'], array[null]);
  return null;
end $$;
create trigger refused_payments_are_told after insert on refused_payments for each row execute function note_refused_payment();

create function note_ledger_change() returns trigger language plpgsql as $$
begin
  insert into changes (kind, merchant_ids, ids, versions, events, states)
  values ('ledger', array[new.merchant_id], array[new.transaction_id], array[0], array['ledger.' || new.kind], array[null]);
  return null;
end $$;
create trigger ledger_changes_are_told after insert on ledger_entries
  for each row when (new.line = 1 and new.kind in ('top_up', 'adjustment')) execute function note_ledger_change();
