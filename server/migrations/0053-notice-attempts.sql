-- What receivers answered to each attempt of a notice, so that people see why it failed and when that changed.
create table notice_attempts (
  merchant_id   text collate "C" not null,
  notice_id     bigint not null,
  attempt       integer not null,
  attempted_at  timestamptz not null,
  answer_status integer,
  answer        text,
  problem       text,
  primary key (merchant_id, notice_id, attempt),
  constraint notice_attempts_fkey foreign key (merchant_id, notice_id) references notices (merchant_id, notice_id) on delete cascade
);
comment on table notice_attempts is 'Attempts that ended, but for the one and only of a notice that its receiver took at once: the notice itself has that one.';
comment on column notice_attempts.attempt is 'The number of the attempt, from 1. Where servers crashed some are missing.';
