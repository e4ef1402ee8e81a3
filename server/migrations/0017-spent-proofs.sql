-- Checksums that were used up, so that no other request can be made of their text.
create table spent_proofs (
  merchant_id text collate "C" not null,
  proof       bytea not null,
  spent_at    timestamptz not null,
  primary key (merchant_id, proof)
);
-- For the job that forgets the proofs of a fixed hash that has ended.
create index spent_proofs_by_time on spent_proofs (merchant_id, spent_at);
comment on table spent_proofs is 'The checksum of each registration of a cashout: its text is the same however it is cut into values (contract §2.2).';
comment on column spent_proofs.proof is 'SHA-256 of the checksum: who reads the table can prove no request.';
