-- A token that the service's side bound to a merchant is none of the merchant's own: it sees no one-time password.

alter table access_tokens add column acts_for_merchant boolean not null default false;
update access_tokens t set acts_for_merchant = true
 where t.merchant_id is not null
   and (exists (select from users u where u.user_id = t.user_id and u.merchant_id = t.merchant_id) or (t.user_id is null and t.maker_id is null));
comment on column access_tokens.acts_for_merchant is 'The merchant made it for itself, or an operator for the merchant. An earlier release leaves false.';
