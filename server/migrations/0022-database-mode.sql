-- No row: a program of this release has not opened the database yet.

create table database_mode (
  only_row boolean primary key default true check (only_row),
  mode     text not null check (mode in ('sandbox', 'production'))
);
comment on table database_mode is 'The mode that this database is used in. A program of the other mode refuses it.';
