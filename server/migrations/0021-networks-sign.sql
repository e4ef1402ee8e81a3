-- Networks sign their requests. A network of an earlier release goes on by checksum until an operator decides.
alter table networks add column signing text not null default 'undecided' check (signing in ('undecided', 'checksum', 'require'));
comment on column networks.signing is 'Whether each request is signed. checksum: those on cashouts need not be. undecided: of an earlier release, none need be.';

create table network_proofs (
  network_id text collate "C" not null,
  proof      bytea not null,
  used_for   bytea not null,
  forget_at  timestamptz not null,
  primary key (network_id, proof)
);
create index network_proofs_by_end on network_proofs (forget_at);
comment on table network_proofs is 'The checksum of every unsigned request of a network: it proves no other request, however its text is cut.';
comment on column network_proofs.proof is 'The first half of the checksum.';
comment on column network_proofs.used_for is 'HMAC-SHA256 of operation and values under the second half, so that the table shows neither.';
