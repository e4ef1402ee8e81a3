-- Releases from 0071 on work with it.
-- A merchant of a country whose documents have letters may have them in its cashouts.
alter table merchants add column letter_documents boolean not null default false;
comment on column merchants.letter_documents is 'Whether documents of its cashouts may have capital letters beside digits (contract §4.3).';
