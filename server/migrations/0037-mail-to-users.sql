-- Mail to users is about no merchant: its merchant_id is empty.
alter table messages drop constraint messages_merchant_id_fkey;
alter table messages drop constraint messages_kind_check;
-- Rows that are there are checked by the next migration, which blocks nobody.
alter table messages add constraint messages_kind_check
  check (kind in ('order_created', 'order_paid', 'one_time_password', 'user_link', 'user_alert')) not valid;
comment on column messages.merchant_id is 'Empty: the message is to a user of the service.';
comment on column messages.subject_id is 'The merchant''s id of the order or the cashout that the message is about; or the id of the user.';
