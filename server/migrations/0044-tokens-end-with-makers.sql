-- A token that a token made ends with it.

alter table access_tokens add column maker_id text collate "C";
create index access_tokens_by_maker on access_tokens (maker_id) where maker_id is not null;
comment on column access_tokens.maker_id is 'The token that made it, which it does not outlive. Null: a user or an operator made it.';
