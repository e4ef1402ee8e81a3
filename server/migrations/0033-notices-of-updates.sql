-- A merchant may be told of every update of its orders.
alter table merchants add column update_notices boolean not null default false;
comment on column merchants.update_notices is 'Whether each update of an order that changes something sends a notice (contract §3.6).';
alter table notices add column version integer;
-- Rows that are there are checked by the next migration, which blocks nobody.
alter table notices add constraint notices_version_check check ((version is not null) = (status = 'updated')) not valid;
comment on column notices.version is 'Of the notice of an update: the version that the update made. What changed is read from the order''s history when the notice is sent.';
