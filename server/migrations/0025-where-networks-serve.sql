-- A network serves countries and currencies. One of an earlier release goes on everywhere until an operator decides.
alter table networks
  add column countries text[],
  add column currencies text[];
comment on column networks.countries is 'Codes of the countries whose merchants it serves. Null: of an earlier release, all of them until an operator decides.';
comment on column networks.currencies is 'Of its countries. Null: all of them.';
