-- Wrong one-time passwords of a network's points of sale, whatever the documents.
create table cashout_wrong_tries_of_places (
  network_id text collate "C" not null references networks,
  place      text collate "C" not null,
  since      timestamptz not null,
  tries      integer not null,
  primary key (network_id, place)
);
create index cashout_wrong_tries_of_places_by_age on cashout_wrong_tries_of_places (since);
comment on table cashout_wrong_tries_of_places is 'Passwords that fitted nothing, by point of sale; the empty place is the whole network. Forgotten once the window that began at since is over.';
