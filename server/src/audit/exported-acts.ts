import { FROM, TO, type ExportedList } from '../exports/index.ts';
import { ACTS_OF, isOnly } from './acts-of.ts';

/** The audit log, for whole exports. `audit export` gives its links too, which prove it. */
export const exportedActs: ExportedList = {
  name: 'acts',
  permission: 'audit:read',
  isOfService: true,
  // Home has what was refused, and what was done to users.
  isEverywhere: true,
  columns: {
    act: 'number',
    place: 'number',
    at: 'instant',
    actorKind: 'name',
    actor: 'text',
    actorName: 'text',
    source: 'text',
    requestId: 'text',
    operation: 'name',
    merchant: 'text',
    target: 'text',
    outcome: 'name',
    details: 'text',
    erasedAs: 'name',
  },
  order: ['at', 'act'],
  isOfMoney: false,
  filters: {
    from: { ...FROM, about: 'done from this day or instant on' },
    to: { ...TO, about: 'done to the end of this day, or before this instant' },
    actor: { kind: 'text', about: 'by the actor with this id or name' },
    operation: { kind: 'text', about: 'of this operation' },
    only: { kind: 'choice', about: 'that changed something, or that only showed data of people', of: ACTS_OF },
  },
  query: (scope, { from, to, actor, operation, only }) => ({
    text: `select a.act_id as act, l.place, a.acted_at as at, a.actor_kind as "actorKind", a.actor_id as actor, a.actor_name as "actorName",
                  a.source, a.request_id as "requestId", a.operation, a.merchant_id as merchant, a.target, a.outcome, d.content as details,
                  d.erased_as as "erasedAs"
             from acts a left join act_links l using (act_id) left join act_details d using (act_id)
            where ($1::text is null or a.merchant_id = $1) and ($2::timestamptz is null or a.acted_at >= $2)
              and ($3::timestamptz is null or a.acted_at < $3) and ($4::text is null or a.actor_id = $4 or a.actor_name = $4)
              and ($5::text is null or a.operation = $5) and ${isOnly('$6', 'a.operation')}`,
    values: [scope === 'everybody' ? null : scope.merchantId, from ?? null, to ?? null, actor ?? null, operation ?? null, only ?? null],
  }),
};
