-- The list of changes names each notice that waits to be sent: when it is written, and when it is sent again.
create function note_written_notices() returns trigger language plpgsql as $$
begin
  insert into changes (kind, merchant_ids, ids, versions, events, states)
  select 'notice', array_agg(merchant_id order by notice_id), array_agg(notice_id::text order by notice_id),
         array_agg(0), array_agg('notice.waiting'::text), array_agg('waiting'::text)
    from new_rows having count(*) > 0;
  return null;
end $$;
create trigger written_notices_are_told after insert on notices referencing new table as new_rows
  for each statement execute function note_written_notices();

drop trigger notices_are_told on notices;
create trigger notices_are_told after update of state on notices
  for each row when ((old.closed_at is null and new.closed_at is not null) or (old.state <> 'waiting' and new.state = 'waiting'))
  execute function note_notice_end();
