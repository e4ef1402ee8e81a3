-- The service's own keys change with an overlap: a row for each generation.
alter table service_secrets
  add column generation integer not null default 0,
  add column starts_at timestamptz,
  add column expires_at timestamptz;
alter table service_secrets drop constraint service_secrets_pkey, add primary key (name, generation);
comment on table service_secrets is 'Keys of the service itself (checkout tokens, list cursors, one-time passwords, kept answers, messages). They outlive a rotation of the master key.';
comment on column service_secrets.generation is '0: of an earlier release. It seals values itself. Later ones seal under keys that are derived of them.';
comment on column service_secrets.starts_at is 'When it signs and seals in place of the generation before. Null: since it was made.';
comment on column service_secrets.expires_at is 'Null: the newest. After a rotation it verifies and opens until then.';
