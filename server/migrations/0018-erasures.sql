-- Proof that a person's data was erased. It does not say whose: the operator keeps the pseudonym with the request.
create table erasures (
  pseudonym text collate "C" not null,
  kind      text not null,
  erased    integer not null check (erased > 0),
  erased_at timestamptz not null,
  primary key (pseudonym, kind)
);
comment on table erasures is 'How many records of a kind each run of an erasure wrote its pseudonym over.';
