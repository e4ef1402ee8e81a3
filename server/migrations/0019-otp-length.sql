-- How many digits a cashout's first one-time password has. Of older cashouts it is not known: four is the least.
alter table cashouts add column otp_length smallint not null default 4 check (otp_length between 4 and 12);
comment on column cashouts.otp_length is 'Digits of the first one-time password: a new one has as many at least.';
comment on column kept_answers.sealed is 'AES-256-GCM under the service''s own key of the answers: status, version and body. A one-time password is never kept.';
comment on table spent_proofs is 'The checksum of each registration of a cashout and each renewal of a password: its text is the same however it is cut into values (contract §2.2).';
