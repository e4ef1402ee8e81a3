-- People who sign in, the programs that they give access to, and how both prove themselves.

create table users (
  user_id     text collate "C" primary key,
  email       text not null,
  email_key   text collate "C" not null unique,
  name        text not null,
  role        text not null check (role in ('owner', 'operations', 'finance', 'support', 'auditor', 'administrator', 'clerk', 'viewer')),
  merchant_id text collate "C" references merchants,
  language    text not null check (language in ('es', 'en', 'pt')),
  state       text not null check (state in ('invited', 'active', 'disabled')),
  version     integer not null default 1,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  -- The last three roles are of one merchant.
  constraint users_merchant_check check ((role in ('administrator', 'clerk', 'viewer')) = (merchant_id is not null))
);
create index users_by_merchant on users (merchant_id) where merchant_id is not null;
comment on column users.email_key is 'The address in small letters. Two users never share it.';
comment on column users.merchant_id is 'The merchant that the user is bound to. Null: the user sees every merchant.';
comment on column users.version is 'The number of changes so far, plus one.';

create table user_passwords (
  user_id    text collate "C" primary key references users on delete cascade,
  hash       text not null,
  changed_at timestamptz not null
);
comment on column user_passwords.hash is 'Argon2id with its parameters and salt.';

create table user_code_secrets (
  user_id       text collate "C" not null references users on delete cascade,
  is_confirmed  boolean not null,
  master_key_id text not null,
  sealed        bytea not null,
  last_step     bigint not null default 0,
  created_at    timestamptz not null,
  primary key (user_id, is_confirmed)
);
comment on table user_code_secrets is 'What the one-time codes of an authenticator app are made from. One that is not confirmed yet proves nothing.';
comment on column user_code_secrets.last_step is 'The half minute of the last accepted code. No code of it or before it is accepted again.';

create table user_recovery_codes (
  user_id text collate "C" not null references users on delete cascade,
  hash    bytea not null,
  primary key (user_id, hash)
);
comment on table user_recovery_codes is 'SHA-256 of recovery codes. A code that was used is gone.';

create table user_links (
  hash       bytea primary key,
  user_id    text collate "C" not null references users on delete cascade,
  purpose    text not null check (purpose in ('enrol', 'password', 'sign-in')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (user_id, purpose)
);
create index user_links_by_end on user_links (expires_at);
comment on table user_links is 'One-time links. One that was used is gone; a new one of the same purpose replaces the earlier one.';
comment on column user_links.purpose is 'enrol: choose password and authenticator app. password: choose a new password. sign-in: sign in once, in a sandbox.';

create table user_sessions (
  session_id         text collate "C" primary key,
  hash               bytea not null unique,
  user_id            text collate "C" not null references users on delete cascade,
  created_at         timestamptz not null,
  seen_at            timestamptz not null,
  expires_at         timestamptz not null,
  reauthenticated_at timestamptz not null,
  address            text not null,
  browser            text not null
);
create index user_sessions_by_user on user_sessions (user_id);
create index user_sessions_by_end on user_sessions (expires_at);
comment on column user_sessions.hash is 'SHA-256 of what the browser holds.';
comment on column user_sessions.reauthenticated_at is 'When the user last proved who it is. Sensitive acts ask for a fresh proof.';

create table access_tokens (
  token_id     text collate "C" primary key,
  hash         bytea not null unique,
  user_id      text collate "C" references users on delete cascade,
  merchant_id  text collate "C" references merchants,
  name         text not null,
  permissions  text[] not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  last_used_at timestamptz
);
create index access_tokens_by_user on access_tokens (user_id);
create index access_tokens_by_end on access_tokens (expires_at);
comment on table access_tokens is 'What programs sign in with.';
comment on column access_tokens.hash is 'SHA-256 of the token.';
comment on column access_tokens.user_id is 'Who made it: it never may more than this user may now. Null: an operator at the command line.';
comment on column access_tokens.expires_at is 'Also when it was ended by hand.';
comment on column access_tokens.last_used_at is 'To a minute.';

create table sign_in_tries (
  account     text collate "C" not null,
  network     text collate "C" not null,
  since       timestamptz not null,
  tries       integer not null,
  known_until timestamptz,
  primary key (account, network)
);
create index sign_in_tries_by_age on sign_in_tries (since);
comment on table sign_in_tries is 'Limits guesses: by account, by network address, and by both. An empty account or network means all of them.';
comment on column sign_in_tries.known_until is 'Somebody signed in to this account from this network: guesses from elsewhere do not count here until then.';
