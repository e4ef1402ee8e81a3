alter table merchants add column notice_url text;
comment on column merchants.notice_url is 'Where notices are sent; null: nowhere, they are given up unsent and can be redelivered later.';

create table notices (
  merchant_id      text collate "C" not null references merchants,
  notice_id        bigint not null generated always as identity,
  kind             text collate "C" not null check (kind in ('order', 'cashout')),
  subject_id       text collate "C" not null,
  status           text not null,
  amount_minor     bigint not null,
  currency         text not null,
  po_id            text,
  service_order_id bigint,
  payment          text,
  document         text,
  written_at       timestamptz not null,
  state            text not null check (state in ('waiting', 'delivered', 'given_up')),
  due_at           timestamptz not null,
  leased_until     timestamptz,
  give_up_at       timestamptz not null,
  attempts         integer not null default 0,
  attempted_at     timestamptz,
  answer_status    integer,
  answer           text,
  problem          text,
  delivered_at     timestamptz,
  closed_at        timestamptz,
  primary key (merchant_id, notice_id),
  check ((kind = 'order') = (po_id is not null and service_order_id is not null and payment is not null)),
  check ((kind = 'cashout') = (document is not null))
) with (fillfactor = 80);
-- What is due at each endpoint; the first column is walked in leaps, merchant by merchant.
create index notices_waiting on notices (merchant_id, due_at, notice_id) where state = 'waiting';
-- The notices of one order or cashout, in their order.
create index notices_by_subject on notices (merchant_id, kind, subject_id, notice_id);
create index notices_by_give_up on notices (give_up_at) where state = 'waiting';
create index notices_by_close on notices (closed_at) where state <> 'waiting';
-- For the operator, who has the number alone.
create index notices_by_id on notices (notice_id);
comment on table notices is 'The outbox: a row is written in the transaction of what it tells. The numbers come from one sequence without a cache, and the writer holds its order or cashout locked: so the numbers of one subject are in the order of what happened.';
comment on column notices.subject_id is 'The merchant''s id of the order or the cashout.';
comment on column notices.leased_until is 'A server is sending it and will record the answer before this instant; one that crashed will not, and it is sent again.';
comment on column notices.attempts is 'Counted when sending begins; whoever records an answer must have begun the latest attempt.';
comment on column notices.closed_at is 'When it was first delivered or given up. A redelivery leaves it as it is.';

create table notice_endpoints (
  merchant_id    text collate "C" primary key references merchants,
  failing_since  timestamptz,
  failures       integer not null default 0,
  last_failed_id bigint,
  problem        text,
  paused_at      timestamptz,
  paused_by      text check (paused_by in ('service', 'operator')),
  probe_at       timestamptz,
  probes         integer not null default 0,
  check ((paused_at is null) = (paused_by is null)),
  check ((paused_by is not distinct from 'service') = (probe_at is not null))
);
comment on table notice_endpoints is 'Only of merchants whose notices have failed, or whose endpoint an operator paused.';
comment on column notice_endpoints.failures is 'Failures since the last success, those of one notice in a row counted once: one order that a receiver never takes is no dead endpoint.';
