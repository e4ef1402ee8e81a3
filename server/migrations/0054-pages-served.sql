-- Which page of an order was served when, and what it showed that the order's history does not hold.

create table page_surroundings (
  surroundings_id text collate "C" primary key,
  shown           jsonb not null
);
comment on table page_surroundings is 'Names of merchant and networks as pages showed them. A row never changes: its id is the digest of what it holds.';

create table page_views (
  view_id         bigint generated always as identity,
  merchant_id     text collate "C" not null,
  order_id        text collate "C" not null,
  etag            text collate "C" not null,
  version         integer not null,
  seen_version    integer not null,
  state           text not null,
  days_left       integer not null,
  language        text not null,
  device          text not null,
  surroundings_id text collate "C" not null references page_surroundings,
  first_at        timestamptz not null,
  last_at         timestamptz not null,
  loads           bigint not null,
  primary key (merchant_id, order_id, etag, seen_version, device, surroundings_id)
);
create index page_views_by_time on page_views (first_at);
comment on table page_views is 'Pages of orders that were served. Equal pages of one kind of device are one row.';
comment on column page_views.seen_version is 'The page showed what had changed since that version.';
