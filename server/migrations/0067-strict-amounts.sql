-- Releases from 0066 on work with it.
-- A merchant may have amounts refused that have more decimals than their currency, also where they are zeros.
alter table merchants add column strict_amounts boolean not null default false;
comment on column merchants.strict_amounts is 'Whether an amount of its requests may have no more decimals than its currency, not even zeros (contract §2.8).';
