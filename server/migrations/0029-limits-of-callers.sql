alter table merchants add column limits jsonb;
alter table networks add column limits jsonb;
comment on column merchants.limits is 'Its limits of requests: perSecond, burst, concurrent. Null: the defaults.';
comment on column networks.limits is 'Its limits of requests: perSecond, burst, concurrent. Null: the defaults.';
