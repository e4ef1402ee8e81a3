-- In a migration of its own: it blocks nobody.
alter table messages validate constraint messages_kind_check;
