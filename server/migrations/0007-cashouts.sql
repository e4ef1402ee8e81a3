-- What a cashout needs to be collected: its money, its password's tries, the network that holds it, the end of its last day.

alter table cashouts
  add column expires_at      timestamptz,
  add column fee_minor       bigint not null default 0 check (fee_minor >= 0),
  add column tax_minor       bigint not null default 0 check (tax_minor >= 0),
  add column reserved_minor  bigint not null default 0 check (reserved_minor in (0, amount_minor + fee_minor + tax_minor)),
  add column otp_wrong_tries smallint not null default 0,
  add column otp_resends     smallint not null default 0,
  add column locked_by       text collate "C",
  add column locked_until    timestamptz,
  add column locked_at_point text;
comment on column cashouts.expires_at is 'The instant at which the day expires_on ends in the merchant''s zone: what the sweep goes by.';
comment on column cashouts.reserved_minor is 'Taken from the merchant''s fund when it was registered; 0 for an imported operation, which was never taken from this fund: nothing goes back for it, and it is not paid out here.';
comment on column cashouts.otp_wrong_tries is 'Of the password that is valid now: a new one starts at zero.';
comment on column cashouts.locked_by is 'The network that has found the operation by its password; it holds it until locked_until. Stays when that is over.';

-- Operations that were pending before this column: the end of their last day, by the zones of contract §6.
update cashouts set expires_at = (expires_on + 1)::timestamp at time zone zones.zone
  from merchants join (values
    ('343', 'America/Bogota'), ('170', 'America/Bogota'), ('345', 'America/Guayaquil'), ('218', 'America/Guayaquil'), ('348', 'America/Lima'),
    ('604', 'America/Lima'), ('314', 'America/Costa_Rica'), ('188', 'America/Costa_Rica'), ('484', 'America/Mexico_City'),
    ('152', 'America/Santiago'), ('320', 'America/Guatemala'), ('222', 'America/El_Salvador'), ('591', 'America/Panama'),
    ('068', 'America/La_Paz'), ('032', 'America/Argentina/Buenos_Aires'), ('076', 'America/Sao_Paulo'), ('214', 'America/Santo_Domingo'),
    ('340', 'America/Tegucigalpa'), ('558', 'America/Managua'), ('600', 'America/Asuncion'), ('858', 'America/Montevideo')
  ) as zones (country, zone) on zones.country = merchants.country
 where cashouts.merchant_id = merchants.merchant_id and cashouts.state = 'pending';

-- What a network looks up, among the pending ones of everybody; imported ones are not paid out here and stay out of it.
create index cashouts_to_collect on cashouts (document) where state = 'pending' and reserved_minor > 0;
-- What falls due, the oldest first.
create index cashouts_due on cashouts (expires_at) where state = 'pending';
-- A network names an operation by our id, and only one that it has found before: the few that are not are left out.
create index cashouts_found on cashouts (cashout_id) where locked_by is not null;

create table cashout_payments (
  network_id     text collate "C" not null references networks,
  transaction_id text collate "C" not null,
  merchant_id    text collate "C" not null,
  operation_id   text collate "C" not null,
  cashout_id     bigint not null,
  teller         text not null,
  dane_code      text not null,
  paid_at        timestamptz not null,
  reversed_at    timestamptz,
  primary key (network_id, transaction_id)
);
-- An operation is paid once: after a reversal it is nullified for good.
create unique index cashout_payments_by_operation on cashout_payments (merchant_id, operation_id);
comment on table cashout_payments is 'A network''s transaction is unique across merchants, so it has a table of its own.';

create table cashout_wrong_tries (
  network_id text collate "C" not null references networks,
  document   text collate "C" not null,
  since      timestamptz not null,
  tries      integer not null,
  primary key (network_id, document)
);
create index cashout_wrong_tries_by_age on cashout_wrong_tries (since);
comment on table cashout_wrong_tries is 'Passwords that fitted nothing, by network and document; forgotten once the window that began at since is over.';

create table cashout_limits (
  merchant_id          text collate "C" not null references merchants,
  currency             text collate "C" not null,
  least_minor          bigint,
  most_minor           bigint,
  per_document_and_day integer check (per_document_and_day > 0),
  set_at               timestamptz not null,
  primary key (merchant_id, currency),
  check (least_minor <= most_minor)
);
comment on table cashout_limits is 'Null, or no row: no limit.';
