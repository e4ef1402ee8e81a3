-- Signed requests and idempotency keys. Both tables are named in the SQL of the room requests only; what is past its time is deleted by a job.

alter table merchants add column signing text not null default 'off' check (signing in ('off', 'accept', 'require'));
comment on column merchants.signing is 'Whether requests carry a signature beside the checksum: never looked at, checked when present, or required (contract §7.5).';

alter table merchant_secrets drop constraint merchant_secrets_kind_check;
alter table merchant_secrets add constraint merchant_secrets_kind_check check (kind in ('fixed', 'notice', 'signing'));

create table spent_signatures (
  merchant_id text collate "C" not null,
  message_id  text collate "C" not null,
  forget_at   timestamptz not null,
  primary key (merchant_id, message_id)
);
-- For the job that forgets them. Instants only grow, so that inserts meet the last page of it.
create index spent_signatures_by_end on spent_signatures (forget_at);
comment on table spent_signatures is 'The id of every signed request that was let in: a second one with the same id is refused (contract §7.5).';

create table kept_answers (
  merchant_id     text collate "C" not null,
  operation       text collate "C" not null,
  idempotency_key text collate "C" not null,
  fingerprint     bytea not null,
  sealed          bytea not null,
  kept_at         timestamptz not null,
  primary key (merchant_id, operation, idempotency_key)
);
create index kept_answers_by_age on kept_answers (kept_at);
comment on table kept_answers is 'The first answer to a request with an Idempotency-Key, written in the transaction of what it answers (contract §7.3).';
comment on column kept_answers.fingerprint is 'HMAC-SHA256 of the request''s path and body under the key of the answers: a request of another content is told.';
comment on column kept_answers.sealed is 'AES-256-GCM under the service''s own key of the answers: status, version and body, which may hold a one-time password.';
