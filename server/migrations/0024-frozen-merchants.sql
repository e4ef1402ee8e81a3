alter table merchants add column frozen_at timestamptz;
comment on column merchants.frozen_at is 'Since then nothing new is accepted and nothing is paid out; reads go on. Null: not frozen.';
