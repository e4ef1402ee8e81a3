-- A release goes one step back without a backup where no migration since has taken away what it needs.
alter table schema_migrations add column if not exists works_from int;
comment on column schema_migrations.works_from is 'The oldest schema whose release works with this migration all the same. Null: none does.';
