-- A reference stays with its order after the end: another merchant must not get what the payer of an old slip pays.
alter table open_references
  add column ended boolean not null default false,
  add column made boolean not null default false;
-- Room on the page: the end of an order changes its row and no index.
alter table open_references set (fillfactor = 90);
comment on table open_references is 'Two open orders never share a reference, in the whole service. A row stays when its order ends: from expires_at on the reference rests, and the row may be taken over.';
comment on column open_references.ended is 'The order was paid, was cancelled or got another reference at expires_at. An order that expired leaves its row as it is.';
comment on column open_references.made is 'The service made the reference. Only the merchant that got it can take it again.';
