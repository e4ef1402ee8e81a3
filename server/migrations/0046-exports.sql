-- Exports that users and programs asked for. Any server writes one, and any server hands it out: so its bytes are here, for a day.

create table exports (
  export_id    text collate "C" primary key,
  actor        text not null,
  merchant_id  text collate "C" references merchants,
  list         text not null,
  format       text not null,
  filter       jsonb not null,
  zone         text,
  state        text not null default 'waiting' check (state in ('waiting', 'writing', 'done', 'failed')),
  made_at      timestamptz not null,
  leased_until timestamptz,
  tries        integer not null default 0,
  rows_total   bigint,
  rows_written bigint not null default 0,
  bytes        bigint not null default 0,
  stored_bytes bigint not null default 0,
  trailer      jsonb,
  failure      text,
  ended_at     timestamptz
);
create index exports_to_write on exports (made_at) where state in ('waiting', 'writing');
comment on column exports.actor is 'Who asked for it, as user:7: nobody else sees it.';
comment on column exports.merchant_id is 'Whose rows it holds; null: of all merchants.';
comment on column exports.zone is 'The time zone of the days in the filter.';
comment on column exports.leased_until is 'A server is writing it and goes on before this instant; one that died does not, and another begins again.';
comment on column exports.tries is 'Counted when writing begins; who adds a part must have begun the latest try.';

create table export_parts (
  export_id  text collate "C" not null references exports on delete cascade,
  first_byte bigint not null,
  packed     bytea not null,
  primary key (export_id, first_byte)
);
comment on column export_parts.packed is 'Compressed by zstd. The database need not try it again.';
alter table export_parts alter column packed set storage external;
