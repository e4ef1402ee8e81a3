-- What a merchant's clients of the family expect, merchant by merchant. An earlier release reads none of these columns: its merchants go on
-- as before.
alter table merchants
  add column empty_emails    boolean,
  add column notice_checksum text not null default 'sha256' constraint merchants_notice_checksum_check check (notice_checksum in ('sha256', 'sha512')),
  add column return_url      text;
comment on column merchants.empty_emails is 'Whether its orders may have no e-mail address, so that no mail is sent; null: as the service''s dialect has it.';
comment on column merchants.notice_checksum is 'The hash of the checksum in notices of orders.';
comment on column merchants.return_url is 'Where the checkout page leads the payer back to after a payment; null: nowhere.';
