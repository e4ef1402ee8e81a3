-- Passkeys of users, and users that another identity provider proves.

create table user_passkeys (
  credential_id text collate "C" primary key,
  user_id       text collate "C" not null references users on delete cascade,
  public_key    bytea not null,
  uses          bigint not null,
  transports    text[] not null,
  created_at    timestamptz not null,
  used_at       timestamptz
);
create index user_passkeys_by_user on user_passkeys (user_id);
comment on column user_passkeys.credential_id is 'As the authenticator names it, in base64url.';
comment on column user_passkeys.uses is 'The counter of the authenticator. Many have none: it stays 0.';

create table spent_challenges (
  hash       bytea primary key,
  expires_at timestamptz not null
);
create index spent_challenges_by_end on spent_challenges (expires_at);
comment on table spent_challenges is 'Challenges that a passkey has answered. An answer that somebody sends again proves nothing.';

create table user_subjects (
  issuer     text collate "C" not null,
  subject    text collate "C" not null,
  user_id    text collate "C" not null references users on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index user_subjects_by_user on user_subjects (user_id);
comment on table user_subjects is 'By which name an identity provider knows a user.';
