-- A snapshot of the database, once a minute. What one of an hour ago has seen is deleted from the list of changes.
create table change_marks (
  marked_at timestamptz not null default clock_timestamp() primary key,
  position  pg_snapshot not null,
  cluster   text not null
);
comment on table change_marks is 'Which transactions had ended, minute by minute. A reader of the last hour has seen all that a mark before it has.';
