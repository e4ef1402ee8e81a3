-- Releases from 0065 on work with it.
-- An act says when it was done. Whoever writes it could say anything, and prune_acts believed the last act that it was given. Now the
-- database notes when it took the act, and prune_acts looks at every act that it deletes.
alter table acts add column recorded_at timestamptz;
comment on column acts.recorded_at is 'When the database took it, by its own clock: what an act goes by age by. Null: of an earlier release.';

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
create trigger acts_have_their_time before insert on acts for each row execute function acts_note_time();

-- Details are erased, and nothing else happens to them.
create function act_details_refuse_change() returns trigger language plpgsql as $$
begin
  if new.act_id = old.act_id and old.content is not null and new.content is null and new.salt is null and new.erased_as is not null then
    return new;
  end if;
  raise exception 'update of % is refused: details are only erased', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger act_details_are_only_erased before update on act_details for each row execute function act_details_refuse_change();
create trigger act_details_stay before delete on act_details for each statement execute function acts_refuse_delete();
create trigger act_details_are_not_truncated before truncate on act_details for each statement execute function acts_refuse_change();

create or replace function prune_acts(last_place bigint, last_hash bytea, at timestamptz, signed text) returns bigint
  language plpgsql security definer as $$
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
do $$ begin
  execute format('alter function prune_acts set search_path = %I, pg_temp', current_schema());
  execute format('alter function acts_note_time set search_path = %I, pg_temp', current_schema());
end $$;
-- The user that serves is granted it at the start.
revoke execute on function prune_acts from public;

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
create function act_details_name_erased() returns trigger language plpgsql as $$
begin
  perform name_erased_details(array_agg(act_id), array_agg(erased_as)) from erased_now having count(*) > 0;
  return null;
end $$;
create trigger act_details_erased_are_named after update on act_details
  referencing new table as erased_now for each statement execute function act_details_name_erased();
select name_erased_details(array_agg(act_id), array_agg(erased_as)) from act_details where erased_as is not null having count(*) > 0;

-- What replaying a history does not show: who, when, and by which request. `caudal verify` computes the digests again.
alter table order_history add column digest bigint;
alter table cashout_history add column digest bigint, add column evidence bigint;
comment on column order_history.digest is 'Of the event, its actor, time and request, as they were written. Null: by an earlier release.';
comment on column cashout_history.digest is 'As in order_history.';
comment on column cashout_history.evidence is 'Digest of what the event wrote beside the history: the hash of a new password, the point of sale of a payment.';
