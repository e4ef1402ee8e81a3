-- Made by `npm run generate`: every prepared statement, by its name.

-- audit.acts_kept_since
select min(acted_at) as since from acts where exists (select from act_stubs);

-- audit.acts_wait
select exists (select from acts_to_link) as waiting;

-- audit.count_acts
select
  case when o.outcome = 'done' then 'done' else 'refused' end as state, '' as currency,
  count(*) filter (where o.fits) as count, 0::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($1::text is null or o.actor_id = $1::text or o.actor_name = $1::text)
      and ($2::text is null or o.operation = $2::text)
    ) as fits
  from (
    select o.*
    from
      (select) as k
      cross join lateral (
        select o.*
        from acts as o
        where
          true
          and o.acted_at >= coalesce($3::timestamptz, '-infinity')
          and o.acted_at < coalesce($4::timestamptz, 'infinity')
        order by o.acted_at desc, o.act_id desc
        limit $5::bigint
      ) as o
    limit $5::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- audit.count_acts_of_merchant
select
  case when o.outcome = 'done' then 'done' else 'refused' end as state, '' as currency,
  count(*) filter (where o.fits) as count, 0::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($1::text is null or o.actor_id = $1::text or o.actor_name = $1::text)
      and ($2::text is null or o.operation = $2::text)
    ) as fits
  from (
    select o.*
    from
      (select) as k
      cross join lateral (
        select o.*
        from acts as o
        where
          o.merchant_id = $3::text
          and o.acted_at >= coalesce($4::timestamptz, '-infinity')
          and o.acted_at < coalesce($5::timestamptz, 'infinity')
        order by o.acted_at desc, o.act_id desc
        limit $6::bigint
      ) as o
    limit $6::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- audit.count_links_from
select count(*) as links from act_links where place >= $1;

-- audit.erase_details
update act_details d
set salt = null, content = null, erased_as = $2
where act_id = any($1::bigint[]) and content is not null
returning act_id::text as id;

-- audit.find_people
select coalesce(a.merchant_id, '') as "merchantId", d.act_id::text as id, false as "isOpen"
from act_details d join acts a using (act_id)
where d.content ~ any($1::text[])
order by d.act_id;

-- audit.find_unlinked_acts
select a.act_id as "actId", q.act_id is not null as waits
from acts a left join act_links l using (act_id) left join acts_to_link q using (act_id)
where l.act_id is null and (q.act_id is null or q.queued_at < now() - interval '1 minute')
order by a.act_id
limit 1;

-- audit.insert_links
insert into act_links (place, act_id, link_hash)
select place, act_id, link_hash
from unnest($1::bigint[], $2::bigint[], $3::bytea[]) as link (place, act_id, link_hash);

-- audit.last_link
select place, link_hash as hash
from (
  (select place, link_hash from act_links order by place desc limit 1)
  union all
  (select place, link_hash from act_stubs order by place desc limit 1)
) as ends
order by place desc
limit 1;

-- audit.links_at
select place, link_hash as hash from act_links where place = any($1::bigint[]) order by place;

-- audit.list_acts
select
  a.act_id as "actId", a.acted_at as at, a.actor_kind as kind, a.actor_id as id, a.actor_name as name, a.source,
  a.request_id as "requestId", a.operation, a.merchant_id as "merchantId", a.target, a.outcome,
  a.details_hash as "detailsHash", l.place, d.content, d.erased_as as "erasedAs"
from acts a left join act_links l using (act_id) left join act_details d using (act_id)
where
  ($1::timestamptz is null or a.acted_at >= $1)
  and ($2::timestamptz is null or a.acted_at < $2)
  and ($3::text is null or a.actor_id = $3 or a.actor_name = $3)
  and ($4::text is null or a.operation = $4)
  and ($5::text is null or a.merchant_id = $5)
  and ($6::timestamptz is null or (a.acted_at, a.act_id) < ($6, $7::bigint))
order by a.acted_at desc, a.act_id desc
limit $8;

-- audit.newest_stub
select place, link_hash as hash, pruned_at as at, signature from act_stubs order by place desc limit 1;

-- audit.oldest_links
select l.place, l.link_hash as hash, a.acted_at as at
from act_links l join acts a using (act_id)
order by l.place
limit 1000;

-- audit.page_links
select
  l.place, l.link_hash as hash, a.act_id as "actId", a.acted_at as at, a.actor_kind as kind, a.actor_id as id,
  a.actor_name as name, a.source, a.request_id as "requestId", a.operation, a.merchant_id as "merchantId", a.target,
  a.outcome, a.details_hash as "detailsHash", d.act_id is not null as "hasDetails", d.salt, d.content,
  d.erased_as as "erasedAs"
from act_links l left join acts a using (act_id) left join act_details d using (act_id)
where l.place > $1
order by l.place
limit $2;

-- audit.posted_acts
select a.merchant_id as "merchantId", a.acted_at as at, d.content
from acts a join act_details d using (act_id)
where a.outcome = 'done' and a.merchant_id is not null and (d.content is null or d.content like '%"posted":[null,%');

-- audit.prune_acts
select prune_acts($1, $2, $3, $4) as pruned;

-- audit.read_act
select
  a.act_id as "actId", a.acted_at as at, a.actor_kind as kind, a.actor_id as id, a.actor_name as name, a.source,
  a.request_id as "requestId", a.operation, a.merchant_id as "merchantId", a.target, a.outcome,
  a.details_hash as "detailsHash", l.place, d.content, d.erased_as as "erasedAs"
from acts a left join act_links l using (act_id) left join act_details d using (act_id)
where a.act_id = $1;

-- audit.read_act_of_person
select a.acted_at as at, a.operation, a.target, d.content
from acts a join act_details d using (act_id)
where d.act_id = $1;

-- audit.record_acts
with
  given as materialized (
    select nextval('acts_act_id_seq') as act_id, act.*
    from unnest(
      $1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[], $11::bytea[], $12::bytea[], $13::text[]
    ) as act (
      acted_at, actor_kind, actor_id, actor_name, source, request_id, operation, merchant_id, target, outcome,
      details_hash, salt, content
    )
  ),
  details as (
    insert into act_details (act_id, salt, content) select act_id, salt, content from given where content is not null
  )
insert into acts (
  act_id, acted_at, actor_kind, actor_id, actor_name, source, request_id, operation, merchant_id, target, outcome,
  details_hash
)
select
  act_id, acted_at, actor_kind, actor_id, actor_name, source, request_id, operation, merchant_id, target, outcome,
  details_hash
from given;

-- audit.take_acts_to_link
with taken as (
  delete from acts_to_link
  where act_id in (select act_id from acts_to_link order by act_id limit 1000)
  returning act_id
)
select
  a.act_id as "actId", a.acted_at as at, a.actor_kind as kind, a.actor_id as id, a.actor_name as name, a.source,
  a.request_id as "requestId", a.operation, a.merchant_id as "merchantId", a.target, a.outcome,
  a.details_hash as "detailsHash"
from acts a join taken using (act_id)
order by a.act_id;

-- audit.try_lock_chain
select pg_try_advisory_xact_lock(7228325014) as taken;

-- audit.waiting_erasures
select a.operation, a.target from acts_to_link q join acts a using (act_id) where a.operation = 'eraseActDetails';

-- audit.walk_links
select
  l.place, l.link_hash as hash, a.act_id as "actId", a.acted_at as at, a.actor_kind as kind, a.actor_id as id,
  a.actor_name as name, a.source, a.request_id as "requestId", a.operation, a.merchant_id as "merchantId", a.target,
  a.outcome, a.details_hash as "detailsHash", d.act_id is not null as "hasDetails", d.salt, d.content,
  d.erased_as as "erasedAs"
from act_links l left join acts a using (act_id) left join act_details d using (act_id)
where l.place > $1
order by l.place;

-- brands.insert_picture
insert into pictures (picture_id, bytes, created_at) values ($1, $2, $3) on conflict (picture_id) do nothing;

-- brands.select_merchant
select colour, contact, website, logo from merchant_brands where merchant_id = $1;

-- brands.select_network
select fees, hours, logo from network_brands where network_id = $1;

-- brands.select_networks
select network_id as netname, fees, hours, logo from network_brands where network_id = any($1::text[]);

-- brands.select_pictures
select picture_id as "pictureId", bytes from pictures where picture_id = any($1::text[]);

-- brands.set_merchant
insert into merchant_brands (merchant_id, colour, contact, website, logo)
values ($1, $2, $3, $4, $5)
on conflict (merchant_id) do update
set colour = excluded.colour, contact = excluded.contact, website = excluded.website, logo = excluded.logo;

-- brands.set_network
insert into network_brands (network_id, fees, hours, logo)
values ($1, $2::jsonb, $3, $4)
on conflict (network_id) do update
set fees = excluded.fees, hours = excluded.hours, logo = excluded.logo;

-- cashouts.claim_due
select
  cashouts.merchant_id as "merchantId", cashouts.operation_id as "operationId", cashouts.cashout_id as "cashoutId",
  cashouts.state, cashouts.version, cashouts.amount_minor as "amountMinor",
  cashouts.transaction_cost_minor as "transactionCostMinor", cashouts.currency, cashouts.description,
  cashouts.document, cashouts.sms, cashouts.cellphone, cashouts.expires_on as "expiresOn",
  cashouts.created_at as "createdAt", cashouts.updated_at as "updatedAt", cashouts.updated_on as "updatedOn",
  cashouts.fee_minor as "feeMinor", cashouts.tax_minor as "taxMinor", cashouts.reserved_minor as "reservedMinor",
  cashouts.otp_length as "otpLength", cashouts.otp_wrong_tries as "otpWrongTries",
  cashouts.otp_resends as "otpResends", cashouts.locked_by as "lockedBy", cashouts.locked_until as "lockedUntil"
from cashouts
where state = 'pending' and expires_at <= $1 and merchant_id <> all($3::text[])
order by expires_at
limit $2
for update skip locked;

-- cashouts.count_all_figures
select
  h.merchant_id as "merchantId", date_trunc('hour', h.changed_at, 'UTC') as hour, h.event,
  c.currency, case when h.actor like 'network:%' then h.actor else '' end as source, 0 as step, count(*) as count,
  sum(c.amount_minor)::text as "amountMinor", '0' as seconds
from
  (select * from cashout_history where changed_at >= $1) h
  join cashouts c on c.merchant_id = h.merchant_id and c.operation_id = h.operation_id
where h.event = any (
  '{cashout.registered,cashout.paid,cashout.payment_reversed,cashout.cancelled,cashout.expired,cashout.nullified}'
)
group by 1, 2, 3, 4, 5, 6
order by 1;

-- cashouts.count_changes
select count_cashouts($1::text[], $2::date[], $3::timestamptz[], $4::text[], $5::bigint[]);

-- cashouts.count_figures
select
  h.merchant_id as "merchantId", date_trunc('hour', h.changed_at, 'UTC') as hour, h.event,
  c.currency, case when h.actor like 'network:%' then h.actor else '' end as source, 0 as step, count(*) as count,
  sum(c.amount_minor)::text as "amountMinor", '0' as seconds
from
  unnest($1::text[], $2::text[], $3::integer[]) as k (merchant_id, operation_id, version)
  join cashout_history h on h.merchant_id = k.merchant_id and h.operation_id = k.operation_id and h.version = k.version
  join cashouts c on c.merchant_id = h.merchant_id and c.operation_id = h.operation_id
where h.event = any (
  '{cashout.registered,cashout.paid,cashout.payment_reversed,cashout.cancelled,cashout.expired,cashout.nullified}'
)
group by 1, 2, 3, 4, 5, 6;

-- cashouts.count_of_document_and_day
select (
  select count(*)
  from cashouts
  where
    cashouts.merchant_id = wanted.merchant_id
    and cashouts.document in (
      select repeat('0', zeros) || wanted.document
      from generate_series(0, greatest(0, 20 - length(wanted.document))) as zeros
    )
    and updated_on >= wanted.today
    and cashouts.currency = wanted.currency
    and created_at >= wanted.since
)::integer as registered
from unnest(
  $1::text[], $2::text[], $3::text[], $4::date[], $5::timestamptz[]
) with ordinality as wanted (merchant_id, document, currency, today, since, place)
order by place;

-- cashouts.count_wrong_tries
update cashouts
set otp_wrong_tries = otp_wrong_tries + 1
where (merchant_id, operation_id) in (
  select merchant_id, operation_id from unnest($1::text[], $2::text[]) as wrong (merchant_id, operation_id)
);

-- cashouts.count_wrong_tries_of_network
insert into cashout_wrong_tries as kept (network_id, document, since, tries)
values ($1, $2, $3, 1)
on conflict (network_id, document) do update
set
  since = case when kept.since > $4 then kept.since else excluded.since end,
  tries = case when kept.since > $4 then kept.tries + 1 else 1 end;

-- cashouts.count_wrong_tries_of_places
insert into cashout_wrong_tries_of_places as kept (network_id, place, since, tries)
select $1, place, $3, 1
from unnest($2::text[]) as k (place)
order by place collate "C"
on conflict (network_id, place) do update
set
  since = case when kept.since > $4 then kept.since else excluded.since end,
  tries = case when kept.since > $4 then kept.tries + 1 else 1 end;

-- cashouts.end_hold
update cashouts set locked_until = $3 where merchant_id = $1 and operation_id = $2;

-- cashouts.erase_people
with ended as (
  select merchant_id, operation_id
  from cashouts
  where (merchant_id, operation_id) in (select * from unnest($1::text[], $2::text[])) and state <> 'pending'
  for update skip locked
)
update cashouts r
set
  description = case when r.description <> '' then $3::text else r.description end,
  document = case when r.document <> '' then $3::text else r.document end,
  cellphone = case when r.cellphone <> '' then $3::text else r.cellphone end
from ended
where r.merchant_id = ended.merchant_id and r.operation_id = ended.operation_id
returning r.merchant_id as "merchantId", r.operation_id as id;

-- cashouts.erase_people_in_history
update cashout_history h
set changes = (
  select jsonb_object_agg(
    field, case
    when field not in ('description', 'document', 'cellphone') then change
    else (
      select jsonb_agg(case when side in ('null', '""') then side else to_jsonb($3::text) end order by place)
      from jsonb_array_elements(change) with ordinality as pair (side, place)
    ) end
  )
  from jsonb_each(h.changes) as changed (field, change)
)
from unnest($1::text[], $2::text[]) as k (merchant_id, operation_id)
where
  h.merchant_id = k.merchant_id and h.operation_id = k.operation_id and h.changes ?| array['description', 'document',
  'cellphone'];

-- cashouts.find
select
  cashouts.merchant_id as "merchantId", cashouts.operation_id as "operationId", cashouts.cashout_id as "cashoutId",
  cashouts.state, cashouts.version, cashouts.amount_minor as "amountMinor",
  cashouts.transaction_cost_minor as "transactionCostMinor", cashouts.currency, cashouts.description,
  cashouts.document, cashouts.sms, cashouts.cellphone, cashouts.expires_on as "expiresOn",
  cashouts.created_at as "createdAt", cashouts.updated_at as "updatedAt", cashouts.updated_on as "updatedOn",
  cashouts.fee_minor as "feeMinor", cashouts.tax_minor as "taxMinor", cashouts.reserved_minor as "reservedMinor",
  cashouts.otp_length as "otpLength", cashouts.otp_wrong_tries as "otpWrongTries",
  cashouts.otp_resends as "otpResends", cashouts.locked_by as "lockedBy", cashouts.locked_until as "lockedUntil"
from cashouts
where merchant_id = $1 and operation_id = $2;

-- cashouts.find_all_of_all
select
  o.merchant_id as "merchantId", o.operation_id as "operationId",
  o.cashout_id as "cashoutId", case
    when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
    else o.state end as state,
  o.version, o.amount_minor as "amountMinor", o.transaction_cost_minor as "transactionCostMinor", o.currency,
  o.description, o.document, o.sms, o.cellphone, o.expires_on as "expiresOn", o.created_at as "createdAt",
  o.updated_at as "updatedAt", o.updated_on as "updatedOn", o.fee_minor as "feeMinor", o.tax_minor as "taxMinor",
  o.reserved_minor as "reservedMinor", o.otp_length as "otpLength", o.otp_wrong_tries as "otpWrongTries",
  o.otp_resends as "otpResends", o.locked_by as "lockedBy", o.locked_until as "lockedUntil", o.fits,
  o.walked = $2::bigint as stops
from
  (
    with recursive found as (
      (select merchant_id from cashouts order by merchant_id limit 1)
      union all
      select (
        select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
      )
      from found
      where found.merchant_id is not null
    )
    select merchant_id
    from found
    where merchant_id is not null
  ) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($3::text is null or o.merchant_id = $3::text)
          and (
            $4::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
              else o.state end = any ($4::text[])
          )
          and ($5::text is null or o.document = $5::text)
          and (
            $6::text is null
            or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
          )
          and ($7::text is null or o.operation_id = $7::text)
          and ($8::text is null or o.currency = $8::text)
          and ($9::bigint is null or o.amount_minor >= $9::bigint)
          and ($10::bigint is null or o.amount_minor <= $10::bigint)
          and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
          and ($12::timestamptz is null or o.created_at < $12::timestamptz)
          and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
          and (
            $15::boolean is null
            or exists (
              select
              from cashout_payments p
              where
                p.merchant_id = o.merchant_id
                and p.operation_id = o.operation_id
                and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
                and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
                and ($18::text is null or p.network_id = $18::text)
                and ($19::text is null or p.transaction_id = $19::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($20::date, 'infinity'), coalesce($21::timestamptz, 'infinity'),
            coalesce($22::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($13::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($14::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $2::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $2::bigint
    limit $23::bigint
  ) as o
order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
limit $23::bigint;

-- cashouts.find_all_of_one
select
  o.merchant_id as "merchantId", o.operation_id as "operationId",
  o.cashout_id as "cashoutId", case
    when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
    else o.state end as state,
  o.version, o.amount_minor as "amountMinor", o.transaction_cost_minor as "transactionCostMinor", o.currency,
  o.description, o.document, o.sms, o.cellphone, o.expires_on as "expiresOn", o.created_at as "createdAt",
  o.updated_at as "updatedAt", o.updated_on as "updatedOn", o.fee_minor as "feeMinor", o.tax_minor as "taxMinor",
  o.reserved_minor as "reservedMinor", o.otp_length as "otpLength", o.otp_wrong_tries as "otpWrongTries",
  o.otp_resends as "otpResends", o.locked_by as "lockedBy", o.locked_until as "lockedUntil", o.fits,
  o.walked = $2::bigint as stops
from
  (select $3::text as merchant_id) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($3::text is null or o.merchant_id = $3::text)
          and (
            $4::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
              else o.state end = any ($4::text[])
          )
          and ($5::text is null or o.document = $5::text)
          and (
            $6::text is null
            or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
          )
          and ($7::text is null or o.operation_id = $7::text)
          and ($8::text is null or o.currency = $8::text)
          and ($9::bigint is null or o.amount_minor >= $9::bigint)
          and ($10::bigint is null or o.amount_minor <= $10::bigint)
          and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
          and ($12::timestamptz is null or o.created_at < $12::timestamptz)
          and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
          and (
            $15::boolean is null
            or exists (
              select
              from cashout_payments p
              where
                p.merchant_id = o.merchant_id
                and p.operation_id = o.operation_id
                and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
                and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
                and ($18::text is null or p.network_id = $18::text)
                and ($19::text is null or p.transaction_id = $19::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($20::date, 'infinity'), coalesce($21::timestamptz, 'infinity'),
            coalesce($22::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($13::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($14::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $2::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $2::bigint
    limit $23::bigint
  ) as o
order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
limit $23::bigint;

-- cashouts.find_cellphone_of_all
select
  o.merchant_id as "merchantId", o.operation_id as "operationId",
  o.cashout_id as "cashoutId", case
    when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
    else o.state end as state,
  o.version, o.amount_minor as "amountMinor", o.transaction_cost_minor as "transactionCostMinor", o.currency,
  o.description, o.document, o.sms, o.cellphone, o.expires_on as "expiresOn", o.created_at as "createdAt",
  o.updated_at as "updatedAt", o.updated_on as "updatedOn", o.fee_minor as "feeMinor", o.tax_minor as "taxMinor",
  o.reserved_minor as "reservedMinor", o.otp_length as "otpLength", o.otp_wrong_tries as "otpWrongTries",
  o.otp_resends as "otpResends", o.locked_by as "lockedBy", o.locked_until as "lockedUntil", o.fits,
  o.walked = $2::bigint as stops
from
  (
    with recursive found as (
      (select merchant_id from cashouts order by merchant_id limit 1)
      union all
      select (
        select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
      )
      from found
      where found.merchant_id is not null
    )
    select merchant_id
    from found
    where merchant_id is not null
  ) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($3::text is null or o.merchant_id = $3::text)
          and (
            $4::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
              else o.state end = any ($4::text[])
          )
          and ($5::text is null or o.document = $5::text)
          and (
            $6::text is null
            or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
          )
          and ($7::text is null or o.operation_id = $7::text)
          and ($8::text is null or o.currency = $8::text)
          and ($9::bigint is null or o.amount_minor >= $9::bigint)
          and ($10::bigint is null or o.amount_minor <= $10::bigint)
          and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
          and ($12::timestamptz is null or o.created_at < $12::timestamptz)
          and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
          and (
            $15::boolean is null
            or exists (
              select
              from cashout_payments p
              where
                p.merchant_id = o.merchant_id
                and p.operation_id = o.operation_id
                and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
                and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
                and ($18::text is null or p.network_id = $18::text)
                and ($19::text is null or p.transaction_id = $19::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.cellphone <> ''
          and (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($20::date, 'infinity'), coalesce($21::timestamptz, 'infinity'),
            coalesce($22::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($13::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($14::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $2::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $2::bigint
    limit $23::bigint
  ) as o
order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
limit $23::bigint;

-- cashouts.find_cellphone_of_one
select
  o.merchant_id as "merchantId", o.operation_id as "operationId",
  o.cashout_id as "cashoutId", case
    when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
    else o.state end as state,
  o.version, o.amount_minor as "amountMinor", o.transaction_cost_minor as "transactionCostMinor", o.currency,
  o.description, o.document, o.sms, o.cellphone, o.expires_on as "expiresOn", o.created_at as "createdAt",
  o.updated_at as "updatedAt", o.updated_on as "updatedOn", o.fee_minor as "feeMinor", o.tax_minor as "taxMinor",
  o.reserved_minor as "reservedMinor", o.otp_length as "otpLength", o.otp_wrong_tries as "otpWrongTries",
  o.otp_resends as "otpResends", o.locked_by as "lockedBy", o.locked_until as "lockedUntil", o.fits,
  o.walked = $2::bigint as stops
from
  (select $3::text as merchant_id) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($3::text is null or o.merchant_id = $3::text)
          and (
            $4::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
              else o.state end = any ($4::text[])
          )
          and ($5::text is null or o.document = $5::text)
          and (
            $6::text is null
            or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
          )
          and ($7::text is null or o.operation_id = $7::text)
          and ($8::text is null or o.currency = $8::text)
          and ($9::bigint is null or o.amount_minor >= $9::bigint)
          and ($10::bigint is null or o.amount_minor <= $10::bigint)
          and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
          and ($12::timestamptz is null or o.created_at < $12::timestamptz)
          and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
          and (
            $15::boolean is null
            or exists (
              select
              from cashout_payments p
              where
                p.merchant_id = o.merchant_id
                and p.operation_id = o.operation_id
                and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
                and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
                and ($18::text is null or p.network_id = $18::text)
                and ($19::text is null or p.transaction_id = $19::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.cellphone <> ''
          and (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($20::date, 'infinity'), coalesce($21::timestamptz, 'infinity'),
            coalesce($22::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($13::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($14::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $2::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $2::bigint
    limit $23::bigint
  ) as o
order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
limit $23::bigint;

-- cashouts.find_document_of_all
select
  o.merchant_id as "merchantId", o.operation_id as "operationId",
  o.cashout_id as "cashoutId", case
    when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
    else o.state end as state,
  o.version, o.amount_minor as "amountMinor", o.transaction_cost_minor as "transactionCostMinor", o.currency,
  o.description, o.document, o.sms, o.cellphone, o.expires_on as "expiresOn", o.created_at as "createdAt",
  o.updated_at as "updatedAt", o.updated_on as "updatedOn", o.fee_minor as "feeMinor", o.tax_minor as "taxMinor",
  o.reserved_minor as "reservedMinor", o.otp_length as "otpLength", o.otp_wrong_tries as "otpWrongTries",
  o.otp_resends as "otpResends", o.locked_by as "lockedBy", o.locked_until as "lockedUntil", o.fits,
  o.walked = $2::bigint as stops
from
  (
    with recursive found as (
      (select merchant_id from cashouts order by merchant_id limit 1)
      union all
      select (
        select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
      )
      from found
      where found.merchant_id is not null
    )
    select merchant_id
    from found
    where merchant_id is not null
  ) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($3::text is null or o.merchant_id = $3::text)
          and (
            $4::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
              else o.state end = any ($4::text[])
          )
          and ($5::text is null or o.document = $5::text)
          and (
            $6::text is null
            or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
          )
          and ($7::text is null or o.operation_id = $7::text)
          and ($8::text is null or o.currency = $8::text)
          and ($9::bigint is null or o.amount_minor >= $9::bigint)
          and ($10::bigint is null or o.amount_minor <= $10::bigint)
          and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
          and ($12::timestamptz is null or o.created_at < $12::timestamptz)
          and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
          and (
            $15::boolean is null
            or exists (
              select
              from cashout_payments p
              where
                p.merchant_id = o.merchant_id
                and p.operation_id = o.operation_id
                and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
                and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
                and ($18::text is null or p.network_id = $18::text)
                and ($19::text is null or p.transaction_id = $19::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.document = $5::text
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($20::date, 'infinity'), coalesce($21::timestamptz, 'infinity'),
            coalesce($22::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($13::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($14::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $2::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $2::bigint
    limit $23::bigint
  ) as o
order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
limit $23::bigint;

-- cashouts.find_document_of_one
select
  o.merchant_id as "merchantId", o.operation_id as "operationId",
  o.cashout_id as "cashoutId", case
    when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
    else o.state end as state,
  o.version, o.amount_minor as "amountMinor", o.transaction_cost_minor as "transactionCostMinor", o.currency,
  o.description, o.document, o.sms, o.cellphone, o.expires_on as "expiresOn", o.created_at as "createdAt",
  o.updated_at as "updatedAt", o.updated_on as "updatedOn", o.fee_minor as "feeMinor", o.tax_minor as "taxMinor",
  o.reserved_minor as "reservedMinor", o.otp_length as "otpLength", o.otp_wrong_tries as "otpWrongTries",
  o.otp_resends as "otpResends", o.locked_by as "lockedBy", o.locked_until as "lockedUntil", o.fits,
  o.walked = $2::bigint as stops
from
  (select $3::text as merchant_id) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($3::text is null or o.merchant_id = $3::text)
          and (
            $4::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
              else o.state end = any ($4::text[])
          )
          and ($5::text is null or o.document = $5::text)
          and (
            $6::text is null
            or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
          )
          and ($7::text is null or o.operation_id = $7::text)
          and ($8::text is null or o.currency = $8::text)
          and ($9::bigint is null or o.amount_minor >= $9::bigint)
          and ($10::bigint is null or o.amount_minor <= $10::bigint)
          and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
          and ($12::timestamptz is null or o.created_at < $12::timestamptz)
          and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
          and (
            $15::boolean is null
            or exists (
              select
              from cashout_payments p
              where
                p.merchant_id = o.merchant_id
                and p.operation_id = o.operation_id
                and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
                and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
                and ($18::text is null or p.network_id = $18::text)
                and ($19::text is null or p.transaction_id = $19::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.document = $5::text
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($20::date, 'infinity'), coalesce($21::timestamptz, 'infinity'),
            coalesce($22::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($13::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($14::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $2::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $2::bigint
    limit $23::bigint
  ) as o
order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
limit $23::bigint;

-- cashouts.find_end_user
select merchant_id as "merchantId", operation_id as id, state = 'pending' as "isOpen"
from cashouts
where document in (
  select repeat('0', zeros) || $1::text from generate_series(0, greatest(0, 20 - length($1::text))) as zeros
)
order by merchant_id, created_at, operation_id;

-- cashouts.find_found
select merchant_id as "merchantId", operation_id as "operationId"
from cashouts
where cashout_id = $1 and locked_by is not null;

-- cashouts.find_operationId_of_all
select
  o.merchant_id as "merchantId", o.operation_id as "operationId",
  o.cashout_id as "cashoutId", case
    when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
    else o.state end as state,
  o.version, o.amount_minor as "amountMinor", o.transaction_cost_minor as "transactionCostMinor", o.currency,
  o.description, o.document, o.sms, o.cellphone, o.expires_on as "expiresOn", o.created_at as "createdAt",
  o.updated_at as "updatedAt", o.updated_on as "updatedOn", o.fee_minor as "feeMinor", o.tax_minor as "taxMinor",
  o.reserved_minor as "reservedMinor", o.otp_length as "otpLength", o.otp_wrong_tries as "otpWrongTries",
  o.otp_resends as "otpResends", o.locked_by as "lockedBy", o.locked_until as "lockedUntil", o.fits,
  o.walked = $2::bigint as stops
from
  (
    with recursive found as (
      (select merchant_id from cashouts order by merchant_id limit 1)
      union all
      select (
        select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
      )
      from found
      where found.merchant_id is not null
    )
    select merchant_id
    from found
    where merchant_id is not null
  ) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($3::text is null or o.merchant_id = $3::text)
          and (
            $4::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
              else o.state end = any ($4::text[])
          )
          and ($5::text is null or o.document = $5::text)
          and (
            $6::text is null
            or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
          )
          and ($7::text is null or o.operation_id = $7::text)
          and ($8::text is null or o.currency = $8::text)
          and ($9::bigint is null or o.amount_minor >= $9::bigint)
          and ($10::bigint is null or o.amount_minor <= $10::bigint)
          and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
          and ($12::timestamptz is null or o.created_at < $12::timestamptz)
          and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
          and (
            $15::boolean is null
            or exists (
              select
              from cashout_payments p
              where
                p.merchant_id = o.merchant_id
                and p.operation_id = o.operation_id
                and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
                and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
                and ($18::text is null or p.network_id = $18::text)
                and ($19::text is null or p.transaction_id = $19::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.operation_id = $7::text
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($20::date, 'infinity'), coalesce($21::timestamptz, 'infinity'),
            coalesce($22::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($13::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($14::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $2::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $2::bigint
    limit $23::bigint
  ) as o
order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
limit $23::bigint;

-- cashouts.find_operationId_of_one
select
  o.merchant_id as "merchantId", o.operation_id as "operationId",
  o.cashout_id as "cashoutId", case
    when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
    else o.state end as state,
  o.version, o.amount_minor as "amountMinor", o.transaction_cost_minor as "transactionCostMinor", o.currency,
  o.description, o.document, o.sms, o.cellphone, o.expires_on as "expiresOn", o.created_at as "createdAt",
  o.updated_at as "updatedAt", o.updated_on as "updatedOn", o.fee_minor as "feeMinor", o.tax_minor as "taxMinor",
  o.reserved_minor as "reservedMinor", o.otp_length as "otpLength", o.otp_wrong_tries as "otpWrongTries",
  o.otp_resends as "otpResends", o.locked_by as "lockedBy", o.locked_until as "lockedUntil", o.fits,
  o.walked = $2::bigint as stops
from
  (select $3::text as merchant_id) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($3::text is null or o.merchant_id = $3::text)
          and (
            $4::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
              else o.state end = any ($4::text[])
          )
          and ($5::text is null or o.document = $5::text)
          and (
            $6::text is null
            or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
          )
          and ($7::text is null or o.operation_id = $7::text)
          and ($8::text is null or o.currency = $8::text)
          and ($9::bigint is null or o.amount_minor >= $9::bigint)
          and ($10::bigint is null or o.amount_minor <= $10::bigint)
          and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
          and ($12::timestamptz is null or o.created_at < $12::timestamptz)
          and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
          and (
            $15::boolean is null
            or exists (
              select
              from cashout_payments p
              where
                p.merchant_id = o.merchant_id
                and p.operation_id = o.operation_id
                and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
                and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
                and ($18::text is null or p.network_id = $18::text)
                and ($19::text is null or p.transaction_id = $19::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.operation_id = $7::text
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($20::date, 'infinity'), coalesce($21::timestamptz, 'infinity'),
            coalesce($22::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($13::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($14::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $2::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $2::bigint
    limit $23::bigint
  ) as o
order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
limit $23::bigint;

-- cashouts.find_states_of_all
select
  o.merchant_id as "merchantId", o.operation_id as "operationId",
  o.cashout_id as "cashoutId", case
    when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
    else o.state end as state,
  o.version, o.amount_minor as "amountMinor", o.transaction_cost_minor as "transactionCostMinor", o.currency,
  o.description, o.document, o.sms, o.cellphone, o.expires_on as "expiresOn", o.created_at as "createdAt",
  o.updated_at as "updatedAt", o.updated_on as "updatedOn", o.fee_minor as "feeMinor", o.tax_minor as "taxMinor",
  o.reserved_minor as "reservedMinor", o.otp_length as "otpLength", o.otp_wrong_tries as "otpWrongTries",
  o.otp_resends as "otpResends", o.locked_by as "lockedBy", o.locked_until as "lockedUntil", o.fits,
  o.walked = $2::bigint as stops
from
  (
    select m.merchant_id, s.state
    from
      (
        with recursive found as (
          (select merchant_id from cashouts order by merchant_id limit 1)
          union all
          select (
            select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
          )
          from found
          where found.merchant_id is not null
        )
        select merchant_id
        from found
        where merchant_id is not null
      ) as m,
      unnest($3::text[]) as s (state)
  ) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($4::text is null or o.merchant_id = $4::text)
          and (
            $5::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
              else o.state end = any ($5::text[])
          )
          and ($6::text is null or o.document = $6::text)
          and (
            $7::text is null
            or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($7::text, '+() .-', '') collate "C")
          )
          and ($8::text is null or o.operation_id = $8::text)
          and ($9::text is null or o.currency = $9::text)
          and ($10::bigint is null or o.amount_minor >= $10::bigint)
          and ($11::bigint is null or o.amount_minor <= $11::bigint)
          and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
          and ($13::timestamptz is null or o.created_at < $13::timestamptz)
          and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
          and (
            $16::boolean is null
            or exists (
              select
              from cashout_payments p
              where
                p.merchant_id = o.merchant_id
                and p.operation_id = o.operation_id
                and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
                and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
                and ($19::text is null or p.network_id = $19::text)
                and ($20::text is null or p.transaction_id = $20::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.state = k.state
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($21::date, 'infinity'), coalesce($22::timestamptz, 'infinity'),
            coalesce($23::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($14::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($15::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $2::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $2::bigint
    limit $24::bigint
  ) as o
order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
limit $24::bigint;

-- cashouts.find_states_of_one
select
  o.merchant_id as "merchantId", o.operation_id as "operationId",
  o.cashout_id as "cashoutId", case
    when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
    else o.state end as state,
  o.version, o.amount_minor as "amountMinor", o.transaction_cost_minor as "transactionCostMinor", o.currency,
  o.description, o.document, o.sms, o.cellphone, o.expires_on as "expiresOn", o.created_at as "createdAt",
  o.updated_at as "updatedAt", o.updated_on as "updatedOn", o.fee_minor as "feeMinor", o.tax_minor as "taxMinor",
  o.reserved_minor as "reservedMinor", o.otp_length as "otpLength", o.otp_wrong_tries as "otpWrongTries",
  o.otp_resends as "otpResends", o.locked_by as "lockedBy", o.locked_until as "lockedUntil", o.fits,
  o.walked = $2::bigint as stops
from
  (select m.merchant_id, s.state from (select $3::text as merchant_id) as m, unnest($4::text[]) as s (state)) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($3::text is null or o.merchant_id = $3::text)
          and (
            $5::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
              else o.state end = any ($5::text[])
          )
          and ($6::text is null or o.document = $6::text)
          and (
            $7::text is null
            or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($7::text, '+() .-', '') collate "C")
          )
          and ($8::text is null or o.operation_id = $8::text)
          and ($9::text is null or o.currency = $9::text)
          and ($10::bigint is null or o.amount_minor >= $10::bigint)
          and ($11::bigint is null or o.amount_minor <= $11::bigint)
          and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
          and ($13::timestamptz is null or o.created_at < $13::timestamptz)
          and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
          and (
            $16::boolean is null
            or exists (
              select
              from cashout_payments p
              where
                p.merchant_id = o.merchant_id
                and p.operation_id = o.operation_id
                and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
                and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
                and ($19::text is null or p.network_id = $19::text)
                and ($20::text is null or p.transaction_id = $20::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.state = k.state
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($21::date, 'infinity'), coalesce($22::timestamptz, 'infinity'),
            coalesce($23::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($14::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($15::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $2::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $2::bigint
    limit $24::bigint
  ) as o
order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
limit $24::bigint;

-- cashouts.find_transaction_of_all
select
  o.merchant_id as "merchantId", o.operation_id as "operationId",
  o.cashout_id as "cashoutId", case
    when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
    else o.state end as state,
  o.version, o.amount_minor as "amountMinor", o.transaction_cost_minor as "transactionCostMinor", o.currency,
  o.description, o.document, o.sms, o.cellphone, o.expires_on as "expiresOn", o.created_at as "createdAt",
  o.updated_at as "updatedAt", o.updated_on as "updatedOn", o.fee_minor as "feeMinor", o.tax_minor as "taxMinor",
  o.reserved_minor as "reservedMinor", o.otp_length as "otpLength", o.otp_wrong_tries as "otpWrongTries",
  o.otp_resends as "otpResends", o.locked_by as "lockedBy", o.locked_until as "lockedUntil", o.fits,
  o.walked = $2::bigint as stops
from
  (
    with recursive found as (
      (select merchant_id from cashouts order by merchant_id limit 1)
      union all
      select (
        select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
      )
      from found
      where found.merchant_id is not null
    )
    select merchant_id
    from found
    where merchant_id is not null
  ) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($3::text is null or o.merchant_id = $3::text)
          and (
            $4::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
              else o.state end = any ($4::text[])
          )
          and ($5::text is null or o.document = $5::text)
          and (
            $6::text is null
            or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
          )
          and ($7::text is null or o.operation_id = $7::text)
          and ($8::text is null or o.currency = $8::text)
          and ($9::bigint is null or o.amount_minor >= $9::bigint)
          and ($10::bigint is null or o.amount_minor <= $10::bigint)
          and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
          and ($12::timestamptz is null or o.created_at < $12::timestamptz)
          and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
          and (
            $15::boolean is null
            or exists (
              select
              from cashout_payments p
              where
                p.merchant_id = o.merchant_id
                and p.operation_id = o.operation_id
                and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
                and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
                and ($18::text is null or p.network_id = $18::text)
                and ($19::text is null or p.transaction_id = $19::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.operation_id in (
            select t.operation_id
            from cashout_payments t
            where t.merchant_id = k.merchant_id and t.transaction_id = $19::text
          )
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($20::date, 'infinity'), coalesce($21::timestamptz, 'infinity'),
            coalesce($22::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($13::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($14::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $2::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $2::bigint
    limit $23::bigint
  ) as o
order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
limit $23::bigint;

-- cashouts.find_transaction_of_one
select
  o.merchant_id as "merchantId", o.operation_id as "operationId",
  o.cashout_id as "cashoutId", case
    when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
    else o.state end as state,
  o.version, o.amount_minor as "amountMinor", o.transaction_cost_minor as "transactionCostMinor", o.currency,
  o.description, o.document, o.sms, o.cellphone, o.expires_on as "expiresOn", o.created_at as "createdAt",
  o.updated_at as "updatedAt", o.updated_on as "updatedOn", o.fee_minor as "feeMinor", o.tax_minor as "taxMinor",
  o.reserved_minor as "reservedMinor", o.otp_length as "otpLength", o.otp_wrong_tries as "otpWrongTries",
  o.otp_resends as "otpResends", o.locked_by as "lockedBy", o.locked_until as "lockedUntil", o.fits,
  o.walked = $2::bigint as stops
from
  (select $3::text as merchant_id) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($3::text is null or o.merchant_id = $3::text)
          and (
            $4::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
              else o.state end = any ($4::text[])
          )
          and ($5::text is null or o.document = $5::text)
          and (
            $6::text is null
            or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
          )
          and ($7::text is null or o.operation_id = $7::text)
          and ($8::text is null or o.currency = $8::text)
          and ($9::bigint is null or o.amount_minor >= $9::bigint)
          and ($10::bigint is null or o.amount_minor <= $10::bigint)
          and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
          and ($12::timestamptz is null or o.created_at < $12::timestamptz)
          and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
          and (
            $15::boolean is null
            or exists (
              select
              from cashout_payments p
              where
                p.merchant_id = o.merchant_id
                and p.operation_id = o.operation_id
                and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
                and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
                and ($18::text is null or p.network_id = $18::text)
                and ($19::text is null or p.transaction_id = $19::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.operation_id in (
            select t.operation_id
            from cashout_payments t
            where t.merchant_id = k.merchant_id and t.transaction_id = $19::text
          )
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($20::date, 'infinity'), coalesce($21::timestamptz, 'infinity'),
            coalesce($22::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($13::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($14::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $2::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $2::bigint
    limit $23::bigint
  ) as o
order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
limit $23::bigint;

-- cashouts.forget_wrong_tries
delete from cashout_wrong_tries
where (network_id, document) in (
  select network_id, document from cashout_wrong_tries where since <= $1 order by since limit $2 for update skip locked
)
returning 1;

-- cashouts.forget_wrong_tries_of_places
delete from cashout_wrong_tries_of_places
where (network_id, place) in (
  select network_id, place
  from cashout_wrong_tries_of_places
  where since <= $1
  order by since
  limit $2
  for update skip locked
)
returning 1;

-- cashouts.hold_for_network
update cashouts
set locked_by = $3, locked_until = $4, locked_at_point = $5
where merchant_id = $1 and operation_id = $2;

-- cashouts.insert
insert into cashouts (
  merchant_id, operation_id, cashout_id, state, version, amount_minor, transaction_cost_minor, currency, description,
  document, sms, cellphone, expires_on, created_at, updated_at, updated_on, fee_minor, tax_minor, reserved_minor,
  otp_length, otp_wrong_tries, otp_resends, locked_by, locked_until, otp_hash, expires_at
)
select
  merchant_id, operation_id, cashout_id, state, version, amount_minor, transaction_cost_minor, currency, description,
  document, sms, cellphone, expires_on, created_at, updated_at, updated_on, fee_minor, tax_minor, reserved_minor,
  otp_length, otp_wrong_tries, otp_resends, locked_by, locked_until, otp_hash, expires_at
from jsonb_to_recordset($1::jsonb) as k (
  merchant_id text, operation_id text, cashout_id bigint, state text, version int, amount_minor bigint,
  transaction_cost_minor bigint, currency text, description text, document text, sms bool, cellphone text,
  expires_on date, created_at timestamptz, updated_at timestamptz, updated_on date, fee_minor bigint, tax_minor bigint,
  reserved_minor bigint, otp_length int, otp_wrong_tries int, otp_resends int, locked_by text,
  locked_until timestamptz, otp_hash bytea, expires_at timestamptz
)
order by merchant_id collate "C", operation_id collate "C";

-- cashouts.insert_payments
insert into cashout_payments (
  network_id, transaction_id, merchant_id, operation_id, cashout_id, teller, dane_code, paid_at
)
select *
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::timestamptz[]);

-- cashouts.list_backward_all
with page as (
  select *
  from cashouts
  where
    merchant_id = $1
    and updated_on <= $3
    and (updated_on, updated_at, cashout_id) > ($5::date, $6::timestamptz, $7::bigint)
  order by updated_on, updated_at, cashout_id
  limit $4
)
select
  (
    select coalesce(sum(counted), 0)::bigint
    from (
      select pending + approved + expired + cancelled + nullified as counted
      from cashout_month_counts
      where merchant_id = $1 and month_on >= date_trunc('month', $2::date)::date and month_on <= $3
      union all
      select -(pending + approved + expired + cancelled + nullified)
      from cashout_counts
      where merchant_id = $1 and updated_on >= date_trunc('month', $2::date)::date and updated_on < $2
      union all
      select -(pending + approved + expired + cancelled + nullified)
      from cashout_counts
      where
        merchant_id = $1
        and updated_on > $3
        and updated_on < (date_trunc('month', $3::date) + interval '1 month')::date
    ) as parts
  ) as total,
  (
    select true
    from (
      select updated_on, updated_at, cashout_id
      from cashouts
      where
        merchant_id = $1
        and updated_on >= $2
        and (updated_on, updated_at, cashout_id) <= ($5::date, $6::timestamptz, $7::bigint)
      order by updated_on desc, updated_at desc, cashout_id desc
      limit 1
    ) as found
  ) is not null as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_backward_document
with page as (
  select *
  from cashouts
  where
    merchant_id = $1
    and document = $9
    and state = any ($8::text[])
    and updated_on <= $3
    and (updated_on, updated_at, cashout_id) > ($5::date, $6::timestamptz, $7::bigint)
  order by updated_on, updated_at, cashout_id
  limit $4
)
select
  (
    select count(*)
    from cashouts
    where merchant_id = $1 and document = $9 and state = any ($8::text[]) and updated_on between $2 and $3
  ) as total,
  (
    select true
    from (
      select updated_on, updated_at, cashout_id
      from cashouts
      where
        merchant_id = $1
        and document = $9
        and state = any ($8::text[])
        and updated_on >= $2
        and (updated_on, updated_at, cashout_id) <= ($5::date, $6::timestamptz, $7::bigint)
      order by updated_on desc, updated_at desc, cashout_id desc
      limit 1
    ) as found
  ) is not null as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_backward_state
with page as (
  select *
  from cashouts
  where
    merchant_id = $1
    and state = ($8::text[])[1]
    and updated_on <= $3
    and (updated_on, updated_at, cashout_id) > ($5::date, $6::timestamptz, $7::bigint)
  order by updated_on, updated_at, cashout_id
  limit $4
)
select
  (
    select coalesce(sum(counted), 0)::bigint
    from (
      select
        case when 'pending' = any ($8::text[]) then pending else 0 end
        + case when 'approved' = any ($8::text[]) then approved else 0 end
        + case when 'expired' = any ($8::text[]) then expired else 0 end
        + case when 'cancelled' = any ($8::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($8::text[]) then nullified else 0 end as counted
      from cashout_month_counts
      where merchant_id = $1 and month_on >= date_trunc('month', $2::date)::date and month_on <= $3
      union all
      select -(
        case when 'pending' = any ($8::text[]) then pending else 0 end
        + case when 'approved' = any ($8::text[]) then approved else 0 end
        + case when 'expired' = any ($8::text[]) then expired else 0 end
        + case when 'cancelled' = any ($8::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($8::text[]) then nullified else 0 end
      )
      from cashout_counts
      where merchant_id = $1 and updated_on >= date_trunc('month', $2::date)::date and updated_on < $2
      union all
      select -(
        case when 'pending' = any ($8::text[]) then pending else 0 end
        + case when 'approved' = any ($8::text[]) then approved else 0 end
        + case when 'expired' = any ($8::text[]) then expired else 0 end
        + case when 'cancelled' = any ($8::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($8::text[]) then nullified else 0 end
      )
      from cashout_counts
      where
        merchant_id = $1
        and updated_on > $3
        and updated_on < (date_trunc('month', $3::date) + interval '1 month')::date
    ) as parts
  ) as total,
  (
    select true
    from (
      select updated_on, updated_at, cashout_id
      from cashouts
      where
        merchant_id = $1
        and state = ($8::text[])[1]
        and updated_on >= $2
        and (updated_on, updated_at, cashout_id) <= ($5::date, $6::timestamptz, $7::bigint)
      order by updated_on desc, updated_at desc, cashout_id desc
      limit 1
    ) as found
  ) is not null as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_backward_states
with page as (
  select *
  from (
    (
      select *
      from cashouts
      where
        merchant_id = $1
        and state = ($8::text[])[1]
        and updated_on <= $3
        and (updated_on, updated_at, cashout_id) > ($5::date, $6::timestamptz, $7::bigint)
      order by updated_on, updated_at, cashout_id
      limit $4
    )
    union all
    (
      select *
      from cashouts
      where
        merchant_id = $1
        and state = ($8::text[])[2]
        and updated_on <= $3
        and (updated_on, updated_at, cashout_id) > ($5::date, $6::timestamptz, $7::bigint)
      order by updated_on, updated_at, cashout_id
      limit $4
    )
    union all
    (
      select *
      from cashouts
      where
        merchant_id = $1
        and state = ($8::text[])[3]
        and updated_on <= $3
        and (updated_on, updated_at, cashout_id) > ($5::date, $6::timestamptz, $7::bigint)
      order by updated_on, updated_at, cashout_id
      limit $4
    )
    union all
    (
      select *
      from cashouts
      where
        merchant_id = $1
        and state = ($8::text[])[4]
        and updated_on <= $3
        and (updated_on, updated_at, cashout_id) > ($5::date, $6::timestamptz, $7::bigint)
      order by updated_on, updated_at, cashout_id
      limit $4
    )
  ) as cashouts
  order by updated_on, updated_at, cashout_id
  limit $4
)
select
  (
    select coalesce(sum(counted), 0)::bigint
    from (
      select
        case when 'pending' = any ($8::text[]) then pending else 0 end
        + case when 'approved' = any ($8::text[]) then approved else 0 end
        + case when 'expired' = any ($8::text[]) then expired else 0 end
        + case when 'cancelled' = any ($8::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($8::text[]) then nullified else 0 end as counted
      from cashout_month_counts
      where merchant_id = $1 and month_on >= date_trunc('month', $2::date)::date and month_on <= $3
      union all
      select -(
        case when 'pending' = any ($8::text[]) then pending else 0 end
        + case when 'approved' = any ($8::text[]) then approved else 0 end
        + case when 'expired' = any ($8::text[]) then expired else 0 end
        + case when 'cancelled' = any ($8::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($8::text[]) then nullified else 0 end
      )
      from cashout_counts
      where merchant_id = $1 and updated_on >= date_trunc('month', $2::date)::date and updated_on < $2
      union all
      select -(
        case when 'pending' = any ($8::text[]) then pending else 0 end
        + case when 'approved' = any ($8::text[]) then approved else 0 end
        + case when 'expired' = any ($8::text[]) then expired else 0 end
        + case when 'cancelled' = any ($8::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($8::text[]) then nullified else 0 end
      )
      from cashout_counts
      where
        merchant_id = $1
        and updated_on > $3
        and updated_on < (date_trunc('month', $3::date) + interval '1 month')::date
    ) as parts
  ) as total,
  (
    select true
    from (
      select updated_on, updated_at, cashout_id
      from (
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($8::text[])[1]
            and updated_on >= $2
            and (updated_on, updated_at, cashout_id) <= ($5::date, $6::timestamptz, $7::bigint)
          order by updated_on desc, updated_at desc, cashout_id desc
          limit 1
        )
        union all
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($8::text[])[2]
            and updated_on >= $2
            and (updated_on, updated_at, cashout_id) <= ($5::date, $6::timestamptz, $7::bigint)
          order by updated_on desc, updated_at desc, cashout_id desc
          limit 1
        )
        union all
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($8::text[])[3]
            and updated_on >= $2
            and (updated_on, updated_at, cashout_id) <= ($5::date, $6::timestamptz, $7::bigint)
          order by updated_on desc, updated_at desc, cashout_id desc
          limit 1
        )
        union all
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($8::text[])[4]
            and updated_on >= $2
            and (updated_on, updated_at, cashout_id) <= ($5::date, $6::timestamptz, $7::bigint)
          order by updated_on desc, updated_at desc, cashout_id desc
          limit 1
        )
      ) as cashouts
      order by updated_on desc, updated_at desc, cashout_id desc
      limit 1
    ) as found
  ) is not null as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_first_all
with page as (
  select *
  from cashouts
  where merchant_id = $1 and updated_on between $2 and $3
  order by updated_on desc, updated_at desc, cashout_id desc
  limit $4
)
select
  (
    select coalesce(sum(counted), 0)::bigint
    from (
      select pending + approved + expired + cancelled + nullified as counted
      from cashout_month_counts
      where merchant_id = $1 and month_on >= date_trunc('month', $2::date)::date and month_on <= $3
      union all
      select -(pending + approved + expired + cancelled + nullified)
      from cashout_counts
      where merchant_id = $1 and updated_on >= date_trunc('month', $2::date)::date and updated_on < $2
      union all
      select -(pending + approved + expired + cancelled + nullified)
      from cashout_counts
      where
        merchant_id = $1
        and updated_on > $3
        and updated_on < (date_trunc('month', $3::date) + interval '1 month')::date
    ) as parts
  ) as total,
  false as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_first_document
with page as (
  select *
  from cashouts
  where merchant_id = $1 and document = $6 and state = any ($5::text[]) and updated_on between $2 and $3
  order by updated_on desc, updated_at desc, cashout_id desc
  limit $4
)
select
  (
    select count(*)
    from cashouts
    where merchant_id = $1 and document = $6 and state = any ($5::text[]) and updated_on between $2 and $3
  ) as total,
  false as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_first_state
with page as (
  select *
  from cashouts
  where merchant_id = $1 and state = ($5::text[])[1] and updated_on between $2 and $3
  order by updated_on desc, updated_at desc, cashout_id desc
  limit $4
)
select
  (
    select coalesce(sum(counted), 0)::bigint
    from (
      select
        case when 'pending' = any ($5::text[]) then pending else 0 end
        + case when 'approved' = any ($5::text[]) then approved else 0 end
        + case when 'expired' = any ($5::text[]) then expired else 0 end
        + case when 'cancelled' = any ($5::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($5::text[]) then nullified else 0 end as counted
      from cashout_month_counts
      where merchant_id = $1 and month_on >= date_trunc('month', $2::date)::date and month_on <= $3
      union all
      select -(
        case when 'pending' = any ($5::text[]) then pending else 0 end
        + case when 'approved' = any ($5::text[]) then approved else 0 end
        + case when 'expired' = any ($5::text[]) then expired else 0 end
        + case when 'cancelled' = any ($5::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($5::text[]) then nullified else 0 end
      )
      from cashout_counts
      where merchant_id = $1 and updated_on >= date_trunc('month', $2::date)::date and updated_on < $2
      union all
      select -(
        case when 'pending' = any ($5::text[]) then pending else 0 end
        + case when 'approved' = any ($5::text[]) then approved else 0 end
        + case when 'expired' = any ($5::text[]) then expired else 0 end
        + case when 'cancelled' = any ($5::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($5::text[]) then nullified else 0 end
      )
      from cashout_counts
      where
        merchant_id = $1
        and updated_on > $3
        and updated_on < (date_trunc('month', $3::date) + interval '1 month')::date
    ) as parts
  ) as total,
  false as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_first_states
with page as (
  select *
  from (
    (
      select *
      from cashouts
      where merchant_id = $1 and state = ($5::text[])[1] and updated_on between $2 and $3
      order by updated_on desc, updated_at desc, cashout_id desc
      limit $4
    )
    union all
    (
      select *
      from cashouts
      where merchant_id = $1 and state = ($5::text[])[2] and updated_on between $2 and $3
      order by updated_on desc, updated_at desc, cashout_id desc
      limit $4
    )
    union all
    (
      select *
      from cashouts
      where merchant_id = $1 and state = ($5::text[])[3] and updated_on between $2 and $3
      order by updated_on desc, updated_at desc, cashout_id desc
      limit $4
    )
    union all
    (
      select *
      from cashouts
      where merchant_id = $1 and state = ($5::text[])[4] and updated_on between $2 and $3
      order by updated_on desc, updated_at desc, cashout_id desc
      limit $4
    )
  ) as cashouts
  order by updated_on desc, updated_at desc, cashout_id desc
  limit $4
)
select
  (
    select coalesce(sum(counted), 0)::bigint
    from (
      select
        case when 'pending' = any ($5::text[]) then pending else 0 end
        + case when 'approved' = any ($5::text[]) then approved else 0 end
        + case when 'expired' = any ($5::text[]) then expired else 0 end
        + case when 'cancelled' = any ($5::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($5::text[]) then nullified else 0 end as counted
      from cashout_month_counts
      where merchant_id = $1 and month_on >= date_trunc('month', $2::date)::date and month_on <= $3
      union all
      select -(
        case when 'pending' = any ($5::text[]) then pending else 0 end
        + case when 'approved' = any ($5::text[]) then approved else 0 end
        + case when 'expired' = any ($5::text[]) then expired else 0 end
        + case when 'cancelled' = any ($5::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($5::text[]) then nullified else 0 end
      )
      from cashout_counts
      where merchant_id = $1 and updated_on >= date_trunc('month', $2::date)::date and updated_on < $2
      union all
      select -(
        case when 'pending' = any ($5::text[]) then pending else 0 end
        + case when 'approved' = any ($5::text[]) then approved else 0 end
        + case when 'expired' = any ($5::text[]) then expired else 0 end
        + case when 'cancelled' = any ($5::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($5::text[]) then nullified else 0 end
      )
      from cashout_counts
      where
        merchant_id = $1
        and updated_on > $3
        and updated_on < (date_trunc('month', $3::date) + interval '1 month')::date
    ) as parts
  ) as total,
  false as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_forward_all
with page as (
  select *
  from cashouts
  where
    merchant_id = $1
    and updated_on >= $2
    and (updated_on, updated_at, cashout_id) < ($5::date, $6::timestamptz, $7::bigint)
  order by updated_on desc, updated_at desc, cashout_id desc
  limit $4
)
select
  (
    select coalesce(sum(counted), 0)::bigint
    from (
      select pending + approved + expired + cancelled + nullified as counted
      from cashout_month_counts
      where merchant_id = $1 and month_on >= date_trunc('month', $2::date)::date and month_on <= $3
      union all
      select -(pending + approved + expired + cancelled + nullified)
      from cashout_counts
      where merchant_id = $1 and updated_on >= date_trunc('month', $2::date)::date and updated_on < $2
      union all
      select -(pending + approved + expired + cancelled + nullified)
      from cashout_counts
      where
        merchant_id = $1
        and updated_on > $3
        and updated_on < (date_trunc('month', $3::date) + interval '1 month')::date
    ) as parts
  ) as total,
  (
    select true
    from (
      select updated_on, updated_at, cashout_id
      from cashouts
      where
        merchant_id = $1
        and updated_on <= $3
        and (updated_on, updated_at, cashout_id) >= ($5::date, $6::timestamptz, $7::bigint)
      order by updated_on, updated_at, cashout_id
      limit 1
    ) as found
  ) is not null as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_forward_document
with page as (
  select *
  from cashouts
  where
    merchant_id = $1
    and document = $9
    and state = any ($8::text[])
    and updated_on >= $2
    and (updated_on, updated_at, cashout_id) < ($5::date, $6::timestamptz, $7::bigint)
  order by updated_on desc, updated_at desc, cashout_id desc
  limit $4
)
select
  (
    select count(*)
    from cashouts
    where merchant_id = $1 and document = $9 and state = any ($8::text[]) and updated_on between $2 and $3
  ) as total,
  (
    select true
    from (
      select updated_on, updated_at, cashout_id
      from cashouts
      where
        merchant_id = $1
        and document = $9
        and state = any ($8::text[])
        and updated_on <= $3
        and (updated_on, updated_at, cashout_id) >= ($5::date, $6::timestamptz, $7::bigint)
      order by updated_on, updated_at, cashout_id
      limit 1
    ) as found
  ) is not null as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_forward_state
with page as (
  select *
  from cashouts
  where
    merchant_id = $1
    and state = ($8::text[])[1]
    and updated_on >= $2
    and (updated_on, updated_at, cashout_id) < ($5::date, $6::timestamptz, $7::bigint)
  order by updated_on desc, updated_at desc, cashout_id desc
  limit $4
)
select
  (
    select coalesce(sum(counted), 0)::bigint
    from (
      select
        case when 'pending' = any ($8::text[]) then pending else 0 end
        + case when 'approved' = any ($8::text[]) then approved else 0 end
        + case when 'expired' = any ($8::text[]) then expired else 0 end
        + case when 'cancelled' = any ($8::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($8::text[]) then nullified else 0 end as counted
      from cashout_month_counts
      where merchant_id = $1 and month_on >= date_trunc('month', $2::date)::date and month_on <= $3
      union all
      select -(
        case when 'pending' = any ($8::text[]) then pending else 0 end
        + case when 'approved' = any ($8::text[]) then approved else 0 end
        + case when 'expired' = any ($8::text[]) then expired else 0 end
        + case when 'cancelled' = any ($8::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($8::text[]) then nullified else 0 end
      )
      from cashout_counts
      where merchant_id = $1 and updated_on >= date_trunc('month', $2::date)::date and updated_on < $2
      union all
      select -(
        case when 'pending' = any ($8::text[]) then pending else 0 end
        + case when 'approved' = any ($8::text[]) then approved else 0 end
        + case when 'expired' = any ($8::text[]) then expired else 0 end
        + case when 'cancelled' = any ($8::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($8::text[]) then nullified else 0 end
      )
      from cashout_counts
      where
        merchant_id = $1
        and updated_on > $3
        and updated_on < (date_trunc('month', $3::date) + interval '1 month')::date
    ) as parts
  ) as total,
  (
    select true
    from (
      select updated_on, updated_at, cashout_id
      from cashouts
      where
        merchant_id = $1
        and state = ($8::text[])[1]
        and updated_on <= $3
        and (updated_on, updated_at, cashout_id) >= ($5::date, $6::timestamptz, $7::bigint)
      order by updated_on, updated_at, cashout_id
      limit 1
    ) as found
  ) is not null as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_forward_states
with page as (
  select *
  from (
    (
      select *
      from cashouts
      where
        merchant_id = $1
        and state = ($8::text[])[1]
        and updated_on >= $2
        and (updated_on, updated_at, cashout_id) < ($5::date, $6::timestamptz, $7::bigint)
      order by updated_on desc, updated_at desc, cashout_id desc
      limit $4
    )
    union all
    (
      select *
      from cashouts
      where
        merchant_id = $1
        and state = ($8::text[])[2]
        and updated_on >= $2
        and (updated_on, updated_at, cashout_id) < ($5::date, $6::timestamptz, $7::bigint)
      order by updated_on desc, updated_at desc, cashout_id desc
      limit $4
    )
    union all
    (
      select *
      from cashouts
      where
        merchant_id = $1
        and state = ($8::text[])[3]
        and updated_on >= $2
        and (updated_on, updated_at, cashout_id) < ($5::date, $6::timestamptz, $7::bigint)
      order by updated_on desc, updated_at desc, cashout_id desc
      limit $4
    )
    union all
    (
      select *
      from cashouts
      where
        merchant_id = $1
        and state = ($8::text[])[4]
        and updated_on >= $2
        and (updated_on, updated_at, cashout_id) < ($5::date, $6::timestamptz, $7::bigint)
      order by updated_on desc, updated_at desc, cashout_id desc
      limit $4
    )
  ) as cashouts
  order by updated_on desc, updated_at desc, cashout_id desc
  limit $4
)
select
  (
    select coalesce(sum(counted), 0)::bigint
    from (
      select
        case when 'pending' = any ($8::text[]) then pending else 0 end
        + case when 'approved' = any ($8::text[]) then approved else 0 end
        + case when 'expired' = any ($8::text[]) then expired else 0 end
        + case when 'cancelled' = any ($8::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($8::text[]) then nullified else 0 end as counted
      from cashout_month_counts
      where merchant_id = $1 and month_on >= date_trunc('month', $2::date)::date and month_on <= $3
      union all
      select -(
        case when 'pending' = any ($8::text[]) then pending else 0 end
        + case when 'approved' = any ($8::text[]) then approved else 0 end
        + case when 'expired' = any ($8::text[]) then expired else 0 end
        + case when 'cancelled' = any ($8::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($8::text[]) then nullified else 0 end
      )
      from cashout_counts
      where merchant_id = $1 and updated_on >= date_trunc('month', $2::date)::date and updated_on < $2
      union all
      select -(
        case when 'pending' = any ($8::text[]) then pending else 0 end
        + case when 'approved' = any ($8::text[]) then approved else 0 end
        + case when 'expired' = any ($8::text[]) then expired else 0 end
        + case when 'cancelled' = any ($8::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($8::text[]) then nullified else 0 end
      )
      from cashout_counts
      where
        merchant_id = $1
        and updated_on > $3
        and updated_on < (date_trunc('month', $3::date) + interval '1 month')::date
    ) as parts
  ) as total,
  (
    select true
    from (
      select updated_on, updated_at, cashout_id
      from (
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($8::text[])[1]
            and updated_on <= $3
            and (updated_on, updated_at, cashout_id) >= ($5::date, $6::timestamptz, $7::bigint)
          order by updated_on, updated_at, cashout_id
          limit 1
        )
        union all
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($8::text[])[2]
            and updated_on <= $3
            and (updated_on, updated_at, cashout_id) >= ($5::date, $6::timestamptz, $7::bigint)
          order by updated_on, updated_at, cashout_id
          limit 1
        )
        union all
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($8::text[])[3]
            and updated_on <= $3
            and (updated_on, updated_at, cashout_id) >= ($5::date, $6::timestamptz, $7::bigint)
          order by updated_on, updated_at, cashout_id
          limit 1
        )
        union all
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($8::text[])[4]
            and updated_on <= $3
            and (updated_on, updated_at, cashout_id) >= ($5::date, $6::timestamptz, $7::bigint)
          order by updated_on, updated_at, cashout_id
          limit 1
        )
      ) as cashouts
      order by updated_on, updated_at, cashout_id
      limit 1
    ) as found
  ) is not null as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_limits
select currency, least_minor as "leastMinor", most_minor as "mostMinor", per_document_and_day as "perDocumentAndDay"
from cashout_limits
where merchant_id = $1
order by currency;

-- cashouts.list_numbered_all
with
  days as materialized (
    select updated_on, counted, sum(counted) over (order by updated_on desc) as reached
    from (
      select updated_on, pending + approved + expired + cancelled + nullified as counted
      from cashout_counts
      where merchant_id = $1 and updated_on between $2 and $3
    ) as kept
  ),
  day as materialized (
    select updated_on, $5::bigint - (reached - counted) as skipped
    from days
    where reached > $5
    order by updated_on desc
    limit 1
  ),
  slots as materialized (
    select updated_slot, counted, sum(counted) over (order by updated_slot desc) as reached
    from (
      select updated_slot, pending + approved + expired + cancelled + nullified as counted
      from cashout_slot_counts
      where merchant_id = $1 and updated_on = (select updated_on from day)
    ) as kept
  ),
  slot as materialized (
    select updated_slot, counted, ((select skipped from day) - (reached - counted))::bigint as skipped
    from slots
    where reached > (select skipped from day)
    order by updated_slot desc
    limit 1
  ),
  first as materialized (
    (
      select updated_on, updated_at, cashout_id
      from cashouts
      where
        merchant_id = $1
        and updated_on = (select updated_on from day)
        and updated_at >= (select updated_slot from slot)
        and updated_at < (select updated_slot from slot) + interval '5 minutes'
        and (select skipped < counted / 2 from slot)
      order by updated_on desc, updated_at desc, cashout_id desc
      offset (select skipped from slot)
      limit 1
    )
    union all
    (
      select updated_on, updated_at, cashout_id
      from cashouts
      where
        merchant_id = $1
        and updated_on = (select updated_on from day)
        and updated_at >= (select updated_slot from slot)
        and updated_at < (select updated_slot from slot) + interval '5 minutes'
        and (select skipped >= counted / 2 from slot)
      order by updated_on, updated_at, cashout_id
      offset (select counted - 1 - skipped from slot)
      limit 1
    )
  ),
  page as (
    select *
    from cashouts
    where
      merchant_id = $1
      and updated_on >= $2
      and (updated_on, updated_at, cashout_id) <= (select updated_on, updated_at, cashout_id from first)
    order by updated_on desc, updated_at desc, cashout_id desc
    limit $4
  )
select
  (select coalesce(sum(counted), 0)::bigint from days) as total, true as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_numbered_document
with page as (
  select *
  from cashouts
  where merchant_id = $1 and document = $7 and state = any ($6::text[]) and updated_on between $2 and $3
  order by updated_on desc, updated_at desc, cashout_id desc
  offset $5::bigint
  limit $4
)
select
  (
    select count(*)
    from cashouts
    where merchant_id = $1 and document = $7 and state = any ($6::text[]) and updated_on between $2 and $3
  ) as total,
  true as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_numbered_state
with
  days as materialized (
    select updated_on, counted, sum(counted) over (order by updated_on desc) as reached
    from (
      select
        updated_on, case when 'pending' = any ($6::text[]) then pending else 0 end
        + case when 'approved' = any ($6::text[]) then approved else 0 end
        + case when 'expired' = any ($6::text[]) then expired else 0 end
        + case when 'cancelled' = any ($6::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($6::text[]) then nullified else 0 end as counted
      from cashout_counts
      where merchant_id = $1 and updated_on between $2 and $3
    ) as kept
  ),
  day as materialized (
    select updated_on, $5::bigint - (reached - counted) as skipped
    from days
    where reached > $5
    order by updated_on desc
    limit 1
  ),
  slots as materialized (
    select updated_slot, counted, sum(counted) over (order by updated_slot desc) as reached
    from (
      select
        updated_slot, case when 'pending' = any ($6::text[]) then pending else 0 end
        + case when 'approved' = any ($6::text[]) then approved else 0 end
        + case when 'expired' = any ($6::text[]) then expired else 0 end
        + case when 'cancelled' = any ($6::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($6::text[]) then nullified else 0 end as counted
      from cashout_slot_counts
      where merchant_id = $1 and updated_on = (select updated_on from day)
    ) as kept
  ),
  slot as materialized (
    select updated_slot, counted, ((select skipped from day) - (reached - counted))::bigint as skipped
    from slots
    where reached > (select skipped from day)
    order by updated_slot desc
    limit 1
  ),
  first as materialized (
    (
      select updated_on, updated_at, cashout_id
      from cashouts
      where
        merchant_id = $1
        and state = ($6::text[])[1]
        and updated_on = (select updated_on from day)
        and updated_at >= (select updated_slot from slot)
        and updated_at < (select updated_slot from slot) + interval '5 minutes'
        and (select skipped < counted / 2 from slot)
      order by updated_on desc, updated_at desc, cashout_id desc
      offset (select skipped from slot)
      limit 1
    )
    union all
    (
      select updated_on, updated_at, cashout_id
      from cashouts
      where
        merchant_id = $1
        and state = ($6::text[])[1]
        and updated_on = (select updated_on from day)
        and updated_at >= (select updated_slot from slot)
        and updated_at < (select updated_slot from slot) + interval '5 minutes'
        and (select skipped >= counted / 2 from slot)
      order by updated_on, updated_at, cashout_id
      offset (select counted - 1 - skipped from slot)
      limit 1
    )
  ),
  page as (
    select *
    from cashouts
    where
      merchant_id = $1
      and state = ($6::text[])[1]
      and updated_on >= $2
      and (updated_on, updated_at, cashout_id) <= (select updated_on, updated_at, cashout_id from first)
    order by updated_on desc, updated_at desc, cashout_id desc
    limit $4
  )
select
  (select coalesce(sum(counted), 0)::bigint from days) as total, true as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.list_numbered_states
with
  days as materialized (
    select updated_on, counted, sum(counted) over (order by updated_on desc) as reached
    from (
      select
        updated_on, case when 'pending' = any ($6::text[]) then pending else 0 end
        + case when 'approved' = any ($6::text[]) then approved else 0 end
        + case when 'expired' = any ($6::text[]) then expired else 0 end
        + case when 'cancelled' = any ($6::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($6::text[]) then nullified else 0 end as counted
      from cashout_counts
      where merchant_id = $1 and updated_on between $2 and $3
    ) as kept
  ),
  day as materialized (
    select updated_on, $5::bigint - (reached - counted) as skipped
    from days
    where reached > $5
    order by updated_on desc
    limit 1
  ),
  slots as materialized (
    select updated_slot, counted, sum(counted) over (order by updated_slot desc) as reached
    from (
      select
        updated_slot, case when 'pending' = any ($6::text[]) then pending else 0 end
        + case when 'approved' = any ($6::text[]) then approved else 0 end
        + case when 'expired' = any ($6::text[]) then expired else 0 end
        + case when 'cancelled' = any ($6::text[]) then cancelled else 0 end
        + case when 'nullified' = any ($6::text[]) then nullified else 0 end as counted
      from cashout_slot_counts
      where merchant_id = $1 and updated_on = (select updated_on from day)
    ) as kept
  ),
  slot as materialized (
    select updated_slot, counted, ((select skipped from day) - (reached - counted))::bigint as skipped
    from slots
    where reached > (select skipped from day)
    order by updated_slot desc
    limit 1
  ),
  first as materialized (
    (
      select updated_on, updated_at, cashout_id
      from (
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($6::text[])[1]
            and updated_on = (select updated_on from day)
            and updated_at >= (select updated_slot from slot)
            and updated_at < (select updated_slot from slot) + interval '5 minutes'
            and (select skipped < counted / 2 from slot)
          order by updated_on desc, updated_at desc, cashout_id desc
          limit (select skipped from slot) + 1
        )
        union all
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($6::text[])[2]
            and updated_on = (select updated_on from day)
            and updated_at >= (select updated_slot from slot)
            and updated_at < (select updated_slot from slot) + interval '5 minutes'
            and (select skipped < counted / 2 from slot)
          order by updated_on desc, updated_at desc, cashout_id desc
          limit (select skipped from slot) + 1
        )
        union all
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($6::text[])[3]
            and updated_on = (select updated_on from day)
            and updated_at >= (select updated_slot from slot)
            and updated_at < (select updated_slot from slot) + interval '5 minutes'
            and (select skipped < counted / 2 from slot)
          order by updated_on desc, updated_at desc, cashout_id desc
          limit (select skipped from slot) + 1
        )
        union all
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($6::text[])[4]
            and updated_on = (select updated_on from day)
            and updated_at >= (select updated_slot from slot)
            and updated_at < (select updated_slot from slot) + interval '5 minutes'
            and (select skipped < counted / 2 from slot)
          order by updated_on desc, updated_at desc, cashout_id desc
          limit (select skipped from slot) + 1
        )
      ) as cashouts
      order by updated_on desc, updated_at desc, cashout_id desc
      offset (select skipped from slot)
      limit 1
    )
    union all
    (
      select updated_on, updated_at, cashout_id
      from (
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($6::text[])[1]
            and updated_on = (select updated_on from day)
            and updated_at >= (select updated_slot from slot)
            and updated_at < (select updated_slot from slot) + interval '5 minutes'
            and (select skipped >= counted / 2 from slot)
          order by updated_on, updated_at, cashout_id
          limit (select counted - 1 - skipped from slot) + 1
        )
        union all
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($6::text[])[2]
            and updated_on = (select updated_on from day)
            and updated_at >= (select updated_slot from slot)
            and updated_at < (select updated_slot from slot) + interval '5 minutes'
            and (select skipped >= counted / 2 from slot)
          order by updated_on, updated_at, cashout_id
          limit (select counted - 1 - skipped from slot) + 1
        )
        union all
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($6::text[])[3]
            and updated_on = (select updated_on from day)
            and updated_at >= (select updated_slot from slot)
            and updated_at < (select updated_slot from slot) + interval '5 minutes'
            and (select skipped >= counted / 2 from slot)
          order by updated_on, updated_at, cashout_id
          limit (select counted - 1 - skipped from slot) + 1
        )
        union all
        (
          select updated_on, updated_at, cashout_id
          from cashouts
          where
            merchant_id = $1
            and state = ($6::text[])[4]
            and updated_on = (select updated_on from day)
            and updated_at >= (select updated_slot from slot)
            and updated_at < (select updated_slot from slot) + interval '5 minutes'
            and (select skipped >= counted / 2 from slot)
          order by updated_on, updated_at, cashout_id
          limit (select counted - 1 - skipped from slot) + 1
        )
      ) as cashouts
      order by updated_on, updated_at, cashout_id
      offset (select counted - 1 - skipped from slot)
      limit 1
    )
  ),
  page as (
    select *
    from (
      (
        select *
        from cashouts
        where
          merchant_id = $1
          and state = ($6::text[])[1]
          and updated_on >= $2
          and (updated_on, updated_at, cashout_id) <= (select updated_on, updated_at, cashout_id from first)
        order by updated_on desc, updated_at desc, cashout_id desc
        limit $4
      )
      union all
      (
        select *
        from cashouts
        where
          merchant_id = $1
          and state = ($6::text[])[2]
          and updated_on >= $2
          and (updated_on, updated_at, cashout_id) <= (select updated_on, updated_at, cashout_id from first)
        order by updated_on desc, updated_at desc, cashout_id desc
        limit $4
      )
      union all
      (
        select *
        from cashouts
        where
          merchant_id = $1
          and state = ($6::text[])[3]
          and updated_on >= $2
          and (updated_on, updated_at, cashout_id) <= (select updated_on, updated_at, cashout_id from first)
        order by updated_on desc, updated_at desc, cashout_id desc
        limit $4
      )
      union all
      (
        select *
        from cashouts
        where
          merchant_id = $1
          and state = ($6::text[])[4]
          and updated_on >= $2
          and (updated_on, updated_at, cashout_id) <= (select updated_on, updated_at, cashout_id from first)
        order by updated_on desc, updated_at desc, cashout_id desc
        limit $4
      )
    ) as cashouts
    order by updated_on desc, updated_at desc, cashout_id desc
    limit $4
  )
select
  (select coalesce(sum(counted), 0)::bigint from days) as total, true as "isEntered",
  coalesce(
    (
      select string_agg(
        operation_id
          || U&'\001f' || state || U&'\001f' || currency || U&'\001f' || description || U&'\001f' || document
          || U&'\001f' || cellphone || U&'\001f'
          || concat_ws(
            U&'\001f', amount_minor, transaction_cost_minor, sms, expires_on, updated_on, updated_at, cashout_id
          ),
        U&'\001e'
      )
      from page
    ),
    ''
  ) as rows;

-- cashouts.load_for_register
select stored.operation_id is not null as exists, nextval('cashouts_cashout_id_seq') as "cashoutId"
from
  unnest($1::text[], $2::text[]) with ordinality as wanted (merchant_id, operation_id, place)
  left join cashouts as stored using (merchant_id, operation_id)
order by wanted.place;

-- cashouts.lock
select k.place::int, locked.stored
from
  unnest($1::text[], $2::text[]) with ordinality as k (merchant_id, operation_id, place)
  left join lateral (
    select json_build_array(
      o.merchant_id, o.operation_id, o.cashout_id::text, o.state, o.version, o.amount_minor::text,
      o.transaction_cost_minor::text, o.currency, o.description, o.document, o.sms, o.cellphone, o.expires_on,
      o.created_at, o.updated_at, o.updated_on, o.fee_minor::text, o.tax_minor::text, o.reserved_minor::text,
      o.otp_length, o.otp_wrong_tries, o.otp_resends, o.locked_by, o.locked_until
    ) as stored
    from cashouts o
    where o.merchant_id = k.merchant_id and o.operation_id = k.operation_id
    for update of o skip locked
  ) locked on true
where
  locked.stored is not null
  or exists (select from cashouts o where o.merchant_id = k.merchant_id and o.operation_id = k.operation_id);

-- cashouts.lock_candidates
select
  otp_hash as "otpHash", expires_at as "endsAt", cashouts.merchant_id as "merchantId",
  cashouts.operation_id as "operationId", cashouts.cashout_id as "cashoutId", cashouts.state, cashouts.version,
  cashouts.amount_minor as "amountMinor", cashouts.transaction_cost_minor as "transactionCostMinor", cashouts.currency,
  cashouts.description, cashouts.document, cashouts.sms, cashouts.cellphone, cashouts.expires_on as "expiresOn",
  cashouts.created_at as "createdAt", cashouts.updated_at as "updatedAt", cashouts.updated_on as "updatedOn",
  cashouts.fee_minor as "feeMinor", cashouts.tax_minor as "taxMinor", cashouts.reserved_minor as "reservedMinor",
  cashouts.otp_length as "otpLength", cashouts.otp_wrong_tries as "otpWrongTries",
  cashouts.otp_resends as "otpResends", cashouts.locked_by as "lockedBy", cashouts.locked_until as "lockedUntil"
from cashouts
where document = $1 and state = 'pending' and reserved_minor > 0
order by merchant_id, operation_id
for update nowait;

-- cashouts.lock_limits
select least_minor as "leastMinor", most_minor as "mostMinor", per_document_and_day as "perDocumentAndDay"
from cashout_limits
where merchant_id = $1 and currency = $2
for update;

-- cashouts.lock_wrong_tries
select tries, since from cashout_wrong_tries where network_id = $1 and document = $2 for update nowait;

-- cashouts.mark_reversed
update cashout_payments set reversed_at = $3 where network_id = $1 and transaction_id = $2;

-- cashouts.next_merchant
select min(merchant_id) as "merchantId" from cashouts where merchant_id > $1;

-- cashouts.read_end_user
select
  cashouts.merchant_id as "merchantId", cashouts.operation_id as "operationId", cashouts.cashout_id as "cashoutId",
  cashouts.state, cashouts.version, cashouts.amount_minor as "amountMinor",
  cashouts.transaction_cost_minor as "transactionCostMinor", cashouts.currency, cashouts.description,
  cashouts.document, cashouts.sms, cashouts.cellphone, cashouts.expires_on as "expiresOn",
  cashouts.created_at as "createdAt", cashouts.updated_at as "updatedAt", cashouts.updated_on as "updatedOn",
  cashouts.fee_minor as "feeMinor", cashouts.tax_minor as "taxMinor", cashouts.reserved_minor as "reservedMinor",
  cashouts.otp_length as "otpLength", cashouts.otp_wrong_tries as "otpWrongTries",
  cashouts.otp_resends as "otpResends", cashouts.locked_by as "lockedBy", cashouts.locked_until as "lockedUntil"
from cashouts
where cashouts.merchant_id = $1 and cashouts.operation_id = $2;

-- cashouts.read_end_user_history
select version, event, actor, changed_at as "changedAt", request_id as "requestId", changes
from cashout_history
where merchant_id = $1 and operation_id = $2
order by version;

-- cashouts.read_events
select version, event, actor, changed_at as "changedAt", request_id as "requestId", changes
from cashout_history
where merchant_id = $1 and operation_id = $2
order by version desc
limit $3;

-- cashouts.read_limits
select
  merchant_id as "merchantId", currency, least_minor as "leastMinor", most_minor as "mostMinor",
  per_document_and_day as "perDocumentAndDay"
from cashout_limits
where (merchant_id, currency) in (
  select merchant_id, currency from unnest($1::text[], $2::text[]) as wanted (merchant_id, currency)
);

-- cashouts.read_payment_of_cashout
select
  network_id as network, transaction_id as "transactionId", teller, paid_at as "paidAt", reversed_at as "reversedAt"
from cashout_payments
where merchant_id = $1 and operation_id = $2
limit 1;

-- cashouts.read_payments
select
  p.network_id as netname, p.transaction_id as "transactionId", p.merchant_id as "merchantId",
  p.operation_id as "operationId", p.cashout_id as "cashoutId", p.teller, p.dane_code as "daneCode",
  p.paid_at as "paidAt", p.reversed_at as "reversedAt"
from cashout_payments p
where (network_id, transaction_id) in (
  select network_id, transaction_id from unnest($1::text[], $2::text[]) as wanted (network_id, transaction_id)
);

-- cashouts.read_wrong_tries_of_places
select place, tries, since from cashout_wrong_tries_of_places where network_id = $1 and place = any($2::text[]);

-- cashouts.record_changes
insert into cashout_history (
  merchant_id, operation_id, version, event, actor, changed_at, request_id, changes, digest, evidence
)
select
  merchant_id, operation_id, version, event, actor, changed_at, request_id, changes,
  hashtextextended(
    change.event
      || ' ' || change.actor || ' ' || coalesce(change.request_id, '') || ' '
      || extract(epoch from change.changed_at)::text,
    0
  ),
  hashtextextended(beside, 1)
from unnest(
  $1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::timestamptz[], $7::text[], $8::jsonb[], $9::text[]
) as change (merchant_id, operation_id, version, event, actor, changed_at, request_id, changes, beside);

-- cashouts.save
update cashouts o
set
  version = k.version, updated_at = k.updated_at, updated_on = k.updated_on,
  state = coalesce(k.changed ->> 'state', o.state),
  otp_wrong_tries = coalesce((k.changed ->> 'otp_wrong_tries')::int, o.otp_wrong_tries),
  otp_resends = coalesce((k.changed ->> 'otp_resends')::int, o.otp_resends)
from jsonb_to_recordset($1::jsonb) as k (
  merchant_id text, operation_id text, version int, updated_at timestamptz, updated_on date, changed jsonb
)
where o.merchant_id = k.merchant_id and o.operation_id = k.operation_id;

-- cashouts.search_beginning_of_all
with searched as materialized (
  with recursive found as (
    (select merchant_id from cashouts order by merchant_id limit 1)
    union all
    select (
      select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
    )
    from found
    where found.merchant_id is not null
  )
  select merchant_id
  from found
  where merchant_id is not null
) (
  select
    'operationId' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.operation_id = $2::text as whole
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.operation_id >= $2::text
          and o.operation_id < $2::text || chr(1114111)
        order by o.operation_id
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, t.transaction_id = $4::text as whole
        from
          cashout_payments as t
          join cashouts as o on o.merchant_id = t.merchant_id and o.operation_id = t.operation_id
        where
          t.merchant_id = k.merchant_id
          and t.transaction_id >= $4::text
          and t.transaction_id < $4::text || chr(1114111)
        order by t.transaction_id
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.document = $5::text as whole
        from cashouts as o
        where o.merchant_id = k.merchant_id and o.document >= $5::text and o.document < $5::text || chr(1114111)
        order by o.document
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'cellphone' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, (translate(o.cellphone, '+() .-', '') collate "C") = $6::text as whole
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.cellphone <> ''
          and (translate(o.cellphone, '+() .-', '') collate "C") >= $6::text
          and (translate(o.cellphone, '+() .-', '') collate "C") < $6::text || chr(1114111)
        order by (translate(o.cellphone, '+() .-', '') collate "C")
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
);

-- cashouts.search_beginning_of_one
with searched as materialized (select $1::text as merchant_id) (
  select
    'operationId' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.operation_id = $3::text as whole
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.operation_id >= $3::text
          and o.operation_id < $3::text || chr(1114111)
        order by o.operation_id
        limit $4::bigint
      ) as o
    limit $4::bigint
  ) as o
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, t.transaction_id = $5::text as whole
        from
          cashout_payments as t
          join cashouts as o on o.merchant_id = t.merchant_id and o.operation_id = t.operation_id
        where
          t.merchant_id = k.merchant_id
          and t.transaction_id >= $5::text
          and t.transaction_id < $5::text || chr(1114111)
        order by t.transaction_id
        limit $4::bigint
      ) as o
    limit $4::bigint
  ) as o
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.document = $6::text as whole
        from cashouts as o
        where o.merchant_id = k.merchant_id and o.document >= $6::text and o.document < $6::text || chr(1114111)
        order by o.document
        limit $4::bigint
      ) as o
    limit $4::bigint
  ) as o
)
union all
(
  select
    'cellphone' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, (translate(o.cellphone, '+() .-', '') collate "C") = $7::text as whole
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.cellphone <> ''
          and (translate(o.cellphone, '+() .-', '') collate "C") >= $7::text
          and (translate(o.cellphone, '+() .-', '') collate "C") < $7::text || chr(1114111)
        order by (translate(o.cellphone, '+() .-', '') collate "C")
        limit $4::bigint
      ) as o
    limit $4::bigint
  ) as o
);

-- cashouts.search_filtered_beginning_of_all
with searched as materialized (
  with recursive found as (
    (select merchant_id from cashouts order by merchant_id limit 1)
    union all
    select (
      select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
    )
    from found
    where found.merchant_id is not null
  )
  select merchant_id
  from found
  where merchant_id is not null
) (
  select
    'operationId' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($3::text is null or o.merchant_id = $3::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.operation_id = $20::text as whole
          from cashouts as o
          where
            o.merchant_id = k.merchant_id
            and o.operation_id >= $20::text
            and o.operation_id < $20::text || chr(1114111)
          order by o.operation_id
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $21::bigint
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($3::text is null or o.merchant_id = $3::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, t.transaction_id = $22::text as whole
          from
            cashout_payments as t
            join cashouts as o on o.merchant_id = t.merchant_id and o.operation_id = t.operation_id
          where
            t.merchant_id = k.merchant_id
            and t.transaction_id >= $22::text
            and t.transaction_id < $22::text || chr(1114111)
          order by t.transaction_id
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $21::bigint
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($3::text is null or o.merchant_id = $3::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.document = $23::text as whole
          from cashouts as o
          where o.merchant_id = k.merchant_id and o.document >= $23::text and o.document < $23::text || chr(1114111)
          order by o.document
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $21::bigint
)
union all
(
  select
    'cellphone' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($3::text is null or o.merchant_id = $3::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, (translate(o.cellphone, '+() .-', '') collate "C") = $24::text as whole
          from cashouts as o
          where
            o.merchant_id = k.merchant_id
            and o.cellphone <> ''
            and (translate(o.cellphone, '+() .-', '') collate "C") >= $24::text
            and (translate(o.cellphone, '+() .-', '') collate "C") < $24::text || chr(1114111)
          order by (translate(o.cellphone, '+() .-', '') collate "C")
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $21::bigint
);

-- cashouts.search_filtered_beginning_of_one
with searched as materialized (select $1::text as merchant_id) (
  select
    'operationId' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $3::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.operation_id = $20::text as whole
          from cashouts as o
          where
            o.merchant_id = k.merchant_id
            and o.operation_id >= $20::text
            and o.operation_id < $20::text || chr(1114111)
          order by o.operation_id
          limit $3::bigint
        ) as o
      limit $3::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $3::bigint
  limit $21::bigint
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $3::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, t.transaction_id = $22::text as whole
          from
            cashout_payments as t
            join cashouts as o on o.merchant_id = t.merchant_id and o.operation_id = t.operation_id
          where
            t.merchant_id = k.merchant_id
            and t.transaction_id >= $22::text
            and t.transaction_id < $22::text || chr(1114111)
          order by t.transaction_id
          limit $3::bigint
        ) as o
      limit $3::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $3::bigint
  limit $21::bigint
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $3::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.document = $23::text as whole
          from cashouts as o
          where o.merchant_id = k.merchant_id and o.document >= $23::text and o.document < $23::text || chr(1114111)
          order by o.document
          limit $3::bigint
        ) as o
      limit $3::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $3::bigint
  limit $21::bigint
)
union all
(
  select
    'cellphone' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $3::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, (translate(o.cellphone, '+() .-', '') collate "C") = $24::text as whole
          from cashouts as o
          where
            o.merchant_id = k.merchant_id
            and o.cellphone <> ''
            and (translate(o.cellphone, '+() .-', '') collate "C") >= $24::text
            and (translate(o.cellphone, '+() .-', '') collate "C") < $24::text || chr(1114111)
          order by (translate(o.cellphone, '+() .-', '') collate "C")
          limit $3::bigint
        ) as o
      limit $3::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $3::bigint
  limit $21::bigint
);

-- cashouts.search_filtered_whole_of_all
with searched as materialized (
  with recursive found as (
    (select merchant_id from cashouts order by merchant_id limit 1)
    union all
    select (
      select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
    )
    from found
    where found.merchant_id is not null
  )
  select merchant_id
  from found
  where merchant_id is not null
) (
  select
    'operationId' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($3::text is null or o.merchant_id = $3::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.operation_id = $20::text as whole
          from cashouts as o
          where o.merchant_id = k.merchant_id and o.operation_id = $20::text
          order by o.operation_id
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $21::bigint
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($3::text is null or o.merchant_id = $3::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, t.transaction_id = $22::text as whole
          from
            cashout_payments as t
            join cashouts as o on o.merchant_id = t.merchant_id and o.operation_id = t.operation_id
          where t.merchant_id = k.merchant_id and t.transaction_id = $22::text
          order by t.transaction_id
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $21::bigint
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($3::text is null or o.merchant_id = $3::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.document = $23::text as whole
          from cashouts as o
          where o.merchant_id = k.merchant_id and o.document = $23::text
          order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $21::bigint
)
union all
(
  select
    'cellphone' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($3::text is null or o.merchant_id = $3::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, (translate(o.cellphone, '+() .-', '') collate "C") = $24::text as whole
          from cashouts as o
          where
            o.merchant_id = k.merchant_id
            and o.cellphone <> ''
            and (translate(o.cellphone, '+() .-', '') collate "C") = $24::text
          order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $21::bigint
);

-- cashouts.search_filtered_whole_of_one
with searched as materialized (select $1::text as merchant_id) (
  select
    'operationId' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $3::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.operation_id = $20::text as whole
          from cashouts as o
          where o.merchant_id = k.merchant_id and o.operation_id = $20::text
          order by o.operation_id
          limit $3::bigint
        ) as o
      limit $3::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $3::bigint
  limit $21::bigint
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $3::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, t.transaction_id = $22::text as whole
          from
            cashout_payments as t
            join cashouts as o on o.merchant_id = t.merchant_id and o.operation_id = t.operation_id
          where t.merchant_id = k.merchant_id and t.transaction_id = $22::text
          order by t.transaction_id
          limit $3::bigint
        ) as o
      limit $3::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $3::bigint
  limit $21::bigint
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $3::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.document = $23::text as whole
          from cashouts as o
          where o.merchant_id = k.merchant_id and o.document = $23::text
          order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
          limit $3::bigint
        ) as o
      limit $3::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $3::bigint
  limit $21::bigint
)
union all
(
  select
    'cellphone' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", o.fits,
    o.walked = $3::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $4::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
            else o.state end = any ($4::text[])
        )
        and ($5::text is null or o.document = $5::text)
        and (
          $6::text is null
          or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($6::text, '+() .-', '') collate "C")
        )
        and ($7::text is null or o.operation_id = $7::text)
        and ($8::text is null or o.currency = $8::text)
        and ($9::bigint is null or o.amount_minor >= $9::bigint)
        and ($10::bigint is null or o.amount_minor <= $10::bigint)
        and ($11::timestamptz is null or o.created_at >= $11::timestamptz)
        and ($12::timestamptz is null or o.created_at < $12::timestamptz)
        and ($13::timestamptz is null or o.updated_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.updated_at < $14::timestamptz)
        and (
          $15::boolean is null
          or exists (
            select
            from cashout_payments p
            where
              p.merchant_id = o.merchant_id
              and p.operation_id = o.operation_id
              and ($16::timestamptz is null or p.paid_at >= $16::timestamptz)
              and ($17::timestamptz is null or p.paid_at < $17::timestamptz)
              and ($18::text is null or p.network_id = $18::text)
              and ($19::text is null or p.transaction_id = $19::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, (translate(o.cellphone, '+() .-', '') collate "C") = $24::text as whole
          from cashouts as o
          where
            o.merchant_id = k.merchant_id
            and o.cellphone <> ''
            and (translate(o.cellphone, '+() .-', '') collate "C") = $24::text
          order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
          limit $3::bigint
        ) as o
      limit $3::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $3::bigint
  limit $21::bigint
);

-- cashouts.search_whole_of_all
with searched as materialized (
  with recursive found as (
    (select merchant_id from cashouts order by merchant_id limit 1)
    union all
    select (
      select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
    )
    from found
    where found.merchant_id is not null
  )
  select merchant_id
  from found
  where merchant_id is not null
) (
  select
    'operationId' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.operation_id = $2::text as whole
        from cashouts as o
        where o.merchant_id = k.merchant_id and o.operation_id = $2::text
        order by o.operation_id
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, t.transaction_id = $4::text as whole
        from
          cashout_payments as t
          join cashouts as o on o.merchant_id = t.merchant_id and o.operation_id = t.operation_id
        where t.merchant_id = k.merchant_id and t.transaction_id = $4::text
        order by t.transaction_id
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.document = $5::text as whole
        from cashouts as o
        where o.merchant_id = k.merchant_id and o.document = $5::text
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'cellphone' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, (translate(o.cellphone, '+() .-', '') collate "C") = $6::text as whole
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.cellphone <> ''
          and (translate(o.cellphone, '+() .-', '') collate "C") = $6::text
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
);

-- cashouts.search_whole_of_one
with searched as materialized (select $1::text as merchant_id) (
  select
    'operationId' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.operation_id = $3::text as whole
        from cashouts as o
        where o.merchant_id = k.merchant_id and o.operation_id = $3::text
        order by o.operation_id
        limit $4::bigint
      ) as o
    limit $4::bigint
  ) as o
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, t.transaction_id = $5::text as whole
        from
          cashout_payments as t
          join cashouts as o on o.merchant_id = t.merchant_id and o.operation_id = t.operation_id
        where t.merchant_id = k.merchant_id and t.transaction_id = $5::text
        order by t.transaction_id
        limit $4::bigint
      ) as o
    limit $4::bigint
  ) as o
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.document = $6::text as whole
        from cashouts as o
        where o.merchant_id = k.merchant_id and o.document = $6::text
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $4::bigint
      ) as o
    limit $4::bigint
  ) as o
)
union all
(
  select
    'cellphone' as field, o.whole, o.merchant_id as "merchantId",
    o.operation_id as "operationId", case
      when o.state = 'pending' and o.expires_at <= $2::timestamptz then 'expired'
      else o.state end as state,
    o.amount_minor as "amountMinor", o.currency, o.document, o.cellphone, o.created_at as "createdAt", true as fits,
    false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, (translate(o.cellphone, '+() .-', '') collate "C") = $7::text as whole
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.cellphone <> ''
          and (translate(o.cellphone, '+() .-', '') collate "C") = $7::text
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $4::bigint
      ) as o
    limit $4::bigint
  ) as o
);

-- cashouts.select_one
select
  cashouts.operation_id as "operationId", cashouts.state, cashouts.amount_minor as "amountMinor",
  cashouts.transaction_cost_minor as "transactionCostMinor", cashouts.currency, cashouts.description,
  cashouts.document, cashouts.sms, cashouts.cellphone, cashouts.expires_on as "expiresOn",
  cashouts.updated_on as "updatedOn"
from cashouts
where merchant_id = $1 and operation_id = $2 and document = $3;

-- cashouts.set_limits
insert into cashout_limits (merchant_id, currency, least_minor, most_minor, per_document_and_day, set_at)
values ($1, $2, $3, $4, $5, $6)
on conflict (merchant_id, currency) do update
set
  least_minor = excluded.least_minor, most_minor = excluded.most_minor,
  per_document_and_day = excluded.per_document_and_day, set_at = excluded.set_at;

-- cashouts.set_password
update cashouts set otp_hash = $3 where merchant_id = $1 and operation_id = $2;

-- cashouts.sum_all_of_all
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or o.document = $4::text)
      and (
        $5::text is null
        or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($5::text, '+() .-', '') collate "C")
      )
      and ($6::text is null or o.operation_id = $6::text)
      and ($7::text is null or o.currency = $7::text)
      and ($8::bigint is null or o.amount_minor >= $8::bigint)
      and ($9::bigint is null or o.amount_minor <= $9::bigint)
      and ($10::timestamptz is null or o.created_at >= $10::timestamptz)
      and ($11::timestamptz is null or o.created_at < $11::timestamptz)
      and ($12::timestamptz is null or o.updated_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.updated_at < $13::timestamptz)
      and (
        $14::boolean is null
        or exists (
          select
          from cashout_payments p
          where
            p.merchant_id = o.merchant_id
            and p.operation_id = o.operation_id
            and ($15::timestamptz is null or p.paid_at >= $15::timestamptz)
            and ($16::timestamptz is null or p.paid_at < $16::timestamptz)
            and ($17::text is null or p.network_id = $17::text)
            and ($18::text is null or p.transaction_id = $18::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (
        with recursive found as (
          (select merchant_id from cashouts order by merchant_id limit 1)
          union all
          select (
            select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
          )
          from found
          where found.merchant_id is not null
        )
        select merchant_id
        from found
        where merchant_id is not null
      ) as k
      cross join lateral (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($19::date, 'infinity'), coalesce($20::timestamptz, 'infinity'),
            coalesce($21::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($12::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($13::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $22::bigint
      ) as o
    limit $22::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- cashouts.sum_all_of_one
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or o.document = $4::text)
      and (
        $5::text is null
        or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($5::text, '+() .-', '') collate "C")
      )
      and ($6::text is null or o.operation_id = $6::text)
      and ($7::text is null or o.currency = $7::text)
      and ($8::bigint is null or o.amount_minor >= $8::bigint)
      and ($9::bigint is null or o.amount_minor <= $9::bigint)
      and ($10::timestamptz is null or o.created_at >= $10::timestamptz)
      and ($11::timestamptz is null or o.created_at < $11::timestamptz)
      and ($12::timestamptz is null or o.updated_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.updated_at < $13::timestamptz)
      and (
        $14::boolean is null
        or exists (
          select
          from cashout_payments p
          where
            p.merchant_id = o.merchant_id
            and p.operation_id = o.operation_id
            and ($15::timestamptz is null or p.paid_at >= $15::timestamptz)
            and ($16::timestamptz is null or p.paid_at < $16::timestamptz)
            and ($17::text is null or p.network_id = $17::text)
            and ($18::text is null or p.transaction_id = $18::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select $2::text as merchant_id) as k
      cross join lateral (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($19::date, 'infinity'), coalesce($20::timestamptz, 'infinity'),
            coalesce($21::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($12::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($13::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $22::bigint
      ) as o
    limit $22::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- cashouts.sum_cellphone_of_all
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or o.document = $4::text)
      and (
        $5::text is null
        or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($5::text, '+() .-', '') collate "C")
      )
      and ($6::text is null or o.operation_id = $6::text)
      and ($7::text is null or o.currency = $7::text)
      and ($8::bigint is null or o.amount_minor >= $8::bigint)
      and ($9::bigint is null or o.amount_minor <= $9::bigint)
      and ($10::timestamptz is null or o.created_at >= $10::timestamptz)
      and ($11::timestamptz is null or o.created_at < $11::timestamptz)
      and ($12::timestamptz is null or o.updated_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.updated_at < $13::timestamptz)
      and (
        $14::boolean is null
        or exists (
          select
          from cashout_payments p
          where
            p.merchant_id = o.merchant_id
            and p.operation_id = o.operation_id
            and ($15::timestamptz is null or p.paid_at >= $15::timestamptz)
            and ($16::timestamptz is null or p.paid_at < $16::timestamptz)
            and ($17::text is null or p.network_id = $17::text)
            and ($18::text is null or p.transaction_id = $18::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (
        with recursive found as (
          (select merchant_id from cashouts order by merchant_id limit 1)
          union all
          select (
            select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
          )
          from found
          where found.merchant_id is not null
        )
        select merchant_id
        from found
        where merchant_id is not null
      ) as k
      cross join lateral (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.cellphone <> ''
          and (translate(o.cellphone, '+() .-', '') collate "C") = (translate($5::text, '+() .-', '') collate "C")
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($19::date, 'infinity'), coalesce($20::timestamptz, 'infinity'),
            coalesce($21::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($12::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($13::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $22::bigint
      ) as o
    limit $22::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- cashouts.sum_cellphone_of_one
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or o.document = $4::text)
      and (
        $5::text is null
        or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($5::text, '+() .-', '') collate "C")
      )
      and ($6::text is null or o.operation_id = $6::text)
      and ($7::text is null or o.currency = $7::text)
      and ($8::bigint is null or o.amount_minor >= $8::bigint)
      and ($9::bigint is null or o.amount_minor <= $9::bigint)
      and ($10::timestamptz is null or o.created_at >= $10::timestamptz)
      and ($11::timestamptz is null or o.created_at < $11::timestamptz)
      and ($12::timestamptz is null or o.updated_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.updated_at < $13::timestamptz)
      and (
        $14::boolean is null
        or exists (
          select
          from cashout_payments p
          where
            p.merchant_id = o.merchant_id
            and p.operation_id = o.operation_id
            and ($15::timestamptz is null or p.paid_at >= $15::timestamptz)
            and ($16::timestamptz is null or p.paid_at < $16::timestamptz)
            and ($17::text is null or p.network_id = $17::text)
            and ($18::text is null or p.transaction_id = $18::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select $2::text as merchant_id) as k
      cross join lateral (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.cellphone <> ''
          and (translate(o.cellphone, '+() .-', '') collate "C") = (translate($5::text, '+() .-', '') collate "C")
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($19::date, 'infinity'), coalesce($20::timestamptz, 'infinity'),
            coalesce($21::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($12::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($13::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $22::bigint
      ) as o
    limit $22::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- cashouts.sum_document_of_all
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or o.document = $4::text)
      and (
        $5::text is null
        or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($5::text, '+() .-', '') collate "C")
      )
      and ($6::text is null or o.operation_id = $6::text)
      and ($7::text is null or o.currency = $7::text)
      and ($8::bigint is null or o.amount_minor >= $8::bigint)
      and ($9::bigint is null or o.amount_minor <= $9::bigint)
      and ($10::timestamptz is null or o.created_at >= $10::timestamptz)
      and ($11::timestamptz is null or o.created_at < $11::timestamptz)
      and ($12::timestamptz is null or o.updated_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.updated_at < $13::timestamptz)
      and (
        $14::boolean is null
        or exists (
          select
          from cashout_payments p
          where
            p.merchant_id = o.merchant_id
            and p.operation_id = o.operation_id
            and ($15::timestamptz is null or p.paid_at >= $15::timestamptz)
            and ($16::timestamptz is null or p.paid_at < $16::timestamptz)
            and ($17::text is null or p.network_id = $17::text)
            and ($18::text is null or p.transaction_id = $18::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (
        with recursive found as (
          (select merchant_id from cashouts order by merchant_id limit 1)
          union all
          select (
            select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
          )
          from found
          where found.merchant_id is not null
        )
        select merchant_id
        from found
        where merchant_id is not null
      ) as k
      cross join lateral (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.document = $4::text
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($19::date, 'infinity'), coalesce($20::timestamptz, 'infinity'),
            coalesce($21::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($12::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($13::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $22::bigint
      ) as o
    limit $22::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- cashouts.sum_document_of_one
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or o.document = $4::text)
      and (
        $5::text is null
        or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($5::text, '+() .-', '') collate "C")
      )
      and ($6::text is null or o.operation_id = $6::text)
      and ($7::text is null or o.currency = $7::text)
      and ($8::bigint is null or o.amount_minor >= $8::bigint)
      and ($9::bigint is null or o.amount_minor <= $9::bigint)
      and ($10::timestamptz is null or o.created_at >= $10::timestamptz)
      and ($11::timestamptz is null or o.created_at < $11::timestamptz)
      and ($12::timestamptz is null or o.updated_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.updated_at < $13::timestamptz)
      and (
        $14::boolean is null
        or exists (
          select
          from cashout_payments p
          where
            p.merchant_id = o.merchant_id
            and p.operation_id = o.operation_id
            and ($15::timestamptz is null or p.paid_at >= $15::timestamptz)
            and ($16::timestamptz is null or p.paid_at < $16::timestamptz)
            and ($17::text is null or p.network_id = $17::text)
            and ($18::text is null or p.transaction_id = $18::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select $2::text as merchant_id) as k
      cross join lateral (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.document = $4::text
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($19::date, 'infinity'), coalesce($20::timestamptz, 'infinity'),
            coalesce($21::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($12::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($13::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $22::bigint
      ) as o
    limit $22::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- cashouts.sum_operationId_of_all
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or o.document = $4::text)
      and (
        $5::text is null
        or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($5::text, '+() .-', '') collate "C")
      )
      and ($6::text is null or o.operation_id = $6::text)
      and ($7::text is null or o.currency = $7::text)
      and ($8::bigint is null or o.amount_minor >= $8::bigint)
      and ($9::bigint is null or o.amount_minor <= $9::bigint)
      and ($10::timestamptz is null or o.created_at >= $10::timestamptz)
      and ($11::timestamptz is null or o.created_at < $11::timestamptz)
      and ($12::timestamptz is null or o.updated_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.updated_at < $13::timestamptz)
      and (
        $14::boolean is null
        or exists (
          select
          from cashout_payments p
          where
            p.merchant_id = o.merchant_id
            and p.operation_id = o.operation_id
            and ($15::timestamptz is null or p.paid_at >= $15::timestamptz)
            and ($16::timestamptz is null or p.paid_at < $16::timestamptz)
            and ($17::text is null or p.network_id = $17::text)
            and ($18::text is null or p.transaction_id = $18::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (
        with recursive found as (
          (select merchant_id from cashouts order by merchant_id limit 1)
          union all
          select (
            select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
          )
          from found
          where found.merchant_id is not null
        )
        select merchant_id
        from found
        where merchant_id is not null
      ) as k
      cross join lateral (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.operation_id = $6::text
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($19::date, 'infinity'), coalesce($20::timestamptz, 'infinity'),
            coalesce($21::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($12::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($13::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $22::bigint
      ) as o
    limit $22::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- cashouts.sum_operationId_of_one
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or o.document = $4::text)
      and (
        $5::text is null
        or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($5::text, '+() .-', '') collate "C")
      )
      and ($6::text is null or o.operation_id = $6::text)
      and ($7::text is null or o.currency = $7::text)
      and ($8::bigint is null or o.amount_minor >= $8::bigint)
      and ($9::bigint is null or o.amount_minor <= $9::bigint)
      and ($10::timestamptz is null or o.created_at >= $10::timestamptz)
      and ($11::timestamptz is null or o.created_at < $11::timestamptz)
      and ($12::timestamptz is null or o.updated_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.updated_at < $13::timestamptz)
      and (
        $14::boolean is null
        or exists (
          select
          from cashout_payments p
          where
            p.merchant_id = o.merchant_id
            and p.operation_id = o.operation_id
            and ($15::timestamptz is null or p.paid_at >= $15::timestamptz)
            and ($16::timestamptz is null or p.paid_at < $16::timestamptz)
            and ($17::text is null or p.network_id = $17::text)
            and ($18::text is null or p.transaction_id = $18::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select $2::text as merchant_id) as k
      cross join lateral (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.operation_id = $6::text
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($19::date, 'infinity'), coalesce($20::timestamptz, 'infinity'),
            coalesce($21::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($12::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($13::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $22::bigint
      ) as o
    limit $22::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- cashouts.sum_states_of_all
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or o.document = $4::text)
      and (
        $5::text is null
        or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($5::text, '+() .-', '') collate "C")
      )
      and ($6::text is null or o.operation_id = $6::text)
      and ($7::text is null or o.currency = $7::text)
      and ($8::bigint is null or o.amount_minor >= $8::bigint)
      and ($9::bigint is null or o.amount_minor <= $9::bigint)
      and ($10::timestamptz is null or o.created_at >= $10::timestamptz)
      and ($11::timestamptz is null or o.created_at < $11::timestamptz)
      and ($12::timestamptz is null or o.updated_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.updated_at < $13::timestamptz)
      and (
        $14::boolean is null
        or exists (
          select
          from cashout_payments p
          where
            p.merchant_id = o.merchant_id
            and p.operation_id = o.operation_id
            and ($15::timestamptz is null or p.paid_at >= $15::timestamptz)
            and ($16::timestamptz is null or p.paid_at < $16::timestamptz)
            and ($17::text is null or p.network_id = $17::text)
            and ($18::text is null or p.transaction_id = $18::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (
        select m.merchant_id, s.state
        from
          (
            with recursive found as (
              (select merchant_id from cashouts order by merchant_id limit 1)
              union all
              select (
                select o.merchant_id
                from cashouts o
                where o.merchant_id > found.merchant_id
                order by o.merchant_id
                limit 1
              )
              from found
              where found.merchant_id is not null
            )
            select merchant_id
            from found
            where merchant_id is not null
          ) as m,
          unnest($19::text[]) as s (state)
      ) as k
      cross join lateral (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.state = k.state
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($20::date, 'infinity'), coalesce($21::timestamptz, 'infinity'),
            coalesce($22::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($12::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($13::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- cashouts.sum_states_of_one
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or o.document = $4::text)
      and (
        $5::text is null
        or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($5::text, '+() .-', '') collate "C")
      )
      and ($6::text is null or o.operation_id = $6::text)
      and ($7::text is null or o.currency = $7::text)
      and ($8::bigint is null or o.amount_minor >= $8::bigint)
      and ($9::bigint is null or o.amount_minor <= $9::bigint)
      and ($10::timestamptz is null or o.created_at >= $10::timestamptz)
      and ($11::timestamptz is null or o.created_at < $11::timestamptz)
      and ($12::timestamptz is null or o.updated_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.updated_at < $13::timestamptz)
      and (
        $14::boolean is null
        or exists (
          select
          from cashout_payments p
          where
            p.merchant_id = o.merchant_id
            and p.operation_id = o.operation_id
            and ($15::timestamptz is null or p.paid_at >= $15::timestamptz)
            and ($16::timestamptz is null or p.paid_at < $16::timestamptz)
            and ($17::text is null or p.network_id = $17::text)
            and ($18::text is null or p.transaction_id = $18::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select m.merchant_id, s.state from (select $2::text as merchant_id) as m, unnest($19::text[]) as s (state)) as k
      cross join lateral (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.state = k.state
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($20::date, 'infinity'), coalesce($21::timestamptz, 'infinity'),
            coalesce($22::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($12::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($13::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- cashouts.sum_transaction_of_all
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or o.document = $4::text)
      and (
        $5::text is null
        or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($5::text, '+() .-', '') collate "C")
      )
      and ($6::text is null or o.operation_id = $6::text)
      and ($7::text is null or o.currency = $7::text)
      and ($8::bigint is null or o.amount_minor >= $8::bigint)
      and ($9::bigint is null or o.amount_minor <= $9::bigint)
      and ($10::timestamptz is null or o.created_at >= $10::timestamptz)
      and ($11::timestamptz is null or o.created_at < $11::timestamptz)
      and ($12::timestamptz is null or o.updated_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.updated_at < $13::timestamptz)
      and (
        $14::boolean is null
        or exists (
          select
          from cashout_payments p
          where
            p.merchant_id = o.merchant_id
            and p.operation_id = o.operation_id
            and ($15::timestamptz is null or p.paid_at >= $15::timestamptz)
            and ($16::timestamptz is null or p.paid_at < $16::timestamptz)
            and ($17::text is null or p.network_id = $17::text)
            and ($18::text is null or p.transaction_id = $18::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (
        with recursive found as (
          (select merchant_id from cashouts order by merchant_id limit 1)
          union all
          select (
            select o.merchant_id from cashouts o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
          )
          from found
          where found.merchant_id is not null
        )
        select merchant_id
        from found
        where merchant_id is not null
      ) as k
      cross join lateral (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.operation_id in (
            select t.operation_id
            from cashout_payments t
            where t.merchant_id = k.merchant_id and t.transaction_id = $18::text
          )
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($19::date, 'infinity'), coalesce($20::timestamptz, 'infinity'),
            coalesce($21::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($12::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($13::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $22::bigint
      ) as o
    limit $22::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- cashouts.sum_transaction_of_one
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or o.document = $4::text)
      and (
        $5::text is null
        or (translate(o.cellphone, '+() .-', '') collate "C") = (translate($5::text, '+() .-', '') collate "C")
      )
      and ($6::text is null or o.operation_id = $6::text)
      and ($7::text is null or o.currency = $7::text)
      and ($8::bigint is null or o.amount_minor >= $8::bigint)
      and ($9::bigint is null or o.amount_minor <= $9::bigint)
      and ($10::timestamptz is null or o.created_at >= $10::timestamptz)
      and ($11::timestamptz is null or o.created_at < $11::timestamptz)
      and ($12::timestamptz is null or o.updated_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.updated_at < $13::timestamptz)
      and (
        $14::boolean is null
        or exists (
          select
          from cashout_payments p
          where
            p.merchant_id = o.merchant_id
            and p.operation_id = o.operation_id
            and ($15::timestamptz is null or p.paid_at >= $15::timestamptz)
            and ($16::timestamptz is null or p.paid_at < $16::timestamptz)
            and ($17::text is null or p.network_id = $17::text)
            and ($18::text is null or p.transaction_id = $18::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select $2::text as merchant_id) as k
      cross join lateral (
        select o.*
        from cashouts as o
        where
          o.merchant_id = k.merchant_id
          and o.operation_id in (
            select t.operation_id
            from cashout_payments t
            where t.merchant_id = k.merchant_id and t.transaction_id = $18::text
          )
          and (o.updated_on, o.updated_at, o.cashout_id) < (
            coalesce($19::date, 'infinity'), coalesce($20::timestamptz, 'infinity'),
            coalesce($21::bigint, 9223372036854775807)
          )
          and o.updated_on >= coalesce((($12::timestamptz at time zone 'UTC')::date - 1), '-infinity')
          and o.updated_on <= coalesce((($13::timestamptz at time zone 'UTC')::date + 1), 'infinity')
        order by o.updated_on desc, o.updated_at desc, o.cashout_id desc
        limit $22::bigint
      ) as o
    limit $22::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- cashouts.verify_counts
select
  merchant_id as "merchantId", updated_on || ', the five minutes from ' || updated_slot as id,
  'keeps '
    || coalesce(kept.pending, 0) || '/' || coalesce(kept.approved, 0) || '/' || coalesce(kept.expired, 0) || '/'
    || coalesce(kept.cancelled, 0) || '/' || coalesce(kept.nullified, 0)
    || ' (pending/approved/expired/cancelled/nullified) but has ' || coalesce(counted.pending, 0) || '/'
    || coalesce(counted.approved, 0) || '/' || coalesce(counted.expired, 0) || '/' || coalesce(counted.cancelled, 0)
    || '/' || coalesce(counted.nullified, 0) as problem
from
  cashout_slot_counts kept full
  join (
    select
      merchant_id, updated_on, date_bin('5 minutes', updated_at, 'epoch') as updated_slot,
      count(*) filter (where state = 'pending') as pending, count(*) filter (where state = 'approved') as approved,
      count(*) filter (where state = 'expired') as expired, count(*) filter (where state = 'cancelled') as cancelled,
      count(*) filter (where state = 'nullified') as nullified
    from cashouts
    group by 1, 2, 3
  ) as counted using (merchant_id, updated_on, updated_slot)
where
  coalesce(kept.pending, 0) <> coalesce(counted.pending, 0)
  or coalesce(kept.approved, 0) <> coalesce(counted.approved, 0)
  or coalesce(kept.expired, 0) <> coalesce(counted.expired, 0)
  or coalesce(kept.cancelled, 0) <> coalesce(counted.cancelled, 0)
  or coalesce(kept.nullified, 0) <> coalesce(counted.nullified, 0)
limit 1;

-- cashouts.verify_day_counts
select
  merchant_id as "merchantId", updated_on::text as id,
  'keeps '
    || coalesce(kept.pending, 0) || '/' || coalesce(kept.approved, 0) || '/' || coalesce(kept.expired, 0) || '/'
    || coalesce(kept.cancelled, 0) || '/' || coalesce(kept.nullified, 0)
    || ' (pending/approved/expired/cancelled/nullified) but its slots keep ' || coalesce(counted.pending, 0) || '/'
    || coalesce(counted.approved, 0) || '/' || coalesce(counted.expired, 0) || '/' || coalesce(counted.cancelled, 0)
    || '/' || coalesce(counted.nullified, 0) as problem
from
  cashout_counts kept full
  join (
    select
      merchant_id, updated_on, sum(pending) as pending, sum(approved) as approved, sum(expired) as expired,
      sum(cancelled) as cancelled, sum(nullified) as nullified
    from cashout_slot_counts
    group by 1, 2
  ) as counted using (merchant_id, updated_on)
where
  coalesce(kept.pending, 0) <> coalesce(counted.pending, 0)
  or coalesce(kept.approved, 0) <> coalesce(counted.approved, 0)
  or coalesce(kept.expired, 0) <> coalesce(counted.expired, 0)
  or coalesce(kept.cancelled, 0) <> coalesce(counted.cancelled, 0)
  or coalesce(kept.nullified, 0) <> coalesce(counted.nullified, 0)
limit 1;

-- cashouts.verify_digests
select
  merchant_id as "merchantId", operation_id as id,
  'has another actor, time or request in version ' || version || ' of its history than was written' as problem
from cashout_history h
where
  digest is not null
  and digest is distinct from hashtextextended(
    h.event || ' ' || h.actor || ' ' || coalesce(h.request_id, '') || ' ' || extract(epoch from h.changed_at)::text, 0
  )
limit 1;

-- cashouts.verify_ends
select
  merchant_id as "merchantId", operation_id as id,
  'waits until the end of '
    || expires_on || ' but would be swept at ' || coalesce(expires_at::text, 'no time') as problem
from cashouts
where
  state = 'pending'
  and (
    expires_at is null
    or abs(extract(epoch from expires_at - ((expires_on + 1)::timestamp at time zone 'UTC'))) > 15 * 3600
  )
limit 1;

-- cashouts.verify_fees
select
  merchant_id as "merchantId", id,
  'has a fee and a tax that no terms of its merchant explain: ' || fee_minor || ' and ' || tax_minor as problem
from (
  select merchant_id, operation_id as id, currency, amount_minor, fee_minor, tax_minor
  from cashouts
  where reserved_minor > 0
) as charged
where not exists (
  select
  from
    (
      select percent_ppm, fixed_minor, tax_ppm
      from merchant_fees t
      where t.merchant_id = charged.merchant_id and t.operation_kind = $1 and t.currency = charged.currency
      union all
      select 0, 0, 0
    ) as terms
    cross join lateral (
      select div(charged.amount_minor::numeric * terms.percent_ppm + 500000, 1000000) + terms.fixed_minor as minor
    ) as fee
  where fee.minor = charged.fee_minor and div(fee.minor::numeric * terms.tax_ppm + 500000, 1000000) = charged.tax_minor
)
limit 1;

-- cashouts.verify_fields
select
  merchant_id as "merchantId",
  operation_id as id, case
    when h.operation_id is null then 'took from a fund, but was not registered here'
    when c.created_at <> h.changed_at then 'was registered at another time than its history says'
    when c.reserved_minor <> c.amount_minor
      + c.fee_minor + c.tax_minor then 'reserves another amount than it was registered for'
    else 'is not what it was registered as' end as problem
from cashouts c left join cashout_history h using (merchant_id, operation_id)
where
  (h.version is null or h.version = 1)
  and case
    when h.operation_id is null then c.reserved_minor <> 0
    else c.created_at is distinct from h.changed_at
      or c.reserved_minor is distinct from c.amount_minor + c.fee_minor + c.tax_minor
      or (h.changes ? 'amountMinor' and h.changes -> 'amountMinor' ->> 1 is distinct from c.amount_minor::text)
      or (
        h.changes ? 'transactionCostMinor'
        and h.changes -> 'transactionCostMinor' ->> 1 is distinct from c.transaction_cost_minor::text
      )
      or (h.changes ? 'currency' and h.changes -> 'currency' ->> 1 is distinct from c.currency::text)
      or (h.changes ? 'description' and h.changes -> 'description' ->> 1 is distinct from c.description::text)
      or (h.changes ? 'document' and h.changes -> 'document' ->> 1 is distinct from c.document::text)
      or (h.changes ? 'sms' and h.changes -> 'sms' ->> 1 is distinct from c.sms::text)
      or (h.changes ? 'cellphone' and h.changes -> 'cellphone' ->> 1 is distinct from c.cellphone::text)
      or (h.changes ? 'expiresOn' and h.changes -> 'expiresOn' ->> 1 is distinct from c.expires_on::text)
      or (h.changes ? 'feeMinor' and h.changes -> 'feeMinor' ->> 1 is distinct from c.fee_minor::text)
      or (h.changes ? 'taxMinor' and h.changes -> 'taxMinor' ->> 1 is distinct from c.tax_minor::text) end
limit 1;

-- cashouts.verify_history
select
  merchant_id as "merchantId",
  operation_id as id, case
    when c.operation_id is null then 'has a history but is not stored'
    when c.version <> coalesce(h.version, 1) then 'is at version '
      || c.version || ', its history at ' || coalesce(h.version, 1)
    when h.changes < c.version - (c.reserved_minor = 0)::integer then 'lacks changes in its history'
    else 'is ' || c.state || ', its history says ' || h.state end as problem
from
  cashouts c full
  join (
    select
      merchant_id, operation_id, max(version) as version, count(*) as changes,
      (array_agg(changes -> 'state' ->> 1 order by version desc) filter (where changes ? 'state'))[1] as state
    from cashout_history
    group by merchant_id, operation_id
  ) as h using (merchant_id, operation_id)
where
  c.operation_id is null
  or c.version <> coalesce(h.version, 1)
  or h.changes < c.version - (c.reserved_minor = 0)::integer
  or h.state <> c.state
limit 1;

-- cashouts.verify_money
select
  cashouts.merchant_id as "merchantId", cashouts.operation_id as "operationId", cashouts.cashout_id as "cashoutId",
  cashouts.state, cashouts.version, cashouts.amount_minor as "amountMinor",
  cashouts.transaction_cost_minor as "transactionCostMinor", cashouts.currency, cashouts.description,
  cashouts.document, cashouts.sms, cashouts.cellphone, cashouts.expires_on as "expiresOn",
  cashouts.created_at as "createdAt", cashouts.updated_at as "updatedAt", cashouts.updated_on as "updatedOn",
  cashouts.fee_minor as "feeMinor", cashouts.tax_minor as "taxMinor", cashouts.reserved_minor as "reservedMinor",
  cashouts.otp_length as "otpLength", cashouts.otp_wrong_tries as "otpWrongTries",
  cashouts.otp_resends as "otpResends", cashouts.locked_by as "lockedBy", cashouts.locked_until as "lockedUntil",
  p.network_id as "paidBy", p.paid_at as "paidAt", p.reversed_at as "reversedAt"
from
  cashouts
  left join lateral (
    select network_id, paid_at, reversed_at
    from cashout_payments
    where cashout_payments.merchant_id = cashouts.merchant_id and cashout_payments.operation_id = cashouts.operation_id
  ) as p on true
where reserved_minor > 0;

-- cashouts.verify_month_counts
select
  merchant_id as "merchantId", to_char(month_on, 'YYYY-MM') as id,
  'keeps '
    || coalesce(kept.pending, 0) || '/' || coalesce(kept.approved, 0) || '/' || coalesce(kept.expired, 0) || '/'
    || coalesce(kept.cancelled, 0) || '/' || coalesce(kept.nullified, 0)
    || ' (pending/approved/expired/cancelled/nullified) but its days keep ' || coalesce(counted.pending, 0) || '/'
    || coalesce(counted.approved, 0) || '/' || coalesce(counted.expired, 0) || '/' || coalesce(counted.cancelled, 0)
    || '/' || coalesce(counted.nullified, 0) as problem
from
  cashout_month_counts kept full
  join (
    select
      merchant_id, date_trunc('month', updated_on)::date as month_on, sum(pending) as pending,
      sum(approved) as approved, sum(expired) as expired, sum(cancelled) as cancelled, sum(nullified) as nullified
    from cashout_counts
    group by 1, 2
  ) as counted using (merchant_id, month_on)
where
  coalesce(kept.pending, 0) <> coalesce(counted.pending, 0)
  or coalesce(kept.approved, 0) <> coalesce(counted.approved, 0)
  or coalesce(kept.expired, 0) <> coalesce(counted.expired, 0)
  or coalesce(kept.cancelled, 0) <> coalesce(counted.cancelled, 0)
  or coalesce(kept.nullified, 0) <> coalesce(counted.nullified, 0)
limit 1;

-- cashouts.verify_passwords
select
  c.merchant_id as "merchantId", c.operation_id as id,
  'has another password, or another proof of its request, than was written' as problem
from
  cashouts c
  cross join lateral (
    select evidence, changed_at
    from cashout_history h
    where
      h.merchant_id = c.merchant_id
      and h.operation_id = c.operation_id
      and h.event in ('cashout.registered', 'cashout.password_renewed')
    order by version desc
    limit 1
  ) as h
where
  h.evidence is not null
  and h.changed_at >= (
    select min(created_at)
    from merchant_secrets s
    where s.merchant_id = c.merchant_id and s.kind = 'fixed' and (s.expires_at is null or s.expires_at > $1)
  )
  and not exists (
    select
    from (
      select '' as proof
      union all
      select encode(proof, 'hex') as proof
      from spent_proofs s
      where s.merchant_id = c.merchant_id and s.spent_at = h.changed_at
    ) as spent
    where hashtextextended(encode(c.otp_hash, 'hex') || ' ' || spent.proof, 1) = h.evidence
  )
limit 1;

-- cashouts.verify_payments
select
  coalesce(p.merchant_id, h.merchant_id) as "merchantId", coalesce(p.operation_id, h.operation_id) as id,
  'has another payment than its history says' as problem
from
  cashout_payments p full
  join (select * from cashout_history where event = 'cashout.paid') as h using (merchant_id, operation_id)
  left join cashouts c using (merchant_id, operation_id)
  left join (
    select merchant_id, operation_id, event, changed_at from cashout_history where event = 'cashout.payment_reversed'
  ) as back using (merchant_id, operation_id)
where (
  p.network_id is null
  or h.version is null
  or c.operation_id is null
  or p.cashout_id is distinct from c.cashout_id
  or p.paid_at is distinct from h.changed_at
  or 'network:' || p.network_id is distinct from h.actor
  or c.locked_by is distinct from p.network_id
  or (
    h.evidence is not null
    and h.evidence is distinct from hashtextextended(p.transaction_id || ' ' || p.dane_code || ' ' || p.teller, 1)
  )
  or p.reversed_at is distinct from back.changed_at
)
limit 1;

-- cashouts.verify_times
select
  c.merchant_id as "merchantId", c.operation_id as id,
  'was changed at another time, or got other passwords, than its history says' as problem
from
  cashouts c
  left join lateral (
    select max(changed_at) as changed_at, count(*) filter (where event = 'cashout.password_renewed') as renewed
    from cashout_history h
    where h.merchant_id = c.merchant_id and h.operation_id = c.operation_id
  ) as h on true
  left join unnest($1::text[], $2::text[]) as zones (code, zone) on zones.code = (
    select country from merchants m where m.merchant_id = c.merchant_id
  )
where
  c.updated_at is distinct from coalesce(h.changed_at, c.updated_at)
  or c.otp_resends is distinct from h.renewed
  or c.updated_on is distinct from (c.updated_at at time zone zones.zone)::date
limit 1;

-- cashouts.walk_old_end_users
select
  merchant_id as "merchantId", operation_id as id, updated_on as "updatedOn", updated_at as "updatedAt",
  cashout_id as "cashoutId", state <> 'pending' and document not like 'erased-%' as "isDue"
from cashouts
where merchant_id = $1 and updated_on < $2 and (updated_on, updated_at, cashout_id) > ($3, $4, $5)
order by updated_on, updated_at, cashout_id
limit 1000;

-- checkout.find_first_surroundings
select s.shown as surroundings
from page_views v join page_surroundings s using (surroundings_id)
where v.merchant_id = $1 and v.order_id = $2 and v.version = $3
order by v.first_at, v.view_id
limit 1;

-- checkout.find_view
select v.version, v.seen_version as "seenVersion", v.first_at as at, s.shown as surroundings
from page_views v join page_surroundings s using (surroundings_id)
where v.merchant_id = $1 and v.order_id = $2 and v.view_id = $3;

-- checkout.forget_views
delete from page_views
where ctid = any (
  array(select ctid from page_views where first_at < $1 order by first_at limit 1000 for update skip locked)
)
returning 1 as one;

-- checkout.keep_surroundings
insert into page_surroundings (surroundings_id, shown)
select *
from unnest($1::text[], $2::jsonb[]) as k (surroundings_id, shown)
order by surroundings_id
on conflict (surroundings_id) do nothing;

-- checkout.keep_views
insert into page_views as kept (
  merchant_id, order_id, etag, version, seen_version, state, days_left, language, device, surroundings_id, first_at,
  last_at, loads
)
select *
from unnest(
  $1::text[], $2::text[], $3::text[], $4::int[], $5::int[], $6::text[], $7::int[], $8::text[], $9::text[], $10::text[],
  $11::timestamptz[], $12::timestamptz[], $13::bigint[]
) as k (
  merchant_id, order_id, etag, version, seen_version, state, days_left, language, device, surroundings_id, first_at,
  last_at, loads
)
order by merchant_id, order_id, etag, seen_version, device, surroundings_id
on conflict (merchant_id, order_id, etag, seen_version, device, surroundings_id) do update
set
  first_at = least(kept.first_at, excluded.first_at), last_at = greatest(kept.last_at, excluded.last_at),
  loads = kept.loads + excluded.loads;

-- checkout.list_views
select
  view_id as "viewId", version, seen_version as "seenVersion", state, days_left as "daysLeft", language, device,
  first_at as "firstAt", last_at as "lastAt", loads
from page_views
where merchant_id = $1 and order_id = $2 and ($3::bigint is null or view_id < $3)
order by view_id desc
limit $4;

-- db.read_clock
select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms;

-- events.find_reader
select position::text, complete_to as "completeTo", cluster from change_readers where reader = $1;

-- events.lock_prune
select pg_try_advisory_xact_lock(hashtext('change reader'), hashtext('deleted')) as "isMine";

-- events.lock_reader
select pg_try_advisory_xact_lock(hashtext('change reader'), hashtext($1)) as "isMine";

-- events.mark_changes
insert into change_marks (position, cluster)
select pg_current_snapshot(), (select system_identifier::text from pg_control_system())
where not exists (select from change_marks where marked_at > clock_timestamp() - interval '55 seconds');

-- events.move_reader
insert into change_readers (reader, position, complete_to, cluster)
values ($1, $2::text::pg_snapshot, $3, $4)
on conflict (reader) do update
set position = excluded.position, complete_to = excluded.complete_to, cluster = excluded.cluster;

-- events.prune_changes
with
  mark as materialized (
    select marked_at, position, cluster
    from change_marks
    where
      marked_at < clock_timestamp() - interval '60 minutes'
      and cluster = (select system_identifier::text from pg_control_system())
    order by marked_at desc
    limit 1
  ),
  gone as (
    delete from changes
    where (written_in, change_id) in (
      select written_in, change_id
      from changes
      where
        written_in < (select pg_snapshot_xmax(position) from mark)
        and pg_visible_in_snapshot(written_in, (select position from mark))
        and not exists (
          select
          from change_readers
          where reader <> 'deleted' and not pg_visible_in_snapshot(changes.written_in, position)
        )
      order by written_in, change_id
      limit 1000
      for update skip locked
    )
    returning 1
  ),
  foreign_rows as (
    delete from changes
    where (written_in, change_id) in (
      select written_in, change_id
      from changes
      where written_in >= pg_snapshot_xmax(pg_current_snapshot())
      order by written_in, change_id
      limit 1000
      for update skip locked
    )
    returning 1
  ),
  past as (delete from change_marks where marked_at < (select marked_at from mark))
insert into change_readers (reader, position, complete_to, cluster)
select 'deleted', position, marked_at, cluster
from mark
on conflict (reader) do update
set position = excluded.position, complete_to = excluded.complete_to, cluster = excluded.cluster
returning greatest((select count(*) from gone), (select count(*) from foreign_rows)) as deleted;

-- events.read_changes
with
  unseen as materialized (
    select *
    from changes
    where
      written_in >= pg_snapshot_xmax($1::text::pg_snapshot)
      and written_in < pg_snapshot_xmax(pg_current_snapshot())
    union all
    select *
    from changes
    where written_in = any (array(select pg_snapshot_xip($1::text::pg_snapshot)))
    limit 20001
  ),
  size as (select count(*) as rows, coalesce(sum(cardinality(merchant_ids)), 0) as changes from unseen),
  named as (
    select
      change_id, written_in::text as "writtenIn", kind, merchant_ids as "merchantIds", ids, versions, events, states,
      null::bigint as count
    from unseen, size
    where size.changes <= $2
    union all
    select
      null, null, case kind when 'refused_payment' then 'order' else kind end, array[merchant_id], null, null, null,
      null, sum(count)::bigint
    from (
      select kind, merchant_id, count(*) as count
      from (
        select kind, unnest(merchant_ids) as merchant_id
        from size, unseen
        where size.changes > $2 and size.rows <= 20000
      ) as one_by_one
      group by kind, merchant_id
    ) as counted
    group by 3, 4
  )
select
  pg_current_snapshot()::text as now,
  size.rows > 20000
    or exists (
      select
      from change_readers
      where
        reader = 'deleted'
        and cluster = $3
        and (
          pg_snapshot_xmax(position) > pg_snapshot_xmax($1::text::pg_snapshot)
          or exists (
            select
            from pg_snapshot_xip($1::text::pg_snapshot) as missing
            where pg_visible_in_snapshot(missing, position)
          )
        )
    ) as "isTooOld",
  named.*
from size left join named on true
order by change_id;

-- events.read_place
select pg_current_snapshot()::text as position, (select system_identifier::text from pg_control_system()) as cluster;

-- events.take_changes
select pg_current_snapshot()::text as now, unseen.*
from
  (select) as once
  left join (
    select written_in::text as "writtenIn", merchant_ids as "merchantIds", ids, versions, events
    from (
      select *
      from changes
      where
        written_in >= pg_snapshot_xmax($1::text::pg_snapshot)
        and written_in < pg_snapshot_xmax(pg_current_snapshot())
      union all
      select *
      from changes
      where written_in = any (array(select pg_snapshot_xip($1::text::pg_snapshot)))
    ) as unseen
    where events && $2::text[]
    order by written_in fetch first $3 rows with ties
  ) as unseen on true;

-- events.wait_for_reader
select pg_advisory_xact_lock(hashtext('change reader'), hashtext($1));

-- exports.add_part
with mine as (
  update exports
  set
    bytes = bytes + $4, stored_bytes = stored_bytes + length($5::bytea), rows_total = $6, rows_written = $7,
    leased_until = $8
  where export_id = $1 and tries = $2 and state = 'writing'
  returning export_id
)
insert into export_parts (export_id, first_byte, packed)
select export_id, $3, $5
from mine
returning
  (select coalesce(sum(stored_bytes), 0) from exports)::bigint as stored,
  (select coalesce(sum(stored_bytes), 0) from exports where bound_to = $9)::bigint as "storedOfMerchant";

-- exports.claim
update exports e
set
  state = 'writing', tries = tries + 1, leased_until = $2, rows_total = null, rows_written = 0, bytes = 0,
  stored_bytes = 0
where export_id = (
  select w.export_id
  from exports w
  where w.state in ('waiting', 'writing') and (w.leased_until is null or w.leased_until < $1)
  order by
    (
      select count(*)
      from exports o
      where o.tries > 0 and coalesce(o.bound_to, o.actor) = coalesce(w.bound_to, w.actor)
    ),
    w.made_at
  limit 1
  for update skip locked
)
returning
  e.export_id as "exportId", e.actor, e.merchant_id as "merchantId", e.bound_to as "boundTo", e.list, e.format,
  e.filter, e.zone, e.state, e.made_at as "madeAt", e.tries, e.rows_total as "rowsTotal",
  e.rows_written as "rowsWritten", e.bytes, e.trailer, e.failure, e.ended_at as "endedAt";

-- exports.delete
delete from exports where export_id = $1 and actor = $2 returning export_id;

-- exports.end
update exports
set
  state = $3, trailer = $4::jsonb, failure = $5, ended_at = $6,
  rows_written = coalesce(($4::jsonb ->> 'rows')::bigint, rows_written)
where export_id = $1 and tries = $2 and state = 'writing';

-- exports.forget_parts
delete from export_parts where export_id = $1;

-- exports.insert
insert into exports as e (export_id, actor, merchant_id, list, format, filter, zone, made_at, bound_to)
values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9)
returning
  e.export_id as "exportId", e.actor, e.merchant_id as "merchantId", e.bound_to as "boundTo", e.list, e.format,
  e.filter, e.zone, e.state, e.made_at as "madeAt", e.tries, e.rows_total as "rowsTotal",
  e.rows_written as "rowsWritten", e.bytes, e.trailer, e.failure, e.ended_at as "endedAt";

-- exports.list
select
  e.export_id as "exportId", e.actor, e.merchant_id as "merchantId", e.bound_to as "boundTo", e.list, e.format,
  e.filter, e.zone, e.state, e.made_at as "madeAt", e.tries, e.rows_total as "rowsTotal",
  e.rows_written as "rowsWritten", e.bytes, e.trailer, e.failure, e.ended_at as "endedAt"
from exports e
where
  actor = $1
  and list = any ($2::text[])
  and ($3::text is null or merchant_id = $3)
  and ($4::timestamptz is null or (made_at, export_id) < ($4, $5::text collate "C"))
order by made_at desc, export_id desc
limit $6;

-- exports.lock_asking
select pg_advisory_xact_lock(4120967331);

-- exports.part
select first_byte as "firstByte", packed
from export_parts
where export_id = $1 and first_byte <= $2
order by first_byte desc
limit 1;

-- exports.prune
delete from exports where ended_at <= $1;

-- exports.read
select
  e.export_id as "exportId", e.actor, e.merchant_id as "merchantId", e.bound_to as "boundTo", e.list, e.format,
  e.filter, e.zone, e.state, e.made_at as "madeAt", e.tries, e.rows_total as "rowsTotal",
  e.rows_written as "rowsWritten", e.bytes, e.trailer, e.failure, e.ended_at as "endedAt"
from exports e
where export_id = $1 and actor = $2;

-- exports.used
select
  count(*) filter (where is_open) as open, count(*) filter (where is_open and actor = $1) as "openOfActor",
  count(*) filter (where is_open and bound_to = $2) as "openOfMerchant",
  coalesce(sum(stored_bytes), 0)::bigint as stored,
  coalesce(sum(stored_bytes) filter (where bound_to = $2), 0)::bigint as "storedOfMerchant"
from (select *, state in ('waiting', 'writing') as is_open from exports) e;

-- figures.add
insert into figures as kept (merchant_id, hour, event, currency, source, step, count, amount_minor, seconds)
select *
from unnest(
  $1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::bigint[], $8::numeric[],
  $9::numeric[]
) as k (merchant_id, hour, event, currency, source, step, count, amount_minor, seconds)
order by 1, 2, 3, 4, 5, 6
on conflict (merchant_id, hour, event, currency, source, step) do update
set
  count = kept.count + excluded.count, amount_minor = kept.amount_minor + excluded.amount_minor,
  seconds = kept.seconds + excluded.seconds;

-- figures.forget
delete from figures where event = any ($1::text[]) and hour >= $2;

-- figures.read
select
  date_trunc($3, hour, $4) as start, event, currency, step, sum(count)::bigint as count,
  sum(amount_minor)::text as "amountMinor", sum(seconds)::text as seconds
from figures
where hour >= $1 and hour < $2 and ($5::text is null or merchant_id = $5) and ($6::text is null or source = $6)
group by 1, 2, 3, 4
order by 1, 2, 3, 4;

-- figures.select_all
select
  merchant_id as "merchantId", hour, event, currency, source, step, count, amount_minor::text as "amountMinor",
  seconds::text as seconds
from figures
where event = any ($1::text[]) and hour >= $2
order by merchant_id;

-- kit.await_master_key_holders
select pg_advisory_xact_lock(7228325002);

-- kit.count_service_secrets
select master_key_id as "masterKeyId", count(*) as secrets from service_secrets group by master_key_id;

-- kit.delete_ended_service_keys
delete from service_secrets where name = $1 and expires_at <= $2;

-- kit.end_earlier_service_keys
update service_secrets set expires_at = least(expires_at, $2) where name = $1;

-- kit.hold_master_key
select pg_advisory_xact_lock_shared(7228325002);

-- kit.insert_service_key
insert into service_secrets (name, generation, master_key_id, sealed, created_at, starts_at)
values ($1, $2, $3, $4, $5, $6)
on conflict (name, generation) do nothing;

-- kit.list_service_keys
select name as key, generation, created_at as "createdAt", starts_at as "startsAt", expires_at as "expiresAt"
from service_secrets
where expires_at is null or expires_at > $1
order by name, generation desc;

-- kit.newest_service_key
select max(generation) as newest from service_secrets where name = $1;

-- kit.reseal_service_secret
update service_secrets set master_key_id = $1, sealed = $2 where name = $3 and generation = $4;

-- kit.select_service_keys
select name, generation, master_key_id as "masterKeyId", sealed, starts_at as "startsAt", expires_at as "expiresAt"
from service_secrets
where name = any($1::text[])
order by name, generation desc;

-- kit.select_service_secrets_under_other_keys
select name, generation, master_key_id as "masterKeyId", sealed
from service_secrets
where master_key_id <> $1 and (name, generation) > ($3, $4)
order by name, generation
limit $2
for update;

-- kit.take_turn_to_rotate
select pg_advisory_xact_lock(7228325004);

-- ledger.balance_of_merchant
select
  currency, coalesce(sum(balance_minor) filter (where account = 'available'), 0)::bigint as "availableMinor",
  coalesce(sum(balance_minor) filter (where account = 'reserved'), 0)::bigint as "reservedMinor",
  coalesce(sum(balance_minor) filter (where account = 'collected'), 0)::bigint as "collectedMinor"
from ledger_balances
where merchant_id = $1 and account in ('available', 'reserved', 'collected')
group by currency
order by currency;

-- ledger.balances_by_account
select account, currency, sum(balance_minor)::text as balance
from ledger_balances
where
  ($1::text is null or merchant_id = $1)
  and ($2::text is null or account = $2)
  and (not $3::boolean or account like 'service:%')
group by account, currency
order by account, currency;

-- ledger.day
with
  start as (
    select account, currency, sum(amount_minor) as amount
    from (
      select account, currency, amount_minor
      from ledger_days
      where merchant_id = $1 and day < $4::date
      union all
      select account, currency, amount_minor
      from ledger_entries
      where
        merchant_id = $1
        and posted_at >= (select least(summed_to, $5::timestamptz) from ledger_summed)
        and posted_at < $2
    ) as earlier
    group by account, currency
  ),
  moved as (
    select
      account, currency, kind, count(*) filter (where line = 1) as transactions, count(*) as parts,
      sum(amount_minor) as amount
    from ledger_entries
    where merchant_id = $1 and posted_at >= $2 and posted_at < $3
    group by account, currency, kind
  )
select
  account, currency, balance_minor as balance, coalesce(start.amount, 0)::text as start, kind,
  coalesce(transactions, 0) as transactions, coalesce(parts, 0) as parts, coalesce(moved.amount, 0)::text as "ofDay",
  not exists (select from ledger_entries where merchant_id = $1 and posted_at >= $3) as "isLast"
from ledger_balances left join start using (account, currency) left join moved using (account, currency)
where merchant_id = $1
order by currency, account, kind;

-- ledger.empty_days
update ledger_days d
set amount_minor = 0
from (select distinct merchant_id from ledger_balances) as merchant
where d.merchant_id = merchant.merchant_id and d.day >= $1::date;

-- ledger.entries
select
  merchant_id as "merchantId", transaction_id as "transactionId", line, kind, account, currency,
  amount_minor as "amountMinor", posted_at as "postedAt", reason
from ledger_entries
where
  ($1::text is null or account = $1)
  and ($2::text is null or transaction_id = $2)
  and ($3::text is null or currency = $3)
  and ($4::timestamptz is null or posted_at >= $4)
  and ($5::timestamptz is null or posted_at < $5)
  and (
    $6::timestamptz is null
    or posted_at <= $6
      and (
        posted_at < $6
        or merchant_id > $7
        or merchant_id = $7 and (transaction_id < $8 or transaction_id = $8 and line > $9)
      )
  )
order by posted_at desc, merchant_id, transaction_id desc, line
limit $10;

-- ledger.entries_about
select
  merchant_id as "merchantId", transaction_id as "transactionId", line, kind, account, currency,
  amount_minor as "amountMinor", posted_at as "postedAt", reason
from ledger_entries
where merchant_id = $1 and transaction_id > $2 and transaction_id < $3
order by posted_at, transaction_id, line;

-- ledger.entries_of_merchant
select
  merchant_id as "merchantId", transaction_id as "transactionId", line, kind, account, currency,
  amount_minor as "amountMinor", posted_at as "postedAt", reason
from ledger_entries
where
  ($1::text is null or account = $1)
  and ($2::text is null or transaction_id = $2)
  and ($3::text is null or currency = $3)
  and ($4::timestamptz is null or posted_at >= $4)
  and ($5::timestamptz is null or posted_at < $5)
  and (
    $6::timestamptz is null
    or posted_at <= $6
      and (
        posted_at < $6
        or merchant_id > $7
        or merchant_id = $7 and (transaction_id < $8 or transaction_id = $8 and line > $9)
      )
  )
  and merchant_id = $11
order by posted_at desc, merchant_id, transaction_id desc, line
limit $10;

-- ledger.equal_top_up
select 1
from ledger_entries
where
  merchant_id = $1
  and account = 'available'
  and kind = 'top_up'
  and currency = $2
  and amount_minor = $3
  and posted_at >= $4
limit 1;

-- ledger.fees_in_force
select
  wanted.merchant_id as "merchantId", wanted.operation_kind as kind, wanted.currency,
  newest.percent_ppm as "percentPpm", newest.fixed_minor as "fixedMinor", newest.tax_ppm as "taxPpm"
from
  unnest($1::text[], $2::text[], $3::text[]) as wanted (merchant_id, operation_kind, currency)
  cross join lateral (
    select percent_ppm, fixed_minor, tax_ppm
    from merchant_fees as fee
    where
      fee.merchant_id = wanted.merchant_id
      and fee.operation_kind = wanted.operation_kind
      and fee.currency = wanted.currency
    order by fee_id desc
    limit 1
  ) as newest;

-- ledger.funds_by_day
select false as "isRest", greatest(day, $2::date) as day, account, currency, sum(amount_minor)::text as amount
from (
  select day, account, currency, amount_minor
  from ledger_days
  where merchant_id = $1 and day <= $3::date and account in ('available', 'reserved', 'collected')
  union all
  select (posted_at at time zone 'UTC')::date, account, currency, amount_minor
  from ledger_entries
  where
    merchant_id = $1
    and posted_at >= (select summed_to from ledger_summed)
    and posted_at < $4
    and account in ('available', 'reserved', 'collected')
) as moved
group by 2, 3, 4
union all
select true, rest.day, account, currency, sum(amount_minor)::text
from
  unnest($5::date[], $6::timestamptz[], $7::timestamptz[]) as rest (day, since, until)
  join ledger_entries on merchant_id = $1 and posted_at >= since and posted_at < until
where account in ('available', 'reserved', 'collected')
group by 2, 3, 4
order by currency, day;

-- ledger.has_account
select from ledger_balances where merchant_id = $1 and account = $2 and currency = $3;

-- ledger.insert_entries
insert into ledger_entries (
  merchant_id, transaction_id, line, kind, account, currency, amount_minor, posted_at, reason
)
select *
from unnest(
  $1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::timestamptz[],
  $9::text[]
);

-- ledger.list_fees
select
  merchant_id as "merchantId", operation_kind as kind, currency, percent_ppm as "percentPpm",
  fixed_minor as "fixedMinor", tax_ppm as "taxPpm", set_at as since,
  lead(set_at) over (partition by operation_kind, currency order by fee_id) as until
from merchant_fees
where merchant_id = $1
order by operation_kind, currency, fee_id desc;

-- ledger.lock_free_funds
select wanted.merchant_id as "merchantId", wanted.currency, named.account, locked."balanceMinor"
from
  unnest($1::text[], $2::text[]) as wanted (merchant_id, currency)
  cross join (values ('available'), ('reserved')) as named (account)
  left join lateral (
    select b.balance_minor as "balanceMinor"
    from ledger_balances b
    where b.merchant_id = wanted.merchant_id and b.account = named.account and b.currency = wanted.currency
    order by b.changed_in desc
    limit 1
    for no key update skip locked
  ) as locked on true
where
  locked."balanceMinor" is not null
  or (
    select true
    from ledger_balances b
    where b.merchant_id = wanted.merchant_id and b.account = named.account and b.currency = wanted.currency
    order by b.changed_in desc
    limit 1
  );

-- ledger.lock_free_funds_of
select distinct wanted.merchant_id as "merchantId"
from
  unnest($1::text[]) as wanted (merchant_id)
  cross join lateral (
    with recursive fund (currency) as (
      (
        select b.currency
        from ledger_balances b
        where b.merchant_id = wanted.merchant_id and b.account = 'available'
        order by b.currency desc
        limit 1
      )
      union all
      select (
        select b.currency
        from ledger_balances b
        where b.merchant_id = wanted.merchant_id and b.account = 'available' and b.currency < fund.currency
        order by b.currency desc
        limit 1
      )
      from fund
      where fund.currency is not null
    )
    select currency
    from fund
    where currency is not null
  ) as fund
  cross join (values ('available'), ('reserved')) as named (account)
  left join lateral (
    select true as is_free
    from ledger_balances b
    where b.merchant_id = wanted.merchant_id and b.account = named.account and b.currency = fund.currency
    order by b.changed_in desc
    limit 1
    for no key update skip locked
  ) as locked on true
where
  case
  when locked.is_free is null then (
    select true
    from ledger_balances b
    where b.merchant_id = wanted.merchant_id and b.account = named.account and b.currency = fund.currency
    order by b.changed_in desc
    limit 1
  ) end;

-- ledger.lock_funds
select wanted.merchant_id as "merchantId", wanted.currency, locked."balanceMinor"
from
  (
    select *
    from unnest($1::text[], $2::text[]) as wanted (merchant_id, currency)
    order by merchant_id collate "C", currency collate "C"
  ) as wanted
  cross join lateral (
    select b.balance_minor as "balanceMinor"
    from ledger_balances b
    where b.merchant_id = wanted.merchant_id and b.account = 'available' and b.currency = wanted.currency
    order by b.changed_in desc
    limit 1
    for no key update
  ) as locked;

-- ledger.move_summed
update ledger_summed set summed_to = $1;

-- ledger.movements
select
  transaction_id as "transactionId", kind, currency, amount_minor as "amountMinor", posted_at as "postedAt", reason
from ledger_entries
where merchant_id = $1 and account = 'available' and posted_at >= $2 and posted_at < $3
order by posted_at desc, transaction_id desc
limit $4
offset $5;

-- ledger.movements_of_kinds
select
  transaction_id as "transactionId", kind, currency, amount_minor as "amountMinor", posted_at as "postedAt", reason
from ledger_entries
where merchant_id = $1 and account = 'available' and posted_at >= $2 and posted_at < $3 and kind = any($6::text[])
order by posted_at desc, transaction_id desc
limit $4
offset $5;

-- ledger.next_to_sum
select min(next.posted_at) as "postedAt"
from
  (select distinct merchant_id from ledger_balances) as merchant
  cross join lateral (
    select posted_at
    from ledger_entries e
    where e.merchant_id = merchant.merchant_id and posted_at >= $1
    order by posted_at
    limit 1
  ) as next;

-- ledger.set_fees
insert into merchant_fees (merchant_id, operation_kind, currency, percent_ppm, fixed_minor, tax_ppm, set_at)
values ($1, $2, $3, $4, $5, $6, $7);

-- ledger.sum_span
insert into ledger_days as kept (merchant_id, day, account, currency, amount_minor)
select merchant_id, $3::date, account, currency, sum(amount_minor)
from ledger_entries
where posted_at >= $1 and posted_at < $2
group by merchant_id, account, currency
on conflict (merchant_id, day, account, currency) do update
set amount_minor = kept.amount_minor + excluded.amount_minor;

-- ledger.summed_to
select summed_to as "summedTo" from ledger_summed for update skip locked;

-- ledger.take_turn_to_top_up
select pg_advisory_xact_lock(hashtext($1), hashtext($2));

-- ledger.top_up_posted_before
select currency, amount_minor as "amountMinor"
from ledger_entries
where merchant_id = $1 and transaction_id = $2 and account = 'available';

-- ledger.verify_balances
select
  merchant_id as "merchantId", account || ' ' || currency as id,
  'keeps '
    || coalesce(balance_minor, 0) || ' but its entries add up to ' || coalesce(added, 0)
    || ' in minor units' as problem
from
  ledger_balances full
  join (
    select merchant_id, account, currency, sum(amount_minor) as added
    from ledger_entries
    group by merchant_id, account, currency
  ) as entries using (merchant_id, account, currency)
where coalesce(balance_minor, 0) <> coalesce(added, 0)
limit 1;

-- ledger.verify_by_hand
select
  merchant_id as "merchantId", transaction_id as "transactionId", account, amount_minor as "amountMinor", currency,
  posted_at as "postedAt", reason
from ledger_entries
where kind in ('top_up', 'adjustment') and account not like 'service:%'
order by merchant_id collate "C", transaction_id;

-- ledger.verify_count
select count(*) as count from ledger_entries where line = 1 and kind like $1;

-- ledger.verify_days
select
  merchant_id as "merchantId", account || ' ' || currency || ' on ' || day as id,
  'is kept as '
    || coalesce(amount_minor, 0) || ' but the entries add up to ' || coalesce(added, 0) || ' in minor units' as problem
from
  ledger_days full
  join (
    select merchant_id, (posted_at at time zone 'UTC')::date as day, account, currency, sum(amount_minor) as added
    from ledger_entries
    where posted_at < (select summed_to from ledger_summed)
    group by 1, 2, 3, 4
  ) as entries using (merchant_id, day, account, currency)
where coalesce(amount_minor, 0) <> coalesce(added, 0)
limit 1;

-- ledger.verify_entries_of
select
  entry.merchant_id as "merchantId", entry.transaction_id as "transactionId", entry.kind, entry.account,
  entry.currency, entry.amount_minor as "amountMinor", entry.posted_at as "postedAt", entry.reason
from
  unnest($1::text[], $2::text[]) as wanted (merchant_id, subject)
  cross join lateral (
    select *
    from ledger_entries as of_subject
    where
      of_subject.merchant_id = wanted.merchant_id
      and of_subject.transaction_id >= wanted.subject || '/'
      and of_subject.transaction_id < wanted.subject || '0'
    offset 0
  ) as entry;

-- ledger.verify_funds
select
  merchant_id as "merchantId", account || ' ' || currency as id,
  'is below zero: ' || balance_minor || ' in minor units' as problem
from ledger_balances
where account in ('available', 'reserved') and balance_minor < 0
limit 1;

-- ledger.verify_sums
select
  merchant_id as "merchantId", transaction_id as id,
  'is off by ' || sum(amount_minor) || ' ' || currency || ' in minor units' as problem
from ledger_entries
group by merchant_id, transaction_id, currency
having sum(amount_minor) <> 0
limit 1;

-- ledger.verify_transactions
select
  merchant_id as "merchantId", transaction_id as id,
  'has entries of several times, kinds or reasons, or numbers that are missing' as problem
from ledger_entries
group by merchant_id, transaction_id
having min(line) <> 1 or max(line) <> count(*) or count(distinct (posted_at, kind, reason)) <> 1
limit 1;

-- main.has_mode
select to_regclass('database_mode') is not null as known;

-- main.learn_mode
insert into database_mode (mode) values ($1) on conflict do nothing;

-- main.read_mode
select mode from database_mode;

-- merchants.count_secrets
select master_key_id as "masterKeyId", count(*) as secrets from merchant_secrets group by master_key_id;

-- merchants.delete_ended_secrets
delete from merchant_secrets where merchant_id = $1 and kind = $2 and expires_at <= $3;

-- merchants.disable
update merchants set disabled_at = coalesce(disabled_at, $2) where merchant_id = $1 returning merchant_id;

-- merchants.enable
update merchants set disabled_at = null where merchant_id = $1 returning merchant_id;

-- merchants.end_earlier_secrets
update merchant_secrets set expires_at = least(expires_at, $3) where merchant_id = $1 and kind = $2;

-- merchants.find_former_secret
select 1 from former_secrets where merchant_id = $1 and kind = $2 and digest = $3;

-- merchants.freeze
update merchants set frozen_at = coalesce(frozen_at, $2) where merchant_id = $1 returning merchant_id;

-- merchants.insert
insert into merchants (merchant_id, name, country, language, currencies, created_at, notice_url)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (merchant_id) do nothing
returning merchant_id;

-- merchants.insert_secret
insert into merchant_secrets (merchant_id, kind, generation, master_key_id, sealed, created_at)
values ($1, $2, $3, $4, $5, $6);

-- merchants.list
select
  merchant_id as merchant, name, country, language, currencies, contact, notice_url as "noticeUrl",
  created_at as "createdAt", disabled_at as "disabledAt", frozen_at as "frozenAt", signing,
  replay_guard as "guardsReplays", strict_amounts as "strictAmounts", letter_documents as "letterDocuments",
  update_notices as "reportsUpdates", empty_emails as "emptyEmails", open_amounts as "openAmounts",
  notice_checksum as "noticeChecksum", return_url as "returnUrl", limits
from merchants
order by merchant_id;

-- merchants.lock
select merchant_id from merchants where merchant_id = $1 for no key update;

-- merchants.lock_secrets
select generation, expires_at as "expiresAt", master_key_id as "masterKeyId", sealed
from merchant_secrets
where merchant_id = $1 and kind = $2
order by generation
for update;

-- merchants.notify_change
select pg_notify('merchant_changed', $1);

-- merchants.page
select
  merchant_id as merchant, name, country, language, currencies, contact, notice_url as "noticeUrl",
  created_at as "createdAt", disabled_at as "disabledAt", frozen_at as "frozenAt", signing,
  replay_guard as "guardsReplays", strict_amounts as "strictAmounts", letter_documents as "letterDocuments",
  update_notices as "reportsUpdates", empty_emails as "emptyEmails", open_amounts as "openAmounts",
  notice_checksum as "noticeChecksum", return_url as "returnUrl", limits
from merchants
where ($1::text is null or merchant_id = $1) and merchant_id > $2
order by merchant_id
limit $3;

-- merchants.read_country
select country from merchants where merchant_id = $1 for no key update;

-- merchants.read_currencies
select currencies from merchants where merchant_id = $1 for no key update;

-- merchants.read_fixed_hash_starts
select merchant_id as "merchantId", min(created_at) as since
from merchant_secrets
where kind = 'fixed' and (expires_at is null or expires_at > $1)
group by merchant_id
having min(generation) > 1;

-- merchants.record_former_secrets
insert into former_secrets (merchant_id, kind, digest)
select $1, $2, digest
from unnest($3::bytea[]) as digest
order by digest
on conflict do nothing;

-- merchants.reseal_secret
update merchant_secrets set master_key_id = $1, sealed = $2 where merchant_id = $3 and kind = $4 and generation = $5;

-- merchants.select
select
  m.merchant_id as "merchantId", name, country, language, currencies, disabled_at as "disabledAt",
  frozen_at as "frozenAt", signing, replay_guard as "guardsReplays", strict_amounts as "strictAmounts",
  letter_documents as "letterDocuments", update_notices as "reportsUpdates", empty_emails as "emptyEmails",
  open_amounts as "openAmounts", return_url as "returnUrl", limits, kind, generation, master_key_id as "masterKeyId",
  sealed, expires_at as "expiresAt"
from merchants m join merchant_secrets s on s.merchant_id = m.merchant_id and kind in ('fixed', 'signing')
where m.merchant_id = $1
order by generation desc;

-- merchants.select_all_countries
select distinct country from merchants;

-- merchants.select_countries
select merchant_id as "merchantId", country from merchants where merchant_id = any ($1::text[]);

-- merchants.select_facts
select
  name, country, language, currencies, contact, notice_url as "noticeUrl", disabled_at as "disabledAt",
  frozen_at as "frozenAt", signing, replay_guard as "guardsReplays", strict_amounts as "strictAmounts",
  letter_documents as "letterDocuments", update_notices as "reportsUpdates", empty_emails as "emptyEmails",
  notice_checksum as "noticeChecksum", open_amounts as "openAmounts", return_url as "returnUrl", limits,
  (
    select jsonb_agg(jsonb_build_array(kind, generation, expires_at) order by kind, generation)
    from merchant_secrets s
    where s.merchant_id = m.merchant_id
  ) as secrets
from merchants m
where merchant_id = $1
for no key update;

-- merchants.select_notice_signers
select
  m.merchant_id as "merchantId", notice_url as url, notice_checksum as algorithm, generation,
  master_key_id as "masterKeyId", sealed
from
  merchants m
  cross join lateral (
    select generation, master_key_id, sealed
    from merchant_secrets s
    where s.merchant_id = m.merchant_id and kind = 'notice' and (expires_at is null or expires_at > $2)
  ) s
where m.merchant_id = any($1::text[])
order by generation;

-- merchants.select_page
select
  m.merchant_id as "merchantId", name, country, language, currencies, disabled_at as "disabledAt",
  frozen_at as "frozenAt", signing, replay_guard as "guardsReplays", strict_amounts as "strictAmounts",
  letter_documents as "letterDocuments", update_notices as "reportsUpdates", empty_emails as "emptyEmails",
  open_amounts as "openAmounts", return_url as "returnUrl", limits, kind, generation, master_key_id as "masterKeyId",
  sealed, expires_at as "expiresAt"
from
  (
    select
      merchant_id, name, country, language, currencies, disabled_at, frozen_at, signing, replay_guard, strict_amounts,
      letter_documents, update_notices, empty_emails, open_amounts, return_url, limits
    from merchants
    where merchant_id > $1
    order by merchant_id
    limit 1000
  ) m
  cross join lateral (
    select kind, generation, master_key_id, sealed, expires_at
    from merchant_secrets s
    where s.merchant_id = m.merchant_id and kind in ('fixed', 'signing')
    order by generation desc
  ) s
order by m.merchant_id, generation desc;

-- merchants.select_secrets_under_other_keys
select merchant_id as "merchantId", kind, generation, master_key_id as "masterKeyId", sealed
from merchant_secrets
where master_key_id <> $1 and (merchant_id, kind, generation) > ($3, $4, $5)
order by merchant_id, kind, generation
limit $2
for update;

-- merchants.set_empty_emails
update merchants set empty_emails = $2 where merchant_id = $1 returning merchant_id;

-- merchants.set_letter_documents
update merchants set letter_documents = $2 where merchant_id = $1 returning merchant_id;

-- merchants.set_limits
update merchants set limits = $2::jsonb where merchant_id = $1 returning merchant_id;

-- merchants.set_notice_checksum
update merchants set notice_checksum = $2 where merchant_id = $1 returning merchant_id;

-- merchants.set_notice_url
update merchants set notice_url = $2 where merchant_id = $1 returning merchant_id;

-- merchants.set_open_amounts
update merchants set open_amounts = $2::jsonb where merchant_id = $1;

-- merchants.set_replay_guard
update merchants set replay_guard = $2 where merchant_id = $1 returning merchant_id;

-- merchants.set_return_url
update merchants set return_url = $2 where merchant_id = $1 returning merchant_id;

-- merchants.set_signing
update merchants m
set signing = $2
where merchant_id = $1
returning exists (
  select from merchant_secrets s where s.merchant_id = m.merchant_id and kind = 'signing'
) as "hasSecret";

-- merchants.set_strict_amounts
update merchants set strict_amounts = $2 where merchant_id = $1 returning merchant_id;

-- merchants.set_terms
update merchants
set
  name = coalesce($2, name), language = coalesce($3, language), currencies = coalesce($4::text[], currencies),
  contact = case when $5 then $6 else contact end
where merchant_id = $1
returning name, country, language, currencies, contact;

-- merchants.set_update_notices
update merchants set update_notices = $2 where merchant_id = $1 returning merchant_id;

-- merchants.show
select
  merchant_id as merchant, name, country, language, currencies, contact, notice_url as "noticeUrl",
  created_at as "createdAt", disabled_at as "disabledAt", frozen_at as "frozenAt", signing,
  replay_guard as "guardsReplays", strict_amounts as "strictAmounts", letter_documents as "letterDocuments",
  update_notices as "reportsUpdates", empty_emails as "emptyEmails", open_amounts as "openAmounts",
  notice_checksum as "noticeChecksum", return_url as "returnUrl", limits
from merchants
where merchant_id = $1;

-- merchants.show_secrets
select created_at as "createdAt", expires_at as "validUntil"
from merchant_secrets
where merchant_id = $1 and kind = $2 and (expires_at is null or expires_at > $3)
order by generation desc;

-- merchants.thaw
update merchants set frozen_at = null where merchant_id = $1 returning merchant_id;

-- messages.claim
with due as (
  select merchant_id, subject_id, message_id
  from messages
  where channel = $1 and state = 'pending' and due_at <= $2
  order by due_at
  limit $4
  for update skip locked
)
update messages m
set attempts = m.attempts + 1, due_at = $3
from due
where m.merchant_id = due.merchant_id and m.subject_id = due.subject_id and m.message_id = due.message_id
returning
  m.merchant_id as "merchantId", m.subject_id as "subjectId", m.message_id as "messageId", m.kind, m.channel, m.sealed,
  m.attempts, m.problem, m.created_at as "createdAt", m.gives_up_at as "givesUpAt",
  m.kind = 'one_time_password'
    and exists (
      select
      from messages newer
      where
        newer.merchant_id = m.merchant_id
        and newer.subject_id = m.subject_id
        and newer.kind = m.kind
        and newer.message_id > m.message_id
    ) as "isSuperseded";

-- messages.count
select channel, kind, state, problem, count(*) as messages, max(created_at) as "newestAt"
from messages
where not $1 or state = 'given_up' or (state = 'pending' and problem is not null)
group by channel, kind, state, problem
order by channel, kind, state, problem;

-- messages.count_recipients
update message_recipients m
set sent_at = m.sent_at || array_fill($3::timestamptz, array[k.more]), last_at = $3
from unnest($1::bytea[], $2::integer[]) as k (recipient, more)
where m.recipient = k.recipient;

-- messages.count_states
select
  o.state as state, '' as currency, count(*) filter (where o.fits) as count, 0::text as "amountMinor",
  count(*) as walked
from (
  select o.*, ($1::text is null or o.subject_id = $1::text) as fits
  from (
    select o.*
    from
      (select) as k
      cross join lateral (
        select o.*
        from messages as o
        where
          true
          and o.created_at >= coalesce($2::timestamptz, '-infinity')
          and o.created_at < coalesce($3::timestamptz, 'infinity')
        order by o.created_at desc, o.message_id desc
        limit $4::bigint
      ) as o
    limit $4::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- messages.count_states_of_merchant
select
  o.state as state, '' as currency, count(*) filter (where o.fits) as count, 0::text as "amountMinor",
  count(*) as walked
from (
  select o.*, ($1::text is null or o.subject_id = $1::text) as fits
  from (
    select o.*
    from
      (select) as k
      cross join lateral (
        select o.*
        from messages as o
        where
          o.merchant_id = $2::text
          and o.created_at >= coalesce($3::timestamptz, '-infinity')
          and o.created_at < coalesce($4::timestamptz, 'infinity')
        order by o.created_at desc, o.message_id desc
        limit $5::bigint
      ) as o
    limit $5::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- messages.due_now
update messages
set due_at = $4
where merchant_id = $1 and subject_id = $2 and message_id = $3 and state = 'pending' and due_at > $5
returning message_id as "messageId";

-- messages.erase
update messages m
set
  sealed = null, ended_at = coalesce(m.ended_at, m.due_at),
  state = case when m.state = 'pending' then 'given_up' else m.state end,
  problem = case when m.state = 'pending' then 'erased' else m.problem end
from unnest($2::text[], $3::text[]) as k (merchant_id, subject_id)
where
  m.merchant_id = k.merchant_id
  and m.subject_id = k.subject_id
  and m.kind = any ($1::text[])
  and m.sealed is not null;

-- messages.find_waiting
select merchant_id as "merchantId", subject_id as "subjectId"
from messages
where message_id = $1 and state = 'pending' and ($2::text is null or merchant_id = $2);

-- messages.forget_recipients
delete from message_recipients
where recipient in (
  select recipient from message_recipients where last_at <= $1 order by last_at limit $2 for update skip locked
)
returning 1;

-- messages.hold_recipients
insert into message_recipients as kept (recipient, sent_at, last_at)
select distinct recipient, '{}'::timestamptz[], $2::timestamptz
from unnest($1::bytea[]) as k (recipient)
order by recipient
on conflict (recipient) do update
set sent_at = array(select at from unnest(kept.sent_at) as at where at > $3)
returning recipient, cardinality(sent_at) as sent;

-- messages.insert
insert into messages (merchant_id, subject_id, kind, channel, state, sealed, created_at, due_at, gives_up_at, ended_at)
select
  merchant_id, subject_id, kind, channel, state, sealed, created_at, created_at,
  gives_up_at, case when state = 'kept' then created_at end
from unnest(
  $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::timestamptz[], $8::timestamptz[]
) as new (merchant_id, subject_id, kind, channel, state, sealed, created_at, gives_up_at);

-- messages.list
select
  merchant_id as "merchantId", subject_id as "subjectId", message_id as "messageId", kind, channel, state, attempts,
  problem, sealed, created_at as "createdAt", ended_at as "endedAt"
from messages
where
  ($2::text is null or merchant_id = $2)
  and ($3::text is null or subject_id = $3)
  and ($4::bigint is null or message_id = $4)
  and ($5::timestamptz is null or (created_at, message_id) < ($5, $6::bigint))
order by created_at desc, message_id desc
limit $1;

-- messages.list_states
select
  merchant_id as "merchantId", subject_id as "subjectId", message_id as "messageId", kind, channel, state, attempts,
  problem, created_at as "createdAt", ended_at as "endedAt"
from messages
where
  ($2::text is null or subject_id = $2)
  and ($3::text is null or state = $3)
  and ($4::timestamptz is null or (created_at, message_id) < ($4, $5::bigint))
  and created_at >= coalesce($6::timestamptz, '-infinity')
  and created_at < coalesce($7::timestamptz, 'infinity')
order by created_at desc, message_id desc
limit $1;

-- messages.list_states_of_merchant
select
  merchant_id as "merchantId", subject_id as "subjectId", message_id as "messageId", kind, channel, state, attempts,
  problem, created_at as "createdAt", ended_at as "endedAt"
from messages
where
  ($2::text is null or subject_id = $2)
  and ($3::text is null or state = $3)
  and ($4::timestamptz is null or (created_at, message_id) < ($4, $5::bigint))
  and created_at >= coalesce($6::timestamptz, '-infinity')
  and created_at < coalesce($7::timestamptz, 'infinity')
  and merchant_id = $8
order by created_at desc, message_id desc
limit $1;

-- messages.prune
delete from messages m using (
  select merchant_id, subject_id, message_id
  from messages
  where created_at < $1 and state <> 'pending'
  order by created_at, message_id
  limit $2
  for update skip locked
) old
where m.merchant_id = old.merchant_id and m.subject_id = old.subject_id and m.message_id = old.message_id
returning m.message_id as "messageId";

-- messages.record
update messages m
set
  state = after.state, problem = after.problem, due_at = after.due_at, ended_at = after.ended_at,
  sealed = case when after.state = 'pending' or $9 then m.sealed end
from unnest(
  $1::text[], $2::text[], $3::bigint[], $4::integer[], $5::text[], $6::text[], $7::timestamptz[], $8::timestamptz[]
) as after (merchant_id, subject_id, message_id, attempts, state, problem, due_at, ended_at)
where
  m.merchant_id = after.merchant_id
  and m.subject_id = after.subject_id
  and m.message_id = after.message_id
  and m.attempts = after.attempts
  and m.state = 'pending';

-- migrate.has_table
select to_regclass('schema_migrations') is not null as found;

-- migrate.read_applied
select m.version, m.checksum, (to_jsonb(m) ->> 'works_from')::int as "worksFrom"
from schema_migrations m
order by m.version;

-- migrate.read_encoding
select current_setting('server_encoding') as encoding;

-- networks.count_secrets
select master_key_id as "masterKeyId", count(*) as secrets from network_secrets group by master_key_id;

-- networks.delete_ended_secrets
delete from network_secrets where network_id = $1 and expires_at <= $2;

-- networks.disable
update networks set disabled_at = coalesce(disabled_at, $2) where network_id = $1 returning network_id;

-- networks.enable
update networks set disabled_at = null where network_id = $1 returning network_id;

-- networks.end_earlier_secrets
update network_secrets set expires_at = least(expires_at, $2) where network_id = $1;

-- networks.insert
insert into networks (network_id, name, signing, created_at, countries, currencies)
values ($1, $2, 'require', $3, $4, $5)
on conflict (network_id) do nothing
returning network_id;

-- networks.insert_secret
insert into network_secrets (network_id, generation, master_key_id, sealed, created_at) values ($1, $2, $3, $4, $5);

-- networks.list
select
  n.network_id as netname, name, signing, countries, currencies, addresses, limits, n.created_at as "createdAt",
  disabled_at as "disabledAt", max(expires_at) as "earlierSecretValidUntil"
from networks n left join network_secrets s on s.network_id = n.network_id and expires_at > $1
group by n.network_id
order by n.network_id;

-- networks.lock
select network_id from networks where network_id = $1 for no key update;

-- networks.lock_secrets
select generation, expires_at as "expiresAt", master_key_id as "masterKeyId", sealed
from network_secrets
where network_id = $1
order by generation
for update;

-- networks.notify_change
select pg_notify('network_changed', $1);

-- networks.reseal_secret
update network_secrets set master_key_id = $1, sealed = $2 where network_id = $3 and generation = $4;

-- networks.select_all
select
  network_id as netname, name, signing, countries, currencies, addresses, limits, disabled_at as "disabledAt",
  generation, master_key_id as "masterKeyId", sealed, expires_at as "expiresAt"
from networks join network_secrets using (network_id)
order by network_id, generation desc;

-- networks.select_facts
select
  name, signing, countries, currencies, addresses, limits, disabled_at as "disabledAt",
  (
    select jsonb_agg(jsonb_build_array(generation, expires_at) order by generation)
    from network_secrets s
    where s.network_id = n.network_id
  ) as secrets
from networks n
where network_id = $1
for no key update;

-- networks.select_secrets_under_other_keys
select network_id as netname, generation, master_key_id as "masterKeyId", sealed
from network_secrets
where master_key_id <> $1 and (network_id, generation) > ($3, $4)
order by network_id, generation
limit $2
for update;

-- networks.set_addresses
update networks set addresses = $2 where network_id = $1 returning network_id;

-- networks.set_limits
update networks set limits = $2::jsonb where network_id = $1 returning network_id;

-- networks.set_served
update networks set countries = $2, currencies = $3 where network_id = $1 returning network_id;

-- networks.set_signing
update networks set signing = $2 where network_id = $1 returning network_id;

-- notices.attempts
select attempt, attempted_at as "attemptedAt", answer_status as "answerStatus", answer, problem
from notice_attempts
where merchant_id = $1 and notice_id = $2
order by attempt desc
limit 200;

-- notices.bounds
select min(notice_id) as first, max(notice_id) as last from notices;

-- notices.claim
with
  recursive merchant (merchant_id) as (
    (select merchant_id from notices where state = 'waiting' and merchant_id > $2 order by merchant_id limit 1)
    union all
    select next.merchant_id
    from
      merchant m
      cross join lateral (
        select merchant_id
        from notices
        where state = 'waiting' and merchant_id > m.merchant_id
        order by merchant_id
        limit 1
      ) next
  ),
  due as materialized (
    select d.merchant_id, d.notice_id
    from
      merchant m
      left join notice_endpoints e on e.merchant_id = m.merchant_id
      left join unnest($5::text[], $6::integer[]) as busy (merchant_id, notices) on busy.merchant_id = m.merchant_id
      cross join lateral (
        select n.merchant_id, n.notice_id
        from notices n
        where
          n.merchant_id = m.merchant_id
          and n.state = 'waiting'
          and n.due_at <= $1
          and (n.leased_until is null or n.leased_until <= $1)
          and not exists (
            select
            from notices earlier
            where
              earlier.merchant_id = n.merchant_id
              and earlier.kind = n.kind
              and earlier.subject_id = n.subject_id
              and earlier.notice_id < n.notice_id
              and earlier.state = 'waiting'
          )
        order by n.due_at, n.notice_id
        limit greatest(0, case when e.merchant_id is null then $4::integer else 1 end - coalesce(busy.notices, 0))
        for update skip locked
      ) d
    where e.paused_at is null or e.probe_at <= $1
    limit $3
  )
update notices n
set attempts = n.attempts + 1, attempted_at = $1, leased_until = $7
from due
where n.merchant_id = due.merchant_id and n.notice_id = due.notice_id
returning
  n.merchant_id as "merchantId", n.notice_id as "noticeId", n.kind, n.subject_id as "subjectId", n.status,
  n.amount_minor as "amountMinor", n.currency, n.po_id as "poId", n.service_order_id as "serviceOrderId", n.payment,
  n.version, n.document, n.written_at as "writtenAt", n.attempts, n.give_up_at as "giveUpAt";

-- notices.count
select
  (select count(*)::integer from notices where state = 'waiting') as caudal_notices_waiting,
  (select count(*)::integer from notice_endpoints where paused_at is not null) as caudal_notice_endpoints_paused;

-- notices.count_all_figures
select
  n.merchant_id as "merchantId",
  date_trunc('hour', n.closed_at, 'UTC') as hour, case
    when n.delivered_at is null then 'notice.given_up'
    else 'notice.delivered' end as event,
  '' as currency, '' as source, 0 as step, count(*) as count, '0' as "amountMinor", '0' as seconds
from notices n
where n.closed_at >= $1
group by 1, 2, 3, 4, 5, 6
order by 1;

-- notices.count_figures
select
  n.merchant_id as "merchantId", date_trunc('hour', n.closed_at, 'UTC') as hour, k.event as event, '' as currency,
  '' as source, 0 as step, count(*) as count, '0' as "amountMinor", '0' as seconds
from
  unnest($1::text[], $2::bigint[], $3::text[]) as k (merchant_id, notice_id, event)
  join notices n on n.merchant_id = k.merchant_id and n.notice_id = k.notice_id
group by 1, 2, 3, 4, 5, 6;

-- notices.count_listed
select
  o.state as state, '' as currency, count(*) filter (where o.fits) as count, 0::text as "amountMinor",
  count(*) as walked
from (
  select
    o.*,
    (
      ($1::text[] is null or case status when 'test' then 'test' else kind end = any ($1::text[]))
      and ($2::timestamptz is null or o.written_at >= $2::timestamptz)
      and ($3::timestamptz is null or o.written_at < $3::timestamptz)
    ) as fits
  from (
    select o.*
    from
      (select) as k
      cross join lateral (select o.* from notices as o where true order by o.notice_id desc limit $4::bigint) as o
    limit $4::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- notices.count_listed_of_merchant
select
  o.state as state, '' as currency, count(*) filter (where o.fits) as count, 0::text as "amountMinor",
  count(*) as walked
from (
  select
    o.*,
    (
      ($1::text[] is null or case status when 'test' then 'test' else kind end = any ($1::text[]))
      and ($2::timestamptz is null or o.written_at >= $2::timestamptz)
      and ($3::timestamptz is null or o.written_at < $3::timestamptz)
    ) as fits
  from (
    select o.*
    from
      (select) as k
      cross join lateral (
        select o.* from notices as o where o.merchant_id = $4::text order by o.notice_id desc limit $5::bigint
      ) as o
    limit $5::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- notices.due_before_others
with
  wanted as (select merchant_id, kind, subject_id, notice_id from notices where notice_id = $1 and state = 'waiting'),
  first as (
    select least($2, min(n.due_at) - interval '1 millisecond') as due_at
    from wanted w join notices n using (merchant_id)
    where n.state = 'waiting'
  ),
  line as materialized (
    select n.merchant_id, n.notice_id
    from wanted w join notices n using (merchant_id, kind, subject_id)
    where n.notice_id <= w.notice_id and n.state = 'waiting'
    order by n.notice_id
    for update of n
  )
update notices n
set
  due_at = first.due_at, give_up_at = case when n.status = 'test' then n.give_up_at else greatest(n.give_up_at, $3) end
from line, first
where
  n.merchant_id = line.merchant_id
  and n.notice_id = line.notice_id
  and n.state = 'waiting'
  and (n.leased_until is null or n.leased_until <= $2)
returning n.notice_id as "noticeId";

-- notices.due_now
update notices
set due_at = least(due_at, $2), give_up_at = greatest(give_up_at, $3)
where merchant_id = $1 and state = 'waiting';

-- notices.erase_person
with
  ended as (
    select merchant_id, notice_id
    from notices
    where (merchant_id, notice_id) in (select * from unnest($1::text[], $2::bigint[])) and state <> 'waiting'
    for update skip locked
  ),
  answers as (
    update notice_attempts a
    set answer = null
    from ended
    where a.merchant_id = ended.merchant_id and a.notice_id = ended.notice_id
  )
update notices n
set document = $3, answer = null
from ended
where n.merchant_id = ended.merchant_id and n.notice_id = ended.notice_id
returning n.merchant_id as "merchantId", n.notice_id::text as id;

-- notices.find_person
select merchant_id as "merchantId", notice_id::text as id, state = 'waiting' as "isOpen"
from notices
where document in (
  select repeat('0', zeros) || $1::text from generate_series(0, greatest(0, 20 - length($1::text))) as zeros
)
order by notice_id;

-- notices.forget_endpoints
delete from notice_endpoints where merchant_id = any($1::text[]);

-- notices.give_up
update notices n
set
  state = 'given_up', closed_at = coalesce(n.closed_at, $1),
  problem = coalesce(n.problem, 'not sent in time: the endpoint was paused')
from (
  select merchant_id, notice_id
  from notices w
  where
    state = 'waiting'
    and give_up_at <= $1
    and (leased_until is null or leased_until <= $1)
    and not exists (select from notice_endpoints e where e.merchant_id = w.merchant_id and e.paused_by = 'operator')
  order by give_up_at
  limit 1000
  for update skip locked
) late
where n.merchant_id = late.merchant_id and n.notice_id = late.notice_id
returning n.notice_id;

-- notices.give_up_unaddressed
update notices n
set state = 'given_up', closed_at = coalesce(n.closed_at, $2), problem = $3
from
  unnest($1::text[]) as m (merchant_id)
  cross join lateral (
    select merchant_id, notice_id
    from notices w
    where
      w.merchant_id = m.merchant_id
      and w.state = 'waiting'
      and w.due_at <= $2
      and (w.leased_until is null or w.leased_until <= $2)
      and not exists (
        select
        from notices earlier
        where
          earlier.merchant_id = w.merchant_id
          and earlier.kind = w.kind
          and earlier.subject_id = w.subject_id
          and earlier.notice_id < w.notice_id
          and earlier.state = 'waiting'
      )
    order by w.due_at, w.notice_id
    limit 1000
    for update skip locked
  ) vain
where n.merchant_id = vain.merchant_id and n.notice_id = vain.notice_id;

-- notices.hasten
update notices
set due_at = $2
where merchant_id = any($1::text[]) and state = 'waiting' and due_at > $2 and leased_until is null;

-- notices.insert
insert into notices (
  merchant_id, kind, subject_id, status, amount_minor, currency, po_id, service_order_id, payment, version, document,
  written_at, state, due_at, give_up_at
)
select
  merchant_id, kind, subject_id, status, amount_minor, currency, po_id, service_order_id, payment, version, document,
  written_at, 'waiting', written_at, give_up_at
from unnest(
  $1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::bigint[], $9::text[],
  $10::integer[], $11::text[], $12::timestamptz[], $13::timestamptz[]
) with ordinality as n (
  merchant_id, kind, subject_id, status, amount_minor, currency, po_id, service_order_id, payment, version, document,
  written_at, give_up_at, place
)
order by place;

-- notices.insert_test
insert into notices (
  merchant_id, kind, subject_id, status, amount_minor, currency, po_id, service_order_id, payment, written_at, state,
  due_at, give_up_at
)
select $1, 'order', $2, 'test', 0, $3, $2, 0, '', $4, 'waiting', '2000-01-01Z', $5
where not exists (
  select from notices where merchant_id = $1 and kind = 'order' and subject_id = $2 and state = 'waiting'
)
returning notice_id as "noticeId";

-- notices.is_paused_by_operator
select merchant_id from notice_endpoints where merchant_id = $1 and paused_by = 'operator';

-- notices.list
select
  n.merchant_id as "merchantId", n.notice_id as "noticeId", n.kind, n.subject_id as "subjectId", n.status,
  n.amount_minor as "amountMinor", n.currency, n.po_id as "poId", n.service_order_id as "serviceOrderId", n.payment,
  n.version, n.document, n.written_at as "writtenAt", n.state, n.due_at as "dueAt", n.give_up_at as "giveUpAt",
  n.attempts, n.attempted_at as "attemptedAt", n.answer_status as "answerStatus", n.answer, n.problem,
  n.delivered_at as "deliveredAt"
from notices n
where
  ($1::text is null or state = $1)
  and ($3::bigint is null or notice_id < $3)
  and ($4::text[] is null or case status when 'test' then 'test' else kind end = any ($4))
  and ($5::timestamptz is null or written_at >= $5)
  and ($6::timestamptz is null or written_at < $6)
order by notice_id desc
limit $2;

-- notices.list_about
select
  n.merchant_id as "merchantId", n.notice_id as "noticeId", n.kind, n.subject_id as "subjectId", n.status,
  n.amount_minor as "amountMinor", n.currency, n.po_id as "poId", n.service_order_id as "serviceOrderId", n.payment,
  n.version, n.document, n.written_at as "writtenAt", n.state, n.due_at as "dueAt", n.give_up_at as "giveUpAt",
  n.attempts, n.attempted_at as "attemptedAt", n.answer_status as "answerStatus", n.answer, n.problem,
  n.delivered_at as "deliveredAt"
from notices n
where merchant_id = $1 and kind = $2 and subject_id = $3
order by notice_id desc
limit $4;

-- notices.list_endpoints
select
  merchant_id as "merchantId", coalesce(w.waiting, 0) as waiting, w.oldest_at as "oldestAt",
  e.failing_since as "failingSince", e.problem, e.paused_at as "pausedAt", e.paused_by as "pausedBy",
  e.probe_at as "probeAt"
from
  (
    select merchant_id, count(*) as waiting, min(written_at) as oldest_at
    from notices
    where state = 'waiting'
    group by merchant_id
  ) w full
  join notice_endpoints e using (merchant_id)
order by merchant_id;

-- notices.list_of_merchant
select
  n.merchant_id as "merchantId", n.notice_id as "noticeId", n.kind, n.subject_id as "subjectId", n.status,
  n.amount_minor as "amountMinor", n.currency, n.po_id as "poId", n.service_order_id as "serviceOrderId", n.payment,
  n.version, n.document, n.written_at as "writtenAt", n.state, n.due_at as "dueAt", n.give_up_at as "giveUpAt",
  n.attempts, n.attempted_at as "attemptedAt", n.answer_status as "answerStatus", n.answer, n.problem,
  n.delivered_at as "deliveredAt"
from notices n
where
  merchant_id = $7
  and ($1::text is null or state = $1)
  and ($3::bigint is null or notice_id < $3)
  and ($4::text[] is null or case status when 'test' then 'test' else kind end = any ($4))
  and ($5::timestamptz is null or written_at >= $5)
  and ($6::timestamptz is null or written_at < $6)
order by notice_id desc
limit $2;

-- notices.lock_endpoints
select
  merchant_id as "merchantId", failing_since as "failingSince", failures, last_failed_id as "lastFailedId", problem,
  paused_at as "pausedAt", paused_by as "pausedBy", probe_at as "probeAt", probes
from notice_endpoints
where merchant_id = any($1::text[])
order by merchant_id
for update;

-- notices.oldest_countable_hour
select date_trunc('hour', min(closed_at), 'UTC') + interval '1 hour' as hour from notices where state <> 'waiting';

-- notices.pause
insert into notice_endpoints (merchant_id, paused_at, paused_by)
values ($1, $2, 'operator')
on conflict (merchant_id) do update
set paused_at = $2, paused_by = 'operator', probe_at = null, probes = 0;

-- notices.probe_now
update notice_endpoints set probe_at = $2 where merchant_id = $1 and paused_by = 'service' and probe_at > $2;

-- notices.prune
delete from notices n using (
  select merchant_id, notice_id
  from notices
  where state <> 'waiting' and closed_at < $1
  order by closed_at
  limit 1000
  for update skip locked
) old
where n.merchant_id = old.merchant_id and n.notice_id = old.notice_id
returning n.notice_id;

-- notices.read_response
select answer
from notices
where merchant_id = $1 and kind = 'order' and subject_id = $2 and answer is not null
order by notice_id desc
limit 1;

-- notices.record
with
  recorded as (
    update notices n
    set
      state = k.state, due_at = k.due_at, leased_until = null, answer_status = k.status, answer = k.answer,
      problem = k.problem, delivered_at = case when k.state = 'delivered' then $9 else n.delivered_at end,
      closed_at = case when k.state = 'waiting' then n.closed_at else coalesce(n.closed_at, $9) end
    from unnest(
      $1::text[], $2::bigint[], $3::integer[], $4::text[], $5::timestamptz[], $6::integer[], $7::text[], $8::text[]
    ) as k (merchant_id, notice_id, attempts, state, due_at, status, answer, problem)
    where
      n.merchant_id = k.merchant_id
      and n.notice_id = k.notice_id
      and n.attempts = k.attempts
      and n.state = 'waiting'
      and n.leased_until is not null
    returning n.*
  ),
  kept as (
    insert into notice_attempts (merchant_id, notice_id, attempt, attempted_at, answer_status, answer, problem)
    select merchant_id, notice_id, attempts, attempted_at, answer_status, answer, problem
    from recorded
    where state <> 'delivered' or attempts > 1
  )
select merchant_id as "merchantId", notice_id as "noticeId"
from recorded;

-- notices.redeliver_one
with
  again as (
    update notices
    set state = 'waiting', due_at = $1, give_up_at = $2, leased_until = null
    where state <> 'waiting' and notice_id = $3
    returning *
  ),
  kept as (
    insert into notice_attempts (merchant_id, notice_id, attempt, attempted_at, answer_status, answer, problem)
    select merchant_id, notice_id, attempts, attempted_at, answer_status, answer, problem
    from again
    where attempts > 0
    on conflict do nothing
  )
select notice_id
from again;

-- notices.redeliver_portion
with
  seen as materialized (
    select merchant_id, notice_id, written_at from notices where notice_id > $3 and true order by notice_id limit $6
  ),
  again as (
    update notices
    set state = 'waiting', due_at = $1, give_up_at = $2, leased_until = null
    from seen
    where
      notices.merchant_id = seen.merchant_id
      and notices.notice_id = seen.notice_id
      and state <> 'waiting'
      and seen.written_at >= $4
      and (not $5 or state = 'given_up')
    returning notices.*
  ),
  kept as (
    insert into notice_attempts (merchant_id, notice_id, attempt, attempted_at, answer_status, answer, problem)
    select merchant_id, notice_id, attempts, attempted_at, answer_status, answer, problem
    from again
    where attempts > 0
    on conflict do nothing
  )
select
  (select count(*) from again) as notices, (select count(*) from seen) as looked,
  (select max(notice_id) from seen) as last;

-- notices.redeliver_portion_of_merchant
with
  seen as materialized (
    select merchant_id, notice_id, written_at
    from notices
    where notice_id > $3 and merchant_id = $7
    order by notice_id
    limit $6
  ),
  again as (
    update notices
    set state = 'waiting', due_at = $1, give_up_at = $2, leased_until = null
    from seen
    where
      notices.merchant_id = seen.merchant_id
      and notices.notice_id = seen.notice_id
      and state <> 'waiting'
      and seen.written_at >= $4
      and (not $5 or state = 'given_up')
    returning notices.*
  ),
  kept as (
    insert into notice_attempts (merchant_id, notice_id, attempt, attempted_at, answer_status, answer, problem)
    select merchant_id, notice_id, attempts, attempted_at, answer_status, answer, problem
    from again
    where attempts > 0
    on conflict do nothing
  )
select
  (select count(*) from again) as notices, (select count(*) from seen) as looked,
  (select max(notice_id) from seen) as last;

-- notices.resume
delete from notice_endpoints where merchant_id = $1 returning paused_by as "pausedBy";

-- notices.save_endpoints
insert into notice_endpoints (
  merchant_id, failing_since, failures, last_failed_id, problem, paused_at, paused_by, probe_at, probes
)
select *
from unnest(
  $1::text[], $2::timestamptz[], $3::integer[], $4::bigint[], $5::text[], $6::timestamptz[], $7::text[],
  $8::timestamptz[], $9::integer[]
) as k (merchant_id, failing_since, failures, last_failed_id, problem, paused_at, paused_by, probe_at, probes)
order by merchant_id
on conflict (merchant_id) do update
set (
  failing_since, failures, last_failed_id, problem, paused_at, paused_by, probe_at, probes
) = (
  excluded.failing_since, excluded.failures, excluded.last_failed_id, excluded.problem, excluded.paused_at,
  excluded.paused_by, excluded.probe_at, excluded.probes
)
where notice_endpoints.paused_by is distinct from 'operator' or excluded.paused_by = 'operator';

-- notices.show
select
  n.merchant_id as "merchantId", n.notice_id as "noticeId", n.kind, n.subject_id as "subjectId", n.status,
  n.amount_minor as "amountMinor", n.currency, n.po_id as "poId", n.service_order_id as "serviceOrderId", n.payment,
  n.version, n.document, n.written_at as "writtenAt", n.state, n.due_at as "dueAt", n.give_up_at as "giveUpAt",
  n.attempts, n.attempted_at as "attemptedAt", n.answer_status as "answerStatus", n.answer, n.problem,
  n.delivered_at as "deliveredAt"
from notices n
where notice_id = $1;

-- notices.state
select state from notices where notice_id = $1;

-- notices.state_and_lease
select state, coalesce(leased_until > $2, false) as "isLeased" from notices where notice_id = $1;

-- notices.verify_order
select
  merchant_id as "merchantId", subject_id as id,
  'had notice '
    || notice_id || ' sent before notice ' || earlier_id || ' of the same ' || kind || ' was done with' as problem
from (
  select
    merchant_id, kind, subject_id, notice_id, closed_at, lag(notice_id) over subject as earlier_id,
    lag(closed_at, 1, closed_at) over subject as earlier_closed_at
  from notices window subject as (partition by merchant_id, kind, subject_id order by notice_id)
) n
where closed_at is not null and (earlier_closed_at is null or earlier_closed_at > closed_at)
limit 1;

-- notices.written_after
select notice_id as "noticeId", written_at as "writtenAt" from notices where notice_id > $1 order by notice_id limit 1;

-- orders.claim_due
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt"
from orders o
where o.state = 'pending' and o.expires_at <= $1
order by o.expires_at
limit $2
for update skip locked;

-- orders.count_all_figures
select
  merchant_id as "merchantId", hour, event, currency, source, step, count(*) as count,
  sum(amount_minor)::text as "amountMinor", sum(seconds)::text as seconds
from (
  select
    h.merchant_id, date_trunc('hour', h.changed_at, 'UTC') as hour, h.event,
    coalesce(split_part(created.money, ' ', 2), paid.currency, back.currency, ended.currency) as currency,
    coalesce(
      split_part(created.money, ' ', 1)::bigint, paid.amount_minor, back.amount_minor, ended.amount_minor
    ) as amount_minor,
    coalesce(paid.source, back.source, '') as source,
    coalesce(taken.seconds, 0) as seconds, case
      when taken.seconds is null then 0
      else width_bucket(taken.seconds, array[60,300,900,3600,21600,86400,259200,604800]) + 1 end as step
  from
    (select * from order_history where changed_at >= $1) h
    left join lateral (select h.changes #>> '{amount,1}' as money where h.event = 'order.created') as created on true
    left join order_payments paid on h.event = 'order.paid'
      and paid.merchant_id = h.merchant_id
      and paid.order_id = h.order_id
      and paid.payment_number = (h.changes #>> '{payments,1}')::integer
    left join orders ended on h.event in ('order.cancelled', 'order.expired')
      and ended.merchant_id = h.merchant_id
      and ended.order_id = h.order_id
    left join lateral (
      select currency, amount_minor, source
      from order_payments
      where
        h.event in ('order.reversed', 'order.voided')
        and merchant_id = h.merchant_id
        and order_id = h.order_id
        and 'order.' || state = h.event
        and given_back_at = h.changed_at
      order by payment_number
      limit 1
      offset (
        select count(*)
        from order_history earlier
        where
          earlier.merchant_id = h.merchant_id
          and earlier.order_id = h.order_id
          and earlier.version < h.version
          and earlier.event = h.event
          and earlier.changed_at = h.changed_at
      )
    ) as back on true
    left join lateral (
      select greatest(0, floor(extract(epoch from h.changed_at - first.changed_at)))::integer as seconds
      from order_history first
      where
        h.event = 'order.paid'
        and h.changes ? 'state'
        and first.merchant_id = h.merchant_id
        and first.order_id = h.order_id
        and first.version = 1
    ) as taken on true
  where h.event = any ('{order.created,order.paid,order.cancelled,order.expired,order.reversed,order.voided}')
) as counted
group by 1, 2, 3, 4, 5, 6
order by 1;

-- orders.count_all_refused_figures
select
  r.merchant_id as "merchantId", date_trunc('hour', r.first_at, 'UTC') as hour, 'payment.refused' as event,
  '' as currency, r.source, 0 as step, count(*) as count, '0' as "amountMinor", '0' as seconds
from (select * from refused_payments where first_at >= $1) r
group by 1, 2, 3, 4, 5, 6
order by 1;

-- orders.count_figures
select
  merchant_id as "merchantId", hour, event, currency, source, step, count(*) as count,
  sum(amount_minor)::text as "amountMinor", sum(seconds)::text as seconds
from (
  select
    h.merchant_id, date_trunc('hour', h.changed_at, 'UTC') as hour, h.event,
    coalesce(split_part(created.money, ' ', 2), paid.currency, back.currency, ended.currency) as currency,
    coalesce(
      split_part(created.money, ' ', 1)::bigint, paid.amount_minor, back.amount_minor, ended.amount_minor
    ) as amount_minor,
    coalesce(paid.source, back.source, '') as source,
    coalesce(taken.seconds, 0) as seconds, case
      when taken.seconds is null then 0
      else width_bucket(taken.seconds, array[60,300,900,3600,21600,86400,259200,604800]) + 1 end as step
  from
    unnest($1::text[], $2::text[], $3::integer[]) as k (merchant_id, order_id, version)
    join order_history h on h.merchant_id = k.merchant_id and h.order_id = k.order_id and h.version = k.version
    left join lateral (select h.changes #>> '{amount,1}' as money where h.event = 'order.created') as created on true
    left join order_payments paid on h.event = 'order.paid'
      and paid.merchant_id = h.merchant_id
      and paid.order_id = h.order_id
      and paid.payment_number = (h.changes #>> '{payments,1}')::integer
    left join orders ended on h.event in ('order.cancelled', 'order.expired')
      and ended.merchant_id = h.merchant_id
      and ended.order_id = h.order_id
    left join lateral (
      select currency, amount_minor, source
      from order_payments
      where
        h.event in ('order.reversed', 'order.voided')
        and merchant_id = h.merchant_id
        and order_id = h.order_id
        and 'order.' || state = h.event
        and given_back_at = h.changed_at
      order by payment_number
      limit 1
      offset (
        select count(*)
        from order_history earlier
        where
          earlier.merchant_id = h.merchant_id
          and earlier.order_id = h.order_id
          and earlier.version < h.version
          and earlier.event = h.event
          and earlier.changed_at = h.changed_at
      )
    ) as back on true
    left join lateral (
      select greatest(0, floor(extract(epoch from h.changed_at - first.changed_at)))::integer as seconds
      from order_history first
      where
        h.event = 'order.paid'
        and h.changes ? 'state'
        and first.merchant_id = h.merchant_id
        and first.order_id = h.order_id
        and first.version = 1
    ) as taken on true
  where h.event = any ('{order.created,order.paid,order.cancelled,order.expired,order.reversed,order.voided}')
) as counted
group by 1, 2, 3, 4, 5, 6;

-- orders.count_refused_by_reason
select refusal, count(*) as count
from refused_payments
where first_at >= $1 and first_at < $2 and ($3::text is null or merchant_id = $3) and ($4::text is null or source = $4)
group by refusal
order by count desc, refusal;

-- orders.count_refused_figures
select
  r.merchant_id as "merchantId", date_trunc('hour', r.first_at, 'UTC') as hour, 'payment.refused' as event,
  '' as currency, r.source, 0 as step, count(*) as count, '0' as "amountMinor", '0' as seconds
from
  unnest($1::text[], $2::text[]) as k (merchant_id, id)
  join refused_payments r on r.merchant_id = k.merchant_id
    and r.order_id = split_part(k.id, E'\x1f', 1)
    and r.source = split_part(k.id, E'\x1f', 2)
    and r.transaction_id = split_part(k.id, E'\x1f', 3)
group by 1, 2, 3, 4, 5, 6;

-- orders.draw_service_ids
select nextval('service_order_ids') as id from generate_series(1, $1::int);

-- orders.end_references
with ending as (
  select r.reference, k.ended_at
  from
    unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as k (reference, merchant_id, order_id, ended_at)
    join open_references r on r.reference = k.reference and r.merchant_id = k.merchant_id and r.order_id = k.order_id
  order by r.reference
  for update of r
)
update open_references r
set expires_at = ending.ended_at, ended = true
from ending
where r.reference = ending.reference;

-- orders.erase_people
with ended as (
  select merchant_id, order_id
  from orders
  where (merchant_id, order_id) in (select * from unnest($1::text[], $2::text[])) and state <> 'pending'
  for update skip locked
)
update orders r
set
  email = case when r.email <> '' then $3::text else r.email end,
  description = case when r.description <> '' then $3::text else r.description end,
  user_document = case when r.user_document <> '' then $3::text else r.user_document end,
  user_name = case when r.user_name <> '' then $3::text else r.user_name end
from ended
where r.merchant_id = ended.merchant_id and r.order_id = ended.order_id
returning r.merchant_id as "merchantId", r.order_id as id;

-- orders.erase_people_in_history
update order_history h
set changes = (
  select jsonb_object_agg(
    field, case
    when field not in ('email', 'description', 'userDocument', 'userName') then change
    else (
      select jsonb_agg(case when side in ('null', '""') then side else to_jsonb($3::text) end order by place)
      from jsonb_array_elements(change) with ordinality as pair (side, place)
    ) end
  )
  from jsonb_each(h.changes) as changed (field, change)
)
from unnest($1::text[], $2::text[]) as k (merchant_id, order_id)
where
  h.merchant_id = k.merchant_id and h.order_id = k.order_id and h.changes ?| array['email', 'description',
  'userDocument', 'userName'];

-- orders.find
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt"
from orders o
where o.merchant_id = $1 and o.order_id = $2;

-- orders.find_all_of_all
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (select) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $3::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
              else o.state end = any ($3::text[])
          )
          and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
          and ($6::text is null or o.reference = $6::text)
          and ($7::text is null or o.order_id = $7::text)
          and ($8::bigint is null or o.service_order_id = $8::bigint)
          and (
            $9::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($10::text is null or o.currency = $10::text)
          and ($11::bigint is null or o.amount_minor >= $11::bigint)
          and ($12::bigint is null or o.amount_minor <= $12::bigint)
          and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.created_at < $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
          and (
            $17::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
                and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
                and ($20::text is null or p.source = 'network:' || $20::text)
                and ($21::text is null or p.transaction_id = $21::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.service_order_id > 0
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($13::timestamptz, '-infinity')
          and o.created_at < coalesce($14::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $24::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $24::bigint;

-- orders.find_all_of_one
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (select $2::text as merchant_id) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $3::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
              else o.state end = any ($3::text[])
          )
          and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
          and ($6::text is null or o.reference = $6::text)
          and ($7::text is null or o.order_id = $7::text)
          and ($8::bigint is null or o.service_order_id = $8::bigint)
          and (
            $9::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($10::text is null or o.currency = $10::text)
          and ($11::bigint is null or o.amount_minor >= $11::bigint)
          and ($12::bigint is null or o.amount_minor <= $12::bigint)
          and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.created_at < $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
          and (
            $17::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
                and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
                and ($20::text is null or p.source = 'network:' || $20::text)
                and ($21::text is null or p.transaction_id = $21::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.service_order_id <> 0
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($13::timestamptz, '-infinity')
          and o.created_at < coalesce($14::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $24::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $24::bigint;

-- orders.find_by_reference
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt"
from open_references r join orders o on o.merchant_id = r.merchant_id and o.order_id = r.order_id
where r.reference = $1 and not r.ended;

-- orders.find_by_service_id
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt"
from orders o
where o.service_order_id = $1;

-- orders.find_document_of_all
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (
    with recursive found as (
      (select merchant_id from orders order by merchant_id limit 1)
      union all
      select (
        select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
      )
      from found
      where found.merchant_id is not null
    )
    select merchant_id
    from found
    where merchant_id is not null
  ) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $3::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
              else o.state end = any ($3::text[])
          )
          and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
          and ($6::text is null or o.reference = $6::text)
          and ($7::text is null or o.order_id = $7::text)
          and ($8::bigint is null or o.service_order_id = $8::bigint)
          and (
            $9::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($10::text is null or o.currency = $10::text)
          and ($11::bigint is null or o.amount_minor >= $11::bigint)
          and ($12::bigint is null or o.amount_minor <= $12::bigint)
          and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.created_at < $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
          and (
            $17::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
                and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
                and ($20::text is null or p.source = 'network:' || $20::text)
                and ($21::text is null or p.transaction_id = $21::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.user_document is not null
          and (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($13::timestamptz, '-infinity')
          and o.created_at < coalesce($14::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $24::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $24::bigint;

-- orders.find_document_of_one
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (select $2::text as merchant_id) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $3::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
              else o.state end = any ($3::text[])
          )
          and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
          and ($6::text is null or o.reference = $6::text)
          and ($7::text is null or o.order_id = $7::text)
          and ($8::bigint is null or o.service_order_id = $8::bigint)
          and (
            $9::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($10::text is null or o.currency = $10::text)
          and ($11::bigint is null or o.amount_minor >= $11::bigint)
          and ($12::bigint is null or o.amount_minor <= $12::bigint)
          and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.created_at < $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
          and (
            $17::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
                and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
                and ($20::text is null or p.source = 'network:' || $20::text)
                and ($21::text is null or p.transaction_id = $21::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.user_document is not null
          and (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($13::timestamptz, '-infinity')
          and o.created_at < coalesce($14::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $24::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $24::bigint;

-- orders.find_email_of_all
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (
    with recursive found as (
      (select merchant_id from orders order by merchant_id limit 1)
      union all
      select (
        select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
      )
      from found
      where found.merchant_id is not null
    )
    select merchant_id
    from found
    where merchant_id is not null
  ) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $3::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
              else o.state end = any ($3::text[])
          )
          and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
          and ($6::text is null or o.reference = $6::text)
          and ($7::text is null or o.order_id = $7::text)
          and ($8::bigint is null or o.service_order_id = $8::bigint)
          and (
            $9::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($10::text is null or o.currency = $10::text)
          and ($11::bigint is null or o.amount_minor >= $11::bigint)
          and ($12::bigint is null or o.amount_minor <= $12::bigint)
          and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.created_at < $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
          and (
            $17::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
                and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
                and ($20::text is null or p.source = 'network:' || $20::text)
                and ($21::text is null or p.transaction_id = $21::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and lower(o.email collate "C") = lower($5::text collate "C")
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($13::timestamptz, '-infinity')
          and o.created_at < coalesce($14::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $24::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $24::bigint;

-- orders.find_email_of_one
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (select $2::text as merchant_id) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $3::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
              else o.state end = any ($3::text[])
          )
          and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
          and ($6::text is null or o.reference = $6::text)
          and ($7::text is null or o.order_id = $7::text)
          and ($8::bigint is null or o.service_order_id = $8::bigint)
          and (
            $9::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($10::text is null or o.currency = $10::text)
          and ($11::bigint is null or o.amount_minor >= $11::bigint)
          and ($12::bigint is null or o.amount_minor <= $12::bigint)
          and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.created_at < $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
          and (
            $17::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
                and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
                and ($20::text is null or p.source = 'network:' || $20::text)
                and ($21::text is null or p.transaction_id = $21::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and lower(o.email collate "C") = lower($5::text collate "C")
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($13::timestamptz, '-infinity')
          and o.created_at < coalesce($14::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $24::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $24::bigint;

-- orders.find_former_terms
select f.merchant_id as "merchantId", f.order_id as "orderId", encode(f.terms, 'hex') as terms
from
  unnest($1::text[], $2::text[], $3::bytea[]) as k (merchant_id, order_id, terms)
  join former_terms f on f.merchant_id = k.merchant_id and f.order_id = k.order_id and f.terms = k.terms;

-- orders.find_id_starts
select s.merchant_id as "merchantId", s.start, s.recurrent as "isRecurrent"
from
  unnest($1::text[], $2::text[]) as k (merchant_id, start)
  join order_id_starts s on s.merchant_id = k.merchant_id and s.start = k.start;

-- orders.find_orderId_of_all
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (
    with recursive found as (
      (select merchant_id from orders order by merchant_id limit 1)
      union all
      select (
        select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
      )
      from found
      where found.merchant_id is not null
    )
    select merchant_id
    from found
    where merchant_id is not null
  ) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $3::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
              else o.state end = any ($3::text[])
          )
          and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
          and ($6::text is null or o.reference = $6::text)
          and ($7::text is null or o.order_id = $7::text)
          and ($8::bigint is null or o.service_order_id = $8::bigint)
          and (
            $9::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($10::text is null or o.currency = $10::text)
          and ($11::bigint is null or o.amount_minor >= $11::bigint)
          and ($12::bigint is null or o.amount_minor <= $12::bigint)
          and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.created_at < $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
          and (
            $17::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
                and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
                and ($20::text is null or p.source = 'network:' || $20::text)
                and ($21::text is null or p.transaction_id = $21::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.order_id = $7::text
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($13::timestamptz, '-infinity')
          and o.created_at < coalesce($14::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $24::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $24::bigint;

-- orders.find_orderId_of_one
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (select $2::text as merchant_id) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $3::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
              else o.state end = any ($3::text[])
          )
          and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
          and ($6::text is null or o.reference = $6::text)
          and ($7::text is null or o.order_id = $7::text)
          and ($8::bigint is null or o.service_order_id = $8::bigint)
          and (
            $9::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($10::text is null or o.currency = $10::text)
          and ($11::bigint is null or o.amount_minor >= $11::bigint)
          and ($12::bigint is null or o.amount_minor <= $12::bigint)
          and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.created_at < $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
          and (
            $17::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
                and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
                and ($20::text is null or p.source = 'network:' || $20::text)
                and ($21::text is null or p.transaction_id = $21::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.order_id = $7::text
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($13::timestamptz, '-infinity')
          and o.created_at < coalesce($14::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $24::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $24::bigint;

-- orders.find_payer
select o.merchant_id as "merchantId", o.order_id as id, o.state = 'pending' as "isOpen"
from orders o
where (o.merchant_id, o.order_id) in (
  select merchant_id, order_id
  from orders
  where
    regexp_replace(upper(regexp_replace(user_document, '[[:space:].,/_-]', '', 'g') collate "C"), '^0+(?=.)', '') = $1
    or email ~ $2
  union
  select merchant_id, order_id
  from order_history
  where
    regexp_replace(
      upper(regexp_replace(changes -> 'userDocument' ->> 1, '[[:space:].,/_-]', '', 'g') collate "C"), '^0+(?=.)', ''
    ) = $1
    or changes -> 'email' ->> 1 ~ $2
)
order by o.merchant_id, o.service_order_id;

-- orders.find_reference_of_all
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (
    with recursive found as (
      (select merchant_id from orders order by merchant_id limit 1)
      union all
      select (
        select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
      )
      from found
      where found.merchant_id is not null
    )
    select merchant_id
    from found
    where merchant_id is not null
  ) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $3::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
              else o.state end = any ($3::text[])
          )
          and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
          and ($6::text is null or o.reference = $6::text)
          and ($7::text is null or o.order_id = $7::text)
          and ($8::bigint is null or o.service_order_id = $8::bigint)
          and (
            $9::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($10::text is null or o.currency = $10::text)
          and ($11::bigint is null or o.amount_minor >= $11::bigint)
          and ($12::bigint is null or o.amount_minor <= $12::bigint)
          and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.created_at < $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
          and (
            $17::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
                and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
                and ($20::text is null or p.source = 'network:' || $20::text)
                and ($21::text is null or p.transaction_id = $21::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.reference = $6::text
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($13::timestamptz, '-infinity')
          and o.created_at < coalesce($14::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $24::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $24::bigint;

-- orders.find_reference_of_one
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (select $2::text as merchant_id) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $3::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
              else o.state end = any ($3::text[])
          )
          and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
          and ($6::text is null or o.reference = $6::text)
          and ($7::text is null or o.order_id = $7::text)
          and ($8::bigint is null or o.service_order_id = $8::bigint)
          and (
            $9::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($10::text is null or o.currency = $10::text)
          and ($11::bigint is null or o.amount_minor >= $11::bigint)
          and ($12::bigint is null or o.amount_minor <= $12::bigint)
          and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.created_at < $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
          and (
            $17::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
                and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
                and ($20::text is null or p.source = 'network:' || $20::text)
                and ($21::text is null or p.transaction_id = $21::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.reference = $6::text
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($13::timestamptz, '-infinity')
          and o.created_at < coalesce($14::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $24::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $24::bigint;

-- orders.find_serviceOrderId_of_all
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (select) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $3::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
              else o.state end = any ($3::text[])
          )
          and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
          and ($6::text is null or o.reference = $6::text)
          and ($7::text is null or o.order_id = $7::text)
          and ($8::bigint is null or o.service_order_id = $8::bigint)
          and (
            $9::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($10::text is null or o.currency = $10::text)
          and ($11::bigint is null or o.amount_minor >= $11::bigint)
          and ($12::bigint is null or o.amount_minor <= $12::bigint)
          and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.created_at < $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
          and (
            $17::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
                and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
                and ($20::text is null or p.source = 'network:' || $20::text)
                and ($21::text is null or p.transaction_id = $21::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.service_order_id = $8::bigint
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($13::timestamptz, '-infinity')
          and o.created_at < coalesce($14::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $24::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $24::bigint;

-- orders.find_serviceOrderId_of_one
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (select) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $3::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
              else o.state end = any ($3::text[])
          )
          and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
          and ($6::text is null or o.reference = $6::text)
          and ($7::text is null or o.order_id = $7::text)
          and ($8::bigint is null or o.service_order_id = $8::bigint)
          and (
            $9::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($10::text is null or o.currency = $10::text)
          and ($11::bigint is null or o.amount_minor >= $11::bigint)
          and ($12::bigint is null or o.amount_minor <= $12::bigint)
          and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.created_at < $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
          and (
            $17::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
                and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
                and ($20::text is null or p.source = 'network:' || $20::text)
                and ($21::text is null or p.transaction_id = $21::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.service_order_id = $8::bigint
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($13::timestamptz, '-infinity')
          and o.created_at < coalesce($14::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $24::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $24::bigint;

-- orders.find_states_of_all
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (
    select m.merchant_id, s.state
    from
      (
        with recursive found as (
          (select merchant_id from orders order by merchant_id limit 1)
          union all
          select (
            select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
          )
          from found
          where found.merchant_id is not null
        )
        select merchant_id
        from found
        where merchant_id is not null
      ) as m,
      unnest($2::text[]) as s (state)
  ) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($3::text is null or o.merchant_id = $3::text)
          and (
            $4::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $5::timestamptz then 'expired'
              else o.state end = any ($4::text[])
          )
          and ($6::text is null or lower(o.email collate "C") = lower($6::text collate "C"))
          and ($7::text is null or o.reference = $7::text)
          and ($8::text is null or o.order_id = $8::text)
          and ($9::bigint is null or o.service_order_id = $9::bigint)
          and (
            $10::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($10::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($11::text is null or o.currency = $11::text)
          and ($12::bigint is null or o.amount_minor >= $12::bigint)
          and ($13::bigint is null or o.amount_minor <= $13::bigint)
          and ($14::timestamptz is null or o.created_at >= $14::timestamptz)
          and ($15::timestamptz is null or o.created_at < $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at >= $16::timestamptz)
          and ($17::timestamptz is null or o.updated_at < $17::timestamptz)
          and (
            $18::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($19::timestamptz is null or p.paid_at >= $19::timestamptz)
                and ($20::timestamptz is null or p.paid_at < $20::timestamptz)
                and ($21::text is null or p.source = 'network:' || $21::text)
                and ($22::text is null or p.transaction_id = $22::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.state = k.state
          and (o.created_at, o.service_order_id) < (
            coalesce($23::timestamptz, 'infinity'), coalesce($24::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($14::timestamptz, '-infinity')
          and o.created_at < coalesce($15::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $25::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $25::bigint;

-- orders.find_states_of_one
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (select m.merchant_id, s.state from (select $2::text as merchant_id) as m, unnest($3::text[]) as s (state)) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $4::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $5::timestamptz then 'expired'
              else o.state end = any ($4::text[])
          )
          and ($6::text is null or lower(o.email collate "C") = lower($6::text collate "C"))
          and ($7::text is null or o.reference = $7::text)
          and ($8::text is null or o.order_id = $8::text)
          and ($9::bigint is null or o.service_order_id = $9::bigint)
          and (
            $10::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($10::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($11::text is null or o.currency = $11::text)
          and ($12::bigint is null or o.amount_minor >= $12::bigint)
          and ($13::bigint is null or o.amount_minor <= $13::bigint)
          and ($14::timestamptz is null or o.created_at >= $14::timestamptz)
          and ($15::timestamptz is null or o.created_at < $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at >= $16::timestamptz)
          and ($17::timestamptz is null or o.updated_at < $17::timestamptz)
          and (
            $18::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($19::timestamptz is null or p.paid_at >= $19::timestamptz)
                and ($20::timestamptz is null or p.paid_at < $20::timestamptz)
                and ($21::text is null or p.source = 'network:' || $21::text)
                and ($22::text is null or p.transaction_id = $22::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.state = k.state
          and (o.created_at, o.service_order_id) < (
            coalesce($23::timestamptz, 'infinity'), coalesce($24::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($14::timestamptz, '-infinity')
          and o.created_at < coalesce($15::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $25::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $25::bigint;

-- orders.find_taken_ids
select o.merchant_id as "merchantId", o.order_id as "orderId"
from
  unnest($1::text[], $2::text[]) as k (merchant_id, order_id)
  join orders o on o.merchant_id = k.merchant_id and o.order_id = k.order_id;

-- orders.find_transaction_of_all
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (
    with recursive found as (
      (select merchant_id from orders order by merchant_id limit 1)
      union all
      select (
        select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
      )
      from found
      where found.merchant_id is not null
    )
    select merchant_id
    from found
    where merchant_id is not null
  ) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $3::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
              else o.state end = any ($3::text[])
          )
          and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
          and ($6::text is null or o.reference = $6::text)
          and ($7::text is null or o.order_id = $7::text)
          and ($8::bigint is null or o.service_order_id = $8::bigint)
          and (
            $9::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($10::text is null or o.currency = $10::text)
          and ($11::bigint is null or o.amount_minor >= $11::bigint)
          and ($12::bigint is null or o.amount_minor <= $12::bigint)
          and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.created_at < $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
          and (
            $17::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
                and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
                and ($20::text is null or p.source = 'network:' || $20::text)
                and ($21::text is null or p.transaction_id = $21::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.order_id in (
            select t.order_id
            from order_transactions t
            where t.merchant_id = k.merchant_id and t.transaction_id = $21::text
          )
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($13::timestamptz, '-infinity')
          and o.created_at < coalesce($14::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $24::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $24::bigint;

-- orders.find_transaction_of_one
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.fits, o.walked = $1::bigint as stops
from
  (select $2::text as merchant_id) as k
  cross join lateral (
    select *
    from (
      select
        o.*,
        (
          ($2::text is null or o.merchant_id = $2::text)
          and (
            $3::text[] is null
            or case
              when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
              else o.state end = any ($3::text[])
          )
          and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
          and ($6::text is null or o.reference = $6::text)
          and ($7::text is null or o.order_id = $7::text)
          and ($8::bigint is null or o.service_order_id = $8::bigint)
          and (
            $9::text is null
            or (
              regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
            ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
          )
          and ($10::text is null or o.currency = $10::text)
          and ($11::bigint is null or o.amount_minor >= $11::bigint)
          and ($12::bigint is null or o.amount_minor <= $12::bigint)
          and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
          and ($14::timestamptz is null or o.created_at < $14::timestamptz)
          and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
          and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
          and (
            $17::boolean is null
            or exists (
              select
              from order_payments p
              where
                p.merchant_id = o.merchant_id
                and p.order_id = o.order_id
                and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
                and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
                and ($20::text is null or p.source = 'network:' || $20::text)
                and ($21::text is null or p.transaction_id = $21::text)
            )
          )
        ) as fits,
        row_number() over () as walked
      from (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.order_id in (
            select t.order_id
            from order_transactions t
            where t.merchant_id = k.merchant_id and t.transaction_id = $21::text
          )
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($13::timestamptz, '-infinity')
          and o.created_at < coalesce($14::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $1::bigint
      ) as o
    ) as o
    where o.fits or o.walked = $1::bigint
    limit $24::bigint
  ) as o
order by o.created_at desc, o.service_order_id desc
limit $24::bigint;

-- orders.find_with_payment
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", p.payment_number as "paymentNumber", p.source,
  p.transaction_id as "transactionId", p.amount_minor as "paidMinor", p.currency as "paidCurrency",
  p.paid_at as "paidAt", p.state as "paymentState", p.given_back_at as "givenBackAt"
from
  orders o
  left join order_payments p on p.merchant_id = o.merchant_id
    and p.order_id = o.order_id
    and p.payment_number = o.payments
where o.merchant_id = $1 and o.order_id = $2;

-- orders.find_with_payment_by_reference
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt", p.payment_number as "paymentNumber", p.source,
  p.transaction_id as "transactionId", p.amount_minor as "paidMinor", p.currency as "paidCurrency",
  p.paid_at as "paidAt", p.state as "paymentState", p.given_back_at as "givenBackAt"
from
  orders o
  left join order_payments p on p.merchant_id = o.merchant_id
    and p.order_id = o.order_id
    and p.payment_number = o.payments
where
  o.merchant_id = $1
  and o.order_id = coalesce(
    (
      select r.order_id
      from open_references r
      where r.reference = $2 and r.merchant_id = $1 and not r.ended and (r.expires_at is null or r.expires_at > $3)
    ),
    (
      select n.order_id
      from orders n
      where n.merchant_id = $1 and n.reference = $2
      order by n.service_order_id desc
      limit 1
    )
  );

-- orders.forget_former_terms
delete from former_terms
where (merchant_id, order_id, terms) in (select * from unnest($1::text[], $2::text[], $3::bytea[]));

-- orders.free_references
with freed as (
  select r.reference
  from
    unnest($1::text[], $2::text[], $3::text[]) as k (reference, merchant_id, order_id)
    join open_references r on r.reference = k.reference and r.merchant_id = k.merchant_id and r.order_id = k.order_id
  order by r.reference
  for update of r
)
delete from open_references r using freed
where r.reference = freed.reference;

-- orders.give_back_payments
update order_payments p
set state = k.state, given_back_at = k.given_back_at
from unnest(
  $1::text[], $2::text[], $3::int[], $4::text[], $5::timestamptz[]
) as k (merchant_id, order_id, payment_number, state, given_back_at)
where p.merchant_id = k.merchant_id and p.order_id = k.order_id and p.payment_number = k.payment_number;

-- orders.insert
insert into orders (
  merchant_id, order_id, service_order_id, state, version, email, country, currency, amount_minor, reference,
  description, method, language, recurrent, expires_on, expires_at, vat_rate_ppm, user_document, user_document_type,
  user_name, redirect_timeout_ms, payments, payments_given_back, created_at, updated_at
)
select
  merchant_id, order_id, service_order_id, state, version, email, country, currency, amount_minor, reference,
  description, method, language, recurrent, expires_on, expires_at, vat_rate_ppm, user_document, user_document_type,
  user_name, redirect_timeout_ms, payments, payments_given_back, created_at, updated_at
from jsonb_to_recordset($1::jsonb) as k (
  merchant_id text, order_id text, service_order_id bigint, state text, version int, email text, country text,
  currency text, amount_minor bigint, reference text, description text, method text, language text, recurrent bool,
  expires_on date, expires_at timestamptz, vat_rate_ppm int, user_document text, user_document_type text,
  user_name text, redirect_timeout_ms int, payments int, payments_given_back int, created_at timestamptz,
  updated_at timestamptz
)
order by merchant_id collate "C", order_id collate "C";

-- orders.insert_events
insert into order_history (merchant_id, order_id, version, event, actor, changed_at, request_id, changes, digest)
select
  merchant_id, order_id, version, event, actor, changed_at, request_id, changes,
  hashtextextended(
    k.event || ' ' || k.actor || ' ' || coalesce(k.request_id, '') || ' ' || extract(epoch from k.changed_at)::text, 0
  )
from jsonb_to_recordset($1::jsonb) as k (
  merchant_id text, order_id text, version int, event text, actor text, changed_at timestamptz, request_id text,
  changes jsonb
);

-- orders.insert_payments
insert into order_payments (
  merchant_id, order_id, payment_number, source, transaction_id, po_id, state, amount_minor, currency, fee_minor,
  tax_minor, paid_at, given_back_at
)
select *
from unnest(
  $1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[],
  $10::bigint[], $11::bigint[], $12::timestamptz[], $13::timestamptz[]
);

-- orders.insert_transactions
insert into order_transactions (source, transaction_id, merchant_id, order_id, payment_number)
select *
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) as k (
  source, transaction_id, merchant_id, order_id, payment_number
)
order by source, transaction_id;

-- orders.keep_former_terms
insert into former_terms (merchant_id, order_id, terms)
select merchant_id, order_id, terms
from unnest($1::text[], $2::text[], $3::bytea[]) as k (merchant_id, order_id, terms)
on conflict do nothing;

-- orders.list_refused_beyond
select source, day, currency, tries, amount_minor::text as "amountMinor", last_at as "lastAt"
from refused_payments_beyond
where last_at >= coalesce($1::timestamptz, '-infinity')
order by day desc, source, currency
limit 100;

-- orders.list_refused_payments_of_all
select
  merchant_id as "merchantId", order_id as "orderId", source, transaction_id as "transactionId", refusal,
  order_state as "orderState", amount_minor as "amountMinor", currency, tries, first_at as "firstAt",
  last_at as "lastAt", resolved_at as "resolvedAt", resolved_by as "resolvedBy", note
from refused_payments r
where
  $1::text is null
  and r.last_at >= coalesce($2::timestamptz, '-infinity')
  and r.last_at <= coalesce($5::timestamptz, 'infinity')
  and ($4::boolean or r.resolved_at is null)
  and not (
    r.refusal = 'amount_changed'
    and exists (
      select
      from order_payments p
      where
        p.merchant_id = r.merchant_id
        and p.order_id = r.order_id
        and p.source = r.source
        and p.transaction_id = r.transaction_id
    )
  )
  and (
    $5::timestamptz is null
    or r.last_at < $5
    or (r.merchant_id, r.order_id, r.source, r.transaction_id) > ($6, $7, $8, $9)
  )
order by r.last_at desc, r.merchant_id, r.order_id, r.source, r.transaction_id
limit $3;

-- orders.list_refused_payments_of_merchant
select
  merchant_id as "merchantId", order_id as "orderId", source, transaction_id as "transactionId", refusal,
  order_state as "orderState", amount_minor as "amountMinor", currency, tries, first_at as "firstAt",
  last_at as "lastAt", resolved_at as "resolvedAt", resolved_by as "resolvedBy", note
from refused_payments r
where
  r.merchant_id = $1::text
  and r.last_at >= coalesce($2::timestamptz, '-infinity')
  and r.last_at <= coalesce($5::timestamptz, 'infinity')
  and ($4::boolean or r.resolved_at is null)
  and not (
    r.refusal = 'amount_changed'
    and exists (
      select
      from order_payments p
      where
        p.merchant_id = r.merchant_id
        and p.order_id = r.order_id
        and p.source = r.source
        and p.transaction_id = r.transaction_id
    )
  )
  and (
    $5::timestamptz is null
    or r.last_at < $5
    or (r.merchant_id, r.order_id, r.source, r.transaction_id) > ($6, $7, $8, $9)
  )
order by r.last_at desc, r.merchant_id, r.order_id, r.source, r.transaction_id
limit $3;

-- orders.lock
select k.place::int, locked.stored
from
  unnest($1::text[], $2::text[]) with ordinality as k (merchant_id, order_id, place)
  left join lateral (
    select json_build_array(
      o.merchant_id, o.order_id, o.service_order_id::text, o.state, o.version, o.email, o.country, o.currency,
      o.amount_minor::text, o.reference, o.description, o.method, o.language, o.recurrent, o.expires_on, o.expires_at,
      o.vat_rate_ppm, o.user_document, o.user_document_type, o.user_name, o.redirect_timeout_ms, o.payments,
      o.payments_given_back, o.created_at, o.updated_at
    ) as stored
    from orders o
    where o.merchant_id = k.merchant_id and o.order_id = k.order_id
    for update of o skip locked
  ) locked on true
where
  locked.stored is not null
  or exists (select from orders o where o.merchant_id = k.merchant_id and o.order_id = k.order_id);

-- orders.move_references
update open_references r
set expires_at = k.expires_at
from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as k (reference, merchant_id, order_id, expires_at)
where r.reference = k.reference and r.merchant_id = k.merchant_id and r.order_id = k.order_id;

-- orders.read_events
select
  merchant_id as "merchantId", order_id as "orderId", version, event, actor, changed_at as "changedAt",
  request_id as "requestId", changes
from order_history
where merchant_id = $1 and order_id = $2 and version > $3
order by version
limit $4;

-- orders.read_holders
select
  reference, merchant_id as "merchantId", order_id as "orderId", expires_at as "expiresAt", ended as "isEnded",
  made as "isMade"
from open_references
where reference = any($1::text[]);

-- orders.read_newest_events
select
  merchant_id as "merchantId", order_id as "orderId", version, event, actor, changed_at as "changedAt",
  request_id as "requestId", changes
from order_history
where merchant_id = $1 and order_id = $2
order by version desc
limit $3;

-- orders.read_payer
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt"
from orders o
where o.merchant_id = $1 and o.order_id = $2;

-- orders.read_payer_history
select
  merchant_id as "merchantId", order_id as "orderId", version, event, actor, changed_at as "changedAt",
  request_id as "requestId", changes
from order_history
where merchant_id = $1 and order_id = $2
order by version;

-- orders.read_payments
select
  p.merchant_id as "merchantId", p.order_id as "orderId", p.payment_number as "paymentNumber", p.source,
  p.transaction_id as "transactionId", p.po_id as "poId", p.state, p.amount_minor as "amountMinor", p.currency,
  p.fee_minor as "feeMinor", p.tax_minor as "taxMinor", p.paid_at as "paidAt", p.given_back_at as "givenBackAt"
from order_payments p
where p.merchant_id = $1 and p.order_id = $2
order by p.payment_number;

-- orders.read_payments_by_number
select p.*
from
  unnest($1::text[], $2::text[], $3::int[]) as k (merchant_id, order_id, payment_number)
  cross join lateral (
    select
      p.merchant_id as "merchantId", p.order_id as "orderId", p.payment_number as "paymentNumber", p.source,
      p.transaction_id as "transactionId", p.po_id as "poId", p.state, p.amount_minor as "amountMinor", p.currency,
      p.fee_minor as "feeMinor", p.tax_minor as "taxMinor", p.paid_at as "paidAt", p.given_back_at as "givenBackAt"
    from order_payments p
    where
      p.merchant_id = k.merchant_id
      and p.order_id = k.order_id
      and p.payment_number = coalesce(k.payment_number, p.payment_number)
    order by p.payment_number desc
    limit 1
  ) as p;

-- orders.read_payments_by_transaction
select
  p.merchant_id as "merchantId", p.order_id as "orderId", p.payment_number as "paymentNumber", p.source,
  p.transaction_id as "transactionId", p.po_id as "poId", p.state, p.amount_minor as "amountMinor", p.currency,
  p.fee_minor as "feeMinor", p.tax_minor as "taxMinor", p.paid_at as "paidAt", p.given_back_at as "givenBackAt"
from
  unnest($1::text[], $2::text[]) as k (source, transaction_id)
  join order_transactions t on t.source = k.source and t.transaction_id = k.transaction_id
  join order_payments p on p.merchant_id = t.merchant_id
    and p.order_id = t.order_id
    and p.payment_number = t.payment_number;

-- orders.read_refused_payments
select
  merchant_id as "merchantId", order_id as "orderId", source, transaction_id as "transactionId", refusal,
  order_state as "orderState", amount_minor as "amountMinor", currency, tries, first_at as "firstAt",
  last_at as "lastAt", resolved_at as "resolvedAt", resolved_by as "resolvedBy", note
from refused_payments
where merchant_id = $1 and order_id = $2
order by last_at, source, transaction_id;

-- orders.read_updates
select place, request_id as "requestId", changes
from
  unnest($1::text[], $2::text[], $3::integer[]) with ordinality as k (merchant_id, order_id, version, place)
  join order_history h on h.merchant_id = k.merchant_id and h.order_id = k.order_id and h.version = k.version;

-- orders.record_refused_payments
with
  asked as (
    select k.*
    from unnest(
      $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[]
    ) as k (merchant_id, order_id, source, transaction_id, refusal, order_state, amount_minor, currency)
  ),
  fresh as (
    select asked.*, row_number() over (partition by source) as place
    from asked
    where
      source like 'network:%'
      and not exists (
        select
        from refused_payments r
        where (r.merchant_id, r.order_id, r.source, r.transaction_id) = (
          asked.merchant_id, asked.order_id, asked.source, asked.transaction_id
        )
      )
  ),
  today as (
    select
      source,
      (
        select count(*)
        from (
          select
          from refused_payments r
          where r.source = s.source and r.first_at >= date_trunc('day', $9::timestamptz, 'UTC')
          limit 1000
        ) r
      ) as rows
    from (select distinct source from fresh) s
  ),
  beyond as (select fresh.* from fresh join today using (source) where today.rows + fresh.place > 1000),
  counted as (
    insert into refused_payments_beyond as so_far (source, day, currency, tries, amount_minor, last_at)
    select source, ($9::timestamptz at time zone 'UTC')::date, currency, count(*), sum(amount_minor), $9
    from beyond
    group by source, currency
    order by source, currency
    on conflict (source, day, currency) do update
    set
      tries = so_far.tries + excluded.tries, amount_minor = so_far.amount_minor + excluded.amount_minor,
      last_at = excluded.last_at
  )
insert into refused_payments as kept (
  merchant_id, order_id, source, transaction_id, refusal, order_state, amount_minor, currency, tries, first_at, last_at
)
select merchant_id, order_id, source, transaction_id, refusal, order_state, amount_minor, currency, 1, $9, $9
from asked
where (merchant_id, order_id, source, transaction_id) not in (
  select merchant_id, order_id, source, transaction_id from beyond
)
order by merchant_id, order_id, source, transaction_id
on conflict (merchant_id, order_id, source, transaction_id) do update
set
  refusal = excluded.refusal, order_state = excluded.order_state, amount_minor = excluded.amount_minor,
  currency = excluded.currency, tries = kept.tries + 1, last_at = excluded.last_at, resolved_at = null,
  resolved_by = null, note = null;

-- orders.resolve_refused_payments
update refused_payments
set resolved_at = $4, resolved_by = $5, note = $6
where merchant_id = $1 and order_id = $2 and ($3::text is null or transaction_id = $3) and resolved_at is null
returning
  merchant_id as "merchantId", order_id as "orderId", source, transaction_id as "transactionId", refusal,
  order_state as "orderState", amount_minor as "amountMinor", currency, tries, first_at as "firstAt",
  last_at as "lastAt", resolved_at as "resolvedAt", resolved_by as "resolvedBy", note;

-- orders.save
update orders o
set
  version = k.version, updated_at = k.updated_at, state = coalesce(k.changed ->> 'state', o.state),
  email = coalesce(k.changed ->> 'email', o.email), country = coalesce(k.changed ->> 'country', o.country),
  currency = coalesce(k.changed ->> 'currency', o.currency),
  amount_minor = coalesce((k.changed ->> 'amount_minor')::bigint, o.amount_minor),
  reference = coalesce(k.changed ->> 'reference', o.reference),
  description = case when k.changed ? 'description' then k.changed ->> 'description' else o.description end,
  method = coalesce(k.changed ->> 'method', o.method),
  language = case when k.changed ? 'language' then k.changed ->> 'language' else o.language end,
  recurrent = coalesce((k.changed ->> 'recurrent')::bool, o.recurrent),
  expires_on = coalesce(k.expires_on, o.expires_on),
  expires_at = case when k.changed ? 'expires_at' then k.expires_at else o.expires_at end,
  vat_rate_ppm = case when k.changed ? 'vat_rate_ppm' then (k.changed ->> 'vat_rate_ppm')::int else o.vat_rate_ppm end,
  user_document = case when k.changed ? 'user_document' then k.changed ->> 'user_document' else o.user_document end,
  user_document_type = case
    when k.changed ? 'user_document_type' then k.changed ->> 'user_document_type'
    else o.user_document_type end,
  user_name = case when k.changed ? 'user_name' then k.changed ->> 'user_name' else o.user_name end,
  redirect_timeout_ms = case
    when k.changed ? 'redirect_timeout_ms' then (k.changed ->> 'redirect_timeout_ms')::int
    else o.redirect_timeout_ms end,
  payments = coalesce((k.changed ->> 'payments')::int, o.payments),
  payments_given_back = coalesce((k.changed ->> 'payments_given_back')::int, o.payments_given_back)
from jsonb_to_recordset($1::jsonb) as k (
  merchant_id text, order_id text, version int, updated_at timestamptz, expires_on date, expires_at timestamptz,
  changed jsonb
)
where o.merchant_id = k.merchant_id and o.order_id = k.order_id;

-- orders.save_amount_minor
update orders o
set version = k.version, updated_at = k.updated_at, amount_minor = (k.changed ->> 'amount_minor')::bigint
from jsonb_to_recordset($1::jsonb) as k (
  merchant_id text, order_id text, version int, updated_at timestamptz, changed jsonb
)
where o.merchant_id = k.merchant_id and o.order_id = k.order_id;

-- orders.search_beginning_of_all
with searched as materialized (
  with recursive found as (
    (select merchant_id from orders order by merchant_id limit 1)
    union all
    select (select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1)
    from found
    where found.merchant_id is not null
  )
  select merchant_id
  from found
  where merchant_id is not null
) (
  select
    'orderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.order_id = $1::text as whole
        from orders as o
        where o.merchant_id = k.merchant_id and o.order_id >= $1::text and o.order_id < $1::text || chr(1114111)
        order by o.order_id
        limit $2::bigint
      ) as o
    limit $2::bigint
  ) as o
)
union all
(
  select
    'reference' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.reference = $3::text as whole
        from orders as o
        where o.merchant_id = k.merchant_id and o.reference >= $3::text and o.reference < $3::text || chr(1114111)
        order by o.reference
        limit $2::bigint
      ) as o
    limit $2::bigint
  ) as o
)
union all
(
  select
    'serviceOrderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.service_order_id = $4::bigint as whole
        from orders as o
        where o.merchant_id = k.merchant_id and o.service_order_id = $4::bigint
        order by o.service_order_id
        limit $2::bigint
      ) as o
    limit $2::bigint
  ) as o
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, t.transaction_id = $5::text as whole
        from order_transactions as t join orders as o on o.merchant_id = t.merchant_id and o.order_id = t.order_id
        where
          t.merchant_id = k.merchant_id
          and t.transaction_id >= $5::text
          and t.transaction_id < $5::text || chr(1114111)
        order by t.transaction_id
        limit $2::bigint
      ) as o
    limit $2::bigint
  ) as o
)
union all
(
  select
    'email' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, lower(o.email collate "C") = lower($6::text collate "C") as whole
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and lower(o.email collate "C") >= lower($6::text collate "C")
          and lower(o.email collate "C") < lower($6::text collate "C") || chr(1114111)
        order by lower(o.email collate "C")
        limit $2::bigint
      ) as o
    limit $2::bigint
  ) as o
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") = $7::text as whole
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.user_document is not null
          and (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") >= $7::text
          and (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") < $7::text || chr(1114111)
        order by (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C")
        limit $2::bigint
      ) as o
    limit $2::bigint
  ) as o
)
union all
(
  select
    'referenceEnd' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, reverse(o.reference) = reverse($8::text) as whole
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and reverse(o.reference) > reverse($8::text)
          and reverse(o.reference) < reverse($8::text) || chr(1114111)
        order by reverse(o.reference)
        limit $2::bigint
      ) as o
    limit $2::bigint
  ) as o
);

-- orders.search_beginning_of_one
with searched as materialized (select $1::text as merchant_id) (
  select
    'orderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.order_id = $2::text as whole
        from orders as o
        where o.merchant_id = k.merchant_id and o.order_id >= $2::text and o.order_id < $2::text || chr(1114111)
        order by o.order_id
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'reference' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.reference = $4::text as whole
        from orders as o
        where o.merchant_id = k.merchant_id and o.reference >= $4::text and o.reference < $4::text || chr(1114111)
        order by o.reference
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'serviceOrderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.service_order_id = $5::bigint as whole
        from orders as o
        where o.merchant_id = k.merchant_id and o.service_order_id = $5::bigint
        order by o.service_order_id
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, t.transaction_id = $6::text as whole
        from order_transactions as t join orders as o on o.merchant_id = t.merchant_id and o.order_id = t.order_id
        where
          t.merchant_id = k.merchant_id
          and t.transaction_id >= $6::text
          and t.transaction_id < $6::text || chr(1114111)
        order by t.transaction_id
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'email' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, lower(o.email collate "C") = lower($7::text collate "C") as whole
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and lower(o.email collate "C") >= lower($7::text collate "C")
          and lower(o.email collate "C") < lower($7::text collate "C") || chr(1114111)
        order by lower(o.email collate "C")
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") = $8::text as whole
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.user_document is not null
          and (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") >= $8::text
          and (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") < $8::text || chr(1114111)
        order by (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C")
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'referenceEnd' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, reverse(o.reference) = reverse($9::text) as whole
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and reverse(o.reference) > reverse($9::text)
          and reverse(o.reference) < reverse($9::text) || chr(1114111)
        order by reverse(o.reference)
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
);

-- orders.search_filtered_beginning_of_all
with searched as materialized (
  with recursive found as (
    (select merchant_id from orders order by merchant_id limit 1)
    union all
    select (select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1)
    from found
    where found.merchant_id is not null
  )
  select merchant_id
  from found
  where merchant_id is not null
) (
  select
    'orderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $1::bigint as stops
  from (
    select
      o.*,
      (
        ($2::text is null or o.merchant_id = $2::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.order_id = $22::text as whole
          from orders as o
          where o.merchant_id = k.merchant_id and o.order_id >= $22::text and o.order_id < $22::text || chr(1114111)
          order by o.order_id
          limit $1::bigint
        ) as o
      limit $1::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $1::bigint
  limit $23::bigint
)
union all
(
  select
    'reference' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $1::bigint as stops
  from (
    select
      o.*,
      (
        ($2::text is null or o.merchant_id = $2::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.reference = $24::text as whole
          from orders as o
          where o.merchant_id = k.merchant_id and o.reference >= $24::text and o.reference < $24::text || chr(1114111)
          order by o.reference
          limit $1::bigint
        ) as o
      limit $1::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $1::bigint
  limit $23::bigint
)
union all
(
  select
    'serviceOrderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $1::bigint as stops
  from (
    select
      o.*,
      (
        ($2::text is null or o.merchant_id = $2::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.service_order_id = $25::bigint as whole
          from orders as o
          where o.merchant_id = k.merchant_id and o.service_order_id = $25::bigint
          order by o.service_order_id
          limit $1::bigint
        ) as o
      limit $1::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $1::bigint
  limit $23::bigint
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $1::bigint as stops
  from (
    select
      o.*,
      (
        ($2::text is null or o.merchant_id = $2::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, t.transaction_id = $26::text as whole
          from order_transactions as t join orders as o on o.merchant_id = t.merchant_id and o.order_id = t.order_id
          where
            t.merchant_id = k.merchant_id
            and t.transaction_id >= $26::text
            and t.transaction_id < $26::text || chr(1114111)
          order by t.transaction_id
          limit $1::bigint
        ) as o
      limit $1::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $1::bigint
  limit $23::bigint
)
union all
(
  select
    'email' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $1::bigint as stops
  from (
    select
      o.*,
      (
        ($2::text is null or o.merchant_id = $2::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, lower(o.email collate "C") = lower($27::text collate "C") as whole
          from orders as o
          where
            o.merchant_id = k.merchant_id
            and lower(o.email collate "C") >= lower($27::text collate "C")
            and lower(o.email collate "C") < lower($27::text collate "C") || chr(1114111)
          order by lower(o.email collate "C")
          limit $1::bigint
        ) as o
      limit $1::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $1::bigint
  limit $23::bigint
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $1::bigint as stops
  from (
    select
      o.*,
      (
        ($2::text is null or o.merchant_id = $2::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") = $28::text as whole
          from orders as o
          where
            o.merchant_id = k.merchant_id
            and o.user_document is not null
            and (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") >= $28::text
            and (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") < $28::text || chr(1114111)
          order by (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C")
          limit $1::bigint
        ) as o
      limit $1::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $1::bigint
  limit $23::bigint
)
union all
(
  select
    'referenceEnd' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $1::bigint as stops
  from (
    select
      o.*,
      (
        ($2::text is null or o.merchant_id = $2::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, reverse(o.reference) = reverse($29::text) as whole
          from orders as o
          where
            o.merchant_id = k.merchant_id
            and reverse(o.reference) > reverse($29::text)
            and reverse(o.reference) < reverse($29::text) || chr(1114111)
          order by reverse(o.reference)
          limit $1::bigint
        ) as o
      limit $1::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $1::bigint
  limit $23::bigint
);

-- orders.search_filtered_beginning_of_one
with searched as materialized (select $1::text as merchant_id) (
  select
    'orderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.order_id = $22::text as whole
          from orders as o
          where o.merchant_id = k.merchant_id and o.order_id >= $22::text and o.order_id < $22::text || chr(1114111)
          order by o.order_id
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $23::bigint
)
union all
(
  select
    'reference' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.reference = $24::text as whole
          from orders as o
          where o.merchant_id = k.merchant_id and o.reference >= $24::text and o.reference < $24::text || chr(1114111)
          order by o.reference
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $23::bigint
)
union all
(
  select
    'serviceOrderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.service_order_id = $25::bigint as whole
          from orders as o
          where o.merchant_id = k.merchant_id and o.service_order_id = $25::bigint
          order by o.service_order_id
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $23::bigint
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, t.transaction_id = $26::text as whole
          from order_transactions as t join orders as o on o.merchant_id = t.merchant_id and o.order_id = t.order_id
          where
            t.merchant_id = k.merchant_id
            and t.transaction_id >= $26::text
            and t.transaction_id < $26::text || chr(1114111)
          order by t.transaction_id
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $23::bigint
)
union all
(
  select
    'email' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, lower(o.email collate "C") = lower($27::text collate "C") as whole
          from orders as o
          where
            o.merchant_id = k.merchant_id
            and lower(o.email collate "C") >= lower($27::text collate "C")
            and lower(o.email collate "C") < lower($27::text collate "C") || chr(1114111)
          order by lower(o.email collate "C")
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $23::bigint
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") = $28::text as whole
          from orders as o
          where
            o.merchant_id = k.merchant_id
            and o.user_document is not null
            and (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") >= $28::text
            and (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") < $28::text || chr(1114111)
          order by (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C")
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $23::bigint
)
union all
(
  select
    'referenceEnd' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, reverse(o.reference) = reverse($29::text) as whole
          from orders as o
          where
            o.merchant_id = k.merchant_id
            and reverse(o.reference) > reverse($29::text)
            and reverse(o.reference) < reverse($29::text) || chr(1114111)
          order by reverse(o.reference)
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $23::bigint
);

-- orders.search_filtered_whole_of_all
with searched as materialized (
  with recursive found as (
    (select merchant_id from orders order by merchant_id limit 1)
    union all
    select (select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1)
    from found
    where found.merchant_id is not null
  )
  select merchant_id
  from found
  where merchant_id is not null
) (
  select
    'orderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $1::bigint as stops
  from (
    select
      o.*,
      (
        ($2::text is null or o.merchant_id = $2::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.order_id = $22::text as whole
          from orders as o
          where o.merchant_id = k.merchant_id and o.order_id = $22::text
          order by o.order_id
          limit $1::bigint
        ) as o
      limit $1::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $1::bigint
  limit $23::bigint
)
union all
(
  select
    'reference' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $1::bigint as stops
  from (
    select
      o.*,
      (
        ($2::text is null or o.merchant_id = $2::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.reference = $24::text as whole
          from orders as o
          where o.merchant_id = k.merchant_id and o.reference = $24::text
          order by o.service_order_id desc
          limit $1::bigint
        ) as o
      limit $1::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $1::bigint
  limit $23::bigint
)
union all
(
  select
    'serviceOrderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $1::bigint as stops
  from (
    select
      o.*,
      (
        ($2::text is null or o.merchant_id = $2::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.service_order_id = $25::bigint as whole
          from orders as o
          where o.merchant_id = k.merchant_id and o.service_order_id = $25::bigint
          order by o.service_order_id
          limit $1::bigint
        ) as o
      limit $1::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $1::bigint
  limit $23::bigint
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $1::bigint as stops
  from (
    select
      o.*,
      (
        ($2::text is null or o.merchant_id = $2::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, t.transaction_id = $26::text as whole
          from order_transactions as t join orders as o on o.merchant_id = t.merchant_id and o.order_id = t.order_id
          where t.merchant_id = k.merchant_id and t.transaction_id = $26::text
          order by t.transaction_id
          limit $1::bigint
        ) as o
      limit $1::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $1::bigint
  limit $23::bigint
)
union all
(
  select
    'email' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $1::bigint as stops
  from (
    select
      o.*,
      (
        ($2::text is null or o.merchant_id = $2::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, lower(o.email collate "C") = lower($27::text collate "C") as whole
          from orders as o
          where o.merchant_id = k.merchant_id and lower(o.email collate "C") = lower($27::text collate "C")
          order by o.created_at desc, o.service_order_id desc
          limit $1::bigint
        ) as o
      limit $1::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $1::bigint
  limit $23::bigint
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $1::bigint as stops
  from (
    select
      o.*,
      (
        ($2::text is null or o.merchant_id = $2::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") = $28::text as whole
          from orders as o
          where
            o.merchant_id = k.merchant_id
            and o.user_document is not null
            and (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") = $28::text
          order by o.created_at desc, o.service_order_id desc
          limit $1::bigint
        ) as o
      limit $1::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $1::bigint
  limit $23::bigint
);

-- orders.search_filtered_whole_of_one
with searched as materialized (select $1::text as merchant_id) (
  select
    'orderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.order_id = $22::text as whole
          from orders as o
          where o.merchant_id = k.merchant_id and o.order_id = $22::text
          order by o.order_id
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $23::bigint
)
union all
(
  select
    'reference' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.reference = $24::text as whole
          from orders as o
          where o.merchant_id = k.merchant_id and o.reference = $24::text
          order by o.service_order_id desc
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $23::bigint
)
union all
(
  select
    'serviceOrderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, o.service_order_id = $25::bigint as whole
          from orders as o
          where o.merchant_id = k.merchant_id and o.service_order_id = $25::bigint
          order by o.service_order_id
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $23::bigint
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, t.transaction_id = $26::text as whole
          from order_transactions as t join orders as o on o.merchant_id = t.merchant_id and o.order_id = t.order_id
          where t.merchant_id = k.merchant_id and t.transaction_id = $26::text
          order by t.transaction_id
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $23::bigint
)
union all
(
  select
    'email' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, lower(o.email collate "C") = lower($27::text collate "C") as whole
          from orders as o
          where o.merchant_id = k.merchant_id and lower(o.email collate "C") = lower($27::text collate "C")
          order by o.created_at desc, o.service_order_id desc
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $23::bigint
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", o.fits, o.walked = $2::bigint as stops
  from (
    select
      o.*,
      (
        ($1::text is null or o.merchant_id = $1::text)
        and (
          $3::text[] is null
          or case
            when o.state = 'pending' and o.expires_at <= $4::timestamptz then 'expired'
            else o.state end = any ($3::text[])
        )
        and ($5::text is null or lower(o.email collate "C") = lower($5::text collate "C"))
        and ($6::text is null or o.reference = $6::text)
        and ($7::text is null or o.order_id = $7::text)
        and ($8::bigint is null or o.service_order_id = $8::bigint)
        and (
          $9::text is null
          or (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($9::text, '[[:space:].,/_-]', '', 'g') collate "C")
        )
        and ($10::text is null or o.currency = $10::text)
        and ($11::bigint is null or o.amount_minor >= $11::bigint)
        and ($12::bigint is null or o.amount_minor <= $12::bigint)
        and ($13::timestamptz is null or o.created_at >= $13::timestamptz)
        and ($14::timestamptz is null or o.created_at < $14::timestamptz)
        and ($15::timestamptz is null or o.updated_at >= $15::timestamptz)
        and ($16::timestamptz is null or o.updated_at < $16::timestamptz)
        and (
          $17::boolean is null
          or exists (
            select
            from order_payments p
            where
              p.merchant_id = o.merchant_id
              and p.order_id = o.order_id
              and ($18::timestamptz is null or p.paid_at >= $18::timestamptz)
              and ($19::timestamptz is null or p.paid_at < $19::timestamptz)
              and ($20::text is null or p.source = 'network:' || $20::text)
              and ($21::text is null or p.transaction_id = $21::text)
          )
        )
      ) as fits,
      row_number() over () as walked
    from (
      select o.*
      from
        searched as k
        cross join lateral (
          select o.*, (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") = $28::text as whole
          from orders as o
          where
            o.merchant_id = k.merchant_id
            and o.user_document is not null
            and (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") = $28::text
          order by o.created_at desc, o.service_order_id desc
          limit $2::bigint
        ) as o
      limit $2::bigint
    ) as o
  ) as o
  where o.fits or o.walked = $2::bigint
  limit $23::bigint
);

-- orders.search_whole_of_all
with searched as materialized (
  with recursive found as (
    (select merchant_id from orders order by merchant_id limit 1)
    union all
    select (select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1)
    from found
    where found.merchant_id is not null
  )
  select merchant_id
  from found
  where merchant_id is not null
) (
  select
    'orderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.order_id = $1::text as whole
        from orders as o
        where o.merchant_id = k.merchant_id and o.order_id = $1::text
        order by o.order_id
        limit $2::bigint
      ) as o
    limit $2::bigint
  ) as o
)
union all
(
  select
    'reference' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.reference = $3::text as whole
        from orders as o
        where o.merchant_id = k.merchant_id and o.reference = $3::text
        order by o.service_order_id desc
        limit $2::bigint
      ) as o
    limit $2::bigint
  ) as o
)
union all
(
  select
    'serviceOrderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.service_order_id = $4::bigint as whole
        from orders as o
        where o.merchant_id = k.merchant_id and o.service_order_id = $4::bigint
        order by o.service_order_id
        limit $2::bigint
      ) as o
    limit $2::bigint
  ) as o
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, t.transaction_id = $5::text as whole
        from order_transactions as t join orders as o on o.merchant_id = t.merchant_id and o.order_id = t.order_id
        where t.merchant_id = k.merchant_id and t.transaction_id = $5::text
        order by t.transaction_id
        limit $2::bigint
      ) as o
    limit $2::bigint
  ) as o
)
union all
(
  select
    'email' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, lower(o.email collate "C") = lower($6::text collate "C") as whole
        from orders as o
        where o.merchant_id = k.merchant_id and lower(o.email collate "C") = lower($6::text collate "C")
        order by o.created_at desc, o.service_order_id desc
        limit $2::bigint
      ) as o
    limit $2::bigint
  ) as o
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") = $7::text as whole
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.user_document is not null
          and (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") = $7::text
        order by o.created_at desc, o.service_order_id desc
        limit $2::bigint
      ) as o
    limit $2::bigint
  ) as o
);

-- orders.search_whole_of_one
with searched as materialized (select $1::text as merchant_id) (
  select
    'orderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.order_id = $2::text as whole
        from orders as o
        where o.merchant_id = k.merchant_id and o.order_id = $2::text
        order by o.order_id
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'reference' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.reference = $4::text as whole
        from orders as o
        where o.merchant_id = k.merchant_id and o.reference = $4::text
        order by o.service_order_id desc
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'serviceOrderId' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, o.service_order_id = $5::bigint as whole
        from orders as o
        where o.merchant_id = k.merchant_id and o.service_order_id = $5::bigint
        order by o.service_order_id
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'transaction' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, t.transaction_id = $6::text as whole
        from order_transactions as t join orders as o on o.merchant_id = t.merchant_id and o.order_id = t.order_id
        where t.merchant_id = k.merchant_id and t.transaction_id = $6::text
        order by t.transaction_id
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'email' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, lower(o.email collate "C") = lower($7::text collate "C") as whole
        from orders as o
        where o.merchant_id = k.merchant_id and lower(o.email collate "C") = lower($7::text collate "C")
        order by o.created_at desc, o.service_order_id desc
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
)
union all
(
  select
    'document' as field, o.whole, o.merchant_id as "merchantId", o.order_id as "orderId",
    o.service_order_id as "serviceOrderId", o.state, o.email, o.currency, o.amount_minor as "amountMinor", o.reference,
    o.expires_at as "expiresAt", o.created_at as "createdAt", true as fits, false as stops
  from (
    select o.*
    from
      searched as k
      cross join lateral (
        select o.*, (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") = $8::text as whole
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.user_document is not null
          and (regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C") = $8::text
        order by o.created_at desc, o.service_order_id desc
        limit $3::bigint
      ) as o
    limit $3::bigint
  ) as o
);

-- orders.sum_all_of_all
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.service_order_id > 0
          and (o.created_at, o.service_order_id) < (
            coalesce($21::timestamptz, 'infinity'), coalesce($22::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_all_of_one
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select $2::text as merchant_id) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.service_order_id <> 0
          and (o.created_at, o.service_order_id) < (
            coalesce($21::timestamptz, 'infinity'), coalesce($22::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_document_of_all
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (
        with recursive found as (
          (select merchant_id from orders order by merchant_id limit 1)
          union all
          select (
            select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
          )
          from found
          where found.merchant_id is not null
        )
        select merchant_id
        from found
        where merchant_id is not null
      ) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.user_document is not null
          and (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
          and (o.created_at, o.service_order_id) < (
            coalesce($21::timestamptz, 'infinity'), coalesce($22::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_document_of_one
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select $2::text as merchant_id) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.user_document is not null
          and (
            regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
          ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
          and (o.created_at, o.service_order_id) < (
            coalesce($21::timestamptz, 'infinity'), coalesce($22::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_email_of_all
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (
        with recursive found as (
          (select merchant_id from orders order by merchant_id limit 1)
          union all
          select (
            select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
          )
          from found
          where found.merchant_id is not null
        )
        select merchant_id
        from found
        where merchant_id is not null
      ) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and lower(o.email collate "C") = lower($4::text collate "C")
          and (o.created_at, o.service_order_id) < (
            coalesce($21::timestamptz, 'infinity'), coalesce($22::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_email_of_one
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select $2::text as merchant_id) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and lower(o.email collate "C") = lower($4::text collate "C")
          and (o.created_at, o.service_order_id) < (
            coalesce($21::timestamptz, 'infinity'), coalesce($22::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_orderId_of_all
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (
        with recursive found as (
          (select merchant_id from orders order by merchant_id limit 1)
          union all
          select (
            select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
          )
          from found
          where found.merchant_id is not null
        )
        select merchant_id
        from found
        where merchant_id is not null
      ) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.order_id = $6::text
          and (o.created_at, o.service_order_id) < (
            coalesce($21::timestamptz, 'infinity'), coalesce($22::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_orderId_of_one
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select $2::text as merchant_id) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.order_id = $6::text
          and (o.created_at, o.service_order_id) < (
            coalesce($21::timestamptz, 'infinity'), coalesce($22::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_reference_of_all
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (
        with recursive found as (
          (select merchant_id from orders order by merchant_id limit 1)
          union all
          select (
            select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
          )
          from found
          where found.merchant_id is not null
        )
        select merchant_id
        from found
        where merchant_id is not null
      ) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.reference = $5::text
          and (o.created_at, o.service_order_id) < (
            coalesce($21::timestamptz, 'infinity'), coalesce($22::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_reference_of_one
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select $2::text as merchant_id) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.reference = $5::text
          and (o.created_at, o.service_order_id) < (
            coalesce($21::timestamptz, 'infinity'), coalesce($22::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_serviceOrderId_of_all
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.service_order_id = $7::bigint
          and (o.created_at, o.service_order_id) < (
            coalesce($21::timestamptz, 'infinity'), coalesce($22::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_serviceOrderId_of_one
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.service_order_id = $7::bigint
          and (o.created_at, o.service_order_id) < (
            coalesce($21::timestamptz, 'infinity'), coalesce($22::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_states_of_all
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (
        select m.merchant_id, s.state
        from
          (
            with recursive found as (
              (select merchant_id from orders order by merchant_id limit 1)
              union all
              select (
                select o.merchant_id
                from orders o
                where o.merchant_id > found.merchant_id
                order by o.merchant_id
                limit 1
              )
              from found
              where found.merchant_id is not null
            )
            select merchant_id
            from found
            where merchant_id is not null
          ) as m,
          unnest($21::text[]) as s (state)
      ) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.state = k.state
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $24::bigint
      ) as o
    limit $24::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_states_of_one
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select m.merchant_id, s.state from (select $2::text as merchant_id) as m, unnest($21::text[]) as s (state)) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.state = k.state
          and (o.created_at, o.service_order_id) < (
            coalesce($22::timestamptz, 'infinity'), coalesce($23::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $24::bigint
      ) as o
    limit $24::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_transaction_of_all
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (
        with recursive found as (
          (select merchant_id from orders order by merchant_id limit 1)
          union all
          select (
            select o.merchant_id from orders o where o.merchant_id > found.merchant_id order by o.merchant_id limit 1
          )
          from found
          where found.merchant_id is not null
        )
        select merchant_id
        from found
        where merchant_id is not null
      ) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.order_id in (
            select t.order_id
            from order_transactions t
            where t.merchant_id = k.merchant_id and t.transaction_id = $20::text
          )
          and (o.created_at, o.service_order_id) < (
            coalesce($21::timestamptz, 'infinity'), coalesce($22::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.sum_transaction_of_one
select
  case when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired' else o.state end as state,
  o.currency, count(*) filter (where o.fits) as count,
  coalesce(sum(o.amount_minor) filter (where o.fits), 0)::text as "amountMinor", count(*) as walked
from (
  select
    o.*,
    (
      ($2::text is null or o.merchant_id = $2::text)
      and (
        $3::text[] is null
        or case
          when o.state = 'pending' and o.expires_at <= $1::timestamptz then 'expired'
          else o.state end = any ($3::text[])
      )
      and ($4::text is null or lower(o.email collate "C") = lower($4::text collate "C"))
      and ($5::text is null or o.reference = $5::text)
      and ($6::text is null or o.order_id = $6::text)
      and ($7::bigint is null or o.service_order_id = $7::bigint)
      and (
        $8::text is null
        or (
          regexp_replace(o.user_document, '[[:space:].,/_-]', '', 'g') collate "C"
        ) = (regexp_replace($8::text, '[[:space:].,/_-]', '', 'g') collate "C")
      )
      and ($9::text is null or o.currency = $9::text)
      and ($10::bigint is null or o.amount_minor >= $10::bigint)
      and ($11::bigint is null or o.amount_minor <= $11::bigint)
      and ($12::timestamptz is null or o.created_at >= $12::timestamptz)
      and ($13::timestamptz is null or o.created_at < $13::timestamptz)
      and ($14::timestamptz is null or o.updated_at >= $14::timestamptz)
      and ($15::timestamptz is null or o.updated_at < $15::timestamptz)
      and (
        $16::boolean is null
        or exists (
          select
          from order_payments p
          where
            p.merchant_id = o.merchant_id
            and p.order_id = o.order_id
            and ($17::timestamptz is null or p.paid_at >= $17::timestamptz)
            and ($18::timestamptz is null or p.paid_at < $18::timestamptz)
            and ($19::text is null or p.source = 'network:' || $19::text)
            and ($20::text is null or p.transaction_id = $20::text)
        )
      )
    ) as fits
  from (
    select o.*
    from
      (select $2::text as merchant_id) as k
      cross join lateral (
        select o.*
        from orders as o
        where
          o.merchant_id = k.merchant_id
          and o.order_id in (
            select t.order_id
            from order_transactions t
            where t.merchant_id = k.merchant_id and t.transaction_id = $20::text
          )
          and (o.created_at, o.service_order_id) < (
            coalesce($21::timestamptz, 'infinity'), coalesce($22::bigint, 9223372036854775807)
          )
          and o.created_at >= coalesce($12::timestamptz, '-infinity')
          and o.created_at < coalesce($13::timestamptz, 'infinity')
        order by o.created_at desc, o.service_order_id desc
        limit $23::bigint
      ) as o
    limit $23::bigint
  ) as o
) as o
group by 1, 2
order by 1, 2;

-- orders.take_id_starts
insert into order_id_starts (merchant_id, start, recurrent)
select merchant_id, start, recurrent
from unnest($1::text[], $2::text[], $3::boolean[]) as k (merchant_id, start, recurrent)
order by merchant_id collate "C", start collate "C";

-- orders.take_references
insert into open_references (reference, merchant_id, order_id, expires_at, made)
select *
from unnest(
  $1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::boolean[]
) as k (reference, merchant_id, order_id, expires_at, made)
order by reference;

-- orders.verify_digests
select
  merchant_id as "merchantId", order_id as id,
  'has another actor, time or request in version ' || version || ' of its history than was written' as problem
from order_history h
where
  digest is not null
  and digest is distinct from hashtextextended(
    h.event || ' ' || h.actor || ' ' || coalesce(h.request_id, '') || ' ' || extract(epoch from h.changed_at)::text, 0
  )
limit 1;

-- orders.verify_events
select
  merchant_id as "merchantId", order_id as "orderId", version, event, actor, changed_at as "changedAt",
  request_id as "requestId", changes
from order_history
order by merchant_id, order_id, version;

-- orders.verify_fees
select
  merchant_id as "merchantId", id,
  'has a fee and a tax that no terms of its merchant explain: ' || fee_minor || ' and ' || tax_minor as problem
from (select merchant_id, order_id as id, currency, amount_minor, fee_minor, tax_minor from order_payments) as charged
where not exists (
  select
  from
    (
      select percent_ppm, fixed_minor, tax_ppm
      from merchant_fees t
      where t.merchant_id = charged.merchant_id and t.operation_kind = $1 and t.currency = charged.currency
      union all
      select 0, 0, 0
    ) as terms
    cross join lateral (
      select div(charged.amount_minor::numeric * terms.percent_ppm + 500000, 1000000) + terms.fixed_minor as minor
    ) as fee
  where fee.minor = charged.fee_minor and div(fee.minor::numeric * terms.tax_ppm + 500000, 1000000) = charged.tax_minor
)
limit 1;

-- orders.verify_free_references
select
  r.merchant_id as "merchantId", r.order_id as id,
  'holds a reference that is not that of an open order: ' || r.reference as problem
from open_references r left join orders o on o.merchant_id = r.merchant_id and o.order_id = r.order_id
where o.order_id is null or (not r.ended and (o.state not in ('pending', 'expired') or o.reference <> r.reference))
limit 1;

-- orders.verify_held_references
select
  o.merchant_id as "merchantId", o.order_id as id,
  'is open but does not hold its reference until it expires' as problem
from
  orders o
  left join open_references r on r.reference = o.reference
    and r.merchant_id = o.merchant_id
    and r.order_id = o.order_id
where
  o.state = 'pending'
  and (o.expires_at is null or o.expires_at > $1)
  and (r.reference is null or r.ended or r.expires_at is distinct from o.expires_at)
limit 1;

-- orders.verify_money
select
  p.merchant_id as "merchantId", p.order_id as "orderId", p.payment_number as "paymentNumber", p.source,
  p.transaction_id as "transactionId", p.po_id as "poId", p.state, p.amount_minor as "amountMinor", p.currency,
  p.fee_minor as "feeMinor", p.tax_minor as "taxMinor", p.paid_at as "paidAt", p.given_back_at as "givenBackAt"
from order_payments p
order by p.merchant_id, p.order_id, p.payment_number;

-- orders.verify_orders
select
  o.merchant_id as "merchantId", o.order_id as "orderId", o.service_order_id as "serviceOrderId", o.state, o.version,
  o.email, o.country, o.currency, o.amount_minor as "amountMinor", o.reference, o.description, o.method, o.language,
  o.recurrent, o.expires_on as "expiresOn", o.expires_at as "expiresAt", o.vat_rate_ppm as "vatRatePpm",
  o.user_document as "userDocument", o.user_document_type as "userDocumentType", o.user_name as "userName",
  o.redirect_timeout_ms as "redirectTimeoutMs", o.payments, o.payments_given_back as "paymentsGivenBack",
  o.created_at as "createdAt", o.updated_at as "updatedAt"
from orders o
order by o.merchant_id, o.order_id;

-- orders.verify_payments
select
  merchant_id as "merchantId",
  order_id as id, case
    when o.order_id is null then 'has payments but is not stored'
    when o.payments <> coalesce(p.payments, 0)
      or o.payments <> coalesce(p.newest, 0) then 'counts '
        || o.payments || ' payments, has ' || coalesce(p.payments, 0) || ' up to number ' || coalesce(p.newest, 0)
    when o.payments_given_back <> coalesce(p.given_back, 0) then 'counts '
      || o.payments_given_back || ' payments given back, has ' || coalesce(p.given_back, 0)
    else 'is ' || o.state || ', its last payment ' || coalesce(p.newest_state, 'none') end as problem
from
  orders o full
  join (
    select
      merchant_id, order_id, count(*) as payments, max(payment_number) as newest,
      count(*) filter (where state <> 'paid') as given_back,
      (array_agg(state order by payment_number desc))[1] as newest_state
    from order_payments
    group by merchant_id, order_id
  ) as p using (merchant_id, order_id)
where
  o.order_id is null
  or o.payments <> coalesce(p.payments, 0)
  or o.payments <> coalesce(p.newest, 0)
  or o.payments_given_back <> coalesce(p.given_back, 0)
  or (o.state = 'approved' and p.newest_state is distinct from 'paid')
  or (o.state = 'voided' and coalesce(p.newest_state, 'paid') = 'paid')
limit 1;

-- orders.verify_po_ids
select
  p.merchant_id as "merchantId", p.order_id as id,
  'has payment ' || p.payment_number || ' under the id ' || p.po_id as problem
from
  order_payments p
  left join order_history h on h.merchant_id = p.merchant_id
    and h.order_id = p.order_id
    and h.event = 'order.paid'
    and h.changed_at = p.paid_at
    and h.actor = p.source
    and coalesce((h.changes -> 'payments' ->> 1)::int, p.payment_number) = p.payment_number
where
  h.order_id is null
  or (p.state = 'paid') is distinct from (p.given_back_at is null)
  or p.po_id <> case when h.changes ? 'state' then p.order_id else p.order_id || '_' || p.payment_number end
limit 1;

-- orders.verify_transactions
select
  coalesce(p.merchant_id, t.merchant_id) as "merchantId",
  coalesce(p.order_id, t.order_id) as id, case
    when t.source is null then 'has payment '
      || p.payment_number || ' under a transaction that does not name it: ' || p.source || ' ' || p.transaction_id
    else 'lacks payment '
      || t.payment_number || ' of the transaction ' || t.source || ' ' || t.transaction_id end as problem
from
  order_payments p full
  join order_transactions t on t.source = p.source
    and t.transaction_id = p.transaction_id
    and t.merchant_id = p.merchant_id
    and t.order_id = p.order_id
    and t.payment_number = p.payment_number
where p.order_id is null or t.source is null
limit 1;

-- orders.version_of
select version from orders where merchant_id = $1 and order_id = $2;

-- orders.walk_former_terms
select f.merchant_id as "merchantId", f.order_id as "orderId", f.terms, o.state <> 'pending' as "isDue"
from
  (
    select *
    from former_terms
    where (merchant_id, order_id, terms) > ($1, $2, $3)
    order by merchant_id, order_id, terms
    limit 1000
  ) as f
  join orders o on o.merchant_id = f.merchant_id and o.order_id = f.order_id
order by f.merchant_id, f.order_id, f.terms;

-- orders.walk_old_payers
select
  service_order_id as place, merchant_id as "merchantId", order_id as id, created_at < $2 as "isOld",
  state <> 'pending' and updated_at < $2 and email not like 'erased-%' as "isDue"
from orders
where service_order_id > $1
order by service_order_id
limit 1000;

-- people.record_erasure
insert into erasures as kept (pseudonym, kind, erased, erased_at)
values ($1, $2, $3, $4)
on conflict (pseudonym, kind) do update
set erased = kept.erased + excluded.erased, erased_at = excluded.erased_at;

-- requests.bind_network_proof
insert into network_proofs as kept (network_id, proof, used_for, forget_at)
values ($1, $2, $3, $4)
on conflict (network_id, proof) do update
set forget_at = greatest(kept.forget_at, excluded.forget_at)
returning used_for as "usedFor";

-- requests.count_processes
select count(*)::integer as processes
from pg_stat_activity
where datname = current_database() and application_name = 'caudal request log';

-- requests.erase_kept_answers
delete from kept_answers
where (merchant_id, operation || ' ' || idempotency_key) in (select * from unnest($1::text[], $2::text[]))
returning merchant_id as "merchantId", operation || ' ' || idempotency_key as id;

-- requests.find_kept_answers
select wanted.place::int as place, fingerprint, sealed
from
  unnest($1::text[], $2::text[], $3::text[]) with ordinality as wanted (merchant_id, operation, idempotency_key, place)
  join kept_answers kept on kept.merchant_id = wanted.merchant_id
    and kept.operation = wanted.operation
    and kept.idempotency_key = wanted.idempotency_key;

-- requests.find_spent_proofs
select merchant_id as "merchantId", encode(proof, 'hex') as proof
from spent_proofs
where (merchant_id, proof) in (
  select merchant_id, proof from unnest($1::text[], $2::bytea[]) as wanted (merchant_id, proof)
);

-- requests.forget_answers
delete from kept_answers
where (merchant_id, operation, idempotency_key) in (
  select merchant_id, operation, idempotency_key
  from kept_answers
  where kept_at < $1
  order by kept_at
  limit 1000
  for update skip locked
)
returning 1;

-- requests.forget_network_proofs
delete from network_proofs
where (network_id, proof) in (
  select network_id, proof
  from network_proofs
  where forget_at < $1
  order by forget_at
  limit 1000
  for update skip locked
)
returning 1;

-- requests.forget_proofs
delete from spent_proofs
where (merchant_id, proof) in (
  select spent.merchant_id, spent.proof
  from
    unnest($1::text[], $2::timestamptz[]) as ended (merchant_id, since)
    join spent_proofs spent on spent.merchant_id = ended.merchant_id
      and spent.spent_at < ended.since - interval '1 hour'
  limit 1000
  for update of spent skip locked
)
returning 1;

-- requests.forget_signatures
delete from spent_signatures
where (merchant_id, message_id) in (
  select merchant_id, message_id
  from spent_signatures
  where forget_at < $1
  order by forget_at
  limit 1000
  for update skip locked
)
returning 1;

-- requests.keep_answers
insert into kept_answers (merchant_id, operation, idempotency_key, fingerprint, sealed, kept_at)
select merchant_id, operation, idempotency_key, fingerprint, sealed, kept_at
from unnest(
  $1::text[], $2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::timestamptz[]
) as k (merchant_id, operation, idempotency_key, fingerprint, sealed, kept_at)
order by merchant_id collate "C", operation collate "C", idempotency_key collate "C";

-- requests.read_kept_answer
select merchant_id as "merchantId", operation, idempotency_key as key, sealed
from kept_answers
where merchant_id = $1 and operation || ' ' || idempotency_key = $2;

-- requests.send_log
select pg_notify('request_log', text) from unnest($1::text[]) as text;

-- requests.spend_proofs
insert into spent_proofs (merchant_id, proof, spent_at)
select merchant_id, proof, $3
from unnest($1::text[], $2::bytea[]) as k (merchant_id, proof)
order by merchant_id collate "C", proof;

-- requests.spend_signatures
insert into spent_signatures (merchant_id, message_id, forget_at)
select merchant_id, message_id, forget_at
from unnest($1::text[], $2::text[], $3::timestamptz[]) as k (merchant_id, message_id, forget_at)
order by merchant_id collate "C", message_id collate "C"
on conflict do nothing
returning merchant_id as "merchantId", message_id as "messageId";

-- requests.walk_kept_answers
select merchant_id as "merchantId", operation, idempotency_key as key, sealed
from kept_answers
where (merchant_id, operation, idempotency_key) > ($1, $2, $3)
order by merchant_id, operation, idempotency_key
limit 1000;

-- sandbox.lock_clock
insert into sandbox_clock (offset_ms)
values (0)
on conflict (only_row) do update
set offset_ms = sandbox_clock.offset_ms
returning offset_ms::float8 as "offsetMs";

-- sandbox.move_clock
update sandbox_clock set offset_ms = $1 where only_row;

-- sandbox.notify_clock
select pg_notify('sandbox_clock_moved', $1);

-- sandbox.select_clock
select offset_ms::float8 as "offsetMs" from sandbox_clock where only_row;

-- users.any
select 1 from users where state <> 'disabled' limit 1;

-- users.bind_subject
insert into user_subjects (issuer, subject, user_id, created_at)
values ($1, $2, $3, $4)
on conflict (issuer, subject) do nothing;

-- users.confirm_code_secret
update user_code_secrets set is_confirmed = true, last_step = $2 where user_id = $1 and not is_confirmed;

-- users.count_code_secrets
select master_key_id as "masterKeyId", count(*) as secrets from user_code_secrets group by master_key_id;

-- users.count_recovery_codes
select count(*)::int as left from user_recovery_codes where user_id = $1;

-- users.count_try
with
  of_network as (
    insert into sign_in_tries as kept (account, network, since, tries)
    values ('', $2, $3::timestamptz, 1)
    on conflict (account, network) do update
    set
      since = case
        when kept.since <= excluded.since
          - case when kept.network = '' then interval '1440 minutes' else interval '15 minutes' end then excluded.since
        else kept.since end,
      tries = case
        when kept.since <= excluded.since
          - case when kept.network = '' then interval '1440 minutes' else interval '15 minutes' end then 1
        else least(kept.tries + 1, 1000000) end
    returning account, network, since, tries, known_until as "knownUntil"
  ),
  of_account as (
    insert into sign_in_tries as kept (account, network, since, tries)
    select $1, k.network, $3::timestamptz, 1
    from of_network n, unnest(array['', $2]) with ordinality as k (network, place)
    where n.tries <= 50
    order by k.place
    on conflict (account, network) do update
    set
      since = case
        when kept.since <= excluded.since
          - case when kept.network = '' then interval '1440 minutes' else interval '15 minutes' end then excluded.since
        else kept.since end,
      tries = case
        when kept.since <= excluded.since
          - case when kept.network = '' then interval '1440 minutes' else interval '15 minutes' end then 1
        else least(kept.tries + 1, 1000000) end
    returning account, network, since, tries, known_until as "knownUntil"
  )
select *
from of_network
union all
select *
from of_account;

-- users.delete_view
delete from user_views where user_id = $1 and view_id = $2 returning 1;

-- users.drop_code_secret
delete from user_code_secrets where user_id = $1 and is_confirmed;

-- users.drop_code_secrets
delete from user_code_secrets where user_id = $1;

-- users.drop_password
delete from user_passwords where user_id = $1;

-- users.drop_recovery_codes
delete from user_recovery_codes where user_id = $1;

-- users.end_links
delete from user_links where user_id = $1;

-- users.end_made_tokens
update access_tokens set expires_at = $2 where maker_id = any($1) and expires_at > $2 returning token_id as "tokenId";

-- users.end_session
delete from user_sessions where session_id = $1 and user_id = $2 returning 1;

-- users.end_sessions
delete from user_sessions where user_id = $1 and session_id is distinct from $2 returning 1;

-- users.end_token
update access_tokens
set expires_at = $2
where
  token_id = $1
  and expires_at > $2
  and ($3::text is null or merchant_id = $3)
  and ($4::text is null or user_id = $4)
returning name;

-- users.erase_person
with
  gone as (
    delete from users
    where user_id in (
      select user_id from users where user_id = any($1::text[]) and state = 'disabled' for update skip locked
    )
    returning user_id, email_key
  ),
  tries as (delete from sign_in_tries where account in (select email_key from gone))
select '' as "merchantId", user_id as id
from gone;

-- users.find_other_subject
select 1 from user_subjects where issuer = $1 and user_id = $2 and subject <> $3;

-- users.find_person
select '' as "merchantId", user_id as id, state <> 'disabled' as "isOpen" from users where email ~ $1 order by user_id;

-- users.find_subject
select user_id as "userId" from user_subjects where issuer = $1 and subject = $2;

-- users.forget_challenges
delete from spent_challenges
where hash in (select hash from spent_challenges where expires_at < $1 limit 1000 for update skip locked)
returning 1;

-- users.forget_links
delete from user_links
where hash in (select hash from user_links where expires_at < $1 limit 1000 for update skip locked)
returning 1;

-- users.forget_sessions
delete from user_sessions
where session_id in (select session_id from user_sessions where expires_at < $1 limit 1000 for update skip locked)
returning 1;

-- users.forget_tokens
delete from access_tokens
where token_id in (
  select token_id
  from access_tokens
  where expires_at < $1::timestamptz - interval '90 days'
  limit 1000
  for update skip locked
)
returning 1;

-- users.forget_tries
delete from sign_in_tries
where (account, network) in (
  select account, network
  from sign_in_tries
  where since < $1::timestamptz - interval '1 day' and (known_until is null or known_until < $1)
  limit 1000
  for update skip locked
)
returning 1;

-- users.forget_tries_of_account
update sign_in_tries set tries = 0 where account = $1;

-- users.has_codes
select 1
where
  exists (select from user_code_secrets where user_id = $1 and is_confirmed)
  or exists (select from user_recovery_codes where user_id = $1);

-- users.has_credentials
select 1
where
  exists (select from user_passwords where user_id = $1)
  or exists (select from user_passkeys where user_id = $1)
  or exists (select from user_subjects where user_id = $1);

-- users.hold_token_maker
select user_id as "userId", token_id as "tokenId", expires_at as "expiresAt"
from access_tokens
where token_id = $1 and expires_at > $2
for share;

-- users.insert
insert into users (user_id, email, email_key, name, role, merchant_id, language, state, created_at, updated_at)
values (
  $1,
  $2, case
    when $9
      and exists (select from users where email_key = $3 and merchant_id is distinct from $6) then $3 || ' ' || $6
    else $3 end,
  $4, $5, $6, $7, 'invited', $8, $8
)
on conflict (email_key) do nothing
returning
  user_id as "userId", email, email_key as "emailKey", name, role, merchant_id as "merchantId", language, state,
  version, created_at as "createdAt", updated_at as "updatedAt";

-- users.insert_link
insert into user_links (hash, user_id, purpose, created_at, expires_at)
values ($1, $2, $3, $4, $5)
on conflict (user_id, purpose) do update
set hash = excluded.hash, created_at = excluded.created_at, expires_at = excluded.expires_at;

-- users.insert_passkey
insert into user_passkeys (credential_id, user_id, public_key, uses, transports, created_at)
select $1, $2, $3, $4, $5, $6
where (select count(*) from user_passkeys where user_id = $2) < 20
on conflict (credential_id) do nothing
returning 1;

-- users.insert_recovery_codes
insert into user_recovery_codes (user_id, hash) select $1, hash from unnest($2::bytea[]) as new (hash);

-- users.insert_session
insert into user_sessions (
  session_id, hash, user_id, created_at, seen_at, expires_at, reauthenticated_at, address, browser
)
values ($1, $2, $3, $4, $4, $5, $4, $6, $7);

-- users.insert_token
insert into access_tokens (
  token_id, hash, user_id, maker_id, merchant_id, acts_for_merchant, name, permissions, created_at, expires_at
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- users.list
select
  user_id as "userId", email, email_key as "emailKey", name, role, merchant_id as "merchantId", language, state,
  version, created_at as "createdAt", updated_at as "updatedAt"
from users
where
  ($1::text is null or merchant_id = $1)
  and ($2::text is null or state = $2)
  and ($3::text is null or role = $3)
  and ($4::text is null or (split_part(email_key, ' ', 1), user_id) > ($4, $5))
  and ($7::text is null or split_part(email_key, ' ', 1) = $7)
order by split_part(email_key, ' ', 1), user_id
limit $6;

-- users.list_passkeys
select
  credential_id as "credentialId", user_id as "userId", public_key as "publicKey", uses, transports,
  created_at as "createdAt", used_at as "usedAt"
from user_passkeys
where user_id = $1
order by created_at, credential_id;

-- users.list_sessions
select
  session_id as "sessionId", created_at as "createdAt", seen_at as "seenAt", expires_at as "expiresAt", address,
  browser
from user_sessions
where user_id = $1 and expires_at > $2 and seen_at > $3
order by seen_at desc, session_id;

-- users.list_tokens
select
  t.token_id as "tokenId", t.name, t.permissions, t.merchant_id as "merchantId", u.merchant_id as "makerMerchantId",
  u.email as "madeBy", t.created_at as "createdAt", t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt"
from access_tokens t left join users u on u.user_id = t.user_id
where
  ($1::text is null or t.merchant_id = $1)
  and ($2::text is null or t.user_id = $2)
  and ($3::timestamptz is null or (t.created_at, t.token_id) < ($3, $4))
order by t.created_at desc, t.token_id desc
limit $5;

-- users.list_views
select view_id as "viewId", name, address, created_at as "createdAt"
from user_views
where user_id = $1
order by name, view_id
limit 100;

-- users.lock
select
  user_id as "userId", email, email_key as "emailKey", name, role, merchant_id as "merchantId", language, state,
  version, created_at as "createdAt", updated_at as "updatedAt"
from users
where user_id = $1
for update;

-- users.lock_code_secret
select
  user_id as "userId", is_confirmed as "isConfirmed", master_key_id as "masterKeyId", sealed, last_step as "lastStep"
from user_code_secrets
where user_id = $1 and is_confirmed = $2
for update;

-- users.lock_owners
select user_id as "userId" from users where role = 'owner' and state = 'active' order by user_id for update;

-- users.lock_passkey
select
  credential_id as "credentialId", user_id as "userId", public_key as "publicKey", uses, transports,
  created_at as "createdAt", used_at as "usedAt"
from user_passkeys
where credential_id = $1
for update;

-- users.newest_link
select 1 from user_links where user_id = $1 and purpose = $2 and created_at > $3;

-- users.note_success
update sign_in_tries
set
  tries = case when account = '' then greatest(tries - 1, 0) else 0 end,
  known_until = case when account = '' or network = '' then null else $3::timestamptz end
where account in ($1, '') and network in ($2, '');

-- users.prove_session_again
update user_sessions set reauthenticated_at = $2 where session_id = $1;

-- users.read_person
select
  email, name, role, merchant_id as "merchantId", language, state, created_at as "createdAt",
  updated_at as "updatedAt",
  (
    select coalesce(
      jsonb_agg(
        jsonb_build_object('address', address, 'browser', browser, 'createdAt', created_at, 'seenAt', seen_at)
      ),
      '[]'
    )
    from user_sessions s
    where s.user_id = u.user_id
  ) as sessions,
  (
    select coalesce(
      jsonb_agg(
        jsonb_build_object('name', name, 'permissions', permissions, 'createdAt', created_at, 'endsAt', expires_at)
      ),
      '[]'
    )
    from access_tokens t
    where t.user_id = u.user_id
  ) as tokens,
  (
    select coalesce(jsonb_agg(jsonb_build_object('name', name, 'address', address, 'createdAt', created_at)), '[]')
    from user_views v
    where v.user_id = u.user_id
  ) as views,
  (
    select coalesce(jsonb_agg(jsonb_build_object('createdAt', created_at, 'usedAt', used_at)), '[]')
    from user_passkeys p
    where p.user_id = u.user_id
  ) as passkeys,
  (
    select coalesce(jsonb_agg(jsonb_build_object('issuer', issuer, 'subject', subject, 'createdAt', created_at)), '[]')
    from user_subjects i
    where i.user_id = u.user_id
  ) as identities
from users u
where user_id = $1;

-- users.remove_passkey
delete from user_passkeys where credential_id = $1 and user_id = $2 returning 1;

-- users.remove_passkeys
delete from user_passkeys where user_id = $1;

-- users.reseal_code_secret
update user_code_secrets set master_key_id = $1, sealed = $2 where user_id = $3 and is_confirmed = $4;

-- users.save_view
insert into user_views (view_id, user_id, name, address, created_at)
select $1, $2, $3, $4, $5
where
  exists (select from user_views where user_id = $2 and name = $3)
  or (select count(*) from user_views where user_id = $2) < 100
on conflict (user_id, name) do update
set address = excluded.address
returning view_id as "viewId", name, address, created_at as "createdAt";

-- users.see_session
update user_sessions
set seen_at = $2
where session_id in (
  select session_id from user_sessions where session_id = $1 and seen_at < $3 for update skip locked
);

-- users.select
select
  user_id as "userId", email, email_key as "emailKey", name, role, merchant_id as "merchantId", language, state,
  version, created_at as "createdAt", updated_at as "updatedAt"
from users
where user_id = $1;

-- users.select_by_email
select
  user_id as "userId", email, email_key as "emailKey", name, role, merchant_id as "merchantId", language, state,
  version, created_at as "createdAt", updated_at as "updatedAt"
from users
where email_key = $1;

-- users.select_code_secrets_under_other_keys
select user_id as "userId", is_confirmed as "isConfirmed", master_key_id as "masterKeyId", sealed
from user_code_secrets
where master_key_id <> $1 and (user_id, is_confirmed) > ($3, $4)
order by user_id, is_confirmed
limit $2
for update;

-- users.select_link
select user_id as "userId", purpose, expires_at as "expiresAt" from user_links where hash = $1 and expires_at > $2;

-- users.select_password
select hash from user_passwords where user_id = $1;

-- users.select_session
select
  s.hash, s.session_id as "sessionId", s.seen_at as "seenAt", s.expires_at as "expiresAt",
  s.reauthenticated_at as "reauthenticatedAt", u.user_id as "userId", u.email, u.name, u.role,
  u.merchant_id as "merchantId", u.language
from user_sessions s join users u on u.user_id = s.user_id
where s.hash = any($1) and s.expires_at > $2 and s.seen_at > $3 and u.state = 'active';

-- users.select_token
select
  t.hash, t.token_id as "tokenId", t.name, t.permissions, t.merchant_id as "merchantId",
  t.acts_for_merchant as "actsForMerchant", t.last_used_at as "lastUsedAt", u.user_id as "userId", u.role,
  u.merchant_id as "makerMerchantId", u.state
from access_tokens t left join users u on u.user_id = t.user_id
where t.hash = any($1) and t.expires_at > $2;

-- users.set_code_secret
insert into user_code_secrets (user_id, is_confirmed, master_key_id, sealed, created_at)
values ($1, false, $2, $3, $4)
on conflict (user_id, is_confirmed) do update
set master_key_id = excluded.master_key_id, sealed = excluded.sealed, last_step = 0, created_at = excluded.created_at;

-- users.set_password
insert into user_passwords (user_id, hash, changed_at)
values ($1, $2, $3)
on conflict (user_id) do update
set hash = excluded.hash, changed_at = excluded.changed_at;

-- users.spend_challenge
insert into spent_challenges (hash, expires_at) values ($1, $2) on conflict (hash) do nothing returning 1;

-- users.spend_code
update user_code_secrets set last_step = $2 where user_id = $1 and is_confirmed;

-- users.spend_link
delete from user_links where hash = $1 and purpose = $2 and expires_at > $3 returning user_id as "userId";

-- users.spend_recovery_code
delete from user_recovery_codes where user_id = $1 and hash = $2 returning 1;

-- users.update
update users
set name = $2, role = $3, merchant_id = $4, language = $5, state = $6, version = version + 1, updated_at = $7
where user_id = $1
returning
  user_id as "userId", email, email_key as "emailKey", name, role, merchant_id as "merchantId", language, state,
  version, created_at as "createdAt", updated_at as "updatedAt";

-- users.use_passkey
update user_passkeys set uses = $2, used_at = $3 where credential_id = $1;

-- users.use_token
update access_tokens
set last_used_at = $2
where token_id in (
  select token_id
  from access_tokens
  where token_id = $1 and (last_used_at is null or last_used_at < $3)
  for update skip locked
);
