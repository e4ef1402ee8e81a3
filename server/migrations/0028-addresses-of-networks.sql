alter table networks add column addresses text[];
comment on column networks.addresses is 'Addresses and networks, as 10.0.0.0/8, from which alone its requests come. Null: from anywhere.';
