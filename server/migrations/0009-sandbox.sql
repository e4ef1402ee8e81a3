-- Written in sandbox mode only; empty in production.

create table sandbox_clock (
  only_row  boolean primary key default true check (only_row),
  offset_ms bigint not null check (offset_ms >= 0)
);
comment on table sandbox_clock is 'How far the clock of this sandbox runs ahead of the machine''s. No row: not at all.';
