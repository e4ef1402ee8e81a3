-- A user that serves could write balances by hand, from a trigger on a temporary table of its own: only the depth of triggers was checked.
-- Now the trigger of the entries runs as the owner of the tables. A trigger changes balances only with the right to change their triggers,
-- which the owner has and the user that serves is never given. That check takes no query.
-- It has a search path of its own: a temporary table named ledger_balances must not take what belongs in the real one.
-- Nobody may attach it to another table. PostgreSQL checks that right when a trigger is made, not when it runs.
do $$ begin
  execute format('alter function ledger_apply_entries() security definer set search_path = %I, pg_temp', current_schema());
end $$;
revoke execute on function ledger_apply_entries() from public;

create function ledger_refuse_balance_by_hand() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() > 1 and pg_catalog.has_table_privilege(tg_relid, 'trigger') then
    return null;
  end if;
  raise exception '% of % is refused: it follows the entries', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create or replace function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: it is append-only', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create or replace trigger ledger_balances_follow_entries before insert or update or delete or truncate on ledger_balances
  for each statement execute function ledger_refuse_balance_by_hand();
