-- Messages to one recipient within an hour, whatever the merchants.
create table message_recipients (
  recipient bytea primary key,
  sent_at   timestamptz[] not null,
  last_at   timestamptz not null
);
create index message_recipients_by_age on message_recipients (last_at);
comment on table message_recipients is 'Counts mails and SMS to each recipient, so that nobody gets too many. Forgotten an hour after the last one.';
comment on column message_recipients.recipient is 'HMAC-SHA256 of the channel and the normal form of the address or number, under a service key.';
comment on column message_recipients.sent_at is 'When each of them was first attempted, within the last hour. As many as the limit at most.';
