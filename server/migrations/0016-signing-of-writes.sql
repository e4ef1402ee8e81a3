-- A merchant may sign only what changes something. A server of an earlier release treats the new value as accept.
alter table merchants
  drop constraint merchants_signing_check,
  add constraint merchants_signing_check check (signing in ('off', 'accept', 'require-writes', 'require'));
comment on column merchants.signing is 'Whether requests carry a signature beside the checksum: never looked at, checked when present, required of what changes something, or required (contract §7.5).';
