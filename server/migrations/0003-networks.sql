-- Collection networks take cash for orders and hand out cash for cashouts. They are few, and belong to no merchant.

create table networks (
  network_id  text collate "C" primary key,
  name        text not null,
  created_at  timestamptz not null,
  disabled_at timestamptz
);
comment on column networks.network_id is 'The netname of the wire: 1 to 30 of [a-z0-9_-].';

create table network_secrets (
  network_id    text collate "C" not null references networks,
  generation    integer not null,
  master_key_id text not null,
  sealed        bytea not null,
  created_at    timestamptz not null,
  expires_at    timestamptz,
  primary key (network_id, generation)
);
comment on column network_secrets.sealed is 'AES-256-GCM under the master key that master_key_id names: nonce, tag, ciphertext.';
comment on column network_secrets.expires_at is 'Null: the newest. A rotated secret stays valid until then, at most seven days.';
