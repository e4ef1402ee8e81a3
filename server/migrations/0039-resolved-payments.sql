-- An operator clears a refused payment that is dealt with.
alter table refused_payments add column resolved_at timestamptz;
alter table refused_payments add column resolved_by text;
alter table refused_payments add column note text;
comment on column refused_payments.resolved_at is 'When an operator said that nothing is left to do. Null: open. A later try of the same transaction opens it again.';
