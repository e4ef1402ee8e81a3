alter table merchants add column contact text;
comment on column merchants.contact is 'The e-mail address of a person at the merchant, for the operator to write to. Null: none is known.';
