-- How merchants and networks look to payers.

create table pictures (
  picture_id text primary key check (picture_id ~ '^[0-9a-f]{64}$'),
  bytes      bytea not null check (octet_length(bytes) <= 8192),
  created_at timestamptz not null
);
comment on table pictures is 'PNG pictures by the SHA-256 of their bytes. A picture is never deleted: pages of earlier versions show it.';

create table merchant_brands (
  merchant_id text primary key references merchants,
  colour      text check (colour ~ '^#[0-9a-f]{6}$'),
  contact     text,
  website     text,
  logo        text references pictures
);
comment on table merchant_brands is 'What payers see of a merchant beside its name. A null is not shown.';
comment on column merchant_brands.contact is 'Where payers ask: an e-mail address or a telephone number.';
comment on column merchant_brands.website is 'Where the page leads back to: https.';

create table network_brands (
  network_id text primary key references networks,
  fees       jsonb not null default '{}',
  hours      text,
  logo       text references pictures
);
comment on column network_brands.fees is 'What a payer pays beside the amount: currency to minor units. A currency that is absent is not known.';
comment on column network_brands.hours is 'When its points are open: mon-sat 08:00-20:00, sun 09:00-13:00. Null: not known.';
