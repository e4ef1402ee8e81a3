-- The lists that a user comes back to: each is an address of the console with a name.
create table user_views (
  view_id    text not null primary key,
  user_id    text not null references users (user_id) on delete cascade,
  name       text not null,
  address    text not null,
  created_at timestamptz not null,
  unique (user_id, name)
);
comment on table user_views is 'Lists that users have saved, as addresses of the console.';
comment on column user_views.address is 'A path of the console with its filter, as /orders?state=pending. It names no person.';
