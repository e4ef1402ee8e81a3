-- Releases from 0065 on work with it.
alter table exports add column bound_to text;
comment on column exports.bound_to is 'The merchant that whoever asked is bound to, whose share of the room it takes. Null: the service''s own side.';
