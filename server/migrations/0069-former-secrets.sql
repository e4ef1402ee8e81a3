-- Releases from 0065 on work with it.
-- A checksum that was used is forgotten once the secret that made it has ended. Were the secret to come back, its checksums would be good
-- again: so an operator cannot bring back one that the merchant had.
create table former_secrets (
  merchant_id text collate "C" not null references merchants,
  kind text not null check (kind in ('fixed', 'notice')),
  digest bytea not null,
  primary key (merchant_id, kind, digest)
);
comment on column former_secrets.digest is 'scrypt of a secret that was replaced, with the merchant and the kind for salt.';
