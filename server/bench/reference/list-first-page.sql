-- pgbench runs this for P5: the rows of the list's first page, without counting, links or rendering.
-- The page has 23 rows; the 24th shows whether there is a next page.
select operation_id, cashout_id, state, amount_minor, transaction_cost_minor, currency, description, document, sms, cellphone,
       expires_on, updated_at, updated_on
  from cashouts
 where merchant_id = 'bench-cashouts' and updated_on between :from and :to
 order by updated_on desc, updated_at desc, cashout_id desc
 limit 24;
